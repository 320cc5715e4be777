// What the translation layer asks of the flash: the layer decides where data go and emits these in order, without a time;
// the engine finds out when each can begin (flash_engine.h).
//
// Dependencies always point backwards in the order of emission, so that there is no deadlock:
//   - programs of a frontier are numbered 0, 1, 2, ... as they are emitted. A read feeds a range of such numbers, of which
//     the programs may still be emitted later: their data come from it.
//   - a signal is raised by the reads that feed it. Reads, programs (by `attach`) and requests of the host can wait for it.
//   - a program waits for the erases of its superblock that were emitted before it, an erase for all programs before it.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"

namespace ftlab {

using Signal = std::uint32_t;
inline constexpr Signal kNoSignal = 0;

struct WorkRecord {
  // barrier: `superblock` is not programmed before all programs emitted so far have ended.
  enum class Kind : std::uint8_t { read, program, erase, attach, barrier };
  enum Flag : std::uint8_t {
    kHost = 1,            // read: a request of the host waits for it
    kSlc = 2,             // read, program: one bit a cell in a block that could hold more
    kInRegister = 4,      // program: the data are in the die's register, only the command crosses the channel
    kKeepsData = 8,       // read: the data stay in the die's register (copyback)
    kAfterPrevious = 16,  // program: begins when the frontier's program before it has ended, which failed. erase: when the
                          // erase emitted before it has ended (a spare block of the same superblock)
    kWithPrevious = 32,   // program: its data are there when those of the frontier's program before it are (parity)
    kHostData = 64        // program: of a page of the host; a flush waits for it
  };

  Kind kind = Kind::read;
  std::uint8_t frontier = 0;  // program: its own; read, attach: of the programs that wait for it
  std::uint8_t span = 0;      // read, attach: so many programs of `frontier` wait for it; 0: none
  std::uint8_t flags = 0;
  std::uint16_t die = 0;
  std::uint8_t first_plane = 0;   // read
  std::uint8_t planes = 0;        // read: how many, 0: all of the die; program, erase: pages or blocks
  std::uint32_t nand_page = 0;    // read, program: in its block
  std::uint32_t superblock = 0;   // number of a SuperblockId
  std::uint32_t target = 0;       // read, attach: number of the first program that waits for it. read for the host: its
                                  // tag. erase: how often the superblock has been erased with this
  std::uint32_t bytes = 0;        // read: payload that crosses the channel
  std::uint32_t retry_ns = 0;     // read: what its repetitions take beside the array's reads
  Signal feeds = kNoSignal;       // read: raises it with its data. attach: raises it, too, when `after` is raised
  Signal after = kNoSignal;       // read, attach: waits for it
  std::uint16_t host_pages = 0;   // program: slots of the write buffer that are free at its end
  std::uint16_t moved_pages = 0;  // program: of relocated pages
  std::uint32_t repeats = 0;      // read: so many times the array reads the page again

  bool has(Flag flag) const { return (flags & flag) != 0; }
  bool looks_back() const { return (flags & (kAfterPrevious | kWithPrevious)) != 0; }  // a program
  FlashPage page() const { return {SuperblockId{superblock}, nand_page, first_plane, planes, has(kSlc)}; }
};

}  // namespace ftlab
