// The result folder of a real measurement. Unlike that of a simulation it is there from the start and grows: what was
// measured until a crash is not lost. While the measurement is not complete, it holds a file INCOMPLETE that says so, and
// why, when that is known.
//
// Whole files appear in one step and are on the disk then. Lines that are appended are with the kernel at once, so that
// they outlive this process; a loss of power may take the last half minute of them. (They are not synced: the folder may
// lie on the device that is measured.)
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "validation/results/result_folder.h"

namespace ftlab {

class GrowingFolder {
 public:
  // Refuses a path that exists, unless it is an empty folder: measurements are not replaced. Throws ConfigError.
  explicit GrowingFolder(const std::string& path);
  ~GrowingFolder();
  GrowingFolder(const GrowingFolder&) = delete;
  GrowingFolder& operator=(const GrowingFolder&) = delete;

  // `name` has no folder part, or one: "03-write/result.json". Both throw OutputError.
  void write(const std::string& name, std::string_view content);
  void append(const std::string& name, std::string_view lines);
  // Takes a file away that was appended to, if there is one.
  void forget(const std::string& name);

  // Why the measurement did not end as planned. As well as it can be kept: the disk may be full.
  void say_why(const std::string& reason) noexcept;
  // It has: the mark goes. Throws OutputError.
  void complete();

  const std::filesystem::path& path() const { return path_; }

 private:
  void make_folder_of(const std::filesystem::path& file);

  std::filesystem::path path_;
  std::map<std::string, int> growing_;  // open files by name
};

}  // namespace ftlab
