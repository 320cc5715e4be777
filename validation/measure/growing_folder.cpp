#include "validation/measure/growing_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "sim/core/error.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRunning =
    "This result is incomplete: the measurement was still running when this was written, or was ended from outside\n"
    "(kill -9, power). Whole files are right as they are; series.csv holds every interval that had ended.\n";

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

void GrowingFolder::make_folder_of(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw OutputError("cannot create " + file.parent_path().string() + ": " + error.message());
}

void GrowingFolder::write(const std::string& name, std::string_view content) {
  const fs::path path = path_ / name;
  make_folder_of(path);
  const fs::path fresh = path.parent_path() / ("." + path.filename().string() + ".new");
  try {
    write_file(fresh, content, path);
    if (::rename(fresh.c_str(), path.c_str()) != 0) fail_output(path, "write");
  } catch (const OutputError&) {
    ::unlink(fresh.c_str());
    throw;
  }
  sync_folder(path.parent_path());
}

void GrowingFolder::append(const std::string& name, std::string_view lines) {
  auto open = growing_.find(name);
  if (open == growing_.end()) {
    make_folder_of(path_ / name);
    open = growing_.try_emplace(name, path_ / name, O_CREAT | O_APPEND, path_ / name).first;
  }
  open->second.write(lines);
}

void GrowingFolder::forget(const std::string& name) {
  const auto open = growing_.find(name);
  if (open == growing_.end()) return;
  growing_.erase(open);
  ::unlink((path_ / name).c_str());
}

void GrowingFolder::say_why(const std::string& reason) noexcept {
  try {
    write(kIncompleteMark, "This result is incomplete: " + reason + "\n");
  } catch (const std::exception&) {
    // The initial mark still says that it is incomplete.
  }
}

void GrowingFolder::complete() {
  if (::unlink((path_ / kIncompleteMark).c_str()) != 0) fail_output(path_ / kIncompleteMark, "remove");
  sync_folder(path_);
}

}  // namespace ftlab
