// Saved drives: `ftlab run --save`, `--load`, `ftlab check`. The file contains a label (resolved drive document, seed,
// simulated time) followed by the full state, as two archives (sim/core/archive.h), each with its own version and checksum.
// About 13 bytes per mapping page.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "sim/config/document.h"

namespace ftlab {

// Maps a file into memory, so that a large file needs no copy. The program crashes if the file is truncated meanwhile.
class MappedFile {
 public:
  // Throws ConfigError naming the path if it is missing, unreadable or not a regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(memory_), size_}; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

// Label of a state, read before the large part.
struct StateLabel {
  Node document;           // the resolved drive
  std::uint64_t seed = 0;  // seed of the drive's random streams
  Nanoseconds lived{0};    // simulated time until the drive was idle
  Counters counters;       // since the drive was new
};

struct SavedState {
  StateLabel label;
  std::shared_ptr<const void> file;  // mapped file that `drive` points into
  std::string_view drive;            // input of Drive::load
};

// True if the file begins like a state. False if unreadable.
bool is_state_file(const std::string& path);

// Reads a file and checks its label; restore_drive() checks the rest. Throws ConfigError if the file is missing, foreign,
// damaged, truncated or of another version.
SavedState read_state(const std::string& path);

// Like read_state(), with the file's content. Messages show `path`. REQUIRES: `bytes` outlive the result.
SavedState state_in(std::string_view bytes, const std::string& path);

// Performs all checks of --load, including the invariants of the drive. Throws ConfigError.
StateLabel check_state(const std::string& path);

// Restores the saved drive. With `design`, another design takes over the medium (see Drive::redesign). Throws ConfigError
// naming `path` if they do not match.
std::unique_ptr<Drive> restore_drive(const SavedState& state, const std::string& path, Clock clock,
                                     const Node* design = nullptr, const UserPolicies& own = {});

// Splits the first archive off `bytes`. The archive reader reports errors in it.
std::string_view cut_off_archive(std::string_view& bytes);

// Content of a state file. `document`: the resolved drive. REQUIRES: no request outstanding in the drive.
std::string state_of(Drive& drive, const Node& document);

// Writes a state at the end of a run. Files are written atomically.
class StateFile {
 public:
  // Reserves the path before the run. Replaces an existing file only if it is a state. Throws ConfigError. `place`: actual
  // path if not `path`, as in a folder that is renamed later.
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
