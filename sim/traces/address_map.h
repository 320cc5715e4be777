// Places the addresses of a trace on a drive. The user chooses the policy; by default nothing is wrapped, moved or scaled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/traces/trace_summary.h"

namespace ftlab {

// Volumes are laid out in order of appearance, each from a multiple of 4 KiB up to its highest address.
enum class AddressPolicy : std::uint8_t {
  error,    // unchanged; a trace that reaches beyond the drive is refused
  modulo,   // wrapped around at the end of the drive
  scale,    // 4 KiB pages spread or squeezed so that the trace's span covers the drive; offsets within pages are kept
  compact,  // used 4 KiB pages packed in order of address; unused pages take no space
};
const char* name_of(AddressPolicy policy);

class AddressMap {
 public:
  // Throws ConfigError, naming `path`, if the policy cannot place the trace on a drive of this capacity. Ranks the summary's
  // pages for `compact`. REQUIRES: the summary outlives the map; capacity is a multiple of 512.
  AddressMap(AddressPolicy policy, std::uint64_t capacity_bytes, TraceSummary& summary, const std::string& path);

  // Returns the first byte on the drive; the whole request fits. REQUIRES: a record of the summarised trace, not a flush.
  std::uint64_t place(const TraceRecord& record);

  // Number of requests that modulo or scale placed across the end of the drive; they were moved down to end there.
  std::uint64_t moved() const { return moved_; }

 private:
  std::uint64_t placed(const TraceRecord& record) const;
  void refuse_beyond(const std::string& path) const;

  AddressPolicy policy_;
  std::uint64_t capacity_;
  const TraceSummary& summary_;
  std::vector<std::uint64_t> volume_first_;  // bytes
  std::uint64_t span_pages_;
  std::uint64_t moved_ = 0;
};

}  // namespace ftlab
