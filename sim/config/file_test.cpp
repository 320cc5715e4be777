#include "sim/config/file.h"

#include <cstdio>
#include <filesystem>

#include "sim/config/refusal.h"
#include "sim/test.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

// A file that is gone when the test ends.
struct Scratch {
  explicit Scratch(const std::string& content) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    REQUIRE(file != nullptr);
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
  }
  ~Scratch() { std::remove(path.c_str()); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path = (fs::temp_directory_path() / "ftlab_file_test.txt").string();
};

std::string refused(const std::string& path, std::uint64_t limit) {
  return refusal([&] { read_text_file(path, limit); });
}

TEST_CASE("a_file_is_read_byte_for_byte") {
  const std::string content = std::string("a\r\n\0b", 5) + std::string(100000, 'x');
  const Scratch scratch(content);
  CHECK(read_text_file(scratch.path) == content);
}

TEST_CASE("a_file_of_the_limit_is_read_and_one_byte_more_refused") {
  const Scratch scratch("12345");
  CHECK(refused(scratch.path, 5) == "accepted");
  CHECK(refused(scratch.path, 4) == scratch.path + ": is larger than 4 bytes");
}

TEST_CASE("what_is_no_readable_file_is_refused") {
  CHECK(refused("no/such.json", 9) == "no/such.json: does not exist");
  CHECK(refused(".", 9) == ".: is a directory, not a file");
}

}  // namespace
}  // namespace ftlab
