// The target as an open descriptor, and its identity. Names can change between a check and an open; a descriptor cannot, so
// every later query uses the descriptor (R2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

namespace ftlab {

class Permit;
class OnRecord;

// Identity by fstat: equal for two descriptors exactly if they are the same file or device.
struct FileIdentity {
  std::uint64_t device = 0;  // st_dev
  std::uint64_t inode = 0;
  std::uint64_t rdev = 0;  // block device: its number; file: 0

  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of(int descriptor);

// Bytes of the file or block device. Throws TargetError if the size cannot be read.
std::uint64_t size_of(int descriptor);

// The target cannot be opened as the rules demand, or is no longer the one decided upon. The message says what to do.
struct TargetError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Owns the descriptor, which the kernel keeps read-only until a permit to write is shown.
class OpenTarget {
 public:
  // Follows links once and opens what they lead to O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW, and a block device also
  // O_EXCL, which fails while it is mounted or held. Throws TargetError.
  static OpenTarget open(const std::string& path);
  // Makes a new file of that size and opens it likewise. It is removed again unless a permit to write is shown, or keep() is
  // called. Throws TargetError if the path exists, or if the file system is too full.
  static OpenTarget create(const std::string& path, std::uint64_t size_bytes);

  OpenTarget(OpenTarget&& other) noexcept;
  OpenTarget& operator=(OpenTarget&&) = delete;
  ~OpenTarget();

  int descriptor() const { return writing_ >= 0 ? writing_ : reading_; }
  const std::string& path() const { return path_; }
  const std::string& resolved() const { return resolved_; }
  bool created_here() const { return created_; }
  // Keeps the file that this run has made. REQUIRES: created_here().
  void keep();
  // True if the kernel lets no one else mount, hold or claim it (a block device opened O_EXCL).
  bool claimed() const { return claimed_; }

  // Throws TargetError unless the descriptor is still the same file or device, of the same size, that was decided upon.
  void check_against(const Permit& permit) const;
  // Opens the same descriptor again for writing; from now on descriptor() returns that one. The exclusive claim is never
  // released. `preparation`: proof that the plan is on record (validation/measure/preparation.h). REQUIRES:
  // permit.may_write() or permit.may_discard().
  void allow_writing(const Permit& permit, const OnRecord& preparation);
  // Writes the whole of a file that this run has made, piece by piece: file systems answer reads of space that is only
  // allocated without the device. `fill` makes the bytes of the piece at an offset. REQUIRES: created_here(). Throws
  // TargetError.
  void fill_created_file(const OnRecord& preparation,
                         const std::function<void(std::span<std::byte>, std::uint64_t)>& fill) const;

 private:
  enum class Origin { found_file, found_device, made };
  OpenTarget(std::string path, std::string resolved, int reading, Origin origin);

  std::string path_, resolved_;
  int reading_ = -1;
  int writing_ = -1;
  bool created_ = false;
  bool kept_ = false;
  bool claimed_ = false;
};

}  // namespace ftlab
