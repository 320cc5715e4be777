#include "validation/results/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include <spdlog/fmt/fmt.h>

namespace ftlab {
namespace {

constexpr double kOnTerminalEvery = 0.1, kInFileEvery = 60;  // s
constexpr double kLeastDone = 0.01;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string time_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60) : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

std::string progress_text(const std::string& text, const std::optional<ProgressShare>& share, double elapsed_s) {
  if (!share) return text;
  const double done = std::clamp(share->done, 0.0, 1.0);
  std::string before = fmt::format("{:.0f} %", std::min(100 * done, 99.0));  // work that still reports is not finished
  if (done >= kLeastDone)
    before += fmt::format(", {}{} left", share->at_most ? "at most " : "", time_text(elapsed_s / done * (1 - done)));
  return before + "; " + text;
}

ProgressLine::ProgressLine() : ProgressLine(stderr, ::isatty(STDERR_FILENO) != 0, steady_seconds) {}

ProgressLine::ProgressLine(std::FILE* out, bool terminal, std::function<double()> seconds)
    : out_(out),
      terminal_(terminal),
      seconds_(std::move(seconds)),
      began_s_(seconds_()),
      next_s_(began_s_ + (terminal ? 0 : kInFileEvery)) {}

void ProgressLine::wipe() {
  if (width_ > 0) std::fprintf(out_, "\r%*s\r", static_cast<int>(width_), "");
  width_ = 0;
}

void ProgressLine::draw(const std::string& text, const std::optional<ProgressShare>& share) {
  const double now_s = seconds_();
  if (now_s < next_s_) return;
  next_s_ = now_s + (terminal_ ? kOnTerminalEvery : kInFileEvery);
  const std::string shown = progress_text(text, share, now_s - began_s_);
  if (!terminal_) {
    std::fprintf(out_, "%s\n", shown.c_str());
    std::fflush(out_);
    return;
  }
  width_ = std::max(width_, shown.size());
  std::fprintf(out_, "\r%-*s", static_cast<int>(width_), shown.c_str());
}

}  // namespace ftlab
