// ftlab: the command line. Errors go to stderr, one message each; results go to stdout and to the given folder.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/command_line.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "validation/results/standard_output.h"

namespace {

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> interrupted_at_ns{0};

std::int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// One request to stop may arrive as several signals: `timeout` signals the program and its process group. A signal that
// arrives a second or more after the first ends the program immediately.
void on_signal(int signal) {
  constexpr std::int64_t kSameWishNs = 1'000'000'000;
  if (!interrupted.exchange(true)) {
    interrupted_at_ns.store(now_ns());
    return;
  }
  if (now_ns() - interrupted_at_ns.load() < kSameWishNs) return;
  static constexpr char kSentence[] = "stopped at once; hidden folders *.partial may be left beside the outputs\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Until a command polls the flag, nothing needs cleaning up.
void on_early_signal(int) {
  static constexpr char kSentence[] = "interrupted; no result was written\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  ::_exit(ftlab::kInterrupted);
}

void heed_interruption() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

void set_up_signals() {
  std::signal(SIGINT, on_early_signal);  // a shell starts background programs with SIGINT ignored
  std::signal(SIGTERM, on_early_signal);
  std::signal(SIGPIPE, SIG_IGN);  // writing to a closed pipe fails instead
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the user's size limit fails instead
}

void set_up_log(bool verbose) {
  const auto log = spdlog::stderr_color_mt("ftlab");
  log->set_pattern("%v");
  log->set_level(verbose ? spdlog::level::info : spdlog::level::warn);
  spdlog::set_default_logger(log);
}

int run_chosen(const ftlab::Session& session) {
  try {
    return ftlab::run_or_fail(session.chosen, "no result was written");
  } catch (const ftlab::Interrupted&) {
    return ftlab::fail(ftlab::kInterrupted, "interrupted; no result was written");
  }
}

}  // namespace

int main(int argc, char** argv) {
  set_up_signals();
  ftlab::CommandLine line;
  line.session().interrupted = &interrupted;
  line.session().heed_interruption = heed_interruption;
  if (argc < 2) return ftlab::fail(ftlab::kRefused, line.app().help());
  try {
    line.parse({argv + 1, argv + argc});
  } catch (const ftlab::ConfigError& error) {
    return ftlab::fail(ftlab::kRefused, error.what());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return ftlab::checked_output(line.app().exit(error));  // --help, --version
    const std::string command = line.chosen_name();
    return ftlab::fail(ftlab::kRefused, command + ": " + error.what() + " (see " + command + " --help)");
  }
  set_up_log(line.verbose());
  return ftlab::checked_output(run_chosen(line.session()));
}
