// Trim records that a drive writes to the flash, so that trims survive a power cut. They are collected in RAM until they
// fill a slot.
#pragma once

#include <cstdint>

namespace ftlab {

class TrimRecords {
 public:
  // `record_bytes`: size of one trim's record; 0: no records.
  TrimRecords(std::uint32_t record_bytes, std::uint32_t slot_bytes) : record_bytes_(record_bytes), slot_bytes_(slot_bytes) {}

  // Adds one trim. Returns the number of full slots, which the caller writes.
  std::uint32_t add() {
    gathered_bytes_ += record_bytes_;
    const std::uint32_t full = gathered_bytes_ / slot_bytes_;
    gathered_bytes_ %= slot_bytes_;
    return full;
  }

  template <class A>
  void archive(A& archive) {
    if (record_bytes_ == 0) return;
    archive.value(gathered_bytes_);
  }

 private:
  std::uint32_t record_bytes_, slot_bytes_;
  std::uint32_t gathered_bytes_ = 0;
};

}  // namespace ftlab
