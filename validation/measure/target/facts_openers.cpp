#include "sim/config/split.h"
#include "validation/measure/target/facts_sources.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace ftlab {
namespace {

namespace fs = std::filesystem;

// Only whole numbers, sorted; nullopt if the folder cannot be listed.
std::optional<std::vector<std::uint64_t>> numbers_in(const fs::path& folder) {
  const auto names = sysfs_names(folder);
  if (!names) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const auto& name : *names)
    if (const auto number = parsed<std::uint64_t>(name)) numbers.push_back(*number);
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

namespace {

namespace fs = std::filesystem;

// True if this open file is one of those wanted; nullopt if unknown. Queries no server: a network file system that hangs
// must not block this process.
std::optional<bool> is_wanted(const fs::path& open_file, const Wanted& wanted) {
  struct statx found {};
  constexpr int kAskNobody = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
  if (statx(AT_FDCWD, open_file.c_str(), kAskNobody, STATX_TYPE | STATX_INO, &found) != 0) {
    if (errno == ENOENT || errno == ESRCH) return false;  // closed in the meantime
    return std::nullopt;
  }
  if (S_ISBLK(found.stx_mode))
    return wanted.block_devices.contains(gnu_dev_makedev(found.stx_rdev_major, found.stx_rdev_minor));
  const FileIdentity identity{gnu_dev_makedev(found.stx_dev_major, found.stx_dev_minor), found.stx_ino, 0};
  return S_ISREG(found.stx_mode) && std::find(wanted.files.begin(), wanted.files.end(), identity) != wanted.files.end();
}

// True if a process or thread, by its folder, has one of those open; nullopt if not all of its open files can be seen.
std::optional<bool> has_open(const fs::path& thread, const Wanted& wanted) {
  const auto open_files = sysfs_names(thread / "fd");
  if (!open_files && has_ended(thread)) return false;
  if (!open_files) return std::nullopt;
  for (const auto& name : *open_files) {
    const auto found = is_wanted(thread / "fd" / name, wanted);
    if (!found || *found) return found;
  }
  return false;
}

// Threads usually share their open files. While the first thread lives, its files represent those of the process.
std::optional<bool> any_has_open(const fs::path& process, const Wanted& wanted) {
  const auto found = has_open(process, wanted);
  if (!found || *found || !has_ended(process)) return found;
  const auto threads = threads_of(process);
  if (!threads) return std::nullopt;
  for (const auto& thread : *threads) {
    const auto of_thread = has_open(thread, wanted);
    if (!of_thread || *of_thread) return of_thread;
  }
  return false;
}

}  // namespace

std::optional<std::vector<std::string>> openers_of(const fs::path& proc, const Wanted& wanted) {
  const auto processes = process_numbers(proc);
  if (!processes) return std::nullopt;
  std::vector<std::string> openers;
  for (const auto number : *processes) {
    if (number == static_cast<std::uint64_t>(getpid())) continue;
    const auto process = proc / std::to_string(number);
    const auto found = any_has_open(process, wanted);
    if (!found) return std::nullopt;
    if (*found)
      openers.push_back("process " + std::to_string(number) + " (" + sysfs_text(process / "comm").value_or("?") + ")");
  }
  return openers;
}

}  // namespace ftlab
