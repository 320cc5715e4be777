// Bounds of a run's figures follow the learned factors, and what is not predicted has none.
#include "validation/results/intervals.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("more is known of a drive that was measured in this computer than of one known from its data sheet") {
  const double here = Intervals("this-port").factor("rate").value(), elsewhere = Intervals("other-port").factor("rate").value();
  const double sheet = Intervals("sheet").factor("rate").value();
  CHECK(here > 1);
  CHECK(elsewhere > here);
  CHECK(sheet > here);
  CHECK(Intervals("sheet").level() == 0.8);
}

TEST_CASE("figures of which too little was measured have no interval") {
  CHECK_FALSE(Intervals("this-port").factor("percentile"));
  CHECK_FALSE(Intervals("this-port").factor("longest"));
  CHECK_FALSE(Intervals("sheet").factor("wa"));  // of one group of drives
}

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

TEST_CASE("a run carries the bounds of each direction of its jobs") {
  const OwnTable table(R"({"level": 0.8, "classes": [{"known": "sheet", "figure": "rate", "factor": 1.5},
                                                     {"known": "sheet", "figure": "wa", "factor": 200.0}]})");
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
  stats.jobs.push_back(of_job);
  nlohmann::ordered_json ftlab = {{"wa", {{"total", 2.0}}}};
  const Intervals intervals("sheet");
  add_intervals(ftlab, stats, intervals);
  const auto& added = ftlab["intervals"]["jobs"];
  REQUIRE(added.size() == 1);
  CHECK(added[0]["direction"] == "read");
  CHECK(added[0]["iops"][0].get<double>() == Approx(500 / *intervals.factor("rate")));
  CHECK(added[0]["iops"][1].get<double>() == Approx(500 * *intervals.factor("rate")));
  CHECK_FALSE(added[0].contains("clat_max_ns"));
  CHECK_FALSE(added[0].contains("clat_mean_ns"));
  CHECK(ftlab["intervals"]["wa"][1].get<double>() == Approx(400));  // a learned factor is used as it is
  CHECK(interval_table(ftlab).find("mixed") != std::string::npos);
}

TEST_CASE("a table of intervals without numbers is refused") {
  const OwnTable table(R"({"level": "high", "classes": []})");
  CHECK_THROWS_WITH(Intervals("sheet"), table.folder() + "/intervals.json:1: level: is not a positive number with a point");
}

TEST_CASE("an unknown basis of a drive file is refused with the nearest") {
  CHECK_THROWS_WITH(Intervals("sheep"), "--interval: does not say what the drive file is based on (got sheep; allowed: other-port, sheet, "
                                        "this-port; did you mean sheet?)");
}
