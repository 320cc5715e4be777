#include "validation/calibrate/priors.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Share of an empty drive's capacity in flash that is written when its pSLC cache is full, in thousandths.
std::uint64_t cache_permille(const PslcPrior& cache, std::uint32_t bits) {
  const std::uint64_t share = cache.free_space_permille.value;
  return 1000 * share / (1000 * bits + share);
}

}  // namespace

TEST_CASE("every class of flash states a program time for each bit of its cells") {
  for (const NandClass& flash : flash_classes()) {
    const auto of_a_kind = [](const auto& time) {
      return std::string_view(time.first).starts_with("program") && std::string_view(time.first) != "program_slc_ns";
    };
    const auto kinds = std::count_if(flash.times.begin(), flash.times.end(), of_a_kind);
    INFO(flash.name);
    CHECK(kinds == flash.bits);
    CHECK(flash_class_list().find(flash.name) != std::string::npos);
  }
}

TEST_CASE("pSLC caches are full where those of the reviewed drives are") {
  const NandClass &tlc = flash_class("tlc-176"), &qlc = flash_class("qlc-144");
  CHECK(cache_permille(pslc_prior(tlc, 8), 3) == 93);   // median 10 %
  CHECK(cache_permille(pslc_prior(tlc, 4), 3) == 333);  // all flash: a third of it
  CHECK(cache_permille(pslc_prior(qlc, 4), 4) == 249);  // a fourth
  CHECK(cache_permille(pslc_prior(qlc, 8), 4) == 249);
  CHECK(pslc_prior(tlc, 8).fold_ns.value == tlc.program_ns());
  CHECK(pslc_prior(qlc, 8).fold_ns.value == 2 * qlc.program_ns());
}
