#include "models/hdd/arm_choice.h"

namespace ftlab {

namespace {

ArmChoice oldest(const ArmWork& work, Nanoseconds now) {
  std::optional<std::size_t> first;
  Nanoseconds accepted = kNever;
  for (std::size_t i = 0; i < work.pending.size(); ++i) {
    const DiskCommand& command = work.commands[work.pending[i]];
    if (command.ready > now || command.accepted >= accepted) continue;
    first = i;
    accepted = command.accepted;
  }
  const std::optional<CommandTable::Slot> write = work.write_back.first_waiting();
  const bool write_is_older = write && work.commands[*write].accepted < accepted;
  if (work.writing_from <= now && (write_is_older || !first)) return {true, 0};
  FTLAB_CHECK(first.has_value(), "the arm has nothing to choose from");
  return {false, *first};
}

// True if the oldest work has waited for too long. A write that waits for room in the cache ages like a read.
bool is_overdue(const ArmWork& work, const ArmChoice& choice, Nanoseconds now) {
  const std::optional<CommandTable::Slot> command =
      choice.from_cache ? work.write_back.first_waiting() : work.pending[choice.index];
  return command && now - work.commands[*command].accepted > work.config.most_age;
}

ArmChoice shortest(const ArmWork& work, Nanoseconds now) {
  ArmChoice choice;
  Nanoseconds least = kNever;
  const auto consider = [&](Nanoseconds takes, const ArmChoice& other) {
    if (takes < least) least = takes, choice = other;
  };
  for (std::size_t i = 0; i < work.pending.size(); ++i) {
    const DiskCommand& command = work.commands[work.pending[i]];
    if (command.ready > now) continue;
    consider(continues_stream(work.arm, command, now)
                 ? Nanoseconds{0}
                 : work.arm.cost(command.first, command.place, command.writes(), now, work.config.arrival_margin),
             {false, i});
  }
  const bool reads_first = !work.write_back.is_urgent() && least != kNever;
  if (work.writing_from > now || reads_first) return choice;
  const WriteCache& cache = work.write_back.cache();
  for (std::size_t i = 0; i < cache.candidates() && cache.piece(i).ready <= now; ++i)
    consider(work.arm.cost(cache.piece(i).first, cache.piece(i).place, true, now, work.config.arrival_margin), {true, i});
  return choice;
}

}  // namespace

bool continues_stream(const DiskArm& arm, const DiskCommand& command, Nanoseconds now) {
  return command.request.op == Op::read && arm.reads_towards(command.first, command.end, now);
}

ArmChoice choose(const ArmWork& work, Nanoseconds now) {
  const ArmChoice first = oldest(work, now);
  if (work.config.order == DiskQueueConfig::Order::fifo || is_overdue(work, first, now)) return first;
  return shortest(work, now);
}

}  // namespace ftlab
