#include "models/compression/compression.h"

#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a page takes the slots that its compressed content and header need, rounded up") {
  const CompressionConfig ideal{512, 0, 1000};
  CHECK(ideal.slots(1000, 4096) == 8);
  CHECK(ideal.slots(500, 4096) == 4);
  CHECK(ideal.slots(501, 4096) == 5);
  CHECK(ideal.slots(125, 4096) == 1);
  CHECK(ideal.slots(0, 4096) == 1);
  const CompressionConfig half{512, 0, 500};  // saves half of what an ideal compressor saves
  CHECK(half.slots(0, 4096) == 4);
  CHECK(half.slots(500, 4096) == 6);
  const CompressionConfig header{512, 16, 1000};
  CHECK(header.slots(125, 4096) == 2);
  CHECK(header.slots(121, 4096) == 1);  // 496 + 16 bytes
}

TEST_CASE("incompressible pages are stored as they are, without a header") {
  const CompressionConfig header{512, 100, 1000};
  CHECK(header.slots(1000, 4096) == 8);
  CHECK(header.slots(999, 4096) == 8);
}

TEST_CASE("more compressible content never takes more slots") {
  const CompressionConfig config{256, 12, 830};
  for (std::uint32_t left = 1; left <= 1000; ++left) CHECK(config.slots(left - 1, 8192) <= config.slots(left, 8192));
}
