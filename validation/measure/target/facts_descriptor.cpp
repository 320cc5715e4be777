// Facts from an open descriptor.

#include <algorithm>
#include <blkid/blkid.h>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <memory>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

#include "validation/measure/target/facts.h"

// From Linux 6.1; the C library of Debian 12 has the numbers only in its kernel headers.
#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x00002000U
#endif

namespace ftlab {
namespace {

constexpr long kXfsMagic = 0x58465342;
constexpr long kBcachefsMagic = 0xca451a4e;
constexpr long kZfsMagic = 0x2fc12fc1;

Fact<TargetKind> kind_of(int descriptor) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0) return std::nullopt;
  if (S_ISREG(found.st_mode)) return TargetKind::regular_file;
  if (S_ISBLK(found.st_mode)) return TargetKind::block_device;
  return std::nullopt;
}

Fact<bool> opened_with(int descriptor, int flag) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return std::nullopt;
  return (flags & flag) != 0;
}

// The kernel grants a write lease only if nothing else has the file open: processes, mappings, loop devices, swap. The lease
// is returned at once. nullopt: not our file, or a file system without leases.
Fact<bool> takes_lease(int descriptor) {
  if (fcntl(descriptor, F_SETLEASE, F_WRLCK) == 0) {
    if (fcntl(descriptor, F_SETLEASE, F_UNLCK) != 0) return std::nullopt;
    return true;
  }
  if (errno == EAGAIN) return false;
  return std::nullopt;
}

// The kernel releases the files of a process that used io_uring only some time after its end; the previous run may have been
// such a process.
Fact<bool> has_file_alone(int descriptor) {
  auto alone = takes_lease(descriptor);
  for (int wait = 0; wait < 20 && alone == false; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    alone = takes_lease(descriptor);
  }
  return alone;
}

Fact<std::string> file_system_of(int descriptor) {
  struct statfs found {};
  if (fstatfs(descriptor, &found) != 0) return std::nullopt;
  switch (static_cast<long>(found.f_type)) {
    case EXT4_SUPER_MAGIC: return "ext4";
    case kXfsMagic: return "xfs";
    case BTRFS_SUPER_MAGIC: return "btrfs";
    case F2FS_SUPER_MAGIC: return "f2fs";
    case kBcachefsMagic: return "bcachefs";
    case kZfsMagic: return "zfs";
    case TMPFS_MAGIC: return "tmpfs";
    case RAMFS_MAGIC: return "ramfs";
    case OVERLAYFS_SUPER_MAGIC: return "overlay";
    case FUSE_SUPER_MAGIC: return "fuse";
    case NFS_SUPER_MAGIC: return "nfs";
    case PROC_SUPER_MAGIC: return "proc";
    case SYSFS_MAGIC: return "sysfs";
    default: return std::nullopt;
  }
}

// The mask word, and the two words at 0x98, read directly: the C library's struct statx may be older than the fields.
struct DirectAlignment {
  Fact<std::uint32_t> memory, offset;
};
DirectAlignment direct_alignment(int descriptor) {
  alignas(struct statx) unsigned char room[512] = {};
  auto* found = reinterpret_cast<struct statx*>(room);
  static_assert(sizeof(struct statx) <= sizeof room);
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, found) != 0) return {};
  if ((found->stx_mask & STATX_DIOALIGN) == 0) return {};
  const auto* words = reinterpret_cast<const std::uint32_t*>(room);
  return {words[0x98 / 4], words[0x9c / 4]};
}

template <class T>
Fact<std::uint32_t> asked(int descriptor, unsigned long question) {
  T answer = 0;
  if (ioctl(descriptor, question, &answer) != 0 || answer <= 0) return std::nullopt;
  return static_cast<std::uint32_t>(answer);
}

void add_block_answers(DeviceFacts& facts, int descriptor) {
  facts.logical_sector_bytes = asked<int>(descriptor, BLKSSZGET);
  facts.physical_sector_bytes = asked<unsigned>(descriptor, BLKPBSZGET);
  int read_only = 0;
  if (ioctl(descriptor, BLKROGET, &read_only) == 0) facts.read_only = read_only != 0;
  // Kernels before 6.1 do not report these. Then sector-aligned offsets and page-aligned memory suit any device.
  if (!facts.direct_offset_bytes) facts.direct_offset_bytes = facts.logical_sector_bytes;
  if (!facts.direct_memory_bytes) facts.direct_memory_bytes = static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE));
}

// btrfs copies through the page cache to compute checksums, unless the file was made without them (chattr +C).
bool goes_through_page_cache(int descriptor, const Fact<std::string>& file_system) {
  if (file_system != "btrfs") return false;
  int flags = 0;
  return ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_NOCOW_FL) == 0;
}

