// A power cut, what a saved state must fulfil, and the log of operations.
#include <algorithm>

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

// Of what was loaded: every number leads to something, so that nothing walks out of its list. What contradicts itself beyond
// that is found by a check when it is used.
bool FlashEngine::is_sound() const {
  const std::size_t count = operations_.size(), frontiers = programs_.size();
  const auto operation = [count](std::uint32_t id) { return id < count; };
  const auto program = [this](std::size_t frontier, std::uint32_t number) {  // number + 1
    return number == kNone || programs_[frontier].open(number - 1);
  };
  bool sound = count > 0 && operation(free_operation_) && operation(last_erase_);
  for (const Operation& it : operations_) {
    sound = sound && operation(it.next) && it.record.die < dies_count_ && it.record.frontier < frontiers &&
            it.record.kind <= WorkRecord::Kind::barrier && it.record.nand_page < times_.pages_per_block() &&
            it.record.bytes <= times_.most_bytes() && it.record.planes <= times_.planes() &&
            it.record.first_plane + it.record.planes <= kMostPlanes;
  }
  for (const DieState& die : dies_) {
    sound = sound && die.runs <= kMostPlanes && die.state <= State::stopping && (die.state == State::free || die.runs > 0);
    for (const List& queue : die.queues) sound = sound && operation(queue.head) && operation(queue.tail);
    for (std::uint32_t i = 0; sound && i < die.runs; ++i) sound = is_sound(die.run[i]);
    sound = sound && (die.holds == 0 || is_sound(die.held));
    for (std::size_t f = 0; f < frontiers; ++f) {
      const Input& in = die.inputs[f];
      sound = sound && program(f, in.loaded) && program(f, in.head) && (in.head == kNone || program(f, in.tail));
    }
  }
  for (const FrontierPrograms& programs : programs_)
    sound = sound && programs.is_sound(dies_count_, times_.pages_per_block());
  for (const Channel& channel : channels_) {
    for (std::size_t i = 0; i < channel.out.size(); ++i) sound = sound && operation(channel.out[i].operation);
  }
  for (std::size_t i = 0; i < ordered_.size(); ++i)
    sound = sound && operation(ordered_[i].operation) && ordered_[i].superblock < erasing_.size();
  for (const Gated& gated : gated_) sound = sound && gated.frontier < frontiers && gated.superblock < erasing_.size();
  for (const AfterErase& after : after_erase_) sound = sound && operation(after.first) && operation(after.second);
  return sound && lists_end();
}

bool FlashEngine::is_sound(const Running& running) const {
  if (is_holding(running.flash_class) || running.flash_class < kPrograms) return running.id < operations_.size();
  return running.flash_class < classes_ && programs_[running.flash_class - kPrograms].open(running.id);
}

// No list of operations goes round.
bool FlashEngine::lists_end() const {
  const auto ends = [this](std::uint32_t id) {
    for (std::size_t steps = 0; id != kNone; id = operations_[id].next) {
      if (++steps > operations_.size()) return false;
    }
    return true;
  };
  bool all = ends(free_operation_);
  for (const DieState& die : dies_) {
    for (const List& queue : die.queues) all = all && ends(queue.head);
  }
  return all;
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
