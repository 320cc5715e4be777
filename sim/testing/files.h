// For tests and benchmarks: temporary folders and files, deleted by their destructors.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace ftlab {

// A new, empty folder in the machine's folder for temporary files.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ftlab-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Path of a file in the folder.
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  // Writes a file of exactly these bytes and returns its path.
  std::string write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

// A file in a TestFolder of its own.
class TestFile {
 public:
  explicit TestFile(std::string_view content) : path_(folder_.write("file", content)) {}
  const std::string& path() const { return path_; }

 private:
  TestFolder folder_;
  std::string path_;
};

inline std::string TestFolder::write(std::string_view name, std::string_view content) const {
  const std::string path = *this / name;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw std::runtime_error(path + " was not made");
  const bool whole = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  if (std::fclose(file) != 0 || !whole) throw std::runtime_error(path + " was not written");
  return path;
}

}  // namespace ftlab
