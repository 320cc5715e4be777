// Settings that steady_run() refuses, its memory and its options. Its results are checked in validation/checks and in
// counting_layer_test.
#include "ftl/counting/steady_run.h"

#include <cmath>
#include <utility>

#include "sim/host/host.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

WaQuestion small_question() {
  WaQuestion question;
  question.blocks = 128;
  question.pages_per_block = 32;
  return question;
}

}  // namespace

TEST_CASE("the message about a setting that cannot be built shows the arithmetic") {
  CHECK(steady_run_problem(small_question()).empty());
  WaQuestion q = small_question();
  q.stored_low = 1;
  q.stored_high = 300;
  q.units = 400;
  CHECK(steady_run_problem(q) == "items of varying size of more than 255 units cannot be simulated");
  q.stored_low = 300;  // items of one size count as pages
  CHECK(steady_run_problem(q).empty());
  q = small_question();
  q.blocks = std::uint64_t{1} << 27;
  CHECK(steady_run_problem(q) == "more than 4294967294 slots");
  q.pages_per_block = 3 * 5 * 17;  // 2^32 - 1 pages
  q.blocks = 257 * 65537;
  CHECK(steady_run_problem(q) == "more than 4294967294 slots");
  --q.blocks;  // plus one in reserve
  CHECK(steady_run_problem(q) == "more than 4294967294 slots, those of the reserve among them");
  --q.blocks;
  CHECK(steady_run_problem(q).empty());
  q = small_question();
  q.stored_low = 1;
  q.stored_high = q.units = 8;
  q.blocks = std::uint64_t{1} << 24;
  CHECK(steady_run_problem(q) == "more than 4294967294 slots");
  q = small_question();
  q.op = 0;
  CHECK(steady_run_problem(q) == "128 blocks of 32 leave nothing above 4096 logical pages");
  q = small_question();
  q.op = 0.01;
  q.stored_low = 2;
  q.stored_high = q.units = 4;
  CHECK(steady_run_problem(q) == "128 blocks of 31 of the largest items leave nothing above 4055 logical pages");
  q = small_question();
  q.workload = WaQuestion::Workload::hot_cold;
  q.frontiers = WaQuestion::Frontiers::pools;
  q.hot_pages = 0.5;
  q.hot_spare = 0;
  CHECK(steady_run_problem(q) == "a pool of 1914 logical pages gets 60 blocks of 32, which is too few");
}

