#include "validation/results/result_folder.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "sim/core/error.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  throw ConfigError({path, 0}, "--out", problem);
}

bool exchange(const fs::path& a, const fs::path& b) {
  return ::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

bool is_of_a_result(const std::string& name) {
  return name == "result.json" || name == "drive.json" || name == "host.json" || name == "series.csv" ||
         name == "procedure.csv" || name == "procedure.json" || name == "comparison.json" || name == "comparison.csv" ||
         name == "curves.csv" || name == "blocks.json" || name == kIncompleteMark || name.ends_with(".log");
}

// Every result has one of these files.
bool holds_result(const fs::path& folder) {
  std::error_code unreadable;
  return fs::exists(folder / "result.json", unreadable) || fs::exists(folder / "comparison.json", unreadable);
}

// True for the folder of a procedure's step: "03-write", with only files of a result.
bool is_of_a_step(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (!fs::is_directory(fs::symlink_status(folder)) || digits < 2 || digits == name.npos || name[digits] != '-')
    return false;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_of_a_result(entry.path().filename().string())) return false;
  }
  return true;
}

bool is_still(const fs::path& folder, int handle) {
  struct stat opened {
  }, named{};
  return ::fstat(handle, &opened) == 0 && ::stat(folder.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

// Creates the folder, or takes over that of a killed run. Returns none if another run holds it. The lock ends with the
// process.
std::optional<int> lock_folder(const fs::path& folder) {
  for (;;) {
    fs::create_directory(folder);
    const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return handle;  // some file systems cannot open folders
    if (::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(handle);
      return std::nullopt;
    }
    if (is_still(folder, handle)) {
      for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
      return handle;
    }
    ::close(handle);  // the other run ended between the two calls
  }
}

fs::path normal(const std::string& path) { return fs::absolute(fs::path(path)).lexically_normal(); }

fs::path target_of(const std::string& path) {
  if (path.empty()) refuse(path, "needs the name of a folder");
  const fs::path target = normal(path);
  return target.has_filename() ? target : target.parent_path();
}

void refuse_unless_replaceable(const fs::path& target, bool replace, const std::vector<std::string>& others) {
  const auto is_other = [&](const fs::directory_entry& entry) {
    return entry.is_regular_file() && std::any_of(others.begin(), others.end(), [&](const std::string& other) {
             return !other.empty() && normal(other) == target / entry.path().filename();
           });
  };
  if (!fs::is_directory(target)) refuse(target.string(), "exists and is not a folder");
  if (fs::is_empty(target)) return;
  if (!holds_result(target)) refuse(target.string(), "exists and holds something other than a result");
  if (!replace) refuse(target.string(), "holds an earlier result; choose another folder or say --replace");
  for (const auto& entry : fs::directory_iterator(target)) {
    if (!is_of_a_result(entry.path().filename().string()) && !is_of_a_step(entry.path()) && !is_other(entry)) {
      refuse(target.string(), "holds \"" + entry.path().filename().string() +
                                  "\" beside an earlier result; --replace would take it away, so move it first");
    }
  }
}

}  // namespace

void refuse_unless_writable(const std::string& path, bool replace, const std::vector<std::string>& others) {
  try {
    const fs::path target = target_of(path);
    if (fs::exists(fs::symlink_status(target))) refuse_unless_replaceable(target, replace, others);
    fs::path above = fs::weakly_canonical(target).parent_path();
    while (!fs::exists(above)) above = above.parent_path();
    if (::access((above / "").c_str(), W_OK | X_OK) != 0)
      throw fs::filesystem_error("", std::error_code(errno, std::generic_category()));
  } catch (const fs::filesystem_error& error) {
    refuse(path, "cannot be written: " + error.code().message());
  }
}

ResultFolder::ResultFolder(const std::string& path, bool replace, const std::vector<std::string>& others)
    : replace_(replace) {
  refuse_unless_writable(path, replace, others);
  try {
    target_ = target_of(path);
    if (fs::is_symlink(target_)) target_ = fs::canonical(target_);  // exchanges the folder, not the link to it
    for (fs::path p = target_.parent_path(); !fs::exists(p); p = p.parent_path()) made_parents_.push_back(p);
    fs::create_directories(target_.parent_path());
    const fs::path partial = target_.parent_path() / ("." + target_.filename().string() + ".partial");
    const std::optional<int> lock = lock_folder(partial);
    if (!lock) refuse(path, "is being written by another run");
    lock_ = *lock;
    partial_ = partial;
  } catch (const fs::filesystem_error& error) {
    remove_what_was_made();
    refuse(path, "cannot be written: " + error.code().message());
  }
}

ResultFolder::~ResultFolder() {
  if (!committed_) remove_what_was_made();
  if (lock_ >= 0) ::close(lock_);
}

// Keeps parents in which others have made files meanwhile.
void ResultFolder::remove_what_was_made() noexcept {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
  for (const fs::path& parent : made_parents_) fs::remove(parent, ignored);
}

void ResultFolder::write(std::string_view name, std::string_view content) {
  const fs::path relative(name);
  const bool inside = relative.is_relative() && std::find(relative.begin(), relative.end(), "..") == relative.end();
  if (!inside) throw OutputError("a file of the result would lie outside its folder: " + printable(name));
  const fs::path path = partial_ / relative;
  const fs::path folder = path.parent_path();
  if (folder != partial_ && ::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    fail_output(path, "create");
  write_file(path, content, path);
}

std::string ResultFolder::place_of(const std::string& path) const {
  const fs::path relative = normal(path).lexically_relative(target_);
  if (relative.empty() || relative == "." || *relative.begin() == "..") return path;
  if (relative.has_parent_path())
    throw ConfigError({path, 0}, "", "lies in a folder inside --out", {}, "a name directly in " + target_.string());
  if (is_of_a_result(relative.string())) throw ConfigError({path, 0}, "", "is the name of a file of the result itself");
  return (partial_ / relative).string();
}

bool ResultFolder::replaces() const { return replace_ && holds_result(target_); }

void ResultFolder::commit() {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(partial_, unreadable)) {
    if (entry.is_directory()) sync_folder(entry.path());
  }
  sync_folder(partial_);
  std::error_code error;
  if (replaces()) {
    if (!exchange(partial_, target_)) fail_output(target_, "replace");
    committed_ = true;
    fs::remove_all(partial_, error);  // the earlier result
  } else if (::rename(partial_.c_str(), target_.c_str()) != 0) {
    fail_output(target_, "create");
  }
  committed_ = true;
  sync_folder(target_.parent_path());
}

}  // namespace ftlab
