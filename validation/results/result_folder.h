// A folder with the results of one run, which is either complete or not there: files are written into a hidden
// neighbour folder and the whole is renamed at the end. Nothing that a user has is overwritten unasked.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// The result could not be kept: disk full, folder vanished. The message names the file and the system's reason.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file in the folder of a result that is not complete: why.
inline constexpr const char* kIncompleteMark = "INCOMPLETE";

class ResultFolder {
 public:
  // Reserves `path` before the work starts, so that an unwritable place is refused early. An existing empty folder is
  // used; one that holds an earlier result is replaced only with `replace`, and only when it holds nothing but such a
  // result; anything else is refused, also a folder that another run is about to write. Throws ConfigError.
  // `others`: further outputs of the same run, empty ones left out. One that lies in the folder becomes part of the result,
  // see place_of(); `replace` may take an earlier one of that name away.
  ResultFolder(const std::string& path, bool replace, const std::vector<std::string>& others = {});
  // Leaves nothing behind unless commit() was called.
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  // Writes one file and makes sure that it is on the disk. `name` has no folder part, or one: of a step of
  // a procedure, "03-write/result.json". Throws OutputError.
  void write(std::string_view name, std::string_view content);
  // Where another output of the run, which shall appear as `path`, is to be written: in the folder to come when `path` lies
  // in it, otherwise `path` itself. Throws ConfigError for the name of one of the result's own files.
  std::string place_of(const std::string& path) const;
  // An earlier result lies there, which commit() replaces.
  bool replaces() const;
  // Makes the folder appear under its name, in one step. Throws OutputError.
  void commit();

 private:
  void remove_what_was_made() noexcept;

  std::filesystem::path target_;
  std::filesystem::path partial_;
  std::vector<std::filesystem::path> made_parents_;  // of target_; the deepest first
  int lock_ = -1;                                    // on partial_, as long as this run may write
  bool replace_;
  bool committed_ = false;
};

}  // namespace ftlab
