// What a data sheet leaves open: numbers of each class of flash, and of the drives that are built with it. The one file of
// such numbers, each with its source; `ftlab init` writes both into the drive file, as assumed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ftlab {

struct PriorNumber {
  std::uint64_t value;
  const char* source;
};

using NandTimes = std::vector<std::pair<std::string, std::uint64_t>>;  // by key

struct NandClass {
  const char* name;    // as --flash takes it
  const char* layers;  // of cells; empty: any number
  const char* cell;
  std::uint32_t bits;  // of a cell
  std::uint32_t planes, pages_per_block, page_bytes;
  std::uint64_t die_bytes;
  const char* die_source;  // why dies have this size
  const char* source;
  NandTimes times;  // of `nand`
  const char* bus;
  const char* settings;  // JSON object: more of `nand`; empty: none

  std::uint64_t program_ns() const;  // of a page; pages of all kinds take about as long
};

// Typical orders of magnitude; the data sheet of the actual part is better.
const std::vector<NandClass>& flash_classes();
// REQUIRES: the name is that of a class.
const NandClass& flash_class(const std::string& name);
std::vector<std::string> flash_class_names();
// "slc, mlc, tlc (64 layers), ...", for help.
std::string flash_class_list();

// The pSLC cache of a client's drive, of TLC or QLC flash.
struct PslcPrior {
  PriorNumber free_space_permille, fold_ns;
};
// REQUIRES: flash of two bits a cell or more.
PslcPrior pslc_prior(const NandClass& flash, std::uint32_t channels);
inline constexpr PriorNumber kIdleFoldingAfterNs{1'000'000'000, "order at which drives begin to empty the cache"};

// Time of the controller for a command.
PriorNumber command_ns(bool nvme);
inline constexpr PriorNumber kWriteLatencyNs{5000, "order of a drive's answer from its buffer"};

// NVMe.
inline constexpr PriorNumber kPacketBytes{256, "usual of hosts"};
inline constexpr PriorNumber kLineNs{100, "a command of 64 bytes and a completion of 16 on the line"};
inline constexpr PriorNumber kQueueDepth{1023, "usual"}, kQueues{16, "usual"};
// With as many reads outstanding as jobs keep, 128 to 1,280, a P4510's percentiles are those of a controller that works on
// 256 at once and leaves the others in their queues: p99 is 1.9 times p50 with 1,280. Without a limit it is 6 times.
inline constexpr PriorNumber kCommands{256, "p50 and p99 of reads of a P4510 with 256 to 1,280 outstanding (BU-DiSC)"};

// Enterprise drives: parity over the dies takes more than is usual of spare if they are fewer; pages that collection moves
// for each page of the host.
inline constexpr std::uint64_t kLeastDiesOfParity = 8, kPagesPerHostWrite = 64;

// Sheets of enterprise drives state steady random writes carefully. Fitted to three drives that SSD-iq measured (Haas, Leis
// and others; validation/measured/nvme): they write 1.10, 1.11 and 1.14 times as fast as rated.
inline constexpr double kSteadyOverRating = 1.10;

}  // namespace ftlab
