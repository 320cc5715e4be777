#include "validation/measure/device/content.h"

#include <zstd.h>

#include <cstring>
#include <set>

#include "sim/workload/testing/jobs.h"

using namespace ftlab;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const ContentBytes& content, std::uint64_t id, std::uint64_t thousandths, std::size_t length,
               std::uint64_t number = 1) {
  Bytes bytes(length);
  Request write{0, Op::write, 0, length};
  write.content = {id, thousandths};
  content.fill(bytes, write, number);
  return bytes;
}

double stored_share(const Bytes& bytes, int level = 1) {
  Bytes small(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(small.data(), small.size(), bytes.data(), bytes.size(), level);
  REQUIRE_FALSE(ZSTD_isError(size));
  return static_cast<double>(size) / static_cast<double>(bytes.size());
}

}  // namespace

TEST_CASE("a page compresses to the requested share") {
  const ContentBytes content(1);
  for (const std::uint64_t thousandths : {0, 100, 250, 450, 500, 750, 900, 1000}) {
    CAPTURE(thousandths);
    double sum = 0;
    for (std::uint64_t id = 1; id <= 64; ++id) sum += stored_share(bytes_of(content, id, thousandths, 4096));
    CHECK(sum / 64 == Approx(static_cast<double>(thousandths) / 1000).margin(0.02));
  }
}

TEST_CASE("a strong compressor finds nothing in common in a megabyte of pages") {
  const ContentBytes content(1);
  for (const std::uint64_t thousandths : {300, 1000}) {
    Bytes all;
    for (std::uint64_t id = 1; id <= 256; ++id) {
      const Bytes page = bytes_of(content, id, thousandths, 4096);
      all.insert(all.end(), page.begin(), page.end());
    }
    CHECK(stored_share(all, 19) == Approx(static_cast<double>(thousandths) / 1000).margin(0.02));
  }
  CHECK(stored_share(bytes_of(content, 7, 1000, 1 << 20), 19) == Approx(1.0).margin(0.01));
}

TEST_CASE("equal numbers give equal bytes in every run, others differ, and contents without a number are unique") {
  const ContentBytes content(1), other(2);
  CHECK(bytes_of(content, 5, 500, 4096, 1) == bytes_of(content, 5, 500, 4096, 2));
  CHECK(bytes_of(content, 5, 500, 4096) == bytes_of(other, 5, 500, 4096));
  CHECK(bytes_of(content, 5, 500, 4096) != bytes_of(content, 6, 500, 4096));
  CHECK(bytes_of(content, 0, 1000, 4096, 1) != bytes_of(content, 0, 1000, 4096, 2));
  CHECK(bytes_of(content, 0, 1000, 4096, 1) == bytes_of(content, 0, 1000, 4096, 1));
  CHECK(bytes_of(content, 0, 1000, 4096, 1) != bytes_of(other, 0, 1000, 4096, 1));
  std::set<Bytes> sectors;
  for (std::uint64_t number = 1; number <= 2'000; ++number) sectors.insert(bytes_of(content, 0, 1000, 512, number));
  CHECK(sectors.size() == 2'000);
}

TEST_CASE("freshened bytes share no sector with the old ones and compress no better") {
  const ContentBytes content(1), other(2);
  Bytes page = bytes_of(content, 0, 1000, 4096);
  std::set<Bytes> sectors;
  for (std::uint64_t number = 1; number <= 500; ++number) {
    for (std::size_t at = 0; at < page.size(); at += kSectorBytes)
      sectors.insert(Bytes(page.begin() + static_cast<std::ptrdiff_t>(at),
                           page.begin() + static_cast<std::ptrdiff_t>(at + kSectorBytes)));
    CHECK(stored_share(page) == Approx(1.0).margin(0.01));
    content.freshen(page, number + 1);
  }
  CHECK(sectors.size() == 500 * 8);
  Bytes again = bytes_of(content, 0, 1000, 4096), elsewhere = again;
  content.freshen(again, 501);
  CHECK(again == page);
  other.freshen(elsewhere, 501);
  CHECK(elsewhere != page);
}

TEST_CASE("zeros and patterns are written as the job says") {
  ContentBytes content(1);
  CHECK(bytes_of(content, 3, 0, 4096) == Bytes(4096));
  content.set_jobs(testing::parse(testing::job_text("rw=write\nbs=4k\nsize=1m\nbuffer_pattern=\"abc\"")).jobs);
  const Bytes bytes = bytes_of(content, 3, 0, 4096);
  CHECK(std::memcmp(bytes.data(), "abcabcabc", 9) == 0);
}
