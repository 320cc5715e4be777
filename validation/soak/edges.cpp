#include "validation/soak/parts.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "ftl/drive/drive.h"
#include "sim/core/error.h"
#include "sim/core/random.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {
namespace {

using nlohmann::json;
using testing::Draw;

json geometry_of(Draw draw) {
  return {{"channels", draw.of({1, 2, 4})},
          {"chips_per_channel", draw.of({1, 2})},
          {"dies_per_chip", draw.of({1, 2})},
          {"planes_per_die", draw.of({1, 2, 4})},
          {"blocks_per_plane", draw.of({12, 25, 60})},
          {"pages_per_block", draw.of({1, 3, 8, 17})},
          {"page_bytes", draw.of({512, 2048, 4096})},
          {"page_spare_bytes", 64},
          {"codeword_bytes", 512}};
}

json collection_of(Draw draw) {
  constexpr const char* kPolicies[] = {"greedy", "random", "d-choices", "fifo", "windowed-greedy", "cost-benefit"};
  json gc = {{"policy", kPolicies[draw.of({0, 1, 2, 3, 4, 5})]},
             {"start_free_superblocks", 1},
             {"stop_free_superblocks", 2},
             {"pages_per_host_write", draw.of({0, 1, 8})}};
  if (gc["policy"] == "d-choices") gc["d"] = draw.of({1, 4});
  if (gc["policy"] == "windowed-greedy") gc["window_superblocks"] = draw.of({1, 5});
  return gc;
}

// Draws a drive file with the lowest GC watermarks that its frontiers allow.
json drawn_drive(RandomStream& random) {
  Draw draw{random};
  const json geometry = geometry_of(draw);
  const bool whole = draw.coin();
  const std::uint64_t dies = geometry["channels"].get<std::uint64_t>() * geometry["chips_per_channel"].get<std::uint64_t>() *
                             geometry["dies_per_chip"].get<std::uint64_t>();
  json gc = collection_of(draw);
  const bool apart = draw.coin();
  const bool mortal = random.chance(1, 4);
  const std::uint64_t reserve = 1 + (mortal ? 1 : 0);
  gc["start_free_superblocks"] = reserve;
  gc["stop_free_superblocks"] = reserve + 1;
  json ftl = {{"mapping", {{"scheme", "page"}, {"page_bytes", draw.of({512, 2048, 4096})}}},
              {"superblock", {{"dies", whole ? dies : 1}, {"planes", whole ? geometry["planes_per_die"] : json(1)}}},
              {"frontiers", apart ? "host+gc" : "one"},
              {"gc", gc},
              {"write_buffer", {{"bytes", 1 << 20}, {"partial_pages", draw.of({0, 4})}}}};
  json drive = {{"name", "edge"},
                {"user_sectors", 1},
                {"geometry", geometry},
                {"nand",
                 {{"cell", "slc"},
                  {"read_ns", 50'000},
                  {"program_ns", 300'000},
                  {"erase_ns", 2'000'000},
                  {"bus_bytes_per_s", 100'000'000},
                  {"bus_command_ns", 500}}},
                {"link", {{"kind", "sata-3"}, {"read_command_ns", 5'400}, {"write_command_ns", 6'200}}},
                {"controller", {{"read_command_ns", 5'000}, {"write_command_ns", 5'000}}},
                {"ftl", ftl}};
  if (mortal) drive["endurance"] = {{"program_erase_limit", 1'000'000}};
  return drive;
}

// Read as a command-line document, in which numbers need no source.
DriveConfig read(const json& drive) {
  const Node document = parse_document(drive.dump(), kCommandLineFile);
  return read_drive(document);
}

struct Refusal {
  std::uint64_t there = 0, needed = 0;  // superblocks, from the message
  std::optional<std::uint64_t> most_sectors;
  std::string sentence;
};

// Empty if the drive file is accepted. Rethrows all other errors.
std::optional<Refusal> refusal_of(const json& drive) {
  try {
    read(drive);
    return std::nullopt;
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    static const std::regex sum(R"(too little spare space: the flash has (\d+) superblocks, but needs (.*) = (\d+) )");
    static const std::regex most(R"(at most (\d+) user_sectors)");
    std::smatch found;
    if (!std::regex_search(text, found, sum)) throw;
    Refusal refusal{std::stoull(found[1]), std::stoull(found[3]), std::nullopt, text};
    if (std::regex_search(text, found, most)) refusal.most_sectors = std::stoull(found[1]);
    return refusal;
  }
}

std::uint64_t pages_of(const json& geometry) {
  std::uint64_t pages = 1;
  for (const char* key :
       {"channels", "chips_per_channel", "dies_per_chip", "planes_per_die", "blocks_per_plane", "pages_per_block"})
    pages *= geometry[key].get<std::uint64_t>();
  return pages;
}

// True if mapping pages divide the superblocks evenly, and the drive is small: a full drive has so few stale pages that an
// unlucky policy relocates all of it for each host write.
bool worth_trying(const json& drive) {
  const json& geometry = drive["geometry"];
  const json& superblock = drive["ftl"]["superblock"];
  const std::uint64_t bytes = superblock["dies"].get<std::uint64_t>() * superblock["planes"].get<std::uint64_t>() *
                              geometry["pages_per_block"].get<std::uint64_t>() * geometry["page_bytes"].get<std::uint64_t>();
  return pages_of(geometry) <= 400 && bytes % drive["ftl"]["mapping"]["page_bytes"].get<std::uint64_t>() == 0;
}

class Edge {
 public:
  Edge(std::uint64_t seed, std::uint64_t index) : random_(seed, "edge " + std::to_string(index)) {
    do drive_ = drawn_drive(random_);
    while (!worth_trying(drive_));
  }

  void walk(EdgesReached& reached) {
    const std::uint64_t page_sectors = drive_["ftl"]["mapping"]["page_bytes"].get<std::uint64_t>() / kSectorBytes;
    drive_["user_sectors"] = physical_sectors();
    std::optional<Refusal> refusal = refusal_of(drive_);
    if (!refusal) fail("a drive whose user space is all of its flash is accepted");
    if (!refusal->most_sectors) return;  // not even one page would fit
    const std::uint64_t most = *refusal->most_sectors;
    if (most > 0) live(most, reached);
    expect_refusal(most + page_sectors, reached);
    json& blocks = drive_["geometry"]["blocks_per_plane"];
    blocks = blocks.get<std::uint64_t>() - 1;
    if (most > 0) expect_refusal(most, reached);
    ++reached.drives;
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }

  std::uint64_t physical_sectors() const {
    return pages_of(drive_["geometry"]) * drive_["geometry"]["page_bytes"].get<std::uint64_t>() / kSectorBytes;
  }

  void expect_refusal(std::uint64_t sectors, EdgesReached& reached) {
    drive_["user_sectors"] = sectors;
    if (sectors > physical_sectors()) return;
    const std::optional<Refusal> refusal = refusal_of(drive_);
    if (!refusal) fail("beyond the edge, with " + std::to_string(sectors) + " sectors, the drive is accepted");
    if (refusal->needed <= refusal->there) fail("the sum of the refusal does not hold: " + refusal->sentence);
    ++reached.refusals;
  }

  // Random writes of ten times the capacity over the whole drive, including its last sector.
  void live(std::uint64_t sectors, EdgesReached& reached) {
    drive_["user_sectors"] = sectors;
    SwarmPlan plan;
    plan.drive = read(drive_);
    plan.fill_first = true;
    plan.host = {0, 1, 0, 0};
    plan.host.longest_sectors = plan.drive.ftl.mapping_bytes / kSectorBytes;
    plan.host.aligned_percent = random_.chance(1, 2) ? 100 : 50;
    plan.host.depth = 8;
    plan.host.batch = 4;
    plan.operations = std::uint64_t{10} * plan.drive.logical_pages();
    plan.calm = 100;
    plan.inspect_every = plan.operations / 3 + 1;
    plan.seed = random_.bits() >> 1;
    const SwarmOutcome outcome = execute(plan);
    if (!outcome.failure.empty()) fail(outcome.failure);
    if (outcome.read_only) fail("a drive at the edge became read-only");
    ++reached.lives;
  }

  RandomStream random_;
  json drive_;
};

}  // namespace

EdgesReached try_edges(std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
  EdgesReached reached;
  for (std::uint64_t index = first; index < first + count; ++index) {
    try {
      Edge(seed, index).walk(reached);
    } catch (const std::exception& wrong) {
      ++reached.failures;
      const std::string reported =
          "edge " + std::to_string(index) + " of seed " + std::to_string(seed) + ": " + wrong.what();
      if (reached.first_failure.empty()) reached.first_failure = reported;
      std::fprintf(stderr, "FAILED: %s\n", reported.c_str());
    }
  }
  return reached;
}

std::vector<Figure> figures_of(std::uint64_t asked, const EdgesReached& reached) {
  return {{"edges: drives with exactly enough flash, and less", asked, reached.drives + reached.failures, reached.failures},
          {"edges: refusals whose arithmetic holds", 0, reached.refusals, 0},
          {"edges: full drives written ten times over", 0, reached.lives, 0}};
}

}  // namespace ftlab::soak
