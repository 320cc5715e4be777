// The only place that decides if the instrument may touch a target. `decide` is a pure function of the facts about the
// target and of the user's intent. An unknown fact is a reason to refuse, and there is no way around it: no force, no
// environment variable, no default answer. The rules R1 to R14 are listed in docs/measuring.md.
//
// The right to write is an object: the engine's write and discard take a `const Permit&`, and only `decide` makes one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/request.h"
#include "validation/measure/target/identity.h"

namespace ftlab {

// std::nullopt if it could not be found out: never zero, never an empty list. An empty list means: looked, and found none.
template <class T>
using Fact = std::optional<T>;
using Findings = std::vector<std::string>;

enum class TargetKind { regular_file, block_device };

// Reported in the result; not used for the decision, so it may be unknown.
struct DeviceContext {
  Fact<std::string> model, firmware;
  Fact<std::string> scheduler;    // as in sysfs: "[none] mq-deadline"
  Fact<std::string> write_cache;  // "write back", "write through"
  Fact<bool> rotational;
  Fact<std::uint32_t> queue_depth;  // NCQ depth of the drive, if the transport has one
  Fact<std::uint32_t> nr_requests;  // limit of the block layer
};

// All facts for the decision, gathered from the open descriptor, sysfs and procfs (validation/measure/target/facts.h).
struct DeviceFacts {
  std::string path;      // as the user gave it
  std::string resolved;  // with every link followed

  // From the descriptor.
  Fact<TargetKind> kind;
  Fact<FileIdentity> identity;
  Fact<std::uint64_t> size_bytes;
  Fact<bool> direct;     // F_GETFL shows O_DIRECT
  Fact<bool> exclusive;  // block device: opened O_EXCL; file: nothing else has it open or mapped
  Fact<bool> read_only;
  Fact<bool> discard_supported;              // file: holes can be punched
  Fact<std::uint32_t> logical_sector_bytes;  // file: that of direct I/O on its file system
  Fact<std::uint32_t> direct_offset_bytes;   // alignment that direct I/O needs for offset and length
  Fact<std::uint32_t> direct_memory_bytes;   // alignment that it needs for the address of the buffer

  // Name of the target: the serial number of a drive, the name of a loop device's backing file, a file's own name. The user
  // types it to confirm.
  Fact<std::string> serial;

  // Other users of the target.
  Fact<Findings> mounts;   // mounts of it or its partitions, in any mount namespace; file: mounts over it
  Fact<Findings> swaps;    // swap on it or its partitions
  Fact<Findings> holders;  // dm, md, LVM, bcache on top; loop devices that use it
  Fact<Findings> openers;  // processes other than this one

  // Block devices only.
  Fact<bool> whole_device;  // false: a partition
  Fact<std::uint32_t> physical_sector_bytes;
  Fact<Findings> systems;      // parts of the running system on it: /, /usr, /boot and others
  Fact<Findings> slaves;       // devices that it is made of: dm, md, a loop device upon another device
  Fact<Findings> partitions;   // as the kernel sees them
  Fact<Findings> signatures;   // partition tables, file systems, LUKS, LVM, md, ZFS and others found on the medium
  Fact<Findings> same_serial;  // other devices with the same serial number: a second path to it, or a clone

  // Regular files only.
  Fact<bool> created_here;    // by this run, so that it cannot hold anyone's data
  Fact<std::uint64_t> links;  // names of the file
  // Bytes that were never written (holes, preallocated space), among those that the plan reads once it is known. The file
  // system answers reads of them without the device.
  Fact<std::uint64_t> unwritten_bytes;
  Fact<std::string> file_system;  // "ext4"

  Findings contradictions;  // between two sources of the same fact
  DeviceContext context;
};

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;  // one past the last byte
};

// Actions of a run, derived from the command line and from every request of the plan.
struct Intent {
  static constexpr std::uint32_t kDepthMost = 4096;

  bool reads = false;  // data that it has not written itself
  bool writes = false;
  bool discards = false;
  ByteRange range;
  std::uint64_t guard_bytes = 0;             // kept free at both ends of the target
  std::uint32_t unit_bytes = 0;              // every offset and length is a multiple of it
  std::uint32_t memory_alignment_bytes = 0;  // and every buffer address of this
  std::uint32_t depth = 1;                   // requests in flight, all jobs together
  std::optional<std::string> destroy;        // serial number as typed with --destroy, never from a job file
  bool discard_consent = false;              // --allow-discard as typed, never from a job file

  bool alters() const { return writes || discards; }
};

// One request, before it is passed to the kernel.
struct Transfer {
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::uint64_t memory_address = 0;  // reads and writes only
};

struct Reason {
  std::string rule;  // "R3"
  std::string text;  // a sentence for the user
};
struct Refusal {
  std::vector<Reason> reasons;  // all of them, in the order of the rules; never empty
  std::string text() const;     // one line each, then the rules
};
// A line for each rule among the reasons: "(R5 is the rule: TEXT)".
std::string rules_explained(const std::vector<Reason>& reasons);

class Permit;
using Decision = std::variant<Permit, Refusal>;
Decision decide(const DeviceFacts& facts, const Intent& intent);

// The right to read, and if granted to write or discard, in one range of one target.
class Permit {
 public:
  Permit(Permit&& other) noexcept
      : identity_(other.identity_),
        size_bytes_(other.size_bytes_),
        intent_(std::move(other.intent_)),
        alignment_(other.alignment_),
        memory_alignment_(other.memory_alignment_),
        valid_(std::exchange(other.valid_, false)) {}
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;
  Permit& operator=(Permit&&) = delete;

  // Returns none if the permit allows the transfer, else why not (R1, R6, R7). O(1), called for every request; never rounds.
  std::optional<std::string> objection(const Transfer& transfer) const;
  bool allows(const Transfer& transfer) const { return !objection(transfer); }

  bool may_write() const { return valid_ && intent_.writes; }
  bool may_discard() const { return valid_ && intent_.discards; }
  ByteRange range() const { return intent_.range; }
  const FileIdentity& identity() const { return identity_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  friend Decision decide(const DeviceFacts& facts, const Intent& intent);
  Permit(const DeviceFacts& facts, const Intent& intent);

  FileIdentity identity_;
  std::uint64_t size_bytes_;
  Intent intent_;
  std::uint64_t alignment_;
  std::uint32_t memory_alignment_;
  bool valid_ = true;  // false: moved from, allows nothing
};

// Alignment of offset and length on this target, by sector and direct I/O. REQUIRES: both are known.
std::uint64_t required_alignment(const DeviceFacts& facts);

}  // namespace ftlab
