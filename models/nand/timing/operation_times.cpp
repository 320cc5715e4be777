#include "models/nand/timing/operation_times.h"

#include <utility>

#include "sim/core/check.h"

namespace ftlab {
namespace {

// Spare bytes are transferred in proportion to the payload.
Nanoseconds bus_time(const Geometry& geometry, const NandTiming& timing, std::uint64_t payload_bytes) {
  const std::uint64_t bytes = payload_bytes * (geometry.page_bytes + geometry.page_spare_bytes) / geometry.page_bytes;
  return timing.bus_command + transfer_time(bytes, timing.bus_bytes_per_s);
}

}  // namespace

OperationTimes::OperationTimes(const Geometry& geometry, const NandTiming& timing, BlockSpeed speed)
    : speed_(std::move(speed)),
      codeword_bytes_(geometry.codeword_bytes),
      read_(timing.read),
      read_slc_(timing.read_slc > Nanoseconds{0} ? timing.read_slc : timing.read),
      program_slc_(timing.program_slc),
      erase_(timing.erase),
      looks_at_pages_(!timing.read_by_kind.empty() || read_slc_ != read_ || speed_.reads_vary()) {
  const auto kinds = static_cast<std::uint32_t>(timing.program.size());
  FTLAB_CHECK(timing.read_by_kind.empty() || timing.read_by_kind.size() == kinds,
              "kinds of page to read and to program differ");
  for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page) {
    const std::uint32_t kind = page_kind(timing.page_order, kinds, page, geometry.pages_per_block);
    program_by_page_.push_back(timing.program[kind]);
    read_by_page_.push_back(timing.read_by_kind.empty() ? timing.read : timing.read_by_kind[kind]);
  }
  const std::uint32_t codewords = geometry.planes_per_die * geometry.page_bytes / geometry.codeword_bytes;
  for (std::uint32_t n = 0; n <= codewords; ++n) {
    read_transfer_.push_back(bus_time(geometry, timing, n * std::uint64_t{geometry.codeword_bytes}));
  }
  for (std::uint32_t n = 0; n <= geometry.planes_per_die; ++n) {
    program_transfer_.push_back(bus_time(geometry, timing, n * std::uint64_t{geometry.page_bytes}));
  }
}

}  // namespace ftlab
