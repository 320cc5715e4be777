// Corrupts copies of real files: each is either refused, or read and then comparable.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/config/file.h"
#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/compare/comparison.h"

using namespace ftlab;

namespace {

const std::string kSource = std::string(FTLAB_SOURCE_DIR) + "/validation/";
constexpr int kCopies = 200;

// Bytes that tend to break parsers: signs, ends of numbers and strings, brackets, digits.
constexpr std::string_view kBytes = "-+.eE0123456789\"{}[],:\n \\xn";

std::string piece_of(const std::string& text, RandomStream& random) {
  const std::size_t begin = random.below(text.size());
  return text.substr(begin, 1 + random.below(40));
}

// Changes, deletes, duplicates or truncates at one to four places.
std::string broken(std::string text, RandomStream& random) {
  for (std::uint64_t changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random.below(text.size());
    switch (random.below(8)) {
      case 0: text.resize(at); break;
      case 1: text.erase(at, 1 + random.below(30)); break;
      case 2: text.insert(at, piece_of(text, random)); break;
      case 3: text.insert(at, "99999999999999999999"); break;
      default: text[at] = kBytes[random.below(kBytes.size())];
    }
  }
  return text;
}

// Reads and compares. A refusal must name the file.
bool is_read(const std::string& path, const Measurement& whole) {
  const std::string message = refusal([&] {
    const Measurement read = read_measurement(path);
    const Comparison comparison = compare(read, whole, {});
    CHECK_FALSE(comparison_text(comparison).empty());
    CHECK_FALSE((comparison_json(comparison).dump() + comparison_csv(comparison) + curves_csv(comparison)).empty());
  });
  if (message == "accepted") return true;
  CHECK(message.find(path) == 0);
  return false;
}

}  // namespace

TEST_CASE("corrupted copies of results, figures and logs are read or refused with their file name") {
  const TestFolder folder;
  int read = 0, refused = 0;
  for (const std::string name :
       {"checks/data/fio-results/grouped.json", "checks/data/fio-results/sweep_bw.1.log",
        "checks/data/fio-results/grouped_iops.1.log", "checks/data/fio-results/sweep_clat_hist.1.log",
        "measured/series_samsung_pm883_sata3g.json"}) {
    const std::string text = read_text_file(kSource + name);
    const Measurement whole = read_measurement(kSource + name);
    RandomStream random(7, name);
    for (int copy = 0; copy < kCopies; ++copy) {
      const std::string path = folder.write(std::filesystem::path(name).filename().string(), broken(text, random));
      (is_read(path, whole) ? read : refused) += 1;
    }
  }
  CHECK(read > 50);
  CHECK(refused > 50);
}
