#include "validation/measure/target/facts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <iterator>
#include <set>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "validation/measure/target/facts_sources.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

// Maps a path of the running system ("/dev/sda1") to this view. Only /dev is relocated, other files are not.
fs::path seen(const SystemView& system, const std::string& path) {
  return path.rfind("/dev/", 0) == 0 ? system.dev / path.substr(5) : fs::path(path);
}

std::optional<FileIdentity> identity_at(const fs::path& path) {
  struct statx found {};
  if (statx(AT_FDCWD, path.c_str(), AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO, &found) != 0)
    return std::nullopt;
  const auto rdev = S_ISBLK(found.stx_mode) ? gnu_dev_makedev(found.stx_rdev_major, found.stx_rdev_minor) : 0;
  return FileIdentity{gnu_dev_makedev(found.stx_dev_major, found.stx_dev_minor), found.stx_ino, rdev};
}

// A device with its partitions: using a partition counts as using the device.
class Family {
 public:
  Family(const BlockNode& node, const SystemView& system) : system_(system) {
    add(node.folder, node.name);
    for (const auto& partition : node.partitions) add(node.folder / partition, partition);
  }

  bool has_number(const std::string& number) const { return numbers_.contains(number); }
  bool has_name(const std::string& name) const { return names_.contains(name); }
  // True if a path, as in mount tables and loop devices, leads to one of the family.
  bool has_path(const std::string& path) const {
    std::error_code error;
    const auto place = fs::canonical(seen(system_, path), error);
    if (error) return false;
    const auto identity = identity_at(place);
    if (identity && identity->rdev != 0) return has_number(device_number_text(identity->rdev));
    return path.rfind("/dev/", 0) == 0 && has_name(place.filename());
  }
  // nullopt if the number of a device could not be read.
  std::optional<std::set<std::uint64_t>> rdevs() const {
    if (!complete_) return std::nullopt;
    return rdevs_;
  }
  // Other devices built on one of the family; nullopt if they cannot be listed.
  std::optional<Findings> holders() const {
    Findings found;
    for (const auto& folder : folders_) {
      const auto names = sysfs_names(folder / "holders");
      if (!names) return std::nullopt;
      found.insert(found.end(), names->begin(), names->end());
    }
    return found;
  }

 private:
  void add(const fs::path& folder, const std::string& name) {
    names_.insert(name);
    folders_.push_back(folder);
    unsigned high = 0, low = 0;
    const auto number = sysfs_text(folder / "dev");
    if (!number || std::sscanf(number->c_str(), "%u:%u", &high, &low) != 2) {
      complete_ = false;
      return;
    }
    numbers_.insert(*number);
    rdevs_.insert(gnu_dev_makedev(high, low));
  }

  const SystemView& system_;
  std::vector<fs::path> folders_;
  std::set<std::string> names_, numbers_;
  std::set<std::uint64_t> rdevs_;
  bool complete_ = true;
};

// Members of mounted btrfs volumes: the mount table names only one of several.
Findings btrfs_uses(const Family& family, const SystemView& system) {
  Findings found;
  for (const auto& volume : sysfs_names(system.sys / "fs" / "btrfs").value_or(std::vector<std::string>{}))
    for (const auto& name :
         sysfs_names(system.sys / "fs" / "btrfs" / volume / "devices").value_or(std::vector<std::string>{}))
      if (family.has_name(name)) found.push_back("btrfs " + volume);
  return found;
}

Fact<Findings> mounts_of_family(const Family& family, const SystemView& system) {
  const auto mounts = mounts_everywhere(system.proc);
  if (!mounts || !family.rdevs()) return std::nullopt;
  std::set<std::string> points;
  for (const auto& mount : *mounts)
    if (family.has_number(mount.number) || family.has_path(mount.source)) points.insert(mount.source + " on " + mount.point);
  for (const auto& use : btrfs_uses(family, system)) points.insert(use);
  return Findings(points.begin(), points.end());
}

Fact<Findings> swaps_of_family(const Family& family, const SystemView& system) {
  const auto places = swap_places(system.proc);
  if (!places || !family.rdevs()) return std::nullopt;
  Findings found;
  std::copy_if(places->begin(), places->end(), std::back_inserter(found),
               [&](const auto& place) { return family.has_path(place); });
  return found;
}

struct Loop {
  std::string name;
  std::string backing;  // path
};

// Loop devices in use; nullopt if the block devices cannot be listed.
std::optional<std::vector<Loop>> loops(const SystemView& system) {
  const auto names = sysfs_names(system.sys / "block");
  if (!names) return std::nullopt;
  std::vector<Loop> found;
  for (const auto& name : *names)
    if (const auto backing = sysfs_text(system.sys / "block" / name / "loop" / "backing_file"))
      found.push_back({name, *backing});
  return found;
}

Fact<Findings> holders_of_family(const Family& family, const SystemView& system) {
  auto found = family.holders();
  const auto all = loops(system);
  if (!found || !all) return std::nullopt;
  for (const auto& loop : *all)
    if (family.has_path(loop.backing)) found->push_back(loop.name);
  return found;
}

