// Executes the layer's work by reservations: each record gets its time on the backend's timelines as soon as it is known.
// To be replaced by the engine (models/nand/schedule), which finds the same from events.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/write_buffer.h"
#include "models/nand/backend.h"
#include "models/nand/medium.h"
#include "models/nand/schedule/work_list.h"

namespace ftlab {

class ReservedWork {
 public:
  // REQUIRES: backend and medium outlive it.
  ReservedWork(Backend& backend, const Medium& medium, std::uint32_t frontiers, std::uint32_t buffer_pages);

  struct ReadTimes {
    Backend::ReadTimes times;
    Nanoseconds retries{0};
  };
  // Executes all that is listed, from `now` on; the host's data are there at `arrival`, and took so many places.
  void execute(WorkList& work, Nanoseconds now, Nanoseconds arrival, std::uint32_t places);
  // Of the reads of the last batch, by number.
  const ReadTimes& read_times(WorkList::Read read) const { return reads_[read]; }
  // When the signal was raised; not before `now`.
  Nanoseconds raised(Signal signal, Nanoseconds now) const {
    return signal == kNoSignal ? now : std::max(now, signals_[signal % kRing]);
  }
  Nanoseconds room_at(Nanoseconds now, std::uint32_t places) const { return std::max(now, buffer_.room_at(places)); }
  Nanoseconds all_in_flash() const { return buffer_.all_programmed(); }
  // The end of the latest program of any frontier.
  Nanoseconds programmed() const;

  template <class A>
  void archive(A& archive) {
    archive.section("reserved work");
    buffer_.archive(archive);
    for (FrontierState& frontier : frontiers_) {
      archive.exact(frontier.inputs);
      archive.value(frontier.next);
      for (auto* time : {&frontier.programmed, &frontier.last_ready, &frontier.last_done}) archive.value(*time);
    }
    archive.exact(signals_);
    archive.exact(erased_at_);
  }

 private:
  static constexpr std::uint32_t kRing = 1 << 6;
  struct FrontierState {
    std::vector<Nanoseconds> inputs = std::vector<Nanoseconds>(kRing);  // by program: when its data are there
    std::uint32_t next = 0;
    Nanoseconds programmed{0}, last_ready{0}, last_done{0};
  };
  void read(const WorkRecord& record, std::size_t index, Nanoseconds now);
  void program(const WorkRecord& record);
  void erase(const WorkRecord& record);
  void attach(const WorkRecord& record, Nanoseconds now, Nanoseconds arrival);
  void feed(const WorkRecord& record, Nanoseconds done);

  Backend& backend_;
  const Medium& medium_;
  WriteBuffer buffer_;
  std::vector<FrontierState> frontiers_;
  std::vector<Nanoseconds> signals_ = std::vector<Nanoseconds>(kRing);
  std::vector<Nanoseconds> erased_at_;  // by superblock
  std::vector<ReadTimes> reads_;
};

}  // namespace ftlab
