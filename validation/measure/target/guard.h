// The one place that says whether the instrument may touch a target. `decide` is a pure function of what is known of the
// target and of what the user wants; what is not known is a reason to refuse, and there is no way around it: no force, no
// environment variable, no default answer. The rules R1 to R14 are listed in docs/measuring.md.
//
// The right to write is an object: the engine's write and discard take a `const Permit&`, and nothing but `decide` makes
// one.
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

// What could not be found out is std::nullopt: never zero, never an empty list. An empty list says: looked, and found none.
template <class T>
using Fact = std::optional<T>;
using Findings = std::vector<std::string>;

enum class TargetKind { regular_file, block_device };

// Told in the result; decides nothing, so it may be unknown.
struct DeviceContext {
  Fact<std::string> model, firmware;
  Fact<std::string> scheduler;    // as in sysfs: "[none] mq-deadline"
  Fact<std::string> write_cache;  // "write back", "write through"
  Fact<bool> rotational;
  Fact<std::uint32_t> queue_depth;  // NCQ depth of the drive, where the transport has one
  Fact<std::uint32_t> nr_requests;  // of the block layer
};

// Everything that decides, as gathered from the open descriptor, sysfs and procfs (validation/measure/target/facts.h).
struct DeviceFacts {
  std::string path;      // as the user gave it
  std::string resolved;  // with every link followed

  // What the descriptor says.
  Fact<TargetKind> kind;
  Fact<FileIdentity> identity;
  Fact<std::uint64_t> size_bytes;
  Fact<bool> direct;     // F_GETFL shows O_DIRECT
  Fact<bool> exclusive;  // block device: opened O_EXCL; file: nobody else has it open or mapped
  Fact<bool> read_only;
  Fact<bool> discard_supported;              // of a file: that holes can be punched
  Fact<std::uint32_t> logical_sector_bytes;  // of a file: that of direct I/O on its file system
  Fact<std::uint32_t> direct_offset_bytes;   // what direct I/O wants offset and length to be a multiple of
  Fact<std::uint32_t> direct_memory_bytes;   // and the address of the buffer

  // Who it is: the serial number of a drive, the backing file's name of a loop device, a file's own name. It is what the
  // user types to confirm.
  Fact<std::string> serial;

  // Whoever else has an interest in it.
  Fact<Findings> mounts;   // of it or its partitions, in any mount namespace; of a file: being mounted over
  Fact<Findings> swaps;    // of it or its partitions
  Fact<Findings> holders;  // dm, md, LVM, bcache on top; loop devices made of it
  Fact<Findings> openers;  // processes other than this one

  // Of block devices alone.
  Fact<bool> whole_device;  // false: a partition
  Fact<std::uint32_t> physical_sector_bytes;
  Fact<Findings> systems;      // what of the running system lies on it: /, /usr, /boot ...
  Fact<Findings> slaves;       // what it is itself made of: dm, md, a loop device upon another device
  Fact<Findings> partitions;   // the kernel's view
  Fact<Findings> signatures;   // partition tables, file systems, LUKS, LVM, md, ZFS ... found on the medium
  Fact<Findings> same_serial;  // other devices that show the same serial number: a second path to it, or a clone

  // Of regular files alone.
  Fact<bool> created_here;    // by this run, so that nobody's data can be in it
  Fact<std::uint64_t> links;  // names the file has
  // Bytes that were never written (holes, room that was only reserved), of what the plan reads once that is known. The file
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

// What the user asked for, worked out from the command line and from every request of the plan.
struct Intent {
  static constexpr std::uint32_t kDepthMost = 4096;

  bool reads = false;  // what it has not written itself before
  bool writes = false;
  bool discards = false;
  ByteRange range;
  std::uint64_t guard_bytes = 0;             // kept free at both ends of the target
  std::uint32_t unit_bytes = 0;              // every offset and length is a multiple of it
  std::uint32_t memory_alignment_bytes = 0;  // and so is every buffer of this
  std::uint32_t depth = 1;                   // requests in flight, all jobs together
  std::optional<std::string> destroy;        // the serial number as typed with --destroy, never from a job file
  bool discard_consent = false;              // --allow-discard as typed, never from a job file

  bool alters() const { return writes || discards; }
};

// One request, before it is handed to the kernel.
struct Transfer {
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::uint64_t memory_address = 0;  // of a read or a write
};

struct Reason {
  std::string rule;  // "R3"
  std::string text;  // a sentence for the user
};
struct Refusal {
  std::vector<Reason> reasons;  // all of them, in the order of the rules; never empty
  std::string text() const;     // one line each, and then what the rules are
};
// "(R5 is the rule: ...)", a line for each rule among the reasons.
std::string rules_explained(const std::vector<Reason>& reasons);

class Permit;
using Decision = std::variant<Permit, Refusal>;
Decision decide(const DeviceFacts& facts, const Intent& intent);

// The right to read, and where it says so to write or discard, inside one range of one target.
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

  // Nothing if the transfer lies within the permit, else why not (R7). O(1), for every request; never rounds.
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

// What offset and length must be a multiple of on this target: sector, direct I/O. REQUIRES: both are known.
std::uint64_t required_alignment(const DeviceFacts& facts);

}  // namespace ftlab
