// The progress line, with a clock of the test.
#include "validation/results/progress_line.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Output of a line that is drawn each second from `from` to `to`.
std::string printed(bool terminal, double from, double to) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  double now = from;
  {
    ProgressLine line(file, terminal, [&now] { return now; });
    for (; now <= to; ++now) line.draw("step " + std::to_string(static_cast<int>(now)), ProgressShare{(now - from) / 240});
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("a progress line shows per cent and the time left, extrapolated from the elapsed time") {
  CHECK(progress_text("t", std::nullopt, 10) == "t");
  CHECK(progress_text("t", ProgressShare{0.25}, 10) == "25 %, 0:30 left; t");
  CHECK(progress_text("t", ProgressShare{0.25}, 1801) == "25 %, 1:30:03 left; t");
  CHECK(progress_text("t", ProgressShare{0.5, true}, 61) == "50 %, at most 1:01 left; t");
  CHECK(progress_text("t", ProgressShare{0.001}, 10) == "0 %; t");  // too early to tell
  CHECK(progress_text("t", ProgressShare{1.2}, 10) == "99 %, 0:00 left; t");
}

TEST_CASE("in a file or pipe progress is a line per minute, and work of less than a minute prints nothing") {
  CHECK(printed(false, 1000, 1059) == "");
  CHECK(printed(false, 1000, 1179) == "25 %, 3:00 left; step 1060\n50 %, 2:00 left; step 1120\n");
}

TEST_CASE("on a terminal progress is redrawn in place and wiped at the end") {
  const std::string text = printed(true, 0, 60);
  CHECK(text.starts_with("\r0 %; step 0\r"));
  CHECK(text.find("\r25 %, 3:00 left; step 60") != std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.ends_with(" \r"));
}
