#include "validation/results/run_problems.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr TestedDevice kDevice{{1'000'000, 4096}, 100'000, false};

// Codes of the problems of a run on a new drive.
std::vector<std::string> codes(const RunStats& stats, const JobFile& jobs = {}, const TestedDevice& device = kDevice) {
  std::vector<std::string> found;
  for (const Problem& problem : problems_of(jobs, stats, device, final_window(stats, device.size), nullptr)) {
    CHECK_FALSE(problem.text.empty());
    CHECK_FALSE(problem.remedy.empty());
    found.push_back(name_of(problem.code));
  }
  return found;
}

RunStats run_of(const Counters& after) {
  RunStats stats;
  stats.requests = 1;
  stats.ended = Nanoseconds{1'000'000'000};
  stats.device_after = after;
  SeriesRow row;
  row.end = row.length = stats.ended;
  row.bytes[static_cast<std::size_t>(Direction::write)] = after.host_write_bytes;
  row.device = after;
  stats.series.push_back(row);
  return stats;
}

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("reads of unwritten space are a problem from one per cent of the bytes") {
  Counters after;
  after.host_read_bytes = 4096 * 1000;
  after.unmapped_read_pages = 9;
  CHECK(codes(run_of(after)).empty());
  after.unmapped_read_pages = 10;
  CHECK(codes(run_of(after)) == Codes{"unwritten_reads"});
}

TEST_CASE("a run without requests says so, unless the user ended it") {
  RunStats stats = run_of({});
  CHECK(codes(stats).empty());
  stats.requests = 0;
  CHECK(codes(stats) == Codes{"nothing_done"});
  stats.left_early = true;
  CHECK(codes(stats).empty());
}

TEST_CASE("a run of less than a superblock has no meaningful write amplification, one of a superblock is not steady") {
  Counters after;
  after.host_write_bytes = 99'999;
  CHECK(codes(run_of(after)) == Codes{"window_below_superblock"});
  after.host_write_bytes = 100'000;
  CHECK(codes(run_of(after)) == Codes{"not_steady"});
}

TEST_CASE("a trace is made longer by its own options") {
  Counters after;
  TestedDevice device = kDevice;
  device.replays_trace = true;
  for (const std::uint64_t bytes : {99'999, 100'000}) {
    after.host_write_bytes = bytes;
    const RunStats stats = run_of(after);
    const auto found = problems_of({}, stats, device, final_window(stats, device.size), nullptr);
    REQUIRE(found.size() == 1);
    CHECK(found[0].remedy == "a longer trace, or --trace-loops");
  }
}

TEST_CASE("placement handles and write hints are a problem on a drive that places all data alike") {
  RunStats stats = run_of({});
  Job job;
  job.name = "p";
  job.pattern.writes = true;
  job.placement.streams = {1, 2};
  stats.jobs.emplace_back().job = &job;
  CHECK(codes(stats) == Codes{"placement_without_effect"});
  const auto remedy = [&](const TestedDevice& device) {
    return problems_of({}, stats, device, std::nullopt, nullptr).front().remedy;
  };
  CHECK(remedy(kDevice) == "--set ftl.placement.scheme=streams --set ftl.placement.streams=3");
  job.placement = {};
  job.placement.all = true;
  CHECK(remedy(kDevice) == "--set ftl.placement.scheme=streams --set ftl.placement.streams=8");
  job.placement = {};
  job.stream = 200;
  CHECK(remedy(kDevice) == "--set ftl.placement.scheme=streams --set ftl.placement.streams=30");
  CHECK(remedy({{1'000'000, 0}, 0, false}) == "leave them out, or an SSD");
  TestedDevice with_streams = kDevice;
  with_streams.places_by_stream = true;
  CHECK(codes(stats, {}, with_streams).empty());
}

TEST_CASE("pages in another reclaim group or handle than the one named are a problem, with their share of the writes") {
  const auto texts = [](const Counters& after) {
    std::vector<std::string> found;
    for (const Problem& problem : problems_of({}, run_of(after), kDevice, std::nullopt, nullptr))
      if (problem.code == ProblemCode::placed_elsewhere) found.push_back(problem.text);
    return found;
  };
  Counters after;
  after.host_write_bytes = 4096 * 1000;
  CHECK(texts(after).empty());
  after.other_group_pages = 250;
  CHECK(texts(after) == Codes{"1.024 MB, 25 % of what the host wrote, went to another reclaim group than the one named, "
                              "which was full"});
  after.unknown_handle_pages = 1;
  CHECK(texts(after).back() == "0.004096 MB, 0.1 % of what the host wrote, named a placement handle that the drive lacks "
                               "and went to handle 0");
}

TEST_CASE("notes of jobs with a code are problems, others are not") {
  JobFile jobs;
  jobs.notes.push_back({"a.fio", 3, "depth counts as 1", ProblemCode::depth_counted_as_1, "ioengine=libaio"});
  jobs.notes.push_back({"a.fio", 4, "a file is placed"});
  CHECK(codes(run_of({}), jobs) == Codes{"depth_counted_as_1"});
  const auto json = problems_json(problems_of(jobs, run_of({}), kDevice, std::nullopt, nullptr));
  CHECK(json.dump() == R"([{"code":"depth_counted_as_1","text":"depth counts as 1","remedy":"ioengine=libaio"}])");
}

TEST_CASE("docs/figures.md lists each problem with its meaning") {
  const std::string text = text_of(FTLAB_SOURCE_DIR "/docs/figures.md");
  for (const ProblemKind& kind : kProblemKinds)
    CHECK(text.find(std::string("| `") + kind.name + "` | " + kind.meaning + " |") != std::string::npos);
}
