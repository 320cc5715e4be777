// Data that are never rewritten lock spare space. A superblock that holds cold pages beside stale ones is not collected while
// others have fewer valid pages; hot pages then share what spare space is left, so victims have many valid pages, so that
// the cold ones stay where they are. Greedy collection remains in this state or never enters it, depending on how the data
// were written first. Measured drives show both states, see docs/policies.md.
#include <string>

#include "ftl/drive/drive.h"
#include "ftl/policies/gc_policy.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr const char* kOnceInOrder = "rw=write\nbs=128k\n";
constexpr const char* kOnceAtRandom = "rw=randwrite\nbs=4k\n";

// Write amplification of random writes to the first `hot` per cent of a drive that was filled once, over the last two of
// seven drive writes.
double amplification(const char* policy, const std::string& fill, int hot) {
  DriveConfig config = striped_drive();
  config.geometry.blocks_per_plane = 256;
  config.user_bytes = config.geometry.bytes() / 100 * 87 / 4096 * 4096;
  config.ftl.gc.policy = gc_policy_index(policy);
  Drive drive(config, Clock::untimed);
  run(drive, fill);
  const auto overwrite = [&](int drive_writes) {
    return run(drive, "rw=randwrite\nbs=4k\nnorandommap\nsize=" + std::to_string(hot) +
                          "%\nio_size=" + std::to_string(config.user_bytes * static_cast<std::uint64_t>(drive_writes)) + "\n");
  };
  overwrite(5);
  const RunStats stats = overwrite(2);
  const Counters counted = difference(stats.device_after, stats.device_before);
  return static_cast<double>(counted.media_write_bytes()) / static_cast<double>(counted.host_write_bytes);
}

}  // namespace

TEST_CASE("cold data between hot ones lock spare space with greedy collection, and none if written apart") {
  const double uniform = amplification("greedy", kOnceInOrder, 100);
  CHECK(amplification("greedy", kOnceAtRandom, 100) == Approx(uniform).epsilon(0.02));  // nothing is cold
  const double apart = amplification("greedy", kOnceInOrder, 60), mixed = amplification("greedy", kOnceAtRandom, 60);
  CAPTURE(uniform, apart, mixed);
  CHECK(apart < 0.8 * uniform);
  CHECK(mixed > 0.95 * uniform);
}

TEST_CASE("few hot data leave little spare space locked: victims are nearly empty before they are collected") {
  const double apart = amplification("greedy", kOnceInOrder, 5), mixed = amplification("greedy", kOnceAtRandom, 5);
  CAPTURE(apart, mixed);
  CHECK(mixed < 1.2 * apart);
}

TEST_CASE("collection by cost and benefit frees spare space that cold data lock") {
  const double apart = amplification("cost-benefit", kOnceInOrder, 40);
  const double mixed = amplification("cost-benefit", kOnceAtRandom, 40);
  const double greedy = amplification("greedy", kOnceAtRandom, 40);
  CAPTURE(apart, mixed, greedy);
  CHECK(mixed < 0.75 * greedy);
  CHECK(mixed < 1.5 * apart);
}
