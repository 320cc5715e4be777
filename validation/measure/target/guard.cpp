#include "validation/measure/target/guard.h"

#include <algorithm>

#include "sim/config/split.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

// Other file systems copy (tmpfs, overlay, FUSE, ZFS) or use a network: measuring them is not measuring a drive.
bool is_direct(const std::string& file_system) {
  return file_system == "ext4" || file_system == "xfs" || file_system == "btrfs" || file_system == "f2fs";
}

// Collects the reasons against one target, rule by rule.
class Hearing {
 public:
  Hearing(const DeviceFacts& facts, const Intent& intent) : facts_(facts), intent_(intent) {}

  std::vector<Reason> reasons() {
    const auto kind = facts_.kind;
    if (!kind) refuse("R3", "it could not be found out whether it is a regular file or a block device");
    hear_descriptor();
    hear_interests();
    if (kind == TargetKind::block_device) hear_block_device();
    if (kind == TargetKind::regular_file) hear_regular_file();
    if (intent_.alters()) hear_destruction();
    if (intent_.discards) hear_discard();
    hear_plan();
    return std::move(reasons_);
  }

 private:
  void refuse(const char* rule, std::string text) { reasons_.push_back({rule, std::move(text)}); }

  template <class T>
  void want_known(const Fact<T>& fact, const char* rule, const std::string& what) {
    if (!fact) refuse(rule, what + " could not be found out");
  }

  void want(const Fact<bool>& fact, const char* rule, const std::string& what, const std::string& if_not) {
    want_known(fact, rule, what);
    if (fact && !*fact) refuse(rule, if_not);
  }

  void want_none(const Fact<Findings>& fact, const char* rule, const std::string& what, const std::string& if_found) {
    want_known(fact, rule, what);
    if (fact && !fact->empty()) refuse(rule, if_found + ": " + joined(*fact));
  }

  // Requires a number that is known and not zero.
  template <class T>
  void want_positive(const Fact<T>& fact, const char* rule, const std::string& what) {
    want_known(fact, rule, what);
    if (fact && *fact == 0) refuse(rule, what + " is given as 0");
  }

  void hear_descriptor() {
    want_known(facts_.identity, "R2", "the identity of the open descriptor");
    want(facts_.exclusive, "R2", "whether it is ours alone", "something else has it open or holds it");
    want(facts_.direct, "R8", "whether it is open for direct I/O", "it is not open for direct I/O");
    want_positive(facts_.size_bytes, "R3", "its size");
    want_positive(facts_.logical_sector_bytes, "R3", "its sector size");
    want_positive(facts_.direct_offset_bytes, "R7", "the alignment that direct I/O wants of offsets");
    want_positive(facts_.direct_memory_bytes, "R7", "the alignment that direct I/O wants of memory");
    for (const auto& contradiction : facts_.contradictions)
      refuse("R3", "the facts contradict each other: " + contradiction);
    if (facts_.size_bytes && facts_.logical_sector_bytes.value_or(0) != 0 && facts_.kind == TargetKind::block_device &&
        *facts_.size_bytes % *facts_.logical_sector_bytes != 0)
      refuse("R3", "the facts contradict each other: its size is not a whole number of sectors");
  }

  void hear_interests() {
    want_none(facts_.mounts, "R3", "whether it is mounted anywhere", "it is mounted");
    want_none(facts_.swaps, "R3", "whether it is used as swap", "it is used as swap");
    want_none(facts_.holders, "R3", "whether something is built upon it", "it is held by");
    want_none(facts_.openers, "R3", "whether other processes have it open (root may look at most of them)", "it is open in");
  }

  void hear_block_device() {
    want(facts_.whole_device, "R3", "whether it is a whole device", "it is a partition; name the whole device");
    want_none(facts_.systems, "R3", "whether the running system lies on it", "the running system lies on it");
    want_none(facts_.slaves, "R3", "whether it is composed of other devices", "it is composed of");
    want_positive(facts_.physical_sector_bytes, "R3", "its physical sector size");
    if (facts_.physical_sector_bytes && facts_.logical_sector_bytes.value_or(0) != 0 &&
        *facts_.physical_sector_bytes % *facts_.logical_sector_bytes != 0)
      refuse("R3", "the facts contradict each other: its physical sector is not a whole number of logical ones");
  }

