#include "validation/measure/growing_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "sim/core/error.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRunning =
    "This result is incomplete: the measurement was still running when this was written, or was ended from outside\n"
    "(kill -9, power). Whole files are right as they are; series.csv holds every interval that had ended.\n";

[[noreturn]] void fail(const fs::path& path, const char* step) {
  throw OutputError("cannot " + std::string(step) + " " + path.string() + ": " + std::strerror(errno));
}

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void sync_folder(const fs::path& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

}  // namespace

GrowingFolder::GrowingFolder(const std::string& path) {
  try {
    path_ = fs::absolute(fs::path(path)).lexically_normal();
    if (!path_.has_filename()) path_ = path_.parent_path();
    if (fs::exists(fs::symlink_status(path_)) && !(fs::is_directory(path_) && fs::is_empty(path_)))
      throw ConfigError({path, 0}, "--out", "exists already; a measurement is never replaced, choose another folder");
    fs::create_directories(path_);
    write(kIncompleteMark, kRunning);
  } catch (const fs::filesystem_error& error) {
    throw ConfigError({path, 0}, "--out", "cannot be written: " + error.code().message());
  } catch (const OutputError& error) {
    throw ConfigError({path, 0}, "--out", error.what());
  }
}

GrowingFolder::~GrowingFolder() {
  for (const auto& [name, file] : growing_) ::close(file);
}

void GrowingFolder::make_folder_of(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw OutputError("cannot create " + file.parent_path().string() + ": " + error.message());
}

void GrowingFolder::write(const std::string& name, std::string_view content) {
  const fs::path path = path_ / name;
  make_folder_of(path);
  const fs::path fresh = path.parent_path() / ("." + path.filename().string() + ".new");
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path, "create");
  const bool kept = write_all(file, content) && ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  errno = error;
  if (!kept || ::rename(fresh.c_str(), path.c_str()) != 0) {
    const int why = errno;
    ::unlink(fresh.c_str());
    errno = why;
    fail(path, "write");
  }
  sync_folder(path.parent_path());
}

void GrowingFolder::append(const std::string& name, std::string_view lines) {
  const auto [open, is_new] = growing_.try_emplace(name, -1);
  if (is_new) {
    make_folder_of(path_ / name);
    open->second = ::open((path_ / name).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }
  if (open->second < 0) fail(path_ / name, "create");
  if (!write_all(open->second, lines)) fail(path_ / name, "write");
}

void GrowingFolder::forget(const std::string& name) {
  const auto open = growing_.find(name);
  if (open == growing_.end()) return;
  ::close(open->second);
  ::unlink((path_ / name).c_str());
  growing_.erase(open);
}

void GrowingFolder::say_why(const std::string& reason) noexcept {
  try {
    write(kIncompleteMark, "This result is incomplete: " + reason + "\n");
  } catch (const std::exception&) {
    // The initial mark still says that it is incomplete.
  }
}

void GrowingFolder::complete() {
  if (::unlink((path_ / kIncompleteMark).c_str()) != 0) fail(path_ / kIncompleteMark, "remove");
  sync_folder(path_);
}

}  // namespace ftlab
