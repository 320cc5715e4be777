#include "validation/measure/target/identity.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "sim/core/check.h"
#include "validation/measure/target/guard.h"

namespace ftlab {
namespace {

std::string because(int error) { return std::string(": ") + std::strerror(error); }

// Message for a failed open; the kernel's text alone does not say what to do.
std::string open_failure(const std::string& path, int error) {
  switch (error) {
    case EBUSY: return path + " is in use: something is mounted on it, or holds it";
    case EINVAL: return path + " lies on a file system without direct I/O";
    case ELOOP: return path + " was replaced by a link while it was being opened";
    default: return path + " cannot be opened" + because(error);
  }
}

std::string followed(const std::string& path) {
  std::error_code error;
  const auto resolved = std::filesystem::canonical(path, error);
  if (error) throw TargetError(path + " cannot be opened: " + error.message());
  return resolved.string();
}

struct stat stat_of(int descriptor) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0) throw TargetError("the open target does not answer fstat" + because(errno));
  return found;
}

FileIdentity identity_in(const struct stat& found) {
  return {found.st_dev, found.st_ino, S_ISBLK(found.st_mode) ? found.st_rdev : 0};
}

// True if the name, whose links were followed before, still denotes that very file or device.
bool leads_to(const std::string& resolved, const FileIdentity& identity) {
  struct stat found {};
  return lstat(resolved.c_str(), &found) == 0 && identity_in(found) == identity;
}

// Clears O_NONBLOCK, which only keeps a pipe or a lock from blocking the open: with it, requests that have to wait would
// fail.
void let_requests_wait(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0)
    throw TargetError("the open target does not answer fcntl" + because(errno));
}

constexpr int kAlways = O_DIRECT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

// Looks at the end of the path without opening the device behind it: opening a terminal or a tape already has effects.
bool is_block_device(const std::string& resolved) {
  const int look = ::open(resolved.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (look < 0) throw TargetError(open_failure(resolved, errno));
  const auto mode = stat_of(look).st_mode;
  ::close(look);
  if (!S_ISBLK(mode) && !S_ISREG(mode)) throw TargetError(resolved + " is neither a regular file nor a block device");
  return S_ISBLK(mode);
}

}  // namespace

FileIdentity identity_of(int descriptor) { return identity_in(stat_of(descriptor)); }

std::uint64_t size_of(int descriptor) {
  const auto found = stat_of(descriptor);
  if (S_ISREG(found.st_mode)) return static_cast<std::uint64_t>(found.st_size);
  std::uint64_t bytes = 0;
  if (ioctl(descriptor, BLKGETSIZE64, &bytes) != 0) throw TargetError("the device does not tell its size" + because(errno));
  return bytes;
}

OpenTarget::OpenTarget(std::string path, std::string resolved, int reading, Origin origin)
    : path_(std::move(path)),
      resolved_(std::move(resolved)),
      reading_(reading),
      created_(origin == Origin::made),
      claimed_(origin == Origin::found_device) {}

OpenTarget::OpenTarget(OpenTarget&& other) noexcept
    : path_(std::move(other.path_)),
      resolved_(std::move(other.resolved_)),
      reading_(std::exchange(other.reading_, -1)),
      writing_(std::exchange(other.writing_, -1)),
      created_(other.created_),
      kept_(other.kept_),
      claimed_(other.claimed_) {}

OpenTarget::~OpenTarget() {
  if (reading_ < 0) return;
  // Removes a created file that was never opened for writing, if the name still leads to it.
  struct stat ours {};
  if (created_ && !kept_ && writing_ < 0 && fstat(reading_, &ours) == 0 && leads_to(resolved_, identity_in(ours)))
    unlink(resolved_.c_str());
  if (writing_ >= 0) ::close(writing_);
  ::close(reading_);
}

OpenTarget OpenTarget::open(const std::string& path) {
  auto resolved = followed(path);
  const bool block = is_block_device(resolved);
  const int descriptor = ::open(resolved.c_str(), O_RDONLY | kAlways | (block ? O_EXCL : 0));
  if (descriptor < 0) throw TargetError(open_failure(resolved, errno));
  OpenTarget target(path, std::move(resolved), descriptor, block ? Origin::found_device : Origin::found_file);
  let_requests_wait(descriptor);
  if (S_ISBLK(stat_of(descriptor).st_mode) != block) throw TargetError(path + " was replaced while it was being opened");
  return target;
}