  void hear_regular_file() {
    want_known(facts_.created_here, "R1", "whether this run has made the file");
    want_known(facts_.file_system, "R8", "the file system it lies on");
    if (facts_.file_system && !is_direct(*facts_.file_system))
      refuse("R8", "its file system, " + *facts_.file_system + ", is not known to pass direct I/O to a device; known are " +
                       "ext4, xfs, btrfs and f2fs");
    want_positive(facts_.links, "R3", "how many names the file has");
    if (facts_.links.value_or(1) > 1 && intent_.alters()) refuse("R3", "the file has other names (hard links)");
    if (intent_.reads && !facts_.created_here.value_or(false)) hear_holes();
  }

  // Not called for files made by this run, which are written whole before they are measured.
  void hear_holes() {
    want_known(facts_.unwritten_bytes, "R8", "whether everything to be read was ever written");
    if (facts_.unwritten_bytes.value_or(0) > 0)
      refuse("R8", std::to_string(*facts_.unwritten_bytes) +
                       " bytes of what would be read were never written: the file system answers such reads itself, and no "
                       "device is measured; write them first, by a job with rw=write, or take a new file, made by --create");
  }

  // Checks only for runs that alter the target.
  void hear_destruction() {
    want_known(facts_.read_only, "R3", "whether it is read-only");
    if (facts_.read_only.value_or(false)) refuse("R3", "it is read-only");
    if (facts_.kind == TargetKind::block_device) {
      want_none(facts_.partitions, "R4", "whether it has partitions", "it has partitions");
      want_none(facts_.signatures, "R4", "whether something is stored on it",
                "something is stored on it, remove it with another tool (wipefs) if you want to lose it");
      want_none(facts_.same_serial, "R3", "whether another device shows its serial number",
                "other devices show the same serial number");
    }
    const bool needs_confirmation = facts_.kind != TargetKind::regular_file || !facts_.created_here.value_or(false);
    if (!needs_confirmation) return;
    if (facts_.serial.value_or("").empty())
      refuse("R5", "it shows no serial number by which you could confirm that it is the one you mean");
    else if (!intent_.destroy)
      refuse("R5", "its contents would be lost; confirm with --destroy=" + *facts_.serial);
    else if (*intent_.destroy != *facts_.serial)
      refuse("R5", "--destroy=" + *intent_.destroy + " is not its serial number, which is " + *facts_.serial);
  }

  void hear_discard() {
    want(facts_.discard_supported, "R6", "whether it supports discard", "it does not support discard");
    if (!intent_.discard_consent) refuse("R6", "discards would be sent; allow them with --allow-discard");
  }

  void hear_plan() {
    if (intent_.depth == 0 || intent_.depth > Intent::kDepthMost)
      refuse("R7", "the plan keeps " + std::to_string(intent_.depth) + " requests in flight; allowed: 1 to " +
                       std::to_string(Intent::kDepthMost));
    hear_range();
    hear_units();
  }

  // Avoids sums, which could overflow.
  void hear_range() {
    const auto [first, end] = intent_.range;
    if (first >= end) refuse("R7", "the range is empty");
    if (!facts_.size_bytes) return;
    const auto size = *facts_.size_bytes, guard = intent_.guard_bytes;
    if (guard > size / 2) return refuse("R7", "the guard bands leave nothing of the target");
    if (first < guard) refuse("R7", "the range begins in the guard band");
    if (end > size - guard)
      refuse("R7", "the range ends at byte " + std::to_string(end) + ", past the last that may be touched (" +
                       std::to_string(size - guard) + ")");
  }

