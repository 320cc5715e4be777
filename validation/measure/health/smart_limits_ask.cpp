// Runs smartctl as a child process.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "validation/measure/health/smart_limits.h"

extern char** environ;

namespace ftlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostPrinted = 16u << 20;  // about 100 KB are usual
constexpr int kDeepest = 64;                     // levels of JSON; answers are written recursively

struct Said {
  std::string text;
  int status = 0;  // as from waitpid
  std::string why_not;
  bool not_found = false;  // the program does not exist
};

// Reads until the other side closes, discarding output that is too long. False on an error, or after `deadline`.
bool read_all(int from, Clock::time_point deadline, std::string& text) {
  std::array<char, 65536> room;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{from, POLLIN, 0};
    const int ready = left > 0 ? poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const auto got = read(from, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    if (text.size() > kMostPrinted) continue;
    text.append(room.data(), static_cast<std::size_t>(got));
  }
}

// The child inherits only the pipe: all other descriptors are opened O_CLOEXEC.
pid_t start(const std::vector<std::string>& words, int output, int& failure) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

Said said_by(const std::vector<std::string>& words, std::chrono::milliseconds patience) {
  Said said;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {"", 0, std::string("no pipe: ") + std::strerror(errno)};
  int failure = 0;
  const pid_t child = start(words, ends[1], failure);
  ::close(ends[1]);
  if (failure != 0) {
    ::close(ends[0]);
    said.not_found = failure == ENOENT;
    said.why_not = said.not_found ? words[0] + " is not installed" : words[0] + ": " + std::strerror(failure);
    return said;
  }
  if (!read_all(ends[0], Clock::now() + patience, said.text)) {
    kill(child, SIGKILL);
    said.why_not = words[0] + " did not answer in time";
  }
  ::close(ends[0]);
  while (waitpid(child, &said.status, 0) < 0 && errno == EINTR) continue;
  return said;
}

// Debian installs it in a folder that is not on the path of ordinary users.
Said said_by_program(const std::string& program, const std::string& device, std::chrono::milliseconds patience) {
  const Said said = said_by({program, "--json", "-x", device}, patience);
  if (!said.not_found || program.find('/') != std::string::npos) return said;
  const Said there = said_by({"/usr/sbin/" + program, "--json", "-x", device}, patience);
  return there.not_found ? said : there;
}

std::string first_message(const nlohmann::json& report) {
  try {
    return report.at("smartctl").at("messages").at(0).at("string").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return "it gave no reason";
  }
}

}  // namespace

SmartAnswer ask_smartctl(const std::string& device, const std::string& program, std::chrono::milliseconds patience) {
  const auto said = said_by_program(program, device, patience);
  if (!said.why_not.empty()) return {std::nullopt, said.why_not, nullptr};
  if (!WIFEXITED(said.status)) return {std::nullopt, program + " was killed", nullptr};
  return smart_answer(said.text, WEXITSTATUS(said.status), program);
}

SmartAnswer smart_answer(const std::string& printed, int status, const std::string& program) {
  if (printed.size() > kMostPrinted) return {std::nullopt, program + " printed more than any drive has to say", nullptr};
  bool deep = false;
  const auto look = [&deep](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  auto report = nlohmann::json::parse(printed, look, false);
  if (deep || report.is_discarded()) return {std::nullopt, program + " printed no JSON", nullptr};
  // Bits 0 and 1: the command line was wrong, or the device could not be opened. Other bits report a fault of the drive or a
  // missing log; the values that were read are valid.
  if ((status & 3) != 0)
    return {std::nullopt, program + " cannot read this device: " + first_message(report), std::move(report)};
  auto reading = parse_smart(report);
  return {std::move(reading), "", std::move(report)};
}

}  // namespace ftlab
