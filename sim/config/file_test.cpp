#include "sim/config/file.h"

#include "sim/config/refusal.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

std::string refused(const std::string& path, std::uint64_t limit) {
  return refusal([&] { read_text_file(path, limit); });
}

TEST_CASE("a_file_is_read_byte_for_byte") {
  const std::string content = std::string("a\r\n\0b", 5) + std::string(100000, 'x');
  const TestFile file(content);
  CHECK(read_text_file(file.path()) == content);
}

TEST_CASE("a_file_of_the_limit_is_read_and_one_byte_more_refused") {
  const TestFile file("12345");
  CHECK(refused(file.path(), 5) == "accepted");
  CHECK(refused(file.path(), 4) == file.path() + ": is larger than 4 bytes");
}

TEST_CASE("a_path_that_is_not_a_readable_file_is_refused") {
  CHECK(refused("no/such.json", 9) == "no/such.json: does not exist");
  CHECK(refused(".", 9) == ".: is a directory, not a file");
}

}  // namespace
}  // namespace ftlab
