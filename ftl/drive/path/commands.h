// Host commands inside the drive, from arrival to completion, and the firmware's part of each. Trims that are not queued
// wait for all commands before them and hold back those after them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "ftl/drive/path/command.h"
#include "ftl/drive/path/drive_parts.h"
#include "ftl/drive/path/idle_time.h"
#include "sim/completion_queue.h"

namespace ftlab {

class Commands {
 public:
  static constexpr std::uint32_t kNoCommand = ~std::uint32_t{0};

  // REQUIRES: both outlive it.
  Commands(DriveParts& drive, IdleTime& idle_time) : drive_(drive), idle_time_(idle_time) {}

  Command& operator[](std::uint32_t id) {
    FTLAB_DCHECK(id < commands_.size(), "command " + std::to_string(id) + " of " + std::to_string(commands_.size()));
    return commands_[id];
  }
  Completion& done(std::uint32_t id) { return outstanding_.at(id); }

  // Adds a command that arrives. Returns its number, or kNoCommand if it is invalid and already complete.
  std::uint32_t add(const Request& request);
  // Starts the command's firmware, unless a trim holds it back.
  void hold_back_or_start(std::uint32_t id);
  void start(std::uint32_t id);
  // The trim that held back others is complete: starts them, up to another trim.
  void end_trim_barrier();

  // Attributes the time up to now to waiting for other commands.
  void end_wait(std::uint32_t id) {
    Command& command = commands_[id];
    const Nanoseconds now = drive_.agenda.now();
    charge(done(id), LatencyPart::controller_wait, command.at, now);
    command.at = std::max(command.at, now);
  }
  // Completes the command at `at`, plus the link's time for the completion.
  void finish(std::uint32_t id, Nanoseconds at);

  // Untimed: a request is executed at once. Returns its completion, to be filled in before the next request begins, unless
  // it has failed. A zone append gets its offset.
  Completion& begin_untimed(Request& request);
  void finish_untimed(const Request& request, const Completion& done);

  std::uint32_t in_work() const { return in_work_; }
  bool at_rest() const { return in_work_ == 0 && outstanding_.empty() && drive_.front.queues.empty(); }
  // Pages of writes that have not reached the layer yet.
  std::uint32_t pages_to_come() const;
  // When a command that waits in the host gets a place in the queue; kNever if none waits.
  Nanoseconds next_place() const { return next_place_; }
  void set_next_place();
  void forget_next_place() { next_place_ = kNever; }
  // Like Device::wait().
  Nanoseconds earliest_completion() const { return outstanding_.earliest(); }
  std::size_t take(Nanoseconds until, std::span<Completion> out) { return outstanding_.wait(until, out); }
  std::size_t take_untimed(std::span<Completion> out) { return outstanding_.take_at_once(out); }
  // Drops all commands, when the power is cut or another state is loaded.
  void clear();

 private:
  void leave_queue(std::uint32_t id, Nanoseconds at);
  void finish_at_barrier(std::uint32_t id, Nanoseconds at);
  bool is_valid(const Request& request) const;
  Status accept(Request& request);
  void find_pages(Command& command) const;
  Nanoseconds firmware(Command& command, Completion& done, Nanoseconds from);
  std::uint64_t unmapped_pages(const Request& request) const;
  Nanoseconds search_map(const Request& request);
  Nanoseconds look_up_contents(const Request& request) const;

  DriveParts& drive_;
  IdleTime& idle_time_;
  CompletionQueue outstanding_;
  std::vector<Command> commands_;            // indexed by slot in outstanding_
  std::vector<std::uint32_t> held_back_;     // by a trim that is not queued
  std::uint32_t barrier_trim_ = kNoCommand;  // that trim
  std::uint32_t in_work_ = 0;                // commands whose completion time is not known
  std::uint64_t arrivals_ = 0;
  Nanoseconds next_place_ = kNever;
};

[[gnu::always_inline]] inline void Commands::finish(std::uint32_t id, Nanoseconds at) {
  Completion& done = outstanding_.at(id);
  FTLAB_DCHECK(in_work_ > 0 && at >= done.completed, "a command ends before it began");
  const Nanoseconds answer = done.status == Status::invalid ? Nanoseconds{0} : drive_.config.link.complete;
  charge(done, LatencyPart::link, at, at + answer);
  done.completed = at + answer;
  idle_time_.begin(drive_.config, done.completed);
  if (drive_.journal != nullptr && commands_[id].flush != 0) [[unlikely]]
    drive_.journal->flush_ended(commands_[id].flush, done.completed);
  --in_work_;
  drive_.contents.add_renumbering(*drive_.layer);
  if (drive_.front.queues.limit())
    leave_queue(id, done.completed);
  outstanding_.complete(id);
  if (barrier_trim_ != kNoCommand) [[unlikely]]
    finish_at_barrier(id, at);
}

}  // namespace ftlab
