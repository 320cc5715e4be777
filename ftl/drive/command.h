// A command of the host inside the drive, from its arrival to its completion, and the pieces of a read.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/page_conflicts.h"
#include "ftl/layer/ftl.h"
#include "sim/request.h"

namespace ftlab {

struct Command {
  Request request;
  Nanoseconds at{0};                              // its time is accounted for until then
  Nanoseconds worked{0};                          // until when the firmware is at it, where that is later than it goes on
  PageConflicts::Pages pages{};                   // that it concerns, with its order of arrival; of a flush none
  std::uint32_t count = 0;                        // of a write: mapping pages that it touches ...
  std::uint32_t sent = 0;                         // ... that are on the link or beyond
  std::uint32_t crossed = 0;                      // ... that are beyond it
  std::uint32_t stored = 0;                       // ... that are in the controller's memory
  std::uint32_t written = 0;                      // ... that the layer has
  std::uint32_t reserved = 0;                     // slots of the write buffer for those on their way, each
  std::uint32_t first_piece = 0, last_piece = 0;  // of a read: those that were not delivered yet
  bool understood = false;                        // of a write: the firmware has done its part
  bool first = true;                              // nothing of it has crossed the link yet
  bool waits_for_firmware = false;                // of a read: until `made`
  Nanoseconds began{0};                           // of a read: when it found its pieces
  std::uint64_t flush = 0;                        // its number in a journal
  Nanoseconds map_there{0};                       // of a read: when its part of the map has come from the host's memory
  Nanoseconds made{0};                            // of a read: when the firmware has the next page without data
};

// What of a read comes with one operation of the flash, or from RAM. Of a read ahead: of no command.
struct Piece {
  static constexpr std::uint32_t kNone = 0;

  Nanoseconds array_start{0}, array_end{0}, bus_start{0}, done{0}, repeats{0};  // of its read of the flash
  Nanoseconds there{0}, crossed{0};  // all of it in the controller; through its memory
  std::uint64_t bytes = 0;           // for the host
  std::uint32_t command = 0;
  std::uint32_t next = kNone;            // of the command
  std::uint32_t fetch = 0, fetches = 0;  // of reading ahead: those that it belongs to
  Signal rebuilt = kNoSignal;
  std::uint8_t crossings = 0;  // of the controller's memory
  std::uint8_t waits = 0;      // for its read, for what is rebuilt
  std::uint8_t flash = 0;      // a state holds no bool
  std::uint8_t lost = 0;
  std::uint8_t unmapped = 0;
  std::uint8_t ready = 0;
  std::uint8_t unused[6] = {};
};

// One page of a read of a drive that compresses, which is read whole, whatever the host wants of it.
struct PackedPage {
  std::uint32_t lpn;
  Ppn ppn;
  bool from_flash;  // it is neither in RAM nor read ahead
};

// What of such a read comes with one operation: slots of one stripe, the pages that have a part in them, and the bytes of
// those that are complete with it. Or one page that is not read from the flash.
struct PackedPart {
  Ftl::Found::Where where;
  SuperblockId block;
  std::uint32_t stripe;
  std::uint32_t first_page, end_page;  // of those that are read
  std::uint32_t flash_bytes = 0;
  std::uint64_t host_bytes = 0;
  const std::uint32_t* ahead = nullptr;  // with which fetch it comes, of a page that was read ahead
  bool lost = false;                     // it is in RAM, but was made of a lost copy
};

}  // namespace ftlab
