// Compares the FTL with a naive one, request by request: placement of every page and every counter must match.
#include <functional>

#include "ftl/drive/drive.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/checks/reference/reference_ftl.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

using Policy = ReferenceRules::Policy;

// Wraps a GC policy and reports its choices.
class Noted final : public GcPolicy {
 public:
  Noted(std::unique_ptr<GcPolicy> policy, std::function<void(SuperblockId)> note)
      : policy_(std::move(policy)), note_(std::move(note)) {}
  SuperblockId choose(const GcView& view, RandomStream& random) override {
    const SuperblockId chosen = policy_->choose(view, random);
    note_(chosen);
    return chosen;
  }

 private:
  std::unique_ptr<GcPolicy> policy_;
  std::function<void(SuperblockId)> note_;
};

struct KnownPolicy {
  const char* name;
  Policy policy;
};
constexpr KnownPolicy kKnown[] = {{"greedy", Policy::greedy},
                                  {"windowed-greedy", Policy::greedy},
                                  {"random", Policy::drawn},
                                  {"d-choices", Policy::drawn},
                                  {"fifo", Policy::fifo},
                                  {"cost-benefit", Policy::cost_benefit},
                                  {"cost-benefit-kawaguchi", Policy::cost_benefit_kawaguchi}};

const KnownPolicy* known(const FtlConfig& ftl) {
  const std::string& name = gc_policy_kinds()[ftl.gc.policy].name;
  for (const KnownPolicy& policy : kKnown) {
    if (name == policy.name) return &policy;
  }
  return nullptr;
}

// True if the reference implements all features of the design.
bool is_in_the_rules(const DriveConfig& drive) {
  const FtlConfig& ftl = drive.ftl;
  const bool placed = ftl.placement.scheme == Placing::none || ftl.placement.scheme == Placing::streams;
  return placed && ftl.slc.superblocks == 0 && ftl.gc.idle_after == Nanoseconds{0} && known(ftl) != nullptr;
}

bool reports_choices(const ReferenceRules& rules) {
  return rules.policy == Policy::drawn || (rules.policy == Policy::greedy && rules.ties == ReferenceRules::Ties::drawn);
}

ReferenceRules collection_rules(const FtlConfig& ftl) {
  ReferenceRules rules;
  rules.separate_relocation = ftl.separate_relocation;
  rules.policy = known(ftl)->policy;
  rules.ties = ftl.gc.ties == Bins::Keeping::lifo   ? ReferenceRules::Ties::latest
               : ftl.gc.ties == Bins::Keeping::fifo ? ReferenceRules::Ties::first
                                                    : ReferenceRules::Ties::drawn;
  const GcPolicyKind& kind = gc_policy_kinds()[ftl.gc.policy];
  const auto value = static_cast<std::uint32_t>(ftl.gc.values.empty() ? 0 : ftl.gc.values[0]);
  rules.drawn = kind.name == "d-choices" ? value : 1;
  rules.window = kind.windowed ? value : 0;
  rules.shuffle = ftl.gc.shuffle;
  rules.start_free = ftl.gc.start_free;
  rules.stop_free = ftl.gc.stop_free;
  rules.pages_per_host_write = ftl.gc.pages_per_host_write;
  rules.least_worn_first = ftl.wear.least_worn_first;
  rules.static_spread = ftl.wear.static_spread;
  rules.check_every_erases = ftl.wear.check_every_erases;
  return rules;
}

ReferenceRules rules_of(const DriveConfig& drive, std::uint64_t seed) {
  const FtlConfig& ftl = drive.ftl;
  ReferenceRules rules = collection_rules(ftl);
  const std::uint32_t stripe_bytes = ftl.superblock.planes * drive.geometry.page_bytes;
  const std::uint32_t stripes = ftl.superblock.dies * drive.geometry.pages_per_block;
  rules.page_bytes = ftl.mapping_bytes;
  rules.superblocks =
      static_cast<std::uint32_t>(drive.geometry.bytes() / (std::uint64_t{stripe_bytes} * stripes));  // the whole flash
  rules.pages_per_stripe = std::max(stripe_bytes / ftl.mapping_bytes, 1u);
  rules.stripes = stripes / std::max(ftl.mapping_bytes / stripe_bytes, 1u);
  rules.parity_every = ftl.superblock.parity ? ftl.superblock.dies : 0;
  rules.handles = ftl.placement.scheme == Placing::streams;
  rules.host_frontiers = ftl.placement.scheme == Placing::streams ? ftl.placement.streams : 1;
  rules.coalescing_pages = ftl.buffer.coalescing_pages;
  rules.coalesce = ftl.buffer.coalesce;
  rules.power_loss_protected = ftl.buffer.power_loss_protected;
  rules.trim = ftl.trim.mode == TrimConfig::Mode::immediate  ? ReferenceRules::Trim::at_once
               : ftl.trim.mode == TrimConfig::Mode::deferred ? ReferenceRules::Trim::later
                                                             : ReferenceRules::Trim::never;
  rules.trims_per_host_write = ftl.trim.pages_per_host_write;
  rules.seed = seed;
  return rules;
}

