// A file's bytes as memory, so that a large one takes no copy of its size. A file that somebody cuts short meanwhile ends
// the program.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ftlab {

class MappedFile {
 public:
  // Throws ConfigError naming the path for what is missing, no regular file or unreadable.
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
