#include "sim/core/due_queue.h"

#include <set>
#include <tuple>

#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Reference implementation: a sorted set of (time, order of insertion).
class Defined {
 public:
  void push(std::uint64_t at, std::uint32_t payload) { set_.insert({at, sequence_++, payload}); }
  std::uint32_t pop() {
    const auto first = *set_.begin();
    set_.erase(set_.begin());
    now_ = std::get<0>(first);
    return std::get<2>(first);
  }
  std::uint64_t now() const { return now_; }
  std::size_t size() const { return set_.size(); }

 private:
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>> set_;
  std::uint64_t sequence_ = 0;
  std::uint64_t now_ = 0;
};

// Saves the queue, and loads it into one that holds other items.
DueQueue loaded(DueQueue& queue) {
  Archive out = Archive::saving();
  queue.archive(out, 100'000);
  Archive in = Archive::loading(out.finish());
  DueQueue other;
  for (const std::uint64_t at : {9, 3, 8, 1}) other.push(Nanoseconds{at}, 77);
  other.archive(in, 100'000);
  in.end();
  return other;
}

// Compares random pushes and pops with the reference, with a mean depth of about `depth` and due times within `spread` of
// now. Saves and loads every `saved_every` operations; 0: never.
void hold_to_definition(std::uint64_t depth, std::uint64_t spread, std::uint64_t seed, std::uint32_t saved_every = 0) {
  RandomStream random(seed, "due");
  DueQueue queue;
  Defined defined;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const bool fills = defined.size() == 0 || random.below(2 * depth) >= defined.size();
    if (fills) {
      const std::uint64_t at = defined.now() + random.below(spread);
      queue.push(Nanoseconds{at}, i);
      defined.push(at, i);
    } else {
      REQUIRE(queue.pop() == defined.pop());
    }
    REQUIRE(queue.empty() == (defined.size() == 0));
    if (saved_every > 0 && i % saved_every == 0) queue = loaded(queue);
  }
  while (defined.size() > 0) REQUIRE(queue.pop() == defined.pop());
  REQUIRE(queue.empty());
}

}  // namespace

TEST_CASE("items come in order of due time, then of insertion, whether few or thousands") {
  for (const std::uint64_t depth : {1, 4, 31, 32, 33, 64, 65, 200, 3000})
    for (const std::uint64_t spread : {1, 3, 100, 1'000'000}) hold_to_definition(depth, spread, depth * 31 + spread);
}

TEST_CASE("saving and loading does not change the order of items, wherever they are in the queue") {
  for (const std::uint64_t depth : {4, 65, 200})
    for (const std::uint64_t spread : {1, 100, 1'000'000}) hold_to_definition(depth, spread, depth * 17 + spread, 97);
  DueQueue queue;
  queue.push(Nanoseconds{10}, 1);
  REQUIRE(queue.pop() == 1);
  DueQueue same = loaded(queue);
  REQUIRE((same.empty() && same.earliest() == kNever));
  REQUIRE_THROWS_AS(same.push(Nanoseconds{9}, 3), CheckFailed);
}

TEST_CASE("items with the same due time come in order of insertion, also beyond the size of the sorted ring") {
  DueQueue queue;
  for (std::uint32_t i = 0; i < 1000; ++i) queue.push(Nanoseconds{7}, i);
  for (std::uint32_t i = 0; i < 1000; ++i) REQUIRE(queue.pop() == i);
}

TEST_CASE("a due time in the past is refused") {
  DueQueue queue;
  queue.push(Nanoseconds{10}, 1);
  REQUIRE(queue.pop() == 1);
  queue.push(Nanoseconds{10}, 2);
  REQUIRE_THROWS_AS(queue.push(Nanoseconds{9}, 3), CheckFailed);
}
