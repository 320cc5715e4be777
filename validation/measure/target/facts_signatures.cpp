// Finds what is stored on a device, by libblkid: the library that mount, wipefs and udev use.
#include <blkid/blkid.h>
#include <fcntl.h>
#include <unistd.h>

#include <memory>

#include "validation/measure/target/facts.h"

namespace ftlab {
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
