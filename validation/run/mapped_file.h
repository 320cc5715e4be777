// Maps a file into memory, so that a large file needs no copy. The program crashes if the file is truncated meanwhile.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ftlab {

class MappedFile {
 public:
  // Throws ConfigError naming the path if it is missing, unreadable or not a regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(memory_), size_}; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ftlab
