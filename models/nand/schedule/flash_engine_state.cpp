// A power cut, what a saved state must fulfil, and the log of operations.
#include <algorithm>
#include <utility>

#include "models/nand/schedule/flash_engine.h"
#include "sim/core/check.h"

namespace ftlab {

void FlashEngine::clear(Nanoseconds now) {
  FTLAB_CHECK(now >= now_ || idle(), "the power fails in the past, amid work");
  now_ = std::max(now_, now);
  for (DieState& die : dies_) {
    if (die.state == State::stopping) take_back(die, DieTime::suspensions, die.stop_end - std::min(now_, die.stop_end));
    for (std::uint32_t i = 0; die.state != State::stopping && i < die.runs; ++i) take_back_rest(die, die.run[i]);
    const Nanoseconds busy = die.busy;
    static_cast<SavedDie&>(die) = SavedDie{};
    die.busy = busy;
    die.ready.fill(kNever);
    die.inputs.fill(Input{});
  }
  for (PlaneQueues& waiting : beside_) waiting.clear();
  for (Channel& channel : channels_) {
    channel.busy -= std::min(channel.busy, channel.free > now_ ? channel.free - now_ : Nanoseconds{0});
    channel.free = std::min(channel.free, now_);
    channel.out.clear();
  }
  for (FrontierPrograms& programs : programs_) programs.restart();
  operations_.resize(1);
  free_operation_ = last_erase_ = kNone;
  signals_.clear();
  order_.clear();
  host_order_.clear();
  ordered_.clear();
  awaited_.clear();
  gated_.clear();
  after_erase_.clear();
  programs_of_.clear();
  arriving_.clear();
  erasing_.clear();
  host_reads_.clear();
  reached_.clear();
  programs_in_flight_ = host_pages_in_flight_ = moved_pages_in_flight_ = freed_places_ = 0;
  under_way_ = 0;
  for (std::uint32_t leaf = 0; leaf < 2 * dies_count_ + channels_.size(); ++leaf) tree_.set(leaf, kNever);
}

// Of what runs when the power fails: the time that was counted, but will not be spent.
void FlashEngine::take_back_rest(DieState& die, const Running& running) {
  const Nanoseconds remains = running.end - std::min(now_, running.end);
  const bool alone = !is_holding(running.flash_class) && running.flash_class > kInternalReads;
  const Nanoseconds work = alone ? std::min(die.left, remains) : remains;
  take_back(die, use_of(running), work);
  const Nanoseconds before = remains - work;  // that the array works, or works again
  if (now_ >= die.work_from || before == Nanoseconds{0}) return take_back(die, DieTime::suspensions, before);
  // Its data are on their way, or wait for the channel, which is not counted.
  const FlashProgram& program = programs_[running.flash_class - kPrograms].at(running.id);
  take_back(die, use_of(running), std::min(before, transfer_in(program)));
}

// Every number leads to something, so that nothing walks out of its list. What contradicts itself beyond that is found by a
// check when it is used.
std::span<const Rule<FlashEngine>> FlashEngine::rules() {
  static constexpr Rule<FlashEngine> kRules[] = {
      {"something is due in the past.",
       [](const FlashEngine& engine) {
         bool ahead = true;
         const std::size_t leaves = 2 * engine.dies_count_ + engine.channels_.size();
         for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) ahead = ahead && engine.tree_.at(leaf) >= engine.now_;
         return ahead;
       }},
      {"there is no place for operations.", [](const FlashEngine& engine) { return !engine.operations_.empty(); }},
      {"its free, or its last, operation does not exist.",
       [](const FlashEngine& engine) {
         return engine.is_operation(engine.free_operation_) && engine.is_operation(engine.last_erase_);
       }},
      {"an operation is followed by one that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.operations_, [&](const Operation& it) { return engine.is_operation(it.next); });
       }},
      {"an operation is of no kind.",
       [](const FlashEngine& engine) {
         return each(engine.operations_, [](const Operation& it) { return it.record.kind <= WorkRecord::Kind::barrier; });
       }},
      {"an operation is for a frontier that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.operations_, [&](const Operation& it) { return it.record.frontier < engine.programs_.size(); });
       }},
      {"an operation is of a page that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.operations_, [&](const Operation& it) {
           return it.record.die < engine.dies_count_ && it.record.nand_page < engine.times_.pages_per_block();
         });
       }},
      {"an operation is of a superblock that does not exist, or is not being erased.",
       [](const FlashEngine& engine) {
         return each(engine.operations_, [&](const Operation& it) {
           const WorkRecord& record = it.record;
           const bool read = record.kind == WorkRecord::Kind::read, erase = record.kind == WorkRecord::Kind::erase;
           if (read && record.superblock == number(kNoBlock)) return true;
           return record.superblock < (erase ? engine.erasing_.size() : engine.superblocks_);
         });
       }},
      {"an operation is of more than a page of each plane.",
       [](const FlashEngine& engine) {
         return each(engine.operations_, [&](const Operation& it) {
           return it.record.bytes <= engine.times_.most_bytes() &&
                  it.record.first_plane + it.record.planes <= engine.times_.planes();
         });
       }},
      {"a program is of more planes than a die has.",
       [](const FlashEngine& engine) {
         return each(engine.programs_, [&](const FrontierPrograms& programs) {
           return each(programs.places(), [&](const FlashProgram& it) { return it.planes <= engine.times_.planes(); });
         });
       }},
      {"erases are under way of more superblocks than there are.",
       [](const FlashEngine& engine) {
         return engine.erasing_.size() <= engine.superblocks_ && engine.programs_of_.size() <= engine.superblocks_;
       }},
      {"a die is in no state.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [](const DieState& die) { return die.state <= State::stopping; });
       }},
      {"a die is at work on nothing, or on more than its planes.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [](const DieState& die) {
           return die.runs <= kMostPlanes && (die.state == State::free || die.runs > 0);
         });
       }},
      {"a queue of a die leads to an operation that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [&](const DieState& die) {
           return each(die.queues, [&](const List& queue) {
             return engine.is_operation(queue.head) && engine.is_operation(queue.tail);
           });
         });
       }},
      {"a read that waits for independent planes does not exist, or needs others.",
       [](const FlashEngine& engine) {
         return each(engine.beside_, [&](const PlaneQueues& waiting) {
           return each(waiting.in_order(), [&](const PlaneQueues::Waiting& it) {
             return it.id != kNone && engine.is_operation(it.id) &&
                    it.planes == engine.planes_of(engine.operations_[it.id].record);
           });
         });
       }},
      {"what a die is at leads nowhere.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [&](const DieState& die) {
           return each(std::span(die.run.data(), die.runs), [&](const Running& one) { return engine.can_run(one); });
         });
       }},
      {"what a die has suspended leads nowhere.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [&](const DieState& die) { return die.holds == 0 || engine.can_run(die.held); });
       }},
      {"a program that a die has, or that waits for it, does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [&](const DieState& die) {
           bool all = true;
           for (std::size_t f = 0; f < engine.programs_.size(); ++f) {
             const Input& in = die.inputs[f];
             all = all && engine.is_program(f, in.loaded) && engine.is_program(f, in.head) &&
                   (in.head == kNone || engine.is_program(f, in.tail));
           }
           return all;
         });
       }},
      {"a channel carries data of an operation that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.channels_, [&](const Channel& channel) {
           return each(channel.out, [&](const ReadOut& out) { return engine.is_operation(out.operation); });
         });
       }},
      {"an erase that waits for programs does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.ordered_, [&](const Ordered& it) {
           return engine.is_operation(it.operation) && it.superblock < engine.erasing_.size();
         });
       }},
      {"a program waits for the erase of nothing.",
       [](const FlashEngine& engine) {
         return each(engine.gated_, [&](const Gated& it) {
           return it.frontier < engine.programs_.size() && it.superblock < engine.erasing_.size();
         });
       }},
      {"an erase waits for one that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.after_erase_,
                     [&](const AfterErase& it) { return engine.is_operation(it.first) && engine.is_operation(it.second); });
       }},
      {"a read waits for a program that does not exist, or does not exist itself.",
       [](const FlashEngine& engine) {
         return each(engine.arriving_,
                     [&](const Programmed& it) {
                       return it.frontier < engine.programs_.size() && it.number != kNone &&
                              engine.is_program(it.frontier, it.number);
                     }) &&
                each(engine.programs_, [&](const FrontierPrograms& programs) {
                  return each(programs.places(), [&](const FlashProgram& it) {
                    return engine.is_operation(it.first_read) && engine.is_operation(it.last_read);
                  });
                });
       }},
      {"programs of a superblock are those of a frontier that does not exist.",
       [](const FlashEngine& engine) {
         return each(engine.programs_of_, [&](const OfSuperblock& it) { return it.frontier < engine.programs_.size(); });
       }},
      {"an operation or a program is in two places, or a list does not end where it says.",
       [](const FlashEngine& engine) { return engine.each_in_one_place(); }},
      {"what is under way does not add up.", [](const FlashEngine& engine) { return engine.adds_up(); }},
      {"a die is ready for what is not in its queue, or not for what is.",
       [](const FlashEngine& engine) {
         return each(engine.dies_, [&](const DieState& die) {
           bool all = true;
           for (std::uint32_t c = 0; c < kPrograms; ++c) {
             const bool beside = c <= kInternalReads && !engine.beside_.empty();
             const std::uint32_t first = beside ? engine.beside_[2 * die.number + c].oldest() : die.queues[c].head;
             all = all && (first == kNone) == (die.ready[c] == kNever) && (!beside || die.queues[c].head == kNone);
           }
           return all;
         });
       }},
  };
  return kRules;
}

