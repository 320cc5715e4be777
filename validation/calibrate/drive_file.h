// Writes a calibrated drive or host as a file: fitted numbers on top of the base file.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/calibrate/calibration.h"

namespace ftlab {

// Inputs of a calibration, stated as provenance of its numbers.
struct CalibrationOrigin {
  std::string base_path;  // drive file or host file
  Node base;              // resolved, with `settings`; host only for a host file
  std::vector<std::string> settings;
  std::vector<std::string> measurements;  // names of the measurements
  std::string state;                      // assumed state of the drive
  bool of_host = false;                   // write keys and settings below `host.`; otherwise all others
};

// Returns the text of a drive or host file for `path`. It extends the base if that is in the folder of `path` or below, as
// `extends` requires; otherwise it is complete by itself. Keys that were kept are left out.
std::string drive_file_text(const Calibration& calibration, const CalibrationOrigin& origin, const std::string& path);

// A new file that appears under its name complete or not at all, and replaces nothing.
class NewFile {
 public:
  // Creates a temporary file before the work starts. Throws ConfigError, naming `option`, if the file exists or cannot be
  // written. If `place` is given, the file is written there: in a folder that gets its final name later.
  NewFile(const std::string& path, const std::string& option, const std::string& place = {});
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Throws OutputError. REQUIRES: called once.
  void commit(const std::string& text);

 private:
  std::string target_;
  std::string partial_;
};

}  // namespace ftlab