OpenTarget OpenTarget::create(const std::string& path, std::uint64_t size_bytes) {
  const auto parent = std::filesystem::path(path).parent_path();
  auto resolved =
      (std::filesystem::path(followed(parent.empty() ? "." : parent.string())) / std::filesystem::path(path).filename())
          .string();
  const int making = ::open(resolved.c_str(), O_RDWR | O_CREAT | O_EXCL | kAlways, 0600);
  if (making < 0) throw TargetError(open_failure(resolved, errno));
  // Allocates the space now, so that a full disk shows here and not during the measurement.
  const int failure = posix_fallocate(making, 0, static_cast<off_t>(size_bytes));
  const int reading = ::open(("/proc/self/fd/" + std::to_string(making)).c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  const int reopen_failure = errno;
  ::close(making);
  if (reading < 0) {
    unlink(resolved.c_str());
    throw TargetError(open_failure(resolved, reopen_failure));
  }
  OpenTarget target(path, std::move(resolved), reading, Origin::made);  // its destructor now removes the file on failure
  if (failure != 0) throw TargetError(target.resolved() + " cannot be given its size" + because(failure));
  return target;
}

void OpenTarget::keep() {
  FTLAB_CHECK(created_, "only a file that this run has made would be removed");
  kept_ = true;
}

void OpenTarget::check_against(const Permit& permit) const {
  if (identity_of(descriptor()) != permit.identity() || size_of(descriptor()) != permit.size_bytes())
    throw TargetError(path_ + " is no longer what was decided upon");
}

void OpenTarget::allow_writing(const Permit& permit, const OnRecord&) {
  FTLAB_CHECK(permit.may_write() || permit.may_discard(), "the permit is for reading");
  FTLAB_CHECK(writing_ < 0, "it is already open for writing");
  check_against(permit);
  if (!leads_to(resolved_, permit.identity())) throw TargetError(resolved_ + " now leads to something else");
  const int descriptor = ::open(("/proc/self/fd/" + std::to_string(reading_)).c_str(), O_RDWR | O_DIRECT | O_CLOEXEC);
  if (descriptor < 0) throw TargetError(open_failure(resolved_, errno));
  if (identity_of(descriptor) != permit.identity() || size_of(descriptor) != permit.size_bytes()) {
    ::close(descriptor);
    throw TargetError(path_ + " is no longer what was decided upon");
  }
  writing_ = descriptor;
}

void OpenTarget::fill_created_file(const OnRecord&,
                                   const std::function<void(std::span<std::byte>, std::uint64_t)>& fill) const {
  FTLAB_CHECK(created_, "only a file that this run has made is filled");
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const int descriptor = ::open(("/proc/self/fd/" + std::to_string(reading_)).c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
  if (descriptor < 0) throw TargetError(open_failure(resolved_, errno));
  const std::unique_ptr<std::byte, decltype(&std::free)> memory(  // page-aligned, for direct I/O
      static_cast<std::byte*>(std::aligned_alloc(4096, kPiece)), &std::free);
  if (memory == nullptr) throw TargetError(resolved_ + " cannot be filled: out of memory");
  const std::uint64_t end = size_of(descriptor);
  int failure = 0;
  for (std::uint64_t at = 0; at < end && failure == 0; at += kPiece) {
    const std::size_t length = std::min<std::uint64_t>(kPiece, end - at);
    fill({memory.get(), length}, at);
    const ssize_t written = ::pwrite(descriptor, memory.get(), length, static_cast<off_t>(at));
    if (written != static_cast<ssize_t>(length)) failure = written < 0 ? errno : ENOSPC;
  }
  if (failure == 0 && ::fsync(descriptor) != 0) failure = errno;
  ::close(descriptor);
  if (failure != 0) throw TargetError(resolved_ + " cannot be filled" + because(failure));
}

}  // namespace ftlab
