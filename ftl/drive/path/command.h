// A host command inside the drive, from arrival to completion.
#pragma once

#include <cstdint>

#include "ftl/drive/path/page_conflicts.h"
#include "models/nand/schedule/die_time.h"
#include "sim/request.h"

namespace ftlab {

struct Command {
  Request request;
  Nanoseconds at{0};                              // latency has been attributed up to this time
  Nanoseconds worked{0};                          // end of the firmware's work, if data may arrive earlier
  PageConflicts::Pages pages{};                   // its pages and order of arrival; a flush has no pages
  std::uint32_t count = 0;                        // write: mapping pages that it touches
  std::uint32_t sent = 0;                         // write: pages on the link or past it
  std::uint32_t crossed = 0;                      // write: pages past the link
  std::uint32_t stored = 0;                       // write: pages in the controller's memory
  std::uint32_t written = 0;                      // write: pages passed to the layer
  std::uint32_t reserved = 0;                     // write: buffer slots reserved for each page in transit
  std::uint32_t first_piece = 0, last_piece = 0;  // read: pieces not delivered yet
  bool understood = false;                        // write, trim, flush: the firmware has finished
  DieTime dies{};                                 // write: time of the dies when it was understood
  bool first = true;                              // no data have crossed the link yet
  bool waits_for_firmware = false;                // read: delivery waits until `made`
  Nanoseconds began{0};                           // read: when its pieces were found
  std::uint64_t flush = 0;                        // flush: its number in a journal
  Nanoseconds map_arrival{0};                     // read: when its part of the map arrives from host memory
  Nanoseconds made{0};                            // read: when the firmware finishes the next unmapped page
};

}  // namespace ftlab
