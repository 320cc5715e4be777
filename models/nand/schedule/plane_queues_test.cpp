// The next read of a die with independent planes, compared with a linear search.
#include "models/nand/schedule/plane_queues.h"

#include <algorithm>
#include <vector>

#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a read overtakes older reads whose planes are busy, unless they need one of its planes") {
  PlaneQueues queues;
  CHECK((queues.oldest() == PlaneQueues::kNone && queues.take(0) == PlaneQueues::kNone));
  queues.add({0b0001, 1});
  queues.add({0b0011, 2});
  queues.add({0b0010, 3});
  queues.add({0b0100, 4});
  CHECK(queues.take(0b0001) == 4);  // 2 waits for plane 0, 3 for a plane of 2
  CHECK(queues.take(0b0001) == PlaneQueues::kNone);
  CHECK(queues.oldest() == 1);
  CHECK(queues.take(0) == 1);
  CHECK(queues.take(0b0100) == 2);
  CHECK(queues.take(0) == 3);
  CHECK(queues.oldest() == PlaneQueues::kNone);
}

TEST_CASE("no read waits after clear()") {
  PlaneQueues queues;
  queues.add({0b0001, 1});
  queues.add({0b0010, 2});
  queues.clear();
  CHECK((queues.oldest() == PlaneQueues::kNone && queues.in_order().empty()));
  queues.add({0b0001, 3});
  CHECK(queues.take(0) == 3);
}

TEST_CASE("the next read is that of a search from the oldest on, also after saving and loading") {
  RandomStream random(5, "reads of planes");
  PlaneQueues queues;
  std::vector<PlaneQueues::Waiting> list;
  std::uint32_t id = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (random.chance(1, 2)) {
      const auto first = static_cast<std::uint32_t>(random.below(4)),
                 planes = 1 + static_cast<std::uint32_t>(random.below(4 - first));
      list.push_back({((1u << planes) - 1) << first, ++id});
      queues.add(list.back());
    } else {
      const auto busy = static_cast<std::uint32_t>(random.below(16));
      std::uint32_t taken = busy, next = PlaneQueues::kNone;
      for (std::size_t i = 0; i < list.size() && next == PlaneQueues::kNone; ++i) {
        if ((list[i].planes & taken) == 0) {
          next = list[i].id;
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          taken |= list[i].planes;
        }
      }
      CHECK(queues.take(busy) == next);
    }
    CHECK(queues.oldest() == (list.empty() ? PlaneQueues::kNone : list.front().id));
    if (step % 1'000 == 0) {
      Archive file = Archive::saving();
      queues.archive(file, 1 << 20);
      Archive copy = Archive::loading(file.finish());
      PlaneQueues loaded;
      loaded.add({1, 77});
      loaded.archive(copy, 1 << 20);
      copy.end();
      const std::vector<PlaneQueues::Waiting> all = loaded.in_order();
      CHECK(std::equal(all.begin(), all.end(), list.begin(), list.end(),
                       [](const auto& a, const auto& b) { return a.id == b.id && a.planes == b.planes; }));
      queues = loaded;
    }
  }
}
