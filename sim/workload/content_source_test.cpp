#include "sim/workload/content_source.h"

#include <cmath>
#include <set>

#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

std::vector<Content> contents(const std::string& lines, std::uint64_t seed = 1) {
  std::vector<Content> all;
  for (const Access& access : sequence(one_job("rw=write\nbs=4k\nsize=40m\n" + lines), seed)) all.push_back(access.content);
  return all;
}

std::size_t distinct(const std::vector<Content>& all) {
  std::set<std::uint64_t> ids;
  for (const Content& content : all) ids.insert(content.id);
  return ids.size();
}

bool stores(const std::vector<Content>& all, std::uint64_t thousandths) {
  return std::all_of(all.begin(), all.end(),
                     [&](const Content& content) { return content.stored_thousandths == thousandths; });
}

constexpr std::size_t kWrites = 10240;

}  // namespace

TEST_CASE("a job without content options carries no content", "[workload]") {
  const std::vector<Content> all = contents("");
  CHECK(all.size() == kWrites);
  CHECK(distinct(all) == 1);
  CHECK(all[0].id == 0);
}

TEST_CASE("refilled or scrambled buffers never repeat, a plain buffer always does", "[workload]") {
  CHECK(distinct(contents("refill_buffers")) == kWrites);
  CHECK(distinct(contents("scramble_buffers=1")) == kWrites);
  CHECK(distinct(contents("scramble_buffers=0")) == 1);
  CHECK(stores(contents("refill_buffers"), 1000));
}

TEST_CASE("compression removes the given share of each chunk", "[workload]") {
  CHECK(stores(contents("buffer_compress_percentage=50"), 500));
  CHECK(stores(contents("buffer_compress_percentage=30\nbuffer_compress_chunk=4k"), 700));
  CHECK(stores(contents("buffer_compress_percentage=33\nbuffer_compress_chunk=10"), 700));  // 3 of 10 bytes
  CHECK(stores(contents("buffer_compress_percentage=100"), 0));
}

TEST_CASE("zeros and patterns are one content that compresses to nothing", "[workload]") {
  for (const char* lines : {"zero_buffers", "buffer_pattern=0xdeadface", "buffer_pattern=\"abcd\"", "buffer_pattern=123"}) {
    INFO(lines);
    const std::vector<Content> all = contents(lines);
    CHECK(distinct(all) == 1);
    CHECK(all[0].id != 0);
    CHECK(stores(all, 0));
  }
  CHECK(contents("buffer_pattern=0xdead")[0].id != contents("buffer_pattern=0xbeef")[0].id);
  CHECK(contents("buffer_pattern=0x6162")[0].id == contents("buffer_pattern=\"ab\"")[0].id);
  CHECK(contents("buffer_pattern=0xdead", 1)[0].id == contents("buffer_pattern=0xdead", 2)[0].id);  // equal bytes in any job
}

TEST_CASE("dedupe repeats the given share of the writes", "[workload]") {
  for (const double percent : {10, 50, 90}) {
    const double kept =
        static_cast<double>(distinct(contents("dedupe_percentage=" + std::to_string(static_cast<int>(percent)))));
    const double n = kWrites, p = 1 - percent / 100;
    CHECK(std::abs(kept - n * p) < 4 * std::sqrt(n * p * (1 - p)) + 1);
  }
  CHECK(distinct(contents("dedupe_percentage=100")) == 1);
}

TEST_CASE("dedupe in a working set repeats contents of that set", "[workload]") {
  const std::vector<Content> all =
      contents("dedupe_percentage=100\ndedupe_mode=working_set\ndedupe_working_set_percentage=1");
  CHECK(distinct(all) == 102);  // 1 % of the blocks; 10240 draws reach all of them
}

TEST_CASE("contents depend only on the job and the seed", "[workload]") {
  const auto ids = [](std::uint64_t seed) {
    std::vector<std::uint64_t> all;
    for (const Content& content : contents("dedupe_percentage=50", seed)) all.push_back(content.id);
    return all;
  };
  CHECK(ids(1) == ids(1));
  CHECK(ids(1) != ids(2));
}

TEST_CASE("a content takes 8 bytes", "[workload]") { CHECK(sizeof(Content) == 8); }
