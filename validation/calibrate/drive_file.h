// A calibrated drive or host as a file: what was fitted, laid over the one that it began with.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/calibrate/calibration.h"

namespace ftlab {

// Where a calibration comes from, for the provenance of its numbers.
struct CalibrationOrigin {
  std::string base_path;  // of the drive file, or of the host's
  Node base;              // resolved, with `settings`; of a host that alone
  std::vector<std::string> settings;
  std::vector<std::string> measurements;  // what was measured, as it calls itself
  std::string state;                      // that the drive was taken to be in
  bool of_host = false;                   // keys and settings under `host.` are its own; otherwise all others
};

// The text of a drive file, or of a host file, for `path`. It extends the base where that lies in the folder of `path` or
// below, which is all that a file can extend; otherwise it is complete in itself. Keys that were not determined are not in
// it.
std::string drive_file_text(const Calibration& calibration, const CalibrationOrigin& origin, const std::string& path);

// A place for a new file: it appears under its name whole or not at all, and replaces nothing.
class NewFile {
 public:
  // Reserves the place before the work starts. Throws ConfigError, naming `option`, when there is a file already or none can
  // be written.
  // `place`: where it is written, if not under `path`: in a folder that appears under its own name later.
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