// A drive and its reference, given the same requests.
class Pair {
 public:
  Pair(DriveConfig drive, Clock clock, std::uint64_t seed) : rules_(rules_of(drive, seed)), reference_(rules_) {
    const GcPolicyKind& kind = gc_policy_kinds()[drive.ftl.gc.policy];
    drive.ftl.gc.own = [this, &kind, values = drive.ftl.gc.values](std::uint32_t) {
      return std::make_unique<Noted>(kind.make(values), [this](SuperblockId chosen) {
        if (reports_choices(rules_) && chosen != kNoBlock) reference_.report_choice(number(chosen));
      });
    };
    drive_ = std::make_unique<Drive>(drive, clock, seed);
  }

  void execute(std::span<const Request> batch) { execute(batch, batch); }
  // Gives other requests to the reference.
  void execute(std::span<const Request> batch, std::span<const Request> reported) {
    drive_->submit(batch);
    Completion done[16];
    for (std::size_t count; (count = drive_->wait(kNever, done)) > 0;) {
      for (std::size_t i = 0; i < count; ++i) {
        if (done[i].status != Status::ok) throw std::logic_error("request " + std::to_string(done[i].tag) + " failed");
        now_ = std::max(now_, done[i].completed);
      }
    }
    for (const Request& request : reported) report_to_reference(request);
  }

  // The first difference, or nothing.
  std::string difference() const {
    const std::string counted = different_counts();
    return counted.empty() ? different_places() : counted;
  }

  Nanoseconds now() const { return now_; }
  const ReferenceFtl::Counts& counts() const { return reference_.counts(); }
  const DriveConfig& config() const { return drive_->config(); }

 private:
  void report_to_reference(const Request& request) {
    const std::uint64_t page = rules_.page_bytes;
    const std::uint64_t end = request.offset_bytes + request.length_bytes;
    const auto lpn = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    if (request.op == Op::flush) return reference_.flush();
    if (request.op == Op::trim) {
      const std::uint64_t first = (request.offset_bytes + page - 1) / page;
      return reference_.trim(lpn(first), lpn(std::max(end / page, first)));
    }
    for (std::uint64_t l = request.offset_bytes / page; l * page < end; ++l) {
      const std::uint64_t from = std::max(request.offset_bytes, l * page), to = std::min(end, (l + 1) * page);
      reference_.write(lpn(l), lpn(from - l * page), lpn(to - l * page), request.stream);
    }
  }

  std::string different_counts() const {
    const Ftl& ftl = drive_->ftl();
    const ReferenceFtl::Counts& counts = reference_.counts();
    const struct {
      const char* what;
      std::uint64_t is, should;
    } rows[] = {
        {"pages of the host", ftl.counts().host_pages, counts.host},
        {"relocated pages", ftl.collection().relocated(RelocationCause::collection).pages, counts.relocated},
        {"pages relocated for wear", ftl.collection().relocated(RelocationCause::wear).pages, counts.relocated_for_wear},
        {"padded pages", ftl.store().counts().pages_padded, counts.padded},
        {"parity pages", ftl.store().counts().parity_pages, counts.parity},
        {"erased superblocks", ftl.store().counts().superblocks_erased, counts.erased},
        {"collected superblocks", ftl.collection().collected(), counts.collected},
        {"pages coalesced", ftl.counts().coalesced_pages, counts.coalesced},
        {"pages read to be completed", ftl.counts().read_modify_writes, counts.read_modify_writes},
        {"bytes filled up", ftl.counts().filled_bytes, counts.filled_bytes},
        {"trimmed pages", ftl.counts().trimmed_pages, counts.trimmed},
        {"mapped pages", ftl.store().pages().mapped(), reference_.map().size()},
        {"free superblocks", ftl.store().blocks().free().count(), reference_.free().size()},
        {"choices not asked for", reference_.choices_left(), 0},
    };
    for (const auto& row : rows) {
      if (row.is != row.should)
        return std::string(row.what) + ": " + std::to_string(row.is) + ", " + std::to_string(row.should);
    }
    return {};
  }

  std::string different_places() const {
    const Ftl& ftl = drive_->ftl();
    const std::uint32_t pages = rules_.stripes * rules_.pages_per_stripe;
    for (std::uint32_t l = 0; l < ftl.store().pages().map().lpns(); ++l) {
      const auto place = reference_.map().find(l);
      const Ppn should =
          place == reference_.map().end() ? kNoPpn : Ppn{place->second.superblock * pages + place->second.position};
      if (ftl.store().pages().map().find(Lpn{l}) != should) return "logical page " + std::to_string(l) + " lies elsewhere";
      if (number(ftl.pages().version(Lpn{l})) != reference_.version(l))
        return "logical page " + std::to_string(l) + " has another version";
    }
    for (std::uint32_t b = 0; b < rules_.superblocks; ++b) {
      if (drive_->medium().superblocks().erases(SuperblockId{b}) != reference_.erases(b))
        return "superblock " + std::to_string(b) + " was erased another number of times";
    }
    return {};
  }