bool FlashEngine::can_run(const Running& running) const {
  if (is_holding(running.flash_class) || running.flash_class < kPrograms) return is_operation(running.id);
  return running.flash_class < classes_ && programs_[running.flash_class - kPrograms].open(running.id);
}

// REQUIRES: all numbers lead to something. A list that goes round comes by one of its own again.
bool FlashEngine::each_in_one_place() const {
  std::vector<std::uint8_t> seen(operations_.size());
  const auto once = [&](std::uint32_t id) { return id == kNone || !std::exchange(seen[id], 1); };
  const auto list = [&](std::uint32_t head, const std::uint32_t* tail) {
    std::uint32_t last = kNone;
    for (std::uint32_t id = head; id != kNone; last = id, id = operations_[id].next) {
      if (!once(id)) return false;
    }
    return head == kNone || tail == nullptr || last == *tail;
  };
  if (!list(free_operation_, nullptr)) return false;
  for (const DieState& die : dies_) {
    for (const List& queue : die.queues) {
      if (!list(queue.head, &queue.tail)) return false;
    }
    for (std::uint32_t i = 0; i < die.runs; ++i) {
      if (die.run[i].flash_class < kPrograms && !once(die.run[i].id)) return false;
    }
    if (die.holds != 0 && die.held.flash_class < kPrograms && !once(die.held.id)) return false;
  }
  for (const PlaneQueues& waiting : beside_) {
    if (!each(waiting.in_order(), [&](const PlaneQueues::Waiting& it) { return once(it.id); })) return false;
  }
  for (const Channel& channel : channels_) {
    if (!each(channel.out, [&](const ReadOut& out) { return once(out.operation); })) return false;
  }
  if (!each(ordered_, [&](const Ordered& it) { return once(it.operation); })) return false;
  if (!each(after_erase_, [&](const AfterErase& it) { return once(it.second); })) return false;
  for (std::uint32_t f = 0; f < frontiers_; ++f) {
    const FrontierPrograms& programs = programs_[f];
    if (!each(programs.places(), [&](const FlashProgram& it) { return list(it.first_read, &it.last_read); })) return false;
    std::vector<std::uint8_t> waits(programs.places().size());
    for (const DieState& die : dies_) {
      std::uint32_t last = kNone;
      for (std::uint32_t n = die.inputs[f].head; n != kNone; last = n, n = programs.at(n - 1).next) {
        if (std::exchange(waits[(n - 1) % waits.size()], 1)) return false;
      }
      if (die.inputs[f].head != kNone && last != die.inputs[f].tail) return false;
    }
  }
  return true;
}

