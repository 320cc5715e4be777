// What a stranger's state can make a die's queue and a channel's do. What the queues are like beside an exact simulation of
// their rules stands in backend_queue_test.cpp and backend_against_exact_test.cpp.
#include "models/nand/die_queue.h"

#include "models/nand/channel_queue.h"
#include "sim/test.h"
#include "sim/test_archive.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr Nanoseconds kRead{50'000}, kProgram{600'000}, kErase{3'000'000};

DieQueue::Rules rules() {
  Suspension suspension;
  suspension.program = suspension.erase = true;
  suspension.suspend = suspension.resume = Nanoseconds{10'000};
  suspension.most_suspends = 2;
  return {true, suspension};
}

// Reads of single planes and of all among programs, some of which they stop, and an erase.
void use_die(DieQueue& die, Nanoseconds from) {
  for (std::uint32_t i = 0; i < 12; ++i) {
    const Nanoseconds now = from + i * Nanoseconds{200'000};
    const Nanoseconds start = die.earliest(now, kProgram, i % 2);
    die.program(now, start, kProgram, kProgram, i % 2, rules());
    die.read(now + Nanoseconds{1'000}, kRead, i % 3 == 0 ? DieQueue::kAllPlanes : 1u << i % 4, rules());
    if (i == 6) die.erase(now, kErase, rules());
    die.lengthen(start, Nanoseconds{500});
  }
}

}  // namespace

TEST_CASE("a made-up state of a die's queue is refused or can be used") {
  DieQueue die;
  use_die(die, Nanoseconds{0});
  const MadeUp tried = try_made_up_states(
      die, [] { return DieQueue(); }, [](DieQueue& made_up) { use_die(made_up, Nanoseconds{3'000'000}); });
  CHECK(tried.refused > 500);
  CHECK(tried.used > 100);
}

TEST_CASE("a made-up state of a channel's queue is refused or can be used") {
  struct Channel : ChannelQueue {
    void archive(Archive& file) { ChannelQueue::archive(file, 4); }
  };
  const auto use_channel = [](Channel& channel, Nanoseconds from) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Nanoseconds asked = from + (i * 7 % 20) * Nanoseconds{30'000};
      channel.take(asked, Nanoseconds{40'000}, {i % 5 < 4 ? i % 5 : ChannelQueue::kNobody, asked},
                   [](const ChannelQueue::Holder&, Nanoseconds) {});
    }
    channel.forget(from + Nanoseconds{300'000});
  };
  Channel channel;
  use_channel(channel, Nanoseconds{0});
  const MadeUp tried = try_made_up_states(
      channel, [] { return Channel(); }, [&](Channel& made_up) { use_channel(made_up, Nanoseconds{700'000}); });
  CHECK(tried.refused > 200);
  CHECK(tried.used > 100);
}
