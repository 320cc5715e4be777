// Moves host data to the layer: a page is admitted when the write buffer has room, crosses the link and the controller's
// memory, and is written in the order of the commands. Trims and flushes keep their place in that order, so that placement
// does not depend on timing.
#pragma once

#include <cstdint>

#include "ftl/drive/path/commands.h"
#include "ftl/drive/path/drive_parts.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

class WritePath {
 public:
  // REQUIRES: both outlive it.
  WritePath(DriveParts& drive, Commands& commands) : drive_(drive), commands_(commands) { restart(); }

  // The firmware has finished its part of a write, trim or flush.
  void understood(std::uint32_t id);
  // Programs have ended and freed slots of the buffer, or time has passed: the oldest change may be able to proceed.
  void flash_advanced(std::uint32_t freed_slots) {
    room_ += freed_slots;
    if (drive_.order.has_changes() && may_admit()) admit();
  }
  // Pages have crossed the link; pages of the command are in the controller's memory, or have their fingerprints.
  void pages_sent();
  void pages_stored(std::uint32_t id, std::uint32_t pages = 1);
  void pages_known(std::uint32_t id, std::uint32_t pages = 1);
  // Call before others look at the layer: passes on pages that have crossed the link by `moment` and cause nothing else.
  void catch_up(Nanoseconds moment) {
    if (drive_.agenda.transit().has_arrived(moment)) [[unlikely]]
      pages_crossed(drive_.agenda.take_sent_by(moment));
  }
  // Decides which pages on the link may be handled together. Call after a command has begun that may look at the layer or
  // change it before they arrive.
  void gather();
  bool has_ready_pages() const { return !ready_pages_.empty(); }
  // Passes pages to the layer in order of arrival, each after earlier reads of the same page.
  void write_ready_pages();
  void finish_trim(std::uint32_t id);
  // Also for a write that was forced to the flash.
  void finish_flush(std::uint32_t id);

  // Untimed: executes the whole command at once.
  void execute_untimed(const Request& request, Completion& done);

  // Sets the free room of the buffer from the pages staged in RAM. REQUIRES: no page is in transit.
  void set_room();
  // Starts with empty RAM, after a power cut or for another design.
  void restart();
  // Call after loading another state, whose times may be earlier.
  void forget_times();

  template <class A>
  void archive(A& archive) {
    archive.value(room_);
  }

 private:
  // Reason why the oldest change waits; checked again when it may have gone.
  enum class Held : std::uint8_t { by_nothing, by_firmware, for_room, for_collection, for_life };
  enum class PageStep : std::uint32_t { sent, stored, known, count };

  bool may_admit() const {
    switch (held_) {
      case Held::by_nothing: break;
      case Held::by_firmware: return false;
      case Held::for_room: return room_ > held_room_;
      case Held::for_collection: return drive_.back.engine->in_flight().moved_pages() < max_moved_pages_in_flight_;
      case Held::for_life: return drive_.agenda.now() >= held_until_;
    }
    return true;
  }
  void admit();
  bool admit_write(std::uint32_t id, Command& command);
  bool held_by_life_curve();
  Nanoseconds in_order(PageStep step, Nanoseconds at);
  std::uint32_t pages_to_send(const Command& command, std::uint32_t bytes, Nanoseconds ready) const;
  void send_pages(std::uint32_t id, Command& command);
  void pages_crossed(const Transit::Pages& sent);
  bool may_write_pages(std::uint32_t id, std::uint32_t pages);
  std::uint32_t write_some(std::uint32_t id, std::uint32_t pages);
  std::uint32_t write_pages(const Request& request, Completion& done, Lpn lpn, std::uint64_t offset, std::uint32_t bytes,
                            std::uint32_t pages = 1);
  void end_write(std::uint32_t id);
  void force_to_flash(std::uint32_t id);
  void took_effect(std::uint32_t id);
  std::uint32_t page_bytes(const Command& command, std::uint32_t page, std::uint64_t& offset) const;
  WriteHints hints_of(const Request& request, std::uint64_t offset, std::uint32_t bytes) const;
  // Takes room for the host slots that the layer has used since their count was `before`, until their programs end.
  void take_room(std::uint64_t before) { room_ -= static_cast<std::int64_t>(drive_.layer->counts().host_slots - before); }
  void begin_trim(std::uint32_t id);
  bool trim_layer(const Request& request, Completion& done, Signal& mapped);
  std::uint32_t trimmed_pages(const Request& request, std::uint32_t& first) const;
  void begin_flush(std::uint32_t id);
  void flush_layer(Completion& done);
  void answer(std::uint32_t id, Nanoseconds now);

  DriveParts& drive_;
  Commands& commands_;
  RingBuffer<std::uint32_t> ready_pages_;  // commands, one entry for each page that is ready for the layer
  Held held_ = Held::by_nothing;
  std::int64_t held_room_ = 0;                                             // room when the wait began
  Nanoseconds held_until_{0};                                              // end of the wait for the life curve
  std::int64_t room_ = 0;                                                  // free slots of the write buffer
  std::uint32_t max_moved_pages_in_flight_ = 0;                            // maximum of relocated pages in flight
  Nanoseconds last_page_[static_cast<std::size_t>(PageStep::count)] = {};  // latest time at which a page reaches each step
  std::uint32_t pages_in_transit_ = 0;                                     // admitted, but not in the layer yet
  bool gathers_ = false;                                                   // see gather()
};

}  // namespace ftlab