void add_file_answers(DeviceFacts& facts, int descriptor) {
  struct stat found {};
  struct statvfs volume {};
  facts.exclusive = has_file_alone(descriptor);
  facts.file_system = file_system_of(descriptor);
  facts.logical_sector_bytes = facts.direct_offset_bytes;
  if (facts.direct && goes_through_page_cache(descriptor, facts.file_system)) facts.direct = false;
  if (fstat(descriptor, &found) == 0) facts.links = found.st_nlink;
  if (fstatvfs(descriptor, &volume) == 0) facts.read_only = (volume.f_flag & ST_RDONLY) != 0;
}

Fact<std::uint64_t> known_size(int descriptor) {
  try {
    return size_of(descriptor);
  } catch (const TargetError&) {
    return std::nullopt;
  }
}

// Start of the next hole or data, at most `end`; nullopt if unknown.
Fact<std::uint64_t> next_of(int kind, int descriptor, std::uint64_t at, std::uint64_t end) {
  const off_t found = lseek(descriptor, static_cast<off_t>(at), kind);
  if (found >= 0) return std::min(static_cast<std::uint64_t>(found), end);
  if (errno == ENXIO) return end;  // nothing of the kind follows
  return std::nullopt;
}

}  // namespace

Fact<std::uint64_t> unwritten_bytes(int descriptor, const std::vector<ByteRange>& ranges) {
  std::uint64_t bytes = 0;
  for (const ByteRange& range : ranges) {
    for (std::uint64_t at = range.first; at < range.end;) {
      const auto hole = next_of(SEEK_HOLE, descriptor, at, range.end);
      const auto data = hole ? next_of(SEEK_DATA, descriptor, *hole, range.end) : std::nullopt;
      if (!data) return std::nullopt;
      bytes += *data - *hole;
      at = *data;
    }
  }
  return bytes;
}

DeviceFacts descriptor_facts(const OpenTarget& target) {
  const int descriptor = target.descriptor();
  DeviceFacts facts;
  facts.path = target.path();
  facts.resolved = target.resolved();
  facts.kind = kind_of(descriptor);
  facts.identity = identity_of(descriptor);
  facts.size_bytes = known_size(descriptor);
  facts.direct = opened_with(descriptor, O_DIRECT);
  const auto alignment = direct_alignment(descriptor);
  facts.direct_memory_bytes = alignment.memory;
  facts.direct_offset_bytes = alignment.offset;
  if (facts.kind == TargetKind::block_device) {
    facts.exclusive = target.claimed();
    add_block_answers(facts, descriptor);
    facts.signatures = signatures_on(descriptor);
  }
  if (facts.kind == TargetKind::regular_file) {
    facts.created_here = target.created_here();
    facts.unwritten_bytes = unwritten_bytes(descriptor, {{0, facts.size_bytes.value_or(0)}});
    add_file_answers(facts, descriptor);
  }
  return facts;
}

// Finds what is stored on a device, by libblkid: the library that mount, wipefs and udev use.

namespace {

struct FreeProbe {
  void operator()(blkid_struct_probe* probe) const { blkid_free_probe(probe); }
};
using Probe = std::unique_ptr<blkid_struct_probe, FreeProbe>;

// Damaged superblocks also mean that data are there: bad checksums and a lone second GPT count as found.
Probe probe_of(int descriptor) {
  Probe probe(blkid_new_probe());
  if (!probe || blkid_probe_set_device(probe.get(), descriptor, 0, 0) != 0) return nullptr;
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_TYPE | BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  return probe;
}

std::string value_of(blkid_probe probe, const char* name) {
  const char* value = nullptr;
  return blkid_probe_lookup_value(probe, name, &value, nullptr) == 0 && value ? value : "";
}

std::string finding(blkid_probe probe) {
  const bool table = blkid_probe_has_value(probe, "PTTYPE") != 0;
  const auto place = value_of(probe, table ? "PTMAGIC_OFFSET" : "SBMAGIC_OFFSET");
  const auto name = table ? "partition table " + value_of(probe, "PTTYPE") : value_of(probe, "TYPE");
  return (name.empty() ? "something unnamed" : name) + (place.empty() ? "" : " at byte " + place);
}

Fact<Findings> found_by(blkid_probe probe) {
  Findings found;
  for (;;) {
    const int result = blkid_do_probe(probe);
    if (result == 1) return found;  // nothing more
    if (result != 0) return std::nullopt;
    found.push_back(finding(probe));
  }
}

}  // namespace

// libblkid reads unaligned, which direct I/O does not allow, so it gets its own descriptor of the same device.
Fact<Findings> signatures_on(int descriptor) {
  const int buffered = ::open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_RDONLY | O_CLOEXEC);
  if (buffered < 0) return std::nullopt;
  Fact<Findings> found;
  if (identity_of(buffered) == identity_of(descriptor)) {
    // Pages cached by an earlier reader may be older than direct writes since then.
    posix_fadvise(buffered, 0, 0, POSIX_FADV_DONTNEED);
    if (const auto probe = probe_of(buffered)) found = found_by(probe.get());
    posix_fadvise(buffered, 0, 0, POSIX_FADV_DONTNEED);
  }
  ::close(buffered);
  return found;
}

}  // namespace ftlab
