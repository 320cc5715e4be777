// Runs one target under libFuzzer. With --seeds=FOLDER it only writes the initial corpus.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "validation/fuzz/door.h"

namespace {

const ftlab::fuzz::Door& door() {
  static const ftlab::fuzz::Door one = ftlab::fuzz::FTLAB_FUZZ_DOOR();
  return one;
}

[[noreturn]] void write_seeds(const std::string& folder) {
  std::size_t number = 0;
  for (const std::string& seed : door().seeds()) {
    std::ofstream out(folder + "/seed-" + std::to_string(number++), std::ios::binary);
    if (!out.write(seed.data(), static_cast<std::streamsize>(seed.size())).flush()) std::exit(1);
  }
  std::printf("%zu %zu %u\n", number, door().longest, door().share);
  std::exit(0);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  constexpr char kSeeds[] = "--seeds=";
  for (int i = 1; i < *count; ++i) {
    if (std::strncmp((*words)[i], kSeeds, sizeof kSeeds - 1) == 0) write_seeds((*words)[i] + sizeof kSeeds - 1);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  door().read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
