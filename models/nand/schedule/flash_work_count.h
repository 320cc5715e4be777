// Counts the operations requested from the flash.
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
  // `kinds`: also counts programs by kind of page, which takes a few nanoseconds each.
  FlashWorkCount(const Geometry& geometry, const NandTiming& timing, bool kinds, const FlashWork& before);

  // Pages, and bytes in whole codewords, of reads.
  struct ReadCount {
    std::uint64_t pages = 0, bytes = 0;
  };
  ReadCount of_read(std::uint32_t bytes) const {
    const std::uint32_t codewords = (bytes + codeword_bytes_.value() - 1) / codeword_bytes_;
    return {pages_of(bytes), std::uint64_t{codewords} * codeword_bytes_.value()};
  }
  // Counts `reads` reads, `together` in total.
  void read(std::uint64_t reads, const ReadCount& together) {
    work_.reads += reads;
    work_.pages_read += together.pages;
    work_.read_bytes += together.bytes;
  }
  // Counts reads whose data do not cross the channel.
  void read_internally(std::uint64_t reads, std::uint32_t bytes) { read(reads, {reads * pages_of(bytes), 0}); }
  bool tells_kinds() const { return kinds_; }
  void program(std::uint64_t count, std::uint64_t pages, bool in_register) { work_.program(count, pages, in_register); }
  void kind(std::uint32_t nand_page, bool slc, std::uint32_t planes) {
    if (!kinds_) return;
    (slc ? work_.slc_pages_programmed : work_.pages_programmed_by_kind[kind_of_page_[nand_page]]) += planes;
  }
  void erase(std::uint32_t blocks) { work_.erase(blocks); }

  const FlashWork& work() const { return work_; }
  // Bytes that crossed the channels, spare bytes included.
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
