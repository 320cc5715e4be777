// Work records: the operations that the translation layer requests from the flash. The layer decides where data go and emits
// the records in order, without times; the engine finds out when each can begin (flash_engine.h).
//
// A record waits only for records emitted before it, so deadlocks cannot occur:
//   - Programs of a frontier are numbered from 0 as they are emitted. A read feeds a range of these numbers, i.e. supplies
//     their data; the programs may be emitted later.
//   - A signal is raised by the reads that feed it. Reads, programs (by `attach`) and host requests can wait for it.
//   - A program waits for the erases of its superblock emitted before it, an erase for all programs emitted before it.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"

namespace ftlab {

using Signal = std::uint32_t;
inline constexpr Signal kNoSignal = 0;

struct WorkRecord {
  // attach: programs or a signal wait for `after`. barrier: later programs of `superblock` wait for all programs before it.
  enum class Kind : std::uint8_t { read, program, erase, attach, barrier };
  enum Flag : std::uint8_t {
    kHost = 1,            // read: a host request waits for it
    kSlc = 2,             // read, program: pSLC, one bit per cell
    kInRegister = 4,      // program: the data are in the die's register, only the command crosses the channel
    kKeepsData = 8,       // read: the data stay in the die's register (copyback)
    kAfterPrevious = 16,  // program: begins after the end of the frontier's previous program, which failed. erase: begins
                          // after the end of the previous erase (spare block of the same superblock)
    kWithPrevious = 32,   // program: its data arrive with those of the frontier's previous program (parity)
    kHostData = 64        // program: carries host data; a flush waits for it
  };

  Kind kind = Kind::read;
  std::uint8_t frontier = 0;  // program: its own. read, attach: frontier of the programs that wait for it
  std::uint8_t span = 0;      // read, attach: number of programs of `frontier` that wait for it
  std::uint8_t flags = 0;
  std::uint16_t die = 0;
  std::uint8_t first_plane = 0;   // read
  std::uint8_t planes = 0;        // read: number, 0: all of the die. program, erase: pages or blocks
  std::uint32_t nand_page = 0;    // read, program: in its block
  std::uint32_t superblock = 0;   // number of a SuperblockId
  std::uint32_t target = 0;       // read, attach: number of the first program that waits for it. host read: its tag. erase:
                                  // erase count of the superblock, including this one
  std::uint32_t bytes = 0;        // read: payload that crosses the channel
  std::uint32_t retry_ns = 0;     // read: time of its retries in addition to the array reads
  Signal feeds = kNoSignal;       // read: signal that its data raise. attach: signal that also waits for `after`
  Signal after = kNoSignal;       // read, attach: signal to wait for
  std::uint16_t host_pages = 0;   // program: write buffer slots that its end frees
  std::uint16_t moved_pages = 0;  // program: number of relocated pages
  std::uint32_t repeats = 0;      // read: additional array reads (retries)

  bool has(Flag flag) const { return (flags & flag) != 0; }
  bool looks_back() const { return (flags & (kAfterPrevious | kWithPrevious)) != 0; }  // program: waits for the previous one
  FlashPage page() const { return {SuperblockId{superblock}, nand_page, first_plane, planes, has(kSlc)}; }
};

}  // namespace ftlab
