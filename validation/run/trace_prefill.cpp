#include "validation/run/trace_prefill.h"

#include <algorithm>
#include <array>

#include <spdlog/fmt/fmt.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/host/host.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kPageBytes = kFootprintPageBytes;
constexpr std::uint64_t kMostBytes = 1 << 20;  // per request

void write(Drive& drive, std::uint64_t first_bytes, std::uint64_t end_bytes) {
  std::array<Completion, 1> done;
  for (std::uint64_t at = first_bytes; at < end_bytes; at += kMostBytes) {
    const Request request{0, Op::write, at, std::min(kMostBytes, end_bytes - at), drive.latest()};
    drive.submit({&request, 1});
    FTLAB_CHECK(drive.wait(kNever, done) == 1, "a write without a clock did not end at once");
  }
}

}  // namespace

std::vector<bool> pages_read_first(const TraceOptions& options, AddressMap addresses, std::uint64_t capacity_bytes) {
  const std::uint64_t pages = (capacity_bytes + kPageBytes - 1) / kPageBytes;
  std::vector<bool> read_first(pages), written(pages);
  Trace trace(options);
  for (TraceRecord record; trace.next(record);) {
    if (record.op != Op::read && record.op != Op::write) continue;
    const std::uint64_t at = addresses.place(record);
    const std::uint64_t end = (at + record.length_bytes + kPageBytes - 1) / kPageBytes;
    for (std::uint64_t page = at / kPageBytes; page < end; ++page) {
      if (record.op == Op::write) written[page] = true;
      if (!written[page]) read_first[page] = true;
    }
  }
  return read_first;
}

std::string prefill_for_trace(SimulatedDevice& device, const TraceOptions& trace, const AddressMap& addresses,
                              std::uint64_t capacity_bytes, const std::atomic<bool>* interrupted) {
  Drive* const drive = device.ssd();
  if (drive == nullptr)
    throw ConfigError({"--precondition", 0}, "", "is for SSDs; a disk has no state that its speed depends on", "trace");
  const std::vector<bool> pages = pages_read_first(trace, addresses, capacity_bytes);
  const bool timed = drive->info().timed;
  drive->set_clock(Clock::untimed);
  std::uint64_t written = 0;
  for (std::size_t first = 0; first < pages.size();) {
    if (!pages[first]) {
      ++first;
      continue;
    }
    if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) throw Interrupted();
    const std::size_t end = static_cast<std::size_t>(
        std::find(pages.begin() + static_cast<std::ptrdiff_t>(first), pages.end(), false) - pages.begin());
    write(*drive, first * kPageBytes, std::min(end * kPageBytes, capacity_bytes));
    written += end - first;
    first = end;
  }
  if (timed) drive->set_clock(Clock::timed);
  return fmt::format(
      "before the run {} pages of 4 KiB, which the trace reads before it writes them, were written once in "
      "order (--precondition trace)",
      written);
}

}  // namespace ftlab
