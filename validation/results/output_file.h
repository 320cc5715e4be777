// Files that are written whole or line by line, and synced.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ftlab {

// The result could not be saved: disk full, folder vanished. The message names the file and the system's reason.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws OutputError with the reason that errno gives: "cannot write PATH: No space left on device".
[[noreturn]] void fail_output(const std::filesystem::path& path, const char* step);

// An open file. All functions throw OutputError; messages call it `shown`.
class OutputFile {
 public:
  // `flags` of open(2) beside those to write: O_CREAT, O_TRUNC, O_APPEND, O_EXCL.
  OutputFile(const std::filesystem::path& path, int flags, std::filesystem::path shown);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view content);
  // Syncs what was written, but not the time of the change.
  void sync();
  // Syncs everything. REQUIRES: called once, as the last.
  void close();

 private:
  std::filesystem::path shown_;
  int file_;
};

// Writes and syncs a whole file, which is replaced.
void write_file(const std::filesystem::path& path, std::string_view content, const std::filesystem::path& shown);
// Syncs the names in a folder. False if that fails: some file systems cannot open folders.
bool sync_folder(const std::filesystem::path& folder);
// A hidden name beside `target`, for a file that gets this name once it is complete.
std::string partial_name(const std::string& target);

}  // namespace ftlab
