// The rules of docs/scheduling.md once more, as plainly as they can be written: lists that are searched from end
// to end, and after each event every moment is found anew. Slow, and of nothing but the rules: what the engine is held
// against.
#pragma once

#include <map>
#include <span>

#include "validation/checks/reference/plain_dies.h"

namespace ftlab {

class PlainFlash {
 public:
  // What callers that wait get, in order: reads of the host under their tags, and what was awaited.
  struct Report {
    std::uint32_t tag;
    Nanoseconds at;
    bool operator==(const Report&) const = default;
  };

  PlainFlash(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers)
      : dies_(works_, geometry, timing, frontiers) {}
  PlainFlash(const PlainFlash&) = delete;
  PlainFlash& operator=(const PlainFlash&) = delete;

  void accept(std::span<const WorkRecord> records, Nanoseconds now);
  Nanoseconds next() const { return find_next().first; }
  void step();
  void await_programmed(std::uint32_t tag);

  std::vector<Report> reports;
  Nanoseconds die_busy(std::size_t die) const { return dies_.busy(die); }
  // Reads, programs and erases in the order in which they were asked for.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> times() const { return works_.times(); }

 private:
  static constexpr std::size_t kNobody = PlainWorks::kNobody;
  struct Ordered {
    std::vector<std::size_t> programs;  // that must have ended
    std::size_t erase;                  // kNobody: a barrier
    std::uint32_t superblock;
  };
  struct Gate {
    std::size_t program;
    std::uint64_t before;  // erases and barriers of its superblock, of those ever asked for
  };

  struct Waiter {
    Signal signal;
    std::size_t read;  // kNobody: what is attached
    WorkRecord attached;
  };

  void accept(const WorkRecord& record);

  void await_signal(std::size_t read);
  void proceed(std::size_t read);
  void await_data(std::size_t program) { ++works_[program].waits, ++works_[program].unread; }
  bool in_memory(const PlainWork& program) const {
    return program.unread == 0 && !program.record.has(WorkRecord::kInRegister);
  }
  void answer_reads(std::size_t die);
  void accept_program(const WorkRecord& record);
  void accept_erase(const WorkRecord& record);
  // --- what waits ---
  void fulfil(std::size_t w, Nanoseconds at, bool brings_data);
  void raise(Signal signal, Nanoseconds at);
  void open_superblock(std::uint32_t superblock);
  void release_ordered();
  void report_flushes();

  void end(std::size_t d, const PlainDies::Run& run);
  void send(std::size_t d, std::size_t w);
  void deliver(std::size_t w);
  void end_program(std::size_t d, std::size_t w);
  void end_erase(std::size_t w);

  // The earliest moment, and whose it is: a die's, a die's input's or a channel's.
  std::pair<Nanoseconds, std::size_t> find_next() const;

  PlainWorks works_;
  PlainDies dies_;
  std::map<Signal, std::uint32_t> feeders_;
  std::vector<Waiter> waiters_;
  std::map<std::uint32_t, std::uint64_t> asked_, over_;  // erases and barriers by superblock
  std::vector<Gate> gates_;
  std::deque<Ordered> ordered_;
  std::size_t last_erase_ = kNobody;
  std::vector<std::pair<std::size_t, std::size_t>> after_erase_;
  std::vector<std::pair<std::size_t, std::size_t>> held_reads_;  // program of its page, read
  std::uint64_t host_programs_ = 0;
  std::deque<std::pair<std::uint64_t, std::uint32_t>> flushes_;
};

}  // namespace ftlab
