#include "validation/results/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace ftlab {
namespace fs = std::filesystem;

void fail_output(const fs::path& path, const char* step) {
  throw OutputError("cannot " + std::string(step) + " " + path.string() + ": " + std::strerror(errno));
}

OutputFile::OutputFile(const fs::path& path, int flags, fs::path shown)
    : shown_(std::move(shown)), file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {
  if (file_ < 0) fail_output(shown_, "create");
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_output(shown_, "write");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::sync() {
  if (::fdatasync(file_) != 0) fail_output(shown_, "write");
}

void OutputFile::close() {
  if (::fsync(file_) != 0) fail_output(shown_, "write");
  if (::close(std::exchange(file_, -1)) != 0) fail_output(shown_, "close");
}

void write_file(const fs::path& path, std::string_view content, const fs::path& shown) {
  OutputFile file(path, O_CREAT | O_TRUNC, shown);
  file.write(content);
  file.close();
}

bool sync_folder(const fs::path& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return false;
  const bool synced = ::fsync(handle) == 0;
  ::close(handle);
  return synced;
}

std::string partial_name(const std::string& target) {
  const fs::path path(target);
  return (path.parent_path() / ("." + path.filename().string() + ".partial-" + std::to_string(::getpid()))).string();
}

}  // namespace ftlab
