// Times of flash operations: data-sheet numbers of the die and of the bus between die and controller, and the rules by which
// a die orders its operations. Variation between blocks and wear are applied by block_speed.h.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/timing/policy.h"
#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

// Kind of a page: which bit of its cells it holds. Pages are programmed in the order of their numbers.
//   interleaved   page n is of kind n % kinds
//   all_bit_line  MLC, all pages of a word line at once: lower pages are page 0 and the odd pages but the last one, upper
//                 pages the others (Micheloni, Crippa, Marelli, "Inside NAND Flash Memories", 2010, ch. 10)
//   even_odd      MLC, word lines of two pages of each kind: the same by pairs, so page 0 is paired with 4, 2 with 8, N with
//                 N + 6. Grupp et al. (MICRO 2009) saw it in the program times of the MLC chips that they measured
enum class PageOrder : std::uint8_t { interleaved, all_bit_line, even_odd };

// Programs and erases that stop for a read and resume afterwards. After Wu and He, "Reducing SSD Read Latency via NAND Flash
// Program and Erase Suspension", FAST 2012; command sets have included it since.
struct Suspension {
  bool program = false;
  bool erase = false;
  Nanoseconds suspend{0};           // from the command until the die accepts a read; no progress meanwhile
  Nanoseconds resume{0};            // before the operation continues
  std::uint32_t most_suspends = 0;  // per operation
  Nanoseconds step{0};              // of the array time, counted from its end: it stops at the end of a step; 0: anywhere

  bool any() const { return program || erase; }
  // Progress that an operation with this array time left makes before it can stop.
  Nanoseconds to_step_end(Nanoseconds left) const { return step > Nanoseconds{0} ? left % step : Nanoseconds{0}; }
};

// Variation between blocks: standard deviation of the factor on a block's times, by kind of operation. Normal, cut off at 3
// sigma.
struct BlockVariation {
  std::uint32_t read_permille = 0;
  std::uint32_t program_permille = 0;
  std::uint32_t erase_permille = 0;

  bool any() const { return read_permille != 0 || program_permille != 0 || erase_permille != 0; }
};

// With wear, cells take up charge more easily and release it less easily: programs become faster, erases slower (Grupp et
// al., MICRO 2009; Desnoyers, "Empirical evaluation of NAND flash memory performance", 2010). Linear up to until_erases,
// constant beyond.
struct WearTimes {
  std::uint32_t program_faster_permille = 0;  // per 1,000 erases
  std::uint32_t erase_slower_permille = 0;    // per 1,000 erases
  std::uint32_t until_erases = 0;

  bool any() const { return program_faster_permille != 0 || erase_slower_permille != 0; }
};

struct NandTiming {
  Nanoseconds read{0};                         // tR: array to page register
  std::vector<Nanoseconds> program;            // tPROG by kind of page, see page_order: SLC {t}, MLC {lower, upper}
  Nanoseconds erase{0};                        // tBERS
  std::uint64_t bus_bytes_per_s = 1;           // per channel
  Nanoseconds bus_command{0};                  // command and address cycles, added to the transfer of each operation
  bool cache_program = false;                  // the next page is transferred while the array programs the last one
  bool cache_read = false;                     // the array reads the next page while the last one is transferred
  Nanoseconds program_slc{0};                  // tPROG of a pSLC page; 0: not known
  std::vector<Nanoseconds> read_by_kind = {};  // tR by kind of page, like program; empty: all take `read`
  Nanoseconds read_slc{0};                     // tR of a pSLC page; 0: that of the fastest kind
  PageOrder page_order = PageOrder::interleaved;
  SchedulingConfig scheduling = {};      // which of a die's waiting operations is next
  bool independent_plane_reads = false;  // reads of one die overlap if they use different planes
  Suspension suspension = {};
  BlockVariation variation = {};
  WearTimes wear = {};
};

// Kind of page `page` of a block: an index into NandTiming::program. REQUIRES: page < pages_per_block.
std::uint32_t page_kind(PageOrder order, std::uint32_t kinds, std::uint32_t page, std::uint32_t pages_per_block);

// Reads the object `nand` of a drive file. Throws ConfigError.
NandTiming read_nand_timing(Reader reader);

}  // namespace ftlab
