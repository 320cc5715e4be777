#include "validation/run/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/core/error.h"

namespace ftlab {
namespace fs = std::filesystem;

// MAP_POPULATE reads the whole file: one call costs less than a page fault for every few pages.
MappedFile::MappedFile(const std::string& path) {
  const auto refuse = [&path](const std::string& problem) { throw ConfigError({path, 0}, "", problem); };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse("does not exist");
  if (!fs::is_regular_file(status)) refuse("is not a regular file");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
  size_ = fs::file_size(path, error);
  if (size_ > 0) memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  const int reason = errno;
  ::close(file);
  if (memory_ == MAP_FAILED) refuse(std::string("cannot be read: ") + std::strerror(reason));
}

MappedFile::~MappedFile() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

}  // namespace ftlab