  ReferenceRules rules_;
  ReferenceFtl reference_;
  std::unique_ptr<Drive> drive_;
  Nanoseconds now_{0};
};

// Mostly writes, of arbitrary sectors or whole pages, concentrated on a part of the drive.
Request draw_request(const DriveConfig& drive, RandomStream& random, std::uint64_t tag, Nanoseconds now) {
  Request request;
  request.tag = tag;
  request.issued = now;
  const std::uint64_t kind = random.below(1000);
  request.op = kind < 5 ? Op::flush : kind < 60 ? Op::trim : Op::write;
  if (request.op == Op::flush) return request;
  const std::uint64_t unit = random.chance(1, 4) ? kSectorBytes : drive.ftl.mapping_bytes;
  std::uint64_t units = drive.user_bytes / unit;
  if (random.chance(1, 3)) units = std::max<std::uint64_t>(units / 8, 1);
  const std::uint64_t length = 1 + random.below(std::min<std::uint64_t>(units, random.chance(1, 50) ? 20 : 2));
  request.offset_bytes = random.below(units - length + 1) * unit;
  request.length_bytes = length * unit;
  request.stream = static_cast<std::uint8_t>(random.below(4));
  return request;
}

struct Compared {
  std::uint64_t requests = 0, relocated_for_wear = 0;
};

Compared compare(const DriveConfig& drive, RandomStream& random, std::uint64_t requests, Clock clock) {
  Pair pair(drive, clock, random.bits());
  std::uint64_t tag = 0;
  const std::uint64_t batches = 40;
  for (std::uint64_t i = 0; i < batches; ++i) {
    for (std::uint64_t done = 0; done < requests / batches;) {
      std::vector<Request> batch(1 + random.below(16));
      for (Request& request : batch) request = draw_request(drive, random, tag++, pair.now());
      pair.execute(batch);
      done += batch.size();
    }
    const std::string difference = pair.difference();
    INFO("after " << tag << " requests");
    REQUIRE(difference == "");
  }
  return {tag, pair.counts().relocated_for_wear};
}

// Every second design gets a quarter less data and higher watermarks: at the lowest watermarks GC frees no more than the
// reserve, which static wear levelling must not use.
DriveConfig drawn_for_reference(RandomStream& random) {
  for (;;) {
    DriveConfig drive = drawn_design(random, Mapping::page);
    if (!is_in_the_rules(drive)) continue;
    if (random.chance(1, 2)) {
      drive.user_bytes = std::uint64_t{drive.logical_pages()} * 3 / 4 * drive.ftl.mapping_bytes;
      drive.ftl.gc.start_free += 2;
      drive.ftl.gc.stop_free += 3;
    }
    return drive;
  }
}

// `drives`: enough to cover all policies, one and two frontiers, parity, and every kind of trim and pace many times.
Compared compare_drives(std::uint64_t seed, int drives, std::uint64_t requests) {
  RandomStream random(seed, "reference");
  Compared all;
  for (int i = 0; i < drives; ++i) {
    const DriveConfig drive = drawn_for_reference(random);
    INFO("seed " << seed << ", drive " << i << ": " << words(drive));
    const Compared one = compare(drive, random, requests, i % 4 == 0 ? Clock::timed : Clock::untimed);
    all.requests += one.requests;
    all.relocated_for_wear += one.relocated_for_wear;
  }
  return all;
}

}  // namespace

TEST_CASE("a naive FTL has the same placement and counters after 300,000 requests") {
  const Compared compared = compare_drives(1, 100, 3'000);
  REQUIRE(compared.requests >= 300'000);
  REQUIRE(compared.relocated_for_wear > 0);
}

TEST_CASE("a different place or counter of a page is reported as a difference") {
  RandomStream random(2, "reference");
  const DriveConfig drive = drawn_for_reference(random);
  const std::uint64_t page = drive.ftl.mapping_bytes;
  const Request both[] = {{0, Op::write, 0, page, Nanoseconds{0}}, {1, Op::write, page, page, Nanoseconds{0}}};
  const Request swapped[] = {both[1], both[0]};
  const Request once[] = {both[0], both[0], both[1]};
  Pair same(drive, Clock::untimed, 3);
  same.execute(both);
  REQUIRE(same.difference() == "");
  for (const std::span<const Request> reported : {std::span<const Request>(swapped), std::span<const Request>(once)}) {
    Pair pair(drive, Clock::untimed, 3);
    pair.execute(both, reported);
    REQUIRE(pair.difference() != "");
  }
}

TEST_CASE("a naive translation layer puts a hundred million requests at the same places", "[.][long]") {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 100; compared < 100'000'000; ++seed) compared += compare_drives(seed, 100, 50'000).requests;
}
