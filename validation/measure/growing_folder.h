// The result folder of a real measurement. Unlike that of a simulation it exists from the start and grows, so that a crash
// does not lose what was measured. While the measurement is incomplete, the folder holds a file INCOMPLETE, with the reason
// if that is known.
//
// Whole files are written atomically and synced. Appended lines are passed to the kernel at once, so that they outlive this
// process; a power loss may take the last half minute of them. (They are not synced: the folder may lie on the measured
// device.)
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "validation/results/result_folder.h"

namespace ftlab {

class GrowingFolder {
 public:
  // Refuses an existing path unless it is an empty folder: measurements are never replaced. Throws ConfigError.
  explicit GrowingFolder(const std::string& path);

  // `name` has at most one folder part: "03-write/result.json". Both throw OutputError.
  void write(const std::string& name, std::string_view content);
  void append(const std::string& name, std::string_view lines);
  // Removes a file that was appended to, if it exists.
  void forget(const std::string& name);

  // Records why the measurement did not end as planned. Best effort: the disk may be full.
  void say_why(const std::string& reason) noexcept;
  // Removes the mark of an incomplete measurement. Throws OutputError.
  void complete();

  const std::filesystem::path& path() const { return path_; }

 private:
  void make_folder_of(const std::filesystem::path& file);

  std::filesystem::path path_;
  std::map<std::string, OutputFile> growing_;  // by name
};

}  // namespace ftlab
