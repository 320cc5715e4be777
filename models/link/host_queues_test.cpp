#include "models/link/host_queues.h"

#include "sim/core/archive.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a saved turn of a queue that the drive does not have is refused") {
  LinkConfig link;
  link.queue_depth = 4;
  link.queues = 3;
  HostQueues three(link);
  Request request{0, Op::read, 0, 4096};
  request.queue = 1;
  three.add(request);
  REQUIRE(three.next(request));  // it is the turn of queue 2
  Archive out = Archive::saving();
  three.archive(out);
  const std::string state = out.finish();
  const auto load = [&](std::uint32_t queues) {
    link.queues = queues;
    HostQueues other(link);
    Archive in = Archive::viewing(state);
    other.archive(in);
  };
  CHECK_NOTHROW(load(3));
  CHECK_THROWS_AS(load(2), ArchiveError);
}
