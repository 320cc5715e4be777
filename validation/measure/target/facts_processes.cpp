#include "validation/measure/target/facts_processes.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

#include "validation/measure/target/facts_sysfs.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

// Only whole numbers, sorted; nullopt if the folder cannot be listed.
std::optional<std::vector<std::uint64_t>> numbers_in(const fs::path& folder) {
  const auto names = sysfs_names(folder);
  if (!names) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const auto& name : *names) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> process_numbers(const fs::path& proc) {
  auto numbers = numbers_in(proc);
  if (numbers && numbers->empty()) return std::nullopt;  // at least this process must exist
  return numbers;
}

std::optional<std::vector<fs::path>> threads_of(const fs::path& process) {
  std::vector<fs::path> threads;
  const auto numbers = numbers_in(process / "task");
  if (!numbers && !has_ended(process)) return std::nullopt;
  if (numbers)
    for (const auto number : *numbers) threads.push_back(process / "task" / std::to_string(number));
  return threads;
}

bool has_ended(const fs::path& thread) {
  constexpr std::uint64_t kExiting = 0x4;  // PF_EXITING, set before anything is released (include/linux/sched.h)
  if (const auto stat = sysfs_text(thread / "stat")) {
    // proc(5): number (name) state parent group session terminal owner flags; a name may hold parentheses.
    std::istringstream fields(stat->substr(std::min(stat->size(), stat->rfind(')') + 1)));
    std::string skipped;
    for (int i = 0; i < 6; ++i) fields >> skipped;
    std::uint64_t flags = 0;
    if (fields >> flags && (flags & kExiting)) return true;
  }
  std::error_code error;
  return !fs::exists(thread, error);
}

}  // namespace ftlab
