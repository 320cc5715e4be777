// A drive as a file: `ftlab run --save`, `--load`, `ftlab check`. The file holds what the drive is (the resolved drive
// document, its seed, the simulated time it has lived) and, behind that, its whole state: two archives (sim/core/archive.h),
// each with its own version and checksum. Its size is about 13 bytes a mapping page.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "sim/config/document.h"

namespace ftlab {

// What a state says of itself, before anything large is read.
struct StateLabel {
  Node document;           // of the drive, resolved
  std::uint64_t seed = 0;  // of all chance in the drive
  Nanoseconds lived{0};    // simulated time, until the drive was idle
  Counters counters;       // since the drive was new
};

struct SavedState {
  StateLabel label;
  std::shared_ptr<const void> file;  // mapped into memory: what `drive` looks into
  std::string_view drive;            // for Drive::load
};

// Whether a file begins as a state does. False for what cannot be read.
bool is_state_file(const std::string& path);

// Reads a whole file and checks its label; the drive behind it is checked when it is restored. Throws ConfigError for what
// is missing, foreign, damaged, cut short or of another version.
SavedState read_state(const std::string& path);

// The same of bytes that lie elsewhere; `path` is what messages call them. REQUIRES: they outlive what is returned.
SavedState state_in(std::string_view bytes, const std::string& path);

// Reads a whole file as --load would, down to the invariants of the drive in it. Throws ConfigError.
StateLabel check_state(const std::string& path);

// The drive as it was saved. With `design`, another design on the same flash takes its medium over (see Drive::redesign).
// Throws ConfigError naming `path` when they do not fit each other.
std::unique_ptr<Drive> restore_drive(const SavedState& state, const std::string& path, Clock clock,
                                     const Node* design = nullptr, const UserPolicies& own = {});

// The bytes of a state file. `document`: the drive's, resolved. REQUIRES: no request outstanding in the drive.
std::string state_of(Drive& drive, const Node& document);

// A place for a state that is written at the end of a run: the file appears under its name whole or not at all.
class StateFile {
 public:
  // Reserves the place before the work starts. An existing file is replaced only when it is a state. Throws ConfigError.
  // `place`: where it is written if not under `path`, as in a folder that appears under its own name later.
  explicit StateFile(const std::string& path, const std::string& place = {});
  ~StateFile();
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  // Throws OutputError. REQUIRES: no request outstanding in the drive; called once.
  void save(Drive& drive, const Node& document);

 private:
  std::string target_;
  std::string partial_;
};

}  // namespace ftlab
