// A scattering file system: every byte of the device belongs to one byte of the files, and requests are split into pieces.
#include "sim/host/stack/file_system.h"

#include <algorithm>
#include <numeric>

#include "sim/host/host.h"
#include "sim/testing/devices.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kExtent = 8192;

Request request_of(std::uint64_t tag, Op op, std::uint64_t offset, std::uint64_t length) {
  return {tag, op, offset, length, Nanoseconds{100}};
}

Completion next(Device& device) {
  Completion done;
  REQUIRE(device.wait(kNever, {&done, 1}) == 1);
  return done;
}

}  // namespace

TEST_CASE("extents of files are placed on all extents of the device, each on one, in an order drawn from the seed") {
  for (const std::uint64_t count : {0u, 1u, 2u, 3u, 4u, 5u, 16u, 17u, 1000u, 4097u}) {
    const FileExtents extents(kExtent, count * kExtent + 512, 7);
    REQUIRE(extents.count() == count);
    std::vector<std::uint64_t> places(count), in_order(count);
    for (std::uint64_t e = 0; e < count; ++e) places[e] = extents.place_of(e);
    std::iota(in_order.begin(), in_order.end(), 0);
    const std::vector<std::uint64_t> as_drawn = places;
    std::sort(places.begin(), places.end());
    CHECK(places == in_order);
    if (count < 1000) continue;
    CHECK(as_drawn != in_order);
    std::uint64_t moved_alike = 0, adjoining = 0;
    const FileExtents others(kExtent, count * kExtent, 8);
    for (std::uint64_t e = 1; e < count; ++e) {
      moved_alike += as_drawn[e] == others.place_of(e);
      adjoining += as_drawn[e] == as_drawn[e - 1] + 1;
    }
    CHECK(moved_alike < 8);  // in a random order one is expected; eight occur for one seed in a hundred thousand
    CHECK(adjoining < 8);
  }
}

TEST_CASE("the rest of the device after the last extent stays in its place") {
  const FileExtents extents(kExtent, 3 * kExtent + 4096, 1);
  const FileExtents::Piece tail = extents.first_piece(3 * kExtent + 512, 1024);
  CHECK(tail.offset_bytes == 3 * kExtent + 512);
  CHECK(tail.length_bytes == 1024);
}

TEST_CASE("a request that crosses extents becomes one piece per extent, and completes with the last") {
  OneServer device(Nanoseconds{1000});
  FileSystem files(device, {kExtent}, 3);
  const Request requests[] = {request_of(70, Op::read, kExtent - 512, 512 + kExtent + 1024),
                              request_of(71, Op::trim, 0, 512)};
  files.submit(requests);
  const FileExtents extents(kExtent, device.info().capacity_bytes, 3);
  REQUIRE(device.requests.size() == 4);
  const std::uint64_t starts[] = {kExtent - 512, 0, 0}, lengths[] = {512, kExtent, 1024};
  for (std::uint64_t p = 0; p < 3; ++p) {
    CHECK(device.requests[p].offset_bytes == extents.place_of(p) * kExtent + starts[p]);
    CHECK(device.requests[p].length_bytes == lengths[p]);
    CHECK(device.requests[p].op == Op::read);
    CHECK(device.requests[p].issued == Nanoseconds{100});
  }
  const Completion first = next(files);
  CHECK(first.tag == 70);
  CHECK(first.completed == Nanoseconds{3100});
  CHECK(first.parts[0] == Nanoseconds{3000});  // the parts sum to its latency
  CHECK(next(files).tag == 71);
  Completion none;
  CHECK(files.wait(kNever, {&none, 1}) == 0);
}

TEST_CASE("at most 128 pieces of a request are in flight, and its parts sum to its latency") {
  OneServer device(Nanoseconds{1000});
  FileSystem files(device, {kExtent}, 3);
  const Request trim = request_of(1, Op::trim, 0, 1000 * kExtent);
  files.submit({&trim, 1});
  CHECK(device.requests.size() == 128);
  const Completion done = next(files);
  CHECK(device.requests.size() == 1000);
  CHECK(device.most_outstanding == 128);
  CHECK(done.completed == Nanoseconds{100 + 1000 * 1000});
  CHECK(done.parts[static_cast<std::size_t>(LatencyPart::queue_wait)] == Nanoseconds{(1000 - 128) * 1000});
  Nanoseconds sum{0};
  for (const Nanoseconds part : done.parts) sum += part;
  CHECK(sum == done.completed - trim.issued);
}

TEST_CASE("a request fails if one of its pieces fails") {
  OneServer device(Nanoseconds{1000});
  device.refuses_after = 1;
  FileSystem files(device, {kExtent}, 3);
  const Request write = request_of(5, Op::write, 0, 2 * kExtent);
  files.submit({&write, 1});
  CHECK(next(files).status == Status::read_only);
}

TEST_CASE("equal contents are equal in corresponding extents, and only there") {
  OneServer device(Nanoseconds{1000});
  FileSystem files(device, {kExtent}, 3);
  Request one = request_of(1, Op::write, 0, 2 * kExtent), same = request_of(2, Op::write, 4 * kExtent, 2 * kExtent),
          unknown = request_of(3, Op::write, 8 * kExtent, 2 * kExtent);
  one.content = same.content = {42, 500};
  const Request all[] = {one, same, unknown};
  files.submit(all);
  const auto id = [&](std::size_t piece) { return std::uint64_t{device.requests[piece].content.id}; };
  CHECK(id(0) == 42);
  CHECK(id(1) != 42);
  CHECK(id(2) == id(0));
  CHECK(id(3) == id(1));
  CHECK(id(4) == 0);
  CHECK(id(5) == 0);
  CHECK(device.requests[1].content.stored_thousandths == 500);
}

TEST_CASE("a flush is not split") {
  OneServer device(Nanoseconds{1000});
  FileSystem files(device, {kExtent}, 3);
  const Request flush = request_of(9, Op::flush, 0, 0);
  files.submit({&flush, 1});
  CHECK(device.requests.size() == 1);
  CHECK(next(files).tag == 9);
}

TEST_CASE("a job that writes through a file system writes no byte of the device twice") {
  OneServer device(Nanoseconds{10});
  FileSystem files(device, {kExtent}, 3);
  const JobFile jobs = jobs_of("[j]\nrw=write\nbs=20k\nsize=2m\niodepth=4\n");
  const RunStats stats = run_jobs(files, jobs.jobs, {});
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> starts;
  for (const Request& piece : device.requests) {
    bytes += piece.length_bytes;
    starts.push_back(piece.offset_bytes);
  }
  std::sort(starts.begin(), starts.end());
  CHECK(bytes == stats.requests * 20'480);
  CHECK(std::adjacent_find(starts.begin(), starts.end()) == starts.end());
  CHECK(starts.back() > std::uint64_t{512} << 20);  // spread over a device of 1 GiB
}
