#include "models/nand/schedule/loaded_flash.h"

#include <algorithm>
#include <utility>

namespace ftlab {

// Every index is valid, so no list leads out of its table. Other contradictions fail a check when they are used.
std::span<const Rule<LoadedFlash>> LoadedFlash::rules() {
  using Flash = LoadedFlash;
  using Kind = WorkRecord::Kind;
  static constexpr Rule<Flash> kRules[] = {
      {"something is due in the past.", [](const Flash& it) { return it.shared.next() >= it.shared.now; }},
      {"the table of operations is missing.", [](const Flash& it) { return !it.operations().all().empty(); }},
      {"its free, or its last, operation does not exist.",
       [](const Flash& it) {
         return it.operations().has(it.operations().first_free()) && it.order.has_last_erase(it.operations());
       }},
      {"an operation is followed by one that does not exist.",
       [](const Flash& it) { return it.each_operation([&](const auto& one) { return it.operations().has(one.next); }); }},
      {"an operation is of no kind.",
       [](const Flash& it) { return it.each_operation([](const auto& one) { return one.record.kind <= Kind::barrier; }); }},
      {"an operation is for a frontier that does not exist.",
       [](const Flash& it) {
         return it.each_operation([&](const auto& one) { return one.record.frontier < it.frontiers(); });
       }},
      {"an operation is of a page that does not exist.",
       [](const Flash& it) {
         return it.each_operation([&](const auto& one) {
           return one.record.die < it.shared.dies && one.record.nand_page < it.shared.times.pages_per_block();
         });
       }},
      {"an operation is of a superblock that does not exist, or is not being erased.",
       [](const Flash& it) {
         return it.each_operation([&](const auto& one) {
           const WorkRecord& record = one.record;
           if (record.kind == Kind::read && record.superblock == number(kNoBlock)) return true;
           return record.superblock < (record.kind == Kind::erase ? it.order.superblocks() : it.shared.superblocks);
         });
       }},
      {"an operation is of more than a page of each plane.",
       [](const Flash& it) {
         return it.each_operation([&](const auto& one) {
           return one.record.bytes <= it.shared.times.most_bytes() &&
                  one.record.first_plane + one.record.planes <= it.shared.times.planes();
         });
       }},
      {"a program is of more planes than a die has.",
       [](const Flash& it) {
         return it.each_program([&](const auto& program) { return program.planes <= it.shared.times.planes(); });
       }},
      {"erases are under way of more superblocks than there are.",
       [](const Flash& it) { return std::max(it.order.superblocks(), it.early.superblocks()) <= it.shared.superblocks; }},
      {"a die is in no state.",
       [](const Flash& it) {
         return each(it.dies, [](const FlashDie& die) { return die.state().state <= FlashDie::State::stopping; });
       }},
      {"a die runs no operation, or more than it has planes.",
       [](const Flash& it) {
         return each(it.dies, [](const FlashDie& die) {
           return die.state().runs <= FlashDie::kMostPlanes &&
                  (die.state().state == FlashDie::State::free || die.state().runs > 0);
         });
       }},
      {"a queue of a die leads to an operation that does not exist.",
       [](const Flash& it) {
         return each(it.dies, [&](const FlashDie& die) {
           return each(die.state().queues, [&](const OperationList& queue) { return it.has(queue); });
         });
       }},
      {"a read that waits for independent planes does not exist, or needs others.",
       [](const Flash& it) {
         return it.each_beside([&](const PlaneQueues::Waiting& read) {
           return read.id != OperationTable::kNone && it.operations().has(read.id) &&
                  read.planes == planes_of(it.shared.rules, it.operations().all()[read.id].record);
         });
       }},
      {"a die runs an unknown operation.",
       [](const Flash& it) {
         return each(it.dies, [&](const FlashDie& die) {
           return each(die.running(), [&](const FlashDie::Running& one) { return it.can_run(one); });
         });
       }},
      {"a die has suspended an unknown operation.",
       [](const Flash& it) {
         return each(it.dies, [&](const FlashDie& die) { return die.state().holds == 0 || it.can_run(die.state().held); });
       }},
      {"a program that a die has, or that waits for it, does not exist.",
       [](const Flash& it) {
         return it.each_input([&](std::uint32_t f, const FlashDie::Input& in) {
           return it.is_program(f, in.loaded) && it.is_program(f, in.head) && (in.head == 0 || it.is_program(f, in.tail));
         });
       }},
      {"a channel carries data of an operation that does not exist.",
       [](const Flash& it) {
         return it.each_on_the_way([&](const ReadOut& out) { return it.operations().has(out.operation); });
       }},
      {"an erase that waits for programs does not exist.",
       [](const Flash& it) { return it.order.has_ordered(it.operations()); }},
      {"a program waits for the erase of nothing.", [](const Flash& it) { return it.order.has_gated(it.frontiers()); }},
      {"an erase waits for one that does not exist.",
       [](const Flash& it) { return it.order.has_erases_behind(it.operations()); }},
      {"a read waits for a program that does not exist, or does not exist itself.",
       [](const Flash& it) {
         const auto exists = [&](const EarlyReads::Programmed& one) {
           return one.frontier < it.frontiers() && one.number != 0 && it.is_program(one.frontier, one.number);
         };
         return each(it.early.arriving(), exists) &&
                it.each_program([&](const auto& program) { return it.has(program.reads); });
       }},
      {"programs of a superblock are those of a frontier that does not exist.",
       [](const Flash& it) { return it.early.has_frontiers(it.frontiers()); }},
      {"an operation or a program is in two places, or a list does not end where it says.",
       [](const Flash& it) { return it.each_operation_in_one_place() && it.each_program_in_one_place(); }},
      {"the operations in flight do not add up.", [](const Flash& it) { return it.adds_up(); }},
      {"a die is ready for what is not in its queue, or not for what is.",
       [](const Flash& it) {
         return each(it.dies, [&](const FlashDie& die) { return die.is_ready_for_its_queues(it.shared.rules); });
       }},
  };
  return kRules;
}

bool LoadedFlash::can_run(const FlashDie::Running& running) const {
  if (running.holds_data() || running.flash_class < kPrograms) return operations().has(running.id);
  return running.flash_class < shared.classes() && shared.programs[running.flash_class - kPrograms].open(running.id);
}

// REQUIRES: all indices are valid. A cyclic list is found when it reaches one of its entries again.
bool LoadedFlash::each_operation_in_one_place() const {
  const std::vector<Operation>& all = operations().all();
  std::vector<std::uint8_t> seen(all.size());
  const auto once = [&](std::uint32_t id) { return id == OperationTable::kNone || !std::exchange(seen[id], 1); };
  const auto runs_once = [&](const FlashDie::Running& one) { return one.flash_class >= kPrograms || once(one.id); };
  const auto list = [&](std::uint32_t head, std::uint32_t& last) {
    for (std::uint32_t id = head; id != OperationTable::kNone; last = id, id = all[id].next) {
      if (!once(id)) return false;
    }
    return true;
  };
  const auto ends_there = [&](const OperationList& one) {
    std::uint32_t last = one.tail;
    return list(one.head, last) && last == one.tail;
  };
  std::uint32_t last_free = 0;
  const auto of_die_once = [&](const FlashDie& die) {
    return each(die.state().queues, ends_there) && each(die.running(), runs_once) &&
           (die.state().holds == 0 || runs_once(die.state().held));
  };
  return list(operations().first_free(), last_free) && each(dies, of_die_once) &&
         each_beside([&](const PlaneQueues::Waiting& read) { return once(read.id); }) &&
         each_on_the_way([&](const ReadOut& out) { return once(out.operation); }) && order.each_waiting(once) &&
         each_program([&](const FlashProgram& program) { return ends_there(program.reads); });
}

bool LoadedFlash::each_program_in_one_place() const {
  std::vector<std::vector<std::uint8_t>> waits;
  for (const FrontierPrograms& programs : shared.programs) waits.emplace_back(programs.places().size());
  return each_input([&](std::uint32_t f, const FlashDie::Input& in) {
    std::uint32_t last = in.tail;
    for (std::uint32_t n = in.head; n != 0; last = n, n = shared.programs[f].at(n - 1).next) {
      if (std::exchange(waits[f][(n - 1) % waits[f].size()], 1)) return false;
    }
    return last == in.tail;
  });
}

// REQUIRES: each operation is in one place.
bool LoadedFlash::adds_up() const {
  std::uint64_t open = operations().all().size() - 1, programs = 0, host_pages = 0, moved_pages = 0;
  for (std::uint32_t id = operations().first_free(); id != OperationTable::kNone; id = operations().all()[id].next) --open;
  each_program([&](const FlashProgram& program) {
    if ((program.flags & FlashProgram::kKnown) == 0) return true;
    ++programs;
    host_pages += program.host_pages;
    moved_pages += program.moved_pages;
    return true;
  });
  return operations().open() == open && in_flight.programs() == programs && in_flight.host_pages() == host_pages &&
         in_flight.moved_pages() == moved_pages;
}

}  // namespace ftlab
