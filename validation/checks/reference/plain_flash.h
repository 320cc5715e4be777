// A simple second implementation of the rules of docs/scheduling.md: linear searches through lists, and all event times are
// recomputed after each event. Slow. The flash engine is compared with it.
#pragma once

#include <map>
#include <span>

#include "validation/checks/reference/plain_dies.h"

namespace ftlab {

class PlainFlash {
 public:
  // Reports to waiting callers, in order: host reads and awaited programs, by tag.
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
  // Start and end of reads, programs and erases, in the order of requests.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> times() const { return works_.times(); }

 private:
  static constexpr std::size_t kNone = PlainWorks::kNone;
  struct Ordered {
    std::vector<std::size_t> programs;  // that must end first
    std::size_t erase;                  // kNone: a barrier
    std::uint32_t superblock;
  };
  struct Gate {
    std::size_t program;
    std::uint64_t before;  // erases and barriers of its superblock requested before it
  };

  struct Waiter {
    Signal signal;
    std::size_t read;  // kNone: `attached` waits
    WorkRecord attached;
  };

  void accept(const WorkRecord& record);

  void await_signal(std::size_t read);
  void proceed(std::size_t read);
  void await_data(std::size_t program) { ++works_[program].waits, ++works_[program].unread; }
  bool in_memory(const PlainWork& program) const {
    return program.unread == 0 && !program.record.has(WorkRecord::kInRegister);
  }
  void serve_from_memory(std::size_t die);
  void accept_program(const WorkRecord& record);
  void accept_erase(const WorkRecord& record);
  // --- waiting operations ---
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

  // Time of the next event, and its source: a die, a die's input or a channel.
  std::pair<Nanoseconds, std::size_t> find_next() const;

  PlainWorks works_;
  PlainDies dies_;
  std::map<Signal, std::uint32_t> feeders_;
  std::vector<Waiter> waiters_;
  std::map<std::uint32_t, std::uint64_t> asked_, over_;  // erases and barriers by superblock
  std::vector<Gate> gates_;
  std::deque<Ordered> ordered_;
  std::size_t last_erase_ = kNone;
  std::vector<std::pair<std::size_t, std::size_t>> after_erase_;
  std::vector<std::pair<std::size_t, std::size_t>> held_reads_;  // program of its page, read
  std::uint64_t host_programs_ = 0;
  std::deque<std::pair<std::uint64_t, std::uint32_t>> flushes_;
};

}  // namespace ftlab