TEST_CASE("tables take memory per superblock if counting is sufficient, otherwise per slot") {
  const auto bytes = [](const WaQuestion& question, bool by_slots = false) {
    SteadyRunOptions options;
    options.by_slots = by_slots;
    return steady_run_bytes(question, options);
  };
  WaQuestion q = small_question();
  const std::uint64_t superblocks = 64 * 129, pages = q.logical_pages(), slots = 129 * 32;
  CHECK(bytes(q) == superblocks + (2 + 4) * pages);
  CHECK(bytes(q, true) == superblocks + (4 + 4) * pages + 8 * slots + slots / 8);
  q.frontiers = WaQuestion::Frontiers::host_gc;
  CHECK(bytes(q) > superblocks + 16 * pages);
  q = small_question();
  q.stored_low = 2;
  q.stored_high = 3;
  q.units = 8;
  CHECK(bytes(q) > superblocks + 8 * pages + 9 * slots * 8);
  const std::uint64_t of_layer = bytes(q) - 8 * q.logical_pages(), each = 64 + 32 * 8 * 9 + 32 * 8 / 8;
  CHECK((of_layer / each > 128 && of_layer % each == 0));  // bytes of each superblock, including the reserve
  q = small_question();
  q.blocks = 70'000;  // more than two bytes can number
  CHECK(bytes(q) == 64 * 70'001ull + 8 * q.logical_pages());
}

TEST_CASE("an interrupted run ends") {
  std::atomic<bool> interrupted = true;
  SteadyRunOptions options;
  options.interrupted = &interrupted;
  CHECK_THROWS_AS(steady_run(small_question(), options), Interrupted);
  options.by_slots = true;
  CHECK_THROWS_AS(steady_run(small_question(), options), Interrupted);
}

TEST_CASE("trims pick pages that are mapped, or any") {
  WaQuestion q = small_question();
  q.trim = 0.2;
  SteadyRunOptions options;
  options.precision = 0.01;
  const SteadyRun mapped = steady_run(q, options);
  q.trim_any = true;
  const SteadyRun any = steady_run(q, options);
  // In the long run, mapped pages are trimmed as often as unmapped pages are written.
  CHECK(mapped.mapped_share == Approx(1 - 0.2 / 0.8).margin(0.02));
  CHECK(any.mapped_share == Approx(0.8).margin(0.02));
  CHECK(mapped.wa < any.wa);
}

// With equally likely pages, a block collected in FIFO order still has the valid share x = exp(-(1 - x) / rho), rho being
// the logical part of the flash (Menon, "A performance comparison of RAID-5 and log-structured arrays", HPDC 1995).
TEST_CASE("FIFO collection matches the formula for equally likely pages") {
  WaQuestion q = small_question();
  q.policy = WaQuestion::Policy::fifo;
  SteadyRunOptions options;
  options.precision = 0.005;
  const double rho = static_cast<double>(q.logical_pages()) / static_cast<double>(q.blocks * q.pages_per_block);
  double current = 0.5;
  for (int i = 0; i < 200; ++i) current = std::exp(-(1 - current) / rho);
  CHECK(steady_run(q, options).wa == Approx(1 / (1 - current)).epsilon(0.02));
}

// After a fill in random order it has a second steady state with seven times the writes.
TEST_CASE("a log that is filled and written in order relocates nothing") {
  WaQuestion q = small_question();
  q.policy = WaQuestion::Policy::fifo;
  q.workload = WaQuestion::Workload::sequential;
  q.op = 0.07;
  SteadyRunOptions options;
  CHECK(steady_run(q, options).wa == 1);
  options.by_slots = true;
  CHECK(steady_run(q, options).wa == 1);
}

TEST_CASE("the fill and each batch of the warm-up and the measurement write the drive once") {
  WaQuestion q = small_question();
  for (const bool by_slots : {false, true}) {
    SteadyRunOptions options;
    options.precision = 0.02;
    options.by_slots = by_slots;
    const SteadyRun run = steady_run(q, options);
    CHECK(run.logical_pages == q.logical_pages());
    CHECK(run.host_writes == (std::uint64_t{1} + run.warm_up + run.batches) * run.logical_pages);
    CHECK((run.batches >= options.least_batches && run.warm_up > 0));
    CHECK(run.mapped_share == 1);
    CHECK(run.total_blocks == q.blocks + 1);
  }
}

// With Zipf s = 1, the coldest page is written once in H drive writes, where H is the harmonic number of the pages.
TEST_CASE("a drive is warmed up until its coldest pages were overwritten five times, within ten to 250 drive writes") {
  SteadyRunOptions options;
  options.precision = 1;
  options.least_batches = 2;
  const auto warm_up = [&](WaQuestion::Workload workload, double hot_writes, double hot_pages, double zipf) {
    WaQuestion q = small_question();
    q.workload = workload;
    q.hot_writes = hot_writes;
    q.hot_pages = hot_pages;
    q.zipf = zipf;
    return steady_run(q, options).warm_up;
  };
  using Workload = WaQuestion::Workload;
  CHECK(warm_up(Workload::uniform, 0.8, 0.2, 1) == 10);
  CHECK(warm_up(Workload::hot_cold, 0.5, 0.5, 1) == 10);
  CHECK(warm_up(Workload::hot_cold, 0.875, 0.5, 1) == 20);
  CHECK(warm_up(Workload::hot_cold, 0.9375, 0.5, 1) == 40);
  CHECK(warm_up(Workload::hot_cold, 0.9375, 0.75, 1) == 20);
  CHECK(warm_up(Workload::hot_cold, 0.999, 0.5, 1) == 250);
  double harmonic = 0;
  for (std::uint64_t i = 1; i <= small_question().logical_pages(); ++i) harmonic += 1 / static_cast<double>(i);
  CHECK(warm_up(Workload::zipf, 0.8, 0.2, 1) == static_cast<std::uint32_t>(std::ceil(5 * harmonic)));
  CHECK(warm_up(Workload::zipf, 0.8, 0.2, 0.2) == 10);
  WaQuestion eight;  // 8 pages, so that each one matters: 5 H(8) = 13.6 and 5 H(7) = 13.0
  eight.blocks = eight.pages_per_block = 4;
  eight.op = 1;
  eight.workload = Workload::zipf;
  REQUIRE(eight.logical_pages() == 8);
  CHECK(steady_run(eight, options).warm_up == 14);
}

// The spare space is so large that almost nothing is relocated: only the ends of blocks stay empty.
TEST_CASE("items of equally likely sizes take as much as their mean size") {
  WaQuestion q = small_question();
  q.op = 6;
  q.units = 8;
  SteadyRunOptions options;
  options.precision = 0.003;
  for (const auto& [low, high] : {std::pair{3u, 3u}, {5u, 5u}, {3u, 5u}, {3u, 6u}, {1u, 8u}, {7u, 8u}}) {
    CAPTURE(low, high);
    q.stored_low = low;
    q.stored_high = high;
    const SteadyRun run = steady_run(q, options);
    CHECK(run.wa == Approx((low + high) / 16.0).epsilon(0.02));
    CHECK((run.half_width <= options.precision * run.wa || run.batches == options.most_batches));
  }
}

TEST_CASE("separating hot from cold pages lowers write amplification, with frontiers as well as with pools") {
  WaQuestion q = small_question();
  q.workload = WaQuestion::Workload::hot_cold;
  q.hot_pages = 0.1;
  q.hot_writes = 0.9;
  q.op = 0.3;
  SteadyRunOptions options;
  options.precision = 0.01;
  const auto wa_of = [&](WaQuestion::Frontiers frontiers) {
    q.frontiers = frontiers;
    return steady_run(q, options).wa;
  };
  using Frontiers = WaQuestion::Frontiers;
  const double shared = wa_of(Frontiers::one);
  CHECK(wa_of(Frontiers::hot_cold) < 0.9 * shared);
  const double apart = wa_of(Frontiers::hot_cold_gc);  // adds a frontier for relocated pages to those two
  CHECK(apart < 0.9 * shared);
  CHECK(apart != wa_of(Frontiers::hot_cold));
  q.hot_spare = 0.5;
  CHECK(wa_of(Frontiers::pools) < 0.9 * shared);
}

// Each pool behaves like a drive with equally likely pages.
TEST_CASE("hot and cold pools amplify like two drives of their sizes") {
  WaQuestion q = small_question();
  q.workload = WaQuestion::Workload::hot_cold;
  q.frontiers = WaQuestion::Frontiers::pools;
  q.hot_pages = 0.25;
  q.hot_writes = 0.5;
  q.hot_spare = 0.3;
  q.op = 0.25;
  SteadyRunOptions options;
  options.precision = 0.002;
  const double pools = steady_run(q, options).wa;
  // Flash: 4,096 pages, 3,277 logical and 819 spare. The hot pool gets 819 logical and 246 spare pages, 33 superblocks.
  REQUIRE(q.logical_pages() == 3277);
  const auto alone = [&](std::uint64_t blocks, std::uint64_t pages) {
    WaQuestion one = small_question();
    one.blocks = blocks;
    one.op = static_cast<double>(blocks * one.pages_per_block) / static_cast<double>(pages) - 1;
    REQUIRE(one.logical_pages() == pages);
    return steady_run(one, options).wa;
  };
  CHECK(pools == Approx(0.5 * alone(33, 819) + 0.5 * alone(95, 3277 - 819)).epsilon(0.01));
}

TEST_CASE("a policy can also be chosen by its name in the layer, with the same result") {
  WaQuestion q = small_question();
  q.policy = WaQuestion::Policy::d_choices;
  q.d = 3;
  SteadyRunOptions options;
  options.precision = 0.02;
  const SteadyRun known = steady_run(q, options);
  q.policy = WaQuestion::Policy::other;
  q.other.name = "d-choices";
  q.other.values = {3};
  const SteadyRun other = steady_run(q, options);
  CHECK((known.wa == other.wa && known.erases == other.erases));
  q.other.values = {1};
  CHECK(steady_run(q, options).wa > other.wa);
}

TEST_CASE("there is at least one hot and one cold page, and the fill writes pages that are not written later") {
  WaQuestion q = small_question();
  q.workload = WaQuestion::Workload::hot_cold;
  q.hot_writes = 0.999;
  SteadyRunOptions options;
  options.precision = 0.05;
  for (const double hot_pages : {1e-9, 0.5, 1 - 1e-9}) {
    CAPTURE(hot_pages);
    q.hot_pages = hot_pages;
    const SteadyRun run = steady_run(q, options);
    CHECK(run.wa >= 1);
    CHECK(run.mapped_share == 1);
  }
}
