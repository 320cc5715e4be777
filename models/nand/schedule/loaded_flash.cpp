#include "models/nand/schedule/loaded_flash.h"

#include <algorithm>
#include <utility>

namespace ftlab {

// Every number leads to something, so that nothing walks out of its list. What contradicts itself beyond that is found by a
// check when it is used.
std::span<const Rule<LoadedFlash>> LoadedFlash::rules() {
  using Flash = LoadedFlash;
  static constexpr Rule<Flash> kRules[] = {
      {"something is due in the past.",
       [](const Flash& flash) {
         bool ahead = true;
         for (std::uint32_t leaf = 0; leaf < flash.shared.leaves(); ++leaf)
           ahead = ahead && flash.shared.moments.at(leaf) >= flash.shared.now;
         return ahead;
       }},
      {"there is no place for operations.", [](const Flash& flash) { return !flash.shared.operations.all().empty(); }},
      {"its free, or its last, operation does not exist.",
       [](const Flash& flash) {
         const OperationTable& operations = flash.shared.operations;
         return operations.has(operations.first_free()) && flash.order.has_last_erase(operations);
       }},
      {"an operation is followed by one that does not exist.",
       [](const Flash& flash) {
         return flash.each_operation([&](const Operation& it) { return flash.shared.operations.has(it.next); });
       }},
      {"an operation is of no kind.",
       [](const Flash& flash) {
         return flash.each_operation([](const Operation& it) { return it.record.kind <= WorkRecord::Kind::barrier; });
       }},
      {"an operation is for a frontier that does not exist.",
       [](const Flash& flash) {
         return flash.each_operation([&](const Operation& it) { return it.record.frontier < flash.frontiers(); });
       }},
      {"an operation is of a page that does not exist.",
       [](const Flash& flash) {
         return flash.each_operation([&](const Operation& it) {
           return it.record.die < flash.shared.dies && it.record.nand_page < flash.shared.times.pages_per_block();
         });
       }},
      {"an operation is of a superblock that does not exist, or is not being erased.",
       [](const Flash& flash) {
         return flash.each_operation([&](const Operation& it) {
           const WorkRecord& record = it.record;
           const bool read = record.kind == WorkRecord::Kind::read, erase = record.kind == WorkRecord::Kind::erase;
           if (read && record.superblock == number(kNoBlock)) return true;
           return record.superblock < (erase ? flash.order.superblocks() : flash.shared.superblocks);
         });
       }},
      {"an operation is of more than a page of each plane.",
       [](const Flash& flash) {
         return flash.each_operation([&](const Operation& it) {
           return it.record.bytes <= flash.shared.times.most_bytes() &&
                  it.record.first_plane + it.record.planes <= flash.shared.times.planes();
         });
       }},
      {"a program is of more planes than a die has.",
       [](const Flash& flash) {
         return flash.each_program([&](const FlashProgram& it) { return it.planes <= flash.shared.times.planes(); });
       }},
      {"erases are under way of more superblocks than there are.",
       [](const Flash& flash) {
         return std::max(flash.order.superblocks(), flash.early.superblocks()) <= flash.shared.superblocks;
       }},
      {"a die is in no state.",
       [](const Flash& flash) {
         return each(flash.dies, [](const FlashDie& die) { return die.state().state <= FlashDie::State::stopping; });
       }},
      {"a die is at work on nothing, or on more than its planes.",
       [](const Flash& flash) {
         return each(flash.dies, [](const FlashDie& die) {
           return die.state().runs <= FlashDie::kMostPlanes &&
                  (die.state().state == FlashDie::State::free || die.state().runs > 0);
         });
       }},
      {"a queue of a die leads to an operation that does not exist.",
       [](const Flash& flash) {
         return each(flash.dies, [&](const FlashDie& die) {
           return each(die.state().queues, [&](const OperationList& queue) { return flash.has(queue); });
         });
       }},
      {"a read that waits for independent planes does not exist, or needs others.",
       [](const Flash& flash) {
         return flash.each_beside([&](const PlaneQueues::Waiting& it) {
           return it.id != OperationTable::kNone && flash.shared.operations.has(it.id) &&
                  it.planes == planes_of(flash.shared.rules, flash.shared.operations.all()[it.id].record);
         });
       }},
      {"what a die is at leads nowhere.",
       [](const Flash& flash) {
         return each(flash.dies, [&](const FlashDie& die) {
           return each(die.running(), [&](const FlashDie::Running& one) { return flash.can_run(one); });
         });
       }},
      {"what a die has suspended leads nowhere.",
       [](const Flash& flash) {
         return each(flash.dies,
                     [&](const FlashDie& die) { return die.state().holds == 0 || flash.can_run(die.state().held); });
       }},
      {"a program that a die has, or that waits for it, does not exist.",
       [](const Flash& flash) {
         return each(flash.dies, [&](const FlashDie& die) {
           bool all = true;
           for (std::uint32_t f = 0; f < flash.frontiers(); ++f) {
             const FlashDie::Input& in = die.input(f);
             all = all && flash.is_program(f, in.loaded) && flash.is_program(f, in.head) &&
                   (in.head == 0 || flash.is_program(f, in.tail));
           }
           return all;
         });
       }},
      {"a channel carries data of an operation that does not exist.",
       [](const Flash& flash) {
         return each(flash.shared.channels, [&](const FlashChannel& channel) {
           return each(channel.out, [&](const ReadOut& out) { return flash.shared.operations.has(out.operation); });
         });
       }},
      {"an erase that waits for programs does not exist.",
       [](const Flash& flash) { return flash.order.has_ordered(flash.shared.operations); }},
      {"a program waits for the erase of nothing.",
       [](const Flash& flash) { return flash.order.has_gated(flash.frontiers()); }},
      {"an erase waits for one that does not exist.",
       [](const Flash& flash) { return flash.order.has_erases_behind(flash.shared.operations); }},
      {"a read waits for a program that does not exist, or does not exist itself.",
       [](const Flash& flash) {
         return each(flash.early.arriving(),
                     [&](const EarlyReads::Programmed& it) {
                       return it.frontier < flash.frontiers() && it.number != 0 && flash.is_program(it.frontier, it.number);
                     }) &&
                flash.each_program([&](const FlashProgram& it) { return flash.has(it.reads); });
       }},
      {"programs of a superblock are those of a frontier that does not exist.",
       [](const Flash& flash) { return flash.early.has_frontiers(flash.frontiers()); }},
      {"an operation or a program is in two places, or a list does not end where it says.",
       [](const Flash& flash) { return flash.each_in_one_place(); }},
      {"what is under way does not add up.", [](const Flash& flash) { return flash.adds_up(); }},
      {"a die is ready for what is not in its queue, or not for what is.",
       [](const Flash& flash) {
         return each(flash.dies, [&](const FlashDie& die) { return die.is_ready_for_its_queues(flash.shared.rules); });
       }},
  };
  return kRules;
}

bool LoadedFlash::can_run(const FlashDie::Running& running) const {
  if (running.holds_data() || running.flash_class < kPrograms) return shared.operations.has(running.id);
  return running.flash_class < shared.classes() && shared.programs[running.flash_class - kPrograms].open(running.id);
}

// REQUIRES: all numbers lead to something. A list that goes round comes by one of its own again.
bool LoadedFlash::each_in_one_place() const {
  const std::vector<Operation>& operations = shared.operations.all();
  std::vector<std::uint8_t> seen(operations.size());
  const auto once = [&](std::uint32_t id) { return id == OperationTable::kNone || !std::exchange(seen[id], 1); };
  const auto last_of = [&](std::uint32_t head, std::uint32_t& last) {
    for (std::uint32_t id = head; id != OperationTable::kNone; last = id, id = operations[id].next) {
      if (!once(id)) return false;
    }
    return true;
  };
  const auto list = [&](const OperationList& one) {
    std::uint32_t last = one.tail;
    return last_of(one.head, last) && last == one.tail;
  };
  const auto runs_once = [&](const FlashDie::Running& one) { return one.flash_class >= kPrograms || once(one.id); };
  std::uint32_t last_free = 0;
  return last_of(shared.operations.first_free(), last_free) &&
         each(dies,
              [&](const FlashDie& die) {
                return each(die.state().queues, list) && each(die.running(), runs_once) &&
                       (die.state().holds == 0 || runs_once(die.state().held));
              }) &&
         each_beside([&](const PlaneQueues::Waiting& it) { return once(it.id); }) &&
         each(shared.channels,
              [&](const FlashChannel& channel) {
                return each(channel.out, [&](const ReadOut& out) { return once(out.operation); });
              }) &&
         order.each_waiting(once) && each_program([&](const FlashProgram& it) { return list(it.reads); }) &&
         each_program_waits_once();
}

bool LoadedFlash::each_program_waits_once() const {
  for (std::uint32_t f = 0; f < frontiers(); ++f) {
    const FrontierPrograms& programs = shared.programs[f];
    std::vector<std::uint8_t> waits(programs.places().size());
    for (const FlashDie& die : dies) {
      std::uint32_t last = die.input(f).tail;
      for (std::uint32_t n = die.input(f).head; n != 0; last = n, n = programs.at(n - 1).next) {
        if (std::exchange(waits[(n - 1) % waits.size()], 1)) return false;
      }
      if (last != die.input(f).tail) return false;
    }
  }
  return true;
}

// REQUIRES: each_in_one_place().
bool LoadedFlash::adds_up() const {
  const std::vector<Operation>& operations = shared.operations.all();
  std::uint64_t open = operations.size() - 1, programs = 0, host_pages = 0, moved_pages = 0;
  for (std::uint32_t id = shared.operations.first_free(); id != OperationTable::kNone; id = operations[id].next) --open;
  each_program([&](const FlashProgram& it) {
    const bool known = (it.flags & FlashProgram::kKnown) != 0;
    programs += known;
    host_pages += known ? it.host_pages : 0;
    moved_pages += known ? it.moved_pages : 0;
    return true;
  });
  return shared.operations.open() == open && in_flight.programs() == programs && in_flight.host_pages() == host_pages &&
         in_flight.moved_pages() == moved_pages;
}

}  // namespace ftlab
