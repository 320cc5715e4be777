// Rules for a loaded state of the flash engine: every index is valid, and no operation is in two lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/nand/schedule/early_reads.h"
#include "models/nand/schedule/flash_die.h"
#include "models/nand/schedule/flash_order.h"
#include "models/nand/schedule/flash_shared.h"
#include "models/nand/schedule/in_flight.h"
#include "sim/core/rule.h"

namespace ftlab {

struct LoadedFlash {
  static std::span<const Rule<LoadedFlash>> rules();

  std::uint32_t frontiers() const { return static_cast<std::uint32_t>(shared.programs.size()); }
  bool is_program(std::uint32_t frontier, std::uint32_t number) const {  // number + 1
    return number == 0 || shared.programs[frontier].open(number - 1);
  }
  bool has(const OperationList& list) const { return shared.operations.has(list.head) && shared.operations.has(list.tail); }
  bool can_run(const FlashDie::Running& running) const;
  const OperationTable& operations() const { return shared.operations; }
  template <class Holds>
  bool each_operation(Holds&& holds) const {
    return each(shared.operations.all(), holds);
  }
  template <class Holds>
  bool each_program(Holds&& holds) const {
    return each(shared.programs, [&](const FrontierPrograms& programs) { return each(programs.places(), holds); });
  }
  template <class Holds>
  bool each_beside(Holds&& holds) const {
    return each(dies, [&](const FlashDie& die) {
      return each(die.beside(kHostReads).in_order(), holds) && each(die.beside(kInternalReads).in_order(), holds);
    });
  }
  template <class Holds>
  bool each_on_the_way(Holds&& holds) const {
    return each(shared.channels, [&](const FlashChannel& channel) { return each(channel.out, holds); });
  }
  template <class Holds>
  bool each_input(Holds&& holds) const {
    return each(dies, [&](const FlashDie& die) {
      bool all = true;
      for (std::uint32_t f = 0; all && f < frontiers(); ++f) all = holds(f, die.input(f));
      return all;
    });
  }
  bool each_operation_in_one_place() const;
  bool each_program_in_one_place() const;
  bool adds_up() const;

  const FlashShared& shared;
  const std::vector<FlashDie>& dies;
  const FlashOrder& order;
  const EarlyReads& early;
  const InFlight& in_flight;
};

}  // namespace ftlab
