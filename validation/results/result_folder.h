// A folder with the results of one run, either complete or absent: files are written to a hidden sibling folder, which is
// renamed at the end. Files of the user are never overwritten unasked.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "validation/results/output_file.h"

namespace ftlab {

// File in the folder of an incomplete result that says why.
inline constexpr const char* kIncompleteMark = "INCOMPLETE";

// Throws ConfigError if a ResultFolder of these arguments would be refused, unless another run is about to write it. Makes
// nothing, so a run whose input is refused after this leaves nothing behind, whatever runs beside it.
void refuse_unless_writable(const std::string& path, bool replace, const std::vector<std::string>& others = {});

class ResultFolder {
 public:
  // Reserves `path` once the input is accepted, before the work starts. An existing empty folder is used. A folder with an
  // earlier result is replaced only with `replace`, and only if it holds nothing else. Anything else is refused, also a folder
  // that another run is about to write. Throws ConfigError.
  // `others`: further outputs of the same run; empty ones are ignored. One inside the folder becomes part of the result, see
  // place_of(); `replace` may remove an earlier file of that name.
  ResultFolder(const std::string& path, bool replace, const std::vector<std::string>& others = {});
  // Removes everything that it made unless commit() was called.
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  // Writes and syncs one file. `name` has no folder part, or that of a step of a procedure: "03-write/result.json". Throws
  // OutputError.
  void write(std::string_view name, std::string_view content);
  // Where to write another output of the run that shall appear as `path`: in the new folder if `path` lies in it, else
  // `path` itself. Throws ConfigError if it has the name of one of the result's own files.
  std::string place_of(const std::string& path) const;
  // True if commit() will replace an earlier result.
  bool replaces() const;
  // Makes the folder appear under its name, atomically. Throws OutputError.
  void commit();

 private:
  void remove_what_was_made() noexcept;

  std::filesystem::path target_;
  std::filesystem::path partial_;
  std::vector<std::filesystem::path> made_parents_;  // created parents of target_, deepest first
  int lock_ = -1;                                    // on partial_, while this run may write
  bool replace_;
  bool committed_ = false;
};

}  // namespace ftlab
