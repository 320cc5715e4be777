#include "sim/traces/address_map.h"

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/core/uint128.h"

namespace ftlab {

const char* name_of(AddressPolicy policy) {
  switch (policy) {
    case AddressPolicy::error: return "error";
    case AddressPolicy::modulo: return "modulo";
    case AddressPolicy::scale: return "scale";
    default: return "compact";
  }
}

AddressMap::AddressMap(AddressPolicy policy, std::uint64_t capacity_bytes, TraceSummary& summary, const std::string& path)
    : policy_(policy),
      capacity_(capacity_bytes),
      summary_(summary),
      span_pages_(summary.span_bytes() / kFootprintPageBytes) {
  std::uint64_t first = 0;
  for (const VolumeSummary& volume : summary.volumes) {
    volume_first_.push_back(first);
    first += (volume.end_bytes + kFootprintPageBytes - 1) / kFootprintPageBytes * kFootprintPageBytes;
  }
  if (policy == AddressPolicy::error) refuse_beyond(path);
  if (policy == AddressPolicy::compact) {
    if (summary.footprint_bytes() > capacity_) {
      throw ConfigError({path, 0}, "",
                        "uses more pages than the drive has room for, so --trace-address compact cannot place them",
                        std::to_string(summary.footprint_bytes()) + " bytes", "up to " + std::to_string(capacity_));
    }
    summary.pages.rank();
  }
  const std::uint64_t longest = summary.sizes.empty() ? 0 : summary.sizes.rbegin()->first;
  if (longest > capacity_) {
    throw ConfigError({path, 0}, "", "holds a request that is larger than the drive", std::to_string(longest) + " bytes",
                      "up to " + std::to_string(capacity_));
  }
}

void AddressMap::refuse_beyond(const std::string& path) const {
  for (std::size_t i = 0; i < volume_first_.size(); ++i) {
    const VolumeSummary& volume = summary_.volumes[i];
    const std::uint64_t end = volume_first_[i] + volume.end_bytes;
    if (end <= capacity_) continue;
    throw ConfigError({path, volume.end_line}, "",
                      "reaches byte " + std::to_string(end) + ", the drive has " + std::to_string(capacity_) +
                          "; say with --trace-address what to do (modulo, scale or compact)");
  }
}

std::uint64_t AddressMap::placed(const TraceRecord& record) const {
  FTLAB_CHECK(record.volume < volume_first_.size(), "the trace changed while it was read");
  const std::uint64_t address = volume_first_[record.volume] + record.offset_bytes;
  const std::uint64_t page = address / kFootprintPageBytes;
  const std::uint64_t in_page = address % kFootprintPageBytes;
  switch (policy_) {
    case AddressPolicy::error: return address;
    case AddressPolicy::modulo: return address % capacity_;
    case AddressPolicy::scale:
      return static_cast<std::uint64_t>(Uint128{page} * (capacity_ / kFootprintPageBytes) / span_pages_) *
                 kFootprintPageBytes +
             in_page;
    default:
      return summary_.pages.rank_of(record.volume, record.offset_bytes / kFootprintPageBytes) * kFootprintPageBytes +
             in_page;
  }
}

std::uint64_t AddressMap::place(const TraceRecord& record) {
  const std::uint64_t first = placed(record);
  if (first + record.length_bytes <= capacity_) return first;
  ++moved_;
  return capacity_ - record.length_bytes;
}

}  // namespace ftlab
