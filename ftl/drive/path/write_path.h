// Moves host data to the layer: a page is admitted when the write buffer has room, crosses the link and the controller's
// memory, and is written in the order of the commands. Trims and flushes keep their place in that order, so that placement
// does not depend on times.
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

  // The firmware has done its part of a write, trim or flush.
  void understood(std::uint32_t id);
  // Programs have ended, which free places of the buffer, or time has passed: what the oldest change waited for may be
  // there.
  void flash_advanced(std::uint32_t freed_places) {
    room_ += freed_places;
    if (drive_.order.has_changes() && may_admit()) admit();
  }
  // A page of the command is beyond the link, in the controller's memory, known to the layer's engine for fingerprints.
  void page_sent(std::uint32_t id);
  void page_stored(std::uint32_t id);
  void page_known(std::uint32_t id);
  // Pages go to the layer in the order in which they came, each behind the reads of the same page that came before it.
  void write_ready_pages();
  void finish_trim(std::uint32_t id);
  // Also of a write that was forced to the flash.
  void finish_flush(std::uint32_t id);

  // Without a clock: all of the command at once.
  void execute_untimed(const Request& request, Completion& done);

  // Sets the free room of the buffer from the pages staged in RAM. REQUIRES: no page is in transit.
  void set_room();
  // Nothing is in RAM, after a power cut or for another design.
  void restart();
  // Another state is loaded: its times may lie before those of this one.
  void forget_times();

  template <class A>
  void archive(A& archive) {
    archive.value(room_);
  }

 private:
  // The reason why the oldest change waits; it is checked again when the reason may be gone.
  enum class Held : std::uint8_t { by_nothing, by_itself, for_room, for_collection, for_life };
  enum class PageStep : std::uint32_t { sent, stored, known, count };

  bool may_admit() const {
    switch (held_) {
      case Held::by_nothing: break;
      case Held::by_itself: return false;
      case Held::for_room: return room_ > held_room_;
      case Held::for_collection: return drive_.back.engine->in_flight().moved_pages() < most_moved_pages_;
      case Held::for_life: return drive_.agenda.now() >= held_until_;
    }
    return true;
  }
  void admit();
  bool admit_write(std::uint32_t id, Command& command);
  bool held_by_life_curve();
  Nanoseconds in_order(PageStep step, Nanoseconds at);
  void send_page(std::uint32_t id, Command& command);
  bool write_page(const Request& request, Completion& done, Lpn lpn, std::uint64_t offset, std::uint32_t bytes);
  void end_write(std::uint32_t id);
  void force_to_flash(std::uint32_t id);
  void took_effect(std::uint32_t id);
  std::uint32_t page_bytes(const Command& command, std::uint32_t page, std::uint64_t& offset) const;
  WriteHints hints_of(const Request& request, std::uint64_t offset, std::uint32_t bytes) const;
  // The layer has taken slots of the host since it had taken `before`: they keep their room until their programs end.
  void take_room(std::uint64_t before) { room_ -= static_cast<std::int64_t>(drive_.layer->counts().host_slots - before); }
  void begin_trim(std::uint32_t id);
  bool trim_layer(const Request& request, Completion& done, Signal& mapped);
  std::uint32_t trimmed_pages(const Request& request, std::uint32_t& first) const;
  void begin_flush(std::uint32_t id);
  void flush_layer(Completion& done);
  void answer(std::uint32_t id, Nanoseconds now);

  DriveParts& drive_;
  Commands& commands_;
  RingBuffer<std::uint32_t> ready_pages_;  // commands, one for each page that the layer may have next
  Held held_ = Held::by_nothing;
  std::int64_t held_room_ = 0;                                             // there was then
  Nanoseconds held_until_{0};                                              // by the life curve
  std::int64_t room_ = 0;                                                  // free slots of the write buffer
  std::uint32_t most_moved_pages_ = 0;                                     // by collection at a time, beside the host
  Nanoseconds last_page_[static_cast<std::size_t>(PageStep::count)] = {};  // when a page was or will be so far
  std::uint32_t pages_on_their_way_ = 0;                                   // admitted, but not with the layer
};

}  // namespace ftlab
