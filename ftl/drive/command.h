// A command of the host inside the drive, from its arrival to its completion.
#pragma once

#include <cstdint>

#include "ftl/drive/page_conflicts.h"
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

}  // namespace ftlab
