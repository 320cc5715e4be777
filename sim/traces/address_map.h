// Where the addresses of a trace go on a drive. The user chooses; nothing is wrapped, moved or squeezed unasked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/traces/trace_summary.h"

namespace ftlab {

// Several volumes lie side by side, in order of appearance, each from a multiple of 4 KiB up to its highest address.
enum class AddressPolicy : std::uint8_t {
  error,   // as they are; a trace that reaches beyond the drive is refused
  modulo,  // wrapped around at the end of the drive
  scale,   // page by page (4 KiB) stretched or squeezed so that the trace's span covers the drive; places in a page are kept
  compact,  // the 4 KiB pages that are used, one behind the other in order of address; unused ones take no room
};
const char* name_of(AddressPolicy policy);

class AddressMap {
 public:
  // Throws ConfigError, naming `path`, when the trace cannot be placed so on a drive of this capacity. Ranks the summary's
  // pages for `compact`. REQUIRES: the summary outlives the addresses; capacity is a multiple of 512.
  AddressMap(AddressPolicy policy, std::uint64_t capacity_bytes, TraceSummary& summary, const std::string& path);

  // The first byte on the drive; the whole request lies on it. REQUIRES: a record of the summarised trace that is no flush.
  std::uint64_t place(const TraceRecord& record);

  // Requests that modulo or scale would have let cross the end of the drive; they were moved down to end with it.
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