// REQUIRES: each_in_one_place().
bool FlashEngine::adds_up() const {
  std::uint64_t operations = operations_.size() - 1, programs = 0, host_pages = 0, moved_pages = 0;
  for (std::uint32_t id = free_operation_; id != kNone; id = operations_[id].next) --operations;
  for (const FrontierPrograms& of_frontier : programs_) {
    for (const FlashProgram& it : of_frontier.places()) {
      if ((it.flags & FlashProgram::kKnown) == 0) continue;
      ++programs;
      host_pages += it.host_pages;
      moved_pages += it.moved_pages;
    }
  }
  return under_way_ == operations + programs && programs_in_flight_ == programs && host_pages_in_flight_ == host_pages &&
         moved_pages_in_flight_ == moved_pages;
}

// What is under way is not in the new log.
void FlashEngine::record(std::vector<TimedOperation>* log) {
  log_ = log;
  for (Operation& operation : operations_) operation.logged = 0;
  for (FrontierPrograms& programs : programs_) programs.forget_log();
}

std::uint32_t FlashEngine::add_to_log(const WorkRecord& record) {
  FlashOperation asked;
  asked.kind = record.kind == WorkRecord::Kind::program ? FlashOperation::Kind::program
               : record.kind == WorkRecord::Kind::erase ? FlashOperation::Kind::erase
               : record.has(WorkRecord::kKeepsData)     ? FlashOperation::Kind::read_internally
                                                        : FlashOperation::Kind::read;
  asked.die = Die{record.die};
  asked.ready = now_;
  asked.page = record.page();
  asked.bytes = record.bytes;
  asked.planes = record.planes;
  asked.frontier = record.frontier;
  asked.in_register = record.has(WorkRecord::kInRegister);
  log_->push_back({asked, kNever, kNever});
  return static_cast<std::uint32_t>(log_->size());
}

void FlashEngine::append_to_log(std::uint32_t logged, Nanoseconds start, Nanoseconds done) {
  FTLAB_CHECK(log_ != nullptr && logged <= log_->size(), "an operation ends that the log has forgotten");
  TimedOperation& operation = (*log_)[logged - 1];
  if (start != kNever) operation.start = start;
  if (done != kNever) operation.done = done;
}

}  // namespace ftlab
