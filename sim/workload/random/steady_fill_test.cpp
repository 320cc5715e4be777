#include "sim/workload/random/steady_fill.h"

#include <cmath>
#include <map>
#include <set>

#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kBlocks = 65536;

std::vector<std::uint64_t> pass(const SteadyFillRules& rules, std::uint64_t blocks = kBlocks) {
  SteadyFill fill(rules, blocks, 4096);
  Lfsr fresh(blocks);
  fresh.begin(17);
  RandomStream random(5, "fill");
  std::vector<std::uint64_t> all;
  for (std::uint64_t block = 0; (block = fill.next(fresh, random)) != Lfsr::kNone;) all.push_back(block);
  return all;
}

SteadyFillRules with(double spare, std::uint32_t parts = 100) {
  return {true, static_cast<std::uint64_t>(spare * 1e6), parts, 0};
}

}  // namespace

TEST_CASE("a steady fill writes every block, plus the spare capacity", "[workload]") {
  for (const double spare : {0.07, 0.15, 0.28, 1.0}) {
    const std::vector<std::uint64_t> all = pass(with(spare));
    CHECK(std::set<std::uint64_t>(all.begin(), all.end()).size() == kBlocks);
    CHECK(std::abs(static_cast<double>(all.size()) / kBlocks - (1 + spare)) < 0.01 * (1 + spare));
  }
}

// After the whole pass, by definition of the law: a part has validity v0^age, and (1 - v0) / ln(1/v0) = 1 / (1 + spare).
TEST_CASE("older parts of a steady fill hold fewer valid blocks, as in Desnoyers' law", "[workload]") {
  const SteadyFillRules rules = with(0.15, 20);
  const std::vector<std::uint64_t> all = pass(rules);
  std::map<std::uint64_t, std::size_t> last;
  for (std::size_t i = 0; i < all.size(); ++i) last[all[i]] = i;
  const std::size_t part = SteadyFill::part_blocks(rules, kBlocks);
  std::vector<double> valid(20);
  for (const auto& [block, place] : last)
    if (place / part < 20) ++valid[place / part];
  const double oldest = 0.7515;  // v0 for 15 %: (1 - 0.7515) / ln(1 / 0.7515) = 0.8698, 1 / 1.15 = 0.8696
  CHECK(std::abs((1 - oldest) / std::log(1 / oldest) - 1 / 1.15) < 1e-3);
  for (std::size_t i = 0; i < 20; ++i) {
    const double expected = std::pow(oldest, 1 - static_cast<double>(i) / 19);
    CHECK(std::abs(valid[i] / static_cast<double>(part) - expected) < 0.03);
  }
}

TEST_CASE("a drive's cache delays the rewrites of a steady fill", "[workload]") {
  const auto first_again = [](std::uint64_t cache_bytes) {
    SteadyFillRules rules = with(0.15, 10);
    rules.cache_bytes = cache_bytes;
    const std::vector<std::uint64_t> all = pass(rules);
    std::set<std::uint64_t> seen;
    std::size_t place = 0;
    while (seen.insert(all[place]).second) ++place;
    return place;
  };
  const std::size_t part = SteadyFill::part_blocks(with(0.15, 10), kBlocks);
  CHECK(first_again(0) == part);
  CHECK(first_again(std::uint64_t{1000} * 4096) == part + 1000);
}

TEST_CASE("sprandom is one pass over the region plus its spare", "[workload]") {
  const Job job = one_job("rw=randwrite\nbs=4k\nnorandommap\nsprandom=1\nspr_op=0.28\nspr_num_regions=50");
  CHECK(job.amount_bytes == SteadyFill::writes(job.steady_fill, 16384) * 4096);
  const std::vector<Access> all = sequence(job);
  std::set<std::uint64_t> places;
  for (const Access& access : all) places.insert(access.offset_bytes);
  CHECK(static_cast<double>(places.size()) > 16384 * 0.99);
  CHECK(*places.rbegin() == 64 * kMiB - 4096);
  CHECK(all.size() <= job.amount_bytes / 4096);
  CHECK(static_cast<double>(all.size()) > 16384 * 1.26);
}

TEST_CASE("sprandom refuses options that contradict it", "[workload]") {
  const auto refused = [](const std::string& lines, const std::string& by) {
    return job_refusal(job_text("sprandom=1\n" + lines)).find(by) != std::string::npos;
  };
  CHECK(refused("rw=write", "writes at random places"));
  CHECK(refused("rw=randrw", "writes at random places"));
  CHECK(refused("rw=randwrite\nnorandommap=0", "writes blocks again"));
  CHECK(refused("rw=randwrite\nrandom_generator=tausworthe", "from the lfsr"));
  CHECK(refused("rw=randwrite\nnumjobs=2", "by one job"));
  CHECK(refused("rw=randwrite\nspr_num_regions=100000", "more parts than blocks"));
  CHECK(refused("rw=randwrite\nspr_cs=1g", "as large as a part"));
  CHECK(refused("rw=randwrite\nspr_op=15%", "not a number"));
  CHECK(refused("rw=randwrite\nspr_op=15", "out of range"));
}
