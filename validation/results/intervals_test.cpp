// Bounds of a run's figures follow the learned factors, and what is not predicted has none.
#include "validation/results/intervals.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// The table of intervals that counts while it exists.
class OwnTable {
 public:
  explicit OwnTable(const std::string& text) {
    std::ofstream(folder() + "/intervals.json") << text;
    ::setenv("FTLAB_CONFIGS", folder().c_str(), 1);
  }
  ~OwnTable() { ::unsetenv("FTLAB_CONFIGS"); }
  std::string folder() const { return test_.path().string(); }

 private:
  TestFolder test_;
};

}  // namespace

TEST_CASE("more is known of a drive that was measured in this computer than of one known from its data sheet") {
  const double here = Intervals("this-port").factor("rate", "saturated").value();
  const double elsewhere = Intervals("other-port").factor("rate", "saturated").value();
  const double sheet = Intervals("sheet").factor("rate", "saturated").value();
  CHECK(here > 1);
  CHECK(elsewhere > here);
  CHECK(sheet > here);
  CHECK(Intervals("sheet").level() == 0.8);
}

TEST_CASE("figures of which too little was measured have no interval") {
  CHECK_FALSE(Intervals("this-port").factor("longest", "below"));
  CHECK_FALSE(Intervals("sheet").factor("wa", "any"));  // of one group of drives
  CHECK_FALSE(Intervals("sheet").factor("p99", "saturated"));
}

TEST_CASE("a percentile has the interval of its class, else that of all percentiles at its load") {
  const OwnTable table(R"({"level": 0.8, "classes": [
      {"known": "sheet", "figure": "p99", "load": "below", "factor": 2.5},
      {"known": "sheet", "figure": "rate", "load": "any", "factor": 1.5},
      {"known": "sheet", "figure": "percentile", "load": "below", "factor": 1.25}]})");
  const Intervals intervals("sheet");
  CHECK(intervals.factor("p99", "below") == 2.5);
  CHECK(intervals.factor("p50", "below") == 1.25);
  CHECK_FALSE(intervals.factor("p50", "saturated"));
  CHECK(intervals.factor("rate", "saturated") == 1.5);
}

TEST_CASE("a run carries the bounds of each direction of its jobs") {
  const OwnTable table(R"({"level": 0.8, "classes": [{"known": "sheet", "figure": "rate", "load": "any", "factor": 1.5},
      {"known": "sheet", "figure": "p99", "load": "saturated", "factor": 2.0},
      {"known": "sheet", "figure": "wa", "load": "any", "factor": 200.0}]})");
  RunStats stats;
  Job job;
  job.name = "mixed";
  JobStats of_job;
  of_job.job = &job;
  DirectionStats& reads = of_job.directions[static_cast<std::size_t>(Direction::read)];
  for (int i = 0; i < 1000; ++i) reads.latency.add(Nanoseconds{100'000});
  reads.bytes = 4'096'000;
  reads.requests = 1000;
  of_job.started = Nanoseconds{0};
  of_job.ended = Nanoseconds{2'000'000'000};
  of_job.parts[static_cast<std::size_t>(LatencyPart::die)] = Nanoseconds{40'000'000};
  of_job.parts[static_cast<std::size_t>(LatencyPart::die_wait)] = Nanoseconds{60'000'000};
  stats.jobs.push_back(of_job);
  nlohmann::ordered_json ftlab = {{"wa", {{"total", 2.0}}}};
  const Intervals intervals("sheet");
  add_intervals(ftlab, stats, intervals);
  const auto& added = ftlab["intervals"]["jobs"];
  REQUIRE(added.size() == 1);
  CHECK(added[0]["direction"] == "read");
  CHECK(added[0]["iops"][0].get<double>() == Approx(500 / *intervals.factor("rate", "saturated")));
  CHECK(added[0]["iops"][1].get<double>() == Approx(500 * *intervals.factor("rate", "saturated")));
  CHECK(added[0]["load"] == "saturated");  // requests wait longer than they are served
  const double p99 = static_cast<double>(reads.latency.percentile_ns(99));
  CHECK(added[0]["clat_p99_ns"][0].get<double>() == Approx(p99 / 2));
  CHECK_FALSE(added[0].contains("clat_p50_ns"));
  CHECK_FALSE(added[0].contains("clat_max_ns"));
  CHECK_FALSE(added[0].contains("clat_mean_ns"));
  CHECK(ftlab["intervals"]["wa"][1].get<double>() == Approx(400));  // a learned factor is used as it is
  CHECK(interval_table(ftlab).find("mixed") != std::string::npos);
  CHECK(interval_table(ftlab).find("not predicted") != std::string::npos);
}

TEST_CASE("jobs that run at the same time contend for a saturated device, jobs one after the other do not") {
  const auto load_of_first = [](Nanoseconds second_starts) {
    const OwnTable table(R"({"level": 0.8, "classes": [{"known": "sheet", "figure": "rate", "load": "any", "factor": 1.5}]})");
    std::array<Job, 2> jobs;
    RunStats stats;
    for (std::uint32_t i = 0; i < 2; ++i) {
      jobs.at(i).report_group = i;
      JobStats one;
      one.job = &jobs.at(i);
      one.directions[static_cast<std::size_t>(Direction::read)].requests = 1;
      one.started = i == 0 ? Nanoseconds{0} : second_starts;
      one.ended = one.started + Nanoseconds{1000};
      one.parts[static_cast<std::size_t>(LatencyPart::queue_wait)] = Nanoseconds{2};
      one.parts[static_cast<std::size_t>(LatencyPart::die)] = Nanoseconds{1};
      stats.jobs.push_back(one);
    }
    nlohmann::ordered_json ftlab;
    add_intervals(ftlab, stats, Intervals("sheet"));
    return ftlab["intervals"]["jobs"][0]["load"].get<std::string>();
  };
  CHECK(load_of_first(Nanoseconds{999}) == "contended");
  CHECK(load_of_first(Nanoseconds{1000}) == "saturated");
}

TEST_CASE("a table of intervals without numbers is refused") {
  const OwnTable table(R"({"level": "high", "classes": []})");
  CHECK_THROWS_WITH(Intervals("sheet"), table.folder() + "/intervals.json:1: level: is not a positive number with a point");
}

TEST_CASE("an unknown basis of a drive file is refused with the nearest") {
  CHECK_THROWS_WITH(Intervals("sheep"), "--interval: does not say what the drive file is based on (got sheep; allowed: other-port, sheet, "
                                        "this-port; did you mean sheet?)");
}