  void hear_units() {
    if (intent_.unit_bytes == 0) refuse("R7", "the plan's unit is 0");
    if (intent_.memory_alignment_bytes == 0) refuse("R7", "the alignment of the plan's buffers is 0");
    const auto memory = facts_.direct_memory_bytes.value_or(0);
    if (memory != 0 && intent_.memory_alignment_bytes % memory != 0)
      refuse("R7", "the plan's buffers are not aligned to " + std::to_string(memory) + " bytes");
    if (facts_.logical_sector_bytes.value_or(0) == 0 || facts_.direct_offset_bytes.value_or(0) == 0) return;
    const auto alignment = required_alignment(facts_);
    const auto unit = std::to_string(alignment) + " bytes";
    if (intent_.unit_bytes % alignment != 0) refuse("R7", "the plan's offsets or lengths are not multiples of " + unit);
    if (intent_.range.first % alignment != 0 || intent_.range.end % alignment != 0)
      refuse("R7", "the range does not begin and end at multiples of " + unit);
  }

  const DeviceFacts& facts_;
  const Intent& intent_;
  std::vector<Reason> reasons_;
};

std::uint64_t greatest_common_divisor(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? a : greatest_common_divisor(b, a % b);
}

}  // namespace

namespace {

// The rules of docs/measuring.md by which a target can be refused.
constexpr std::pair<const char*, const char*> kRules[] = {
    {"R1", "a file is the default target, and reading the default mode"},
    {"R2", "links are followed once, and the target is opened for this run alone"},
    {"R3", "nothing that anybody else uses is touched, nor what cannot be told apart"},
    {"R4", "nothing that something is stored on is overwritten"},
    {"R5", "the only consent to writing is the typed serial number"},
    {"R6", "discards need --allow-discard"},
    {"R7", "every request lies in the permitted range and is aligned"},
    {"R8", "only the device is measured, never the page cache or a file-system hole"},
    {"R14", "temperature, endurance and spare are watched before and during the run"}};

}  // namespace

std::uint64_t required_alignment(const DeviceFacts& facts) {
  const std::uint64_t sector = facts.logical_sector_bytes.value(), direct = facts.direct_offset_bytes.value();
  return sector / greatest_common_divisor(sector, direct) * direct;
}

std::string Refusal::text() const {
  std::string text;
  for (const auto& reason : reasons) text += reason.rule + ": " + reason.text + "\n";
  return text + rules_explained(reasons);
}

std::string rules_explained(const std::vector<Reason>& reasons) {
  std::string text;
  for (const auto& known : kRules) {
    const char* const rule = known.first;
    const bool named =
        std::any_of(reasons.begin(), reasons.end(), [&](const Reason& reason) { return reason.rule == rule; });
    if (named) text += std::string("(") + rule + " is the rule: " + known.second + ")\n";
  }
  return text;
}

Decision decide(const DeviceFacts& facts, const Intent& intent) {
  auto reasons = Hearing(facts, intent).reasons();
  if (!reasons.empty()) return Refusal{std::move(reasons)};
  return Permit(facts, intent);
}

Permit::Permit(const DeviceFacts& facts, const Intent& intent)
    : identity_(facts.identity.value()),
      size_bytes_(facts.size_bytes.value()),
      intent_(intent),
      alignment_(required_alignment(facts)),
      memory_alignment_(facts.direct_memory_bytes.value()) {}

std::optional<std::string> Permit::objection(const Transfer& transfer) const {
  if (!valid_) return "R7: the permit was given away";
  switch (transfer.op) {
    case Op::read: break;
    case Op::write:
      if (!intent_.writes) return "R1: there is no permit to write";
      break;
    case Op::trim:
      if (!intent_.discards) return "R6: there is no permit to discard";
      break;
    case Op::flush:
      if (!intent_.alters()) return "R1: without a permit to write there is nothing to flush";
      return std::nullopt;
  }
  const auto [first, end] = intent_.range;
  if (transfer.length_bytes == 0) return "R7: the transfer is empty";
  if (transfer.offset_bytes < first || transfer.offset_bytes >= end || transfer.length_bytes > end - transfer.offset_bytes)
    return "R7: the transfer leaves the permitted range";
  if (transfer.offset_bytes % alignment_ != 0 || transfer.length_bytes % alignment_ != 0)
    return "R7: offset or length is not a multiple of " + std::to_string(alignment_);
  if (transfer.op != Op::trim && transfer.memory_address % memory_alignment_ != 0)
    return "R7: the buffer is not aligned to " + std::to_string(memory_alignment_);
  return std::nullopt;
}

}  // namespace ftlab