// File systems that use no device of this machine.
bool is_elsewhere(const std::string& type) {
  static constexpr std::array<const char*, 8> kTypes = {"tmpfs", "ramfs", "rootfs", "nfs", "nfs4", "9p", "virtiofs", "cifs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

// The whole devices under a mount; nullopt if unknown (overlay, ZFS).
std::optional<std::set<std::string>> wholes_under(const Mount& mount, const SystemView& system) {
  if (is_elsewhere(mount.type)) return std::set<std::string>{};
  auto node = block_node(system.sys, mount.number);
  if (!node) {  // btrfs has its own numbers, and names its device
    const auto identity = identity_at(seen(system, mount.source));
    if (identity && identity->rdev != 0) node = block_node(system.sys, device_number_text(identity->rdev));
  }
  return node ? whole_devices_under(system.sys, *node) : std::nullopt;
}

Fact<Findings> systems_on(const std::string& whole, const SystemView& system) {
  static constexpr std::array<const char*, 6> kPoints = {"/", "/usr", "/var", "/boot", "/boot/efi", "/efi"};
  auto mounts = mounts_of(system.proc / "1");
  if (!mounts) mounts = mounts_of(system.proc / "self");
  if (!mounts) return std::nullopt;
  Findings found;
  bool root_seen = false;
  for (const auto& mount : *mounts) {
    if (std::find(kPoints.begin(), kPoints.end(), mount.point) == kPoints.end() || mount.type == "autofs") continue;
    const auto wholes = wholes_under(mount, system);
    if (!wholes) return std::nullopt;
    root_seen = root_seen || mount.point == "/";
    if (wholes->contains(whole)) found.push_back(mount.point);
  }
  if (!root_seen) return std::nullopt;
  return found;
}

// The name that is typed to confirm a loop device: that of its backing file. nullopt if that was deleted.
std::optional<std::string> loop_confirmation(const BlockNode& node) {
  const auto backing = sysfs_text(node.folder / "loop" / "backing_file");
  if (!backing || backing->ends_with(" (deleted)")) return std::nullopt;
  return fs::path(*backing).filename().string();
}

// Adds findings. If either side is unknown, the result is unknown.
void add_findings(Fact<Findings>& fact, const Fact<Findings>& more) {
  if (!more) fact.reset();
  if (fact && more) fact->insert(fact->end(), more->begin(), more->end());
}

// The other loop devices with the same backing file.
Fact<Findings> twins_of(const BlockNode& node, const FileIdentity& backing, const SystemView& system) {
  const auto all = loops(system);
  if (!all) return std::nullopt;
  Findings found;
  for (const auto& loop : *all)
    if (loop.name != node.name && identity_at(seen(system, loop.backing)) == backing) found.push_back(loop.name);
  return found;
}

Fact<Findings> swaps_at(const FileIdentity& file, const SystemView& system) {
  const auto places = swap_places(system.proc);
  if (!places) return std::nullopt;
  Findings found;
  std::copy_if(places->begin(), places->end(), std::back_inserter(found),
               [&](const auto& place) { return identity_at(seen(system, place)) == file; });
  return found;
}

// The backing of a loop device counts as a part of it: another device, or a file that others may also use.
void add_loop_facts(DeviceFacts& facts, const BlockNode& node, const SystemView& system) {
  const auto path = sysfs_text(node.folder / "loop" / "backing_file");
  if (!path) return;
  const auto backing = identity_at(seen(system, *path));
  if (!backing) {
    facts.slaves.reset();
    return;
  }
  if (backing->rdev != 0) add_findings(facts.slaves, Findings{*path});
  add_findings(facts.holders, twins_of(node, *backing, system));
  add_findings(facts.swaps, swaps_at(*backing, system));
  add_findings(facts.openers, openers_of(system.proc, Wanted{{}, {*backing}}));
}

Fact<Findings> same_serial_elsewhere(const BlockNode& node, const Fact<std::string>& serial, const SystemView& system) {
  const auto names = sysfs_names(system.sys / "block");
  if (!names || !serial) return std::nullopt;
  Findings found;
  for (const auto& name : *names) {
    // NVMe multipath shows each path as a hidden device next to the one that is used.
    if (name == node.name || sysfs_number(system.sys / "block" / name / "hidden") == 1u) continue;
    std::error_code error;
    const BlockNode other{fs::canonical(system.sys / "block" / name, error), name, {}, false};
    if (!error && shown_serial(other) == serial) found.push_back(name);
  }
  return found;
}

void add_context(DeviceContext& context, const fs::path& folder) {
  context.model = sysfs_text(folder / "device" / "model");
  context.firmware = sysfs_text(folder / "device" / "firmware_rev");
  if (!context.firmware) context.firmware = sysfs_text(folder / "device" / "rev");
  context.scheduler = sysfs_text(folder / "queue" / "scheduler");
  context.write_cache = sysfs_text(folder / "queue" / "write_cache");
  if (const auto rotational = sysfs_number(folder / "queue" / "rotational")) context.rotational = *rotational != 0;
  if (const auto depth = sysfs_number(folder / "device" / "queue_depth"))
    context.queue_depth = static_cast<std::uint32_t>(*depth);
  if (const auto requests = sysfs_number(folder / "queue" / "nr_requests"))
    context.nr_requests = static_cast<std::uint32_t>(*requests);
}

// A value from the descriptor must agree with that in sysfs. A value that sysfs lacks is not a contradiction, and the fact
// keeps its value.
void compare(DeviceFacts& facts, const char* what, const Fact<std::uint64_t>& asked, const Fact<std::uint64_t>& shown) {
  if (asked && shown && *asked != *shown)
    facts.contradictions.push_back(std::string(what) + " is " + std::to_string(*asked) + " by its descriptor and " +
                                   std::to_string(*shown) + " by sysfs");
}

Fact<std::uint64_t> widened(const Fact<std::uint32_t>& fact) { return fact ? Fact<std::uint64_t>(*fact) : std::nullopt; }

void compare_with_sysfs(DeviceFacts& facts, const fs::path& folder) {
  auto size = sysfs_number(folder / "size");
  if (size) *size *= 512;  // sysfs counts in units of 512 bytes, whatever the sector size
  compare(facts, "its size", facts.size_bytes, size);
  compare(facts, "its sector", widened(facts.logical_sector_bytes), sysfs_number(folder / "queue" / "logical_block_size"));
  compare(facts, "its physical sector", widened(facts.physical_sector_bytes),
          sysfs_number(folder / "queue" / "physical_block_size"));
  const auto read_only = facts.read_only ? Fact<std::uint64_t>(*facts.read_only ? 1 : 0) : std::nullopt;
  compare(facts, "being read-only", read_only, sysfs_number(folder / "ro"));
}

// Identity and abilities of the device.
void add_own_facts(DeviceFacts& facts, const BlockNode& node, const SystemView& system) {
  facts.whole_device = !node.is_partition;
  facts.partitions = node.partitions;
  facts.slaves = sysfs_names(node.folder / "slaves");
  facts.systems = systems_on(node.is_partition ? node.folder.parent_path().filename().string() : node.name, system);
  facts.serial = shown_serial(node);
  if (!facts.serial) facts.serial = loop_confirmation(node);
  facts.same_serial = same_serial_elsewhere(node, facts.serial, system);
  if (const auto most = sysfs_number(node.folder / "queue" / "discard_max_bytes")) facts.discard_supported = *most > 0;
}

}  // namespace

void add_block_facts(DeviceFacts& facts, std::uint64_t rdev, const SystemView& system) {
  const auto node = block_node(system.sys, device_number_text(rdev));
  if (!node) return;  // everything stays unknown
  const Family family(*node, system);
  add_own_facts(facts, *node, system);
  facts.mounts = mounts_of_family(family, system);
  facts.swaps = swaps_of_family(family, system);
  facts.holders = holders_of_family(family, system);
  if (const auto rdevs = family.rdevs()) facts.openers = openers_of(system.proc, Wanted{*rdevs, {}});
  add_loop_facts(facts, *node, system);
  compare_with_sysfs(facts, node->folder);
  add_context(facts.context, node->folder);
}

void add_file_facts(DeviceFacts& facts, const SystemView& system) {
  facts.serial = fs::path(facts.resolved).filename().string();
  facts.discard_supported = true;  // every file system that the guard accepts punches holes
  if (!facts.identity) return;
  const auto is_it = [&](const std::string& path) { return identity_at(path) == facts.identity; };
  if (const auto mounts = mounts_of(system.proc / "self")) {
    facts.mounts.emplace();
    for (const auto& mount : *mounts)
      if (mount.point != "/" && !is_elsewhere(mount.type) && is_it(mount.point)) facts.mounts->push_back(mount.point);
  }
  facts.swaps = swaps_at(*facts.identity, system);
  if (const auto all = loops(system)) {
    facts.holders.emplace();
    for (const auto& loop : *all)
      if (is_it(loop.backing)) facts.holders->push_back(loop.name);
  }
  // The lease has shown if anyone has it open; procfs may show who.
  if (!facts.exclusive) return;
  facts.openers.emplace();
  if (*facts.exclusive) return;
  facts.openers = openers_of(system.proc, Wanted{{}, {*facts.identity}}).value_or(Findings{});
  if (facts.openers->empty()) facts.openers->push_back("the kernel, or a process of another user");
}

DeviceFacts gather_facts(const OpenTarget& target, const SystemView& system) {
  auto facts = descriptor_facts(target);
  if (facts.kind == TargetKind::block_device) add_block_facts(facts, facts.identity.value().rdev, system);
  if (facts.kind == TargetKind::regular_file) add_file_facts(facts, system);
  return facts;
}

}  // namespace ftlab
