#include "models/compression/compressibility.h"

#include <string>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::string random_bytes(std::size_t count, RandomStream& random) {
  std::string bytes(count, '\0');
  for (char& c : bytes) c = static_cast<char>(random.below(256));
  return bytes;
}

}  // namespace

TEST_CASE("zeros compress to almost nothing, random bytes are stored as they are") {
  ContentMeasure zeros(4096), noise(4096);
  RandomStream random(1, "bytes");
  for (int i = 0; i < 10; ++i) zeros.add(std::string(4096, '\0'));
  for (int i = 0; i < 10; ++i) noise.add(random_bytes(4096, random));
  CHECK(zeros.stored_share() < 0.01);
  CHECK(zeros.by_tenth()[0] == 10);
  CHECK(zeros.repeated_blocks() == 9);
  CHECK(noise.stored_share() == 1.0);
  CHECK(noise.by_tenth()[9] == 10);
  CHECK(noise.repeated_blocks() == 0);
}

TEST_CASE("a block that is half random compresses to half") {
  ContentMeasure half(4096);
  RandomStream random(2, "bytes");
  for (int i = 0; i < 50; ++i) half.add(random_bytes(2048, random) + std::string(2048, 'x'));
  CHECK(half.stored_share() == Approx(0.5).margin(0.02));
}

TEST_CASE("the last block of a file counts by its length") {
  ContentMeasure measure(4096);
  measure.add(std::string(100, '\0'));
  CHECK(measure.bytes() == 100);
  CHECK(measure.stored_bytes() < 30);
}
