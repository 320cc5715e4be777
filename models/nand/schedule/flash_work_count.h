// Counts what the flash was asked to do, and knows for what each operation counts.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/schedule/flash_work.h"
#include "models/nand/timing/timing.h"
#include "sim/core/divisor.h"

namespace ftlab {

class FlashWorkCount {
 public:
  // `kinds`: programs are counted by kind of page, too, which takes some nanoseconds each.
  FlashWorkCount(const Geometry& geometry, const NandTiming& timing, bool kinds, const FlashWork& before);

  // What a read of `bytes` counts for: pages, and bytes in whole codewords.
  struct ReadCount {
    std::uint64_t pages = 0, bytes = 0;
  };
  ReadCount of_read(std::uint32_t bytes) const {
    const std::uint32_t codewords = (bytes + codeword_bytes_.value() - 1) / codeword_bytes_;
    return {pages_of(bytes), std::uint64_t{codewords} * codeword_bytes_.value()};
  }
  // So many reads, which come to that together.
  void read(std::uint64_t reads, const ReadCount& together) {
    work_.reads += reads;
    work_.pages_read += together.pages;
    work_.read_bytes += together.bytes;
  }
  // Nothing crosses the channel.
  void read_internally(std::uint64_t reads, std::uint32_t bytes) { read(reads, {reads * pages_of(bytes), 0}); }
  bool tells_kinds() const { return kinds_; }
  void program(std::uint64_t count, std::uint64_t pages, bool in_register) { work_.program(count, pages, in_register); }
  void kind(std::uint32_t nand_page, bool slc, std::uint32_t planes) {
    if (!kinds_) return;
    (slc ? work_.slc_pages_programmed : work_.pages_programmed_by_kind[kind_of_page_[nand_page]]) += planes;
  }
  void erase(std::uint32_t blocks) { work_.erase(blocks); }

  const FlashWork& work() const { return work_; }
  // What crossed the channels, with the spare bytes that travel along.
  std::uint64_t bus_bytes() const;

  template <class A>
  void archive(A& archive) {
    archive.value(work_);
  }

 private:
  std::uint32_t pages_of(std::uint32_t bytes) const { return (bytes + page_bytes_.value() - 1) / page_bytes_; }

  Divisor page_bytes_, codeword_bytes_;
  std::uint32_t page_spare_bytes_;
  bool kinds_;
  std::vector<std::uint8_t> kind_of_page_;  // by NAND page of a block
  FlashWork work_;
};

}  // namespace ftlab
