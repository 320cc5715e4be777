// What must hold of a component when it was loaded, as a table. Each class of a saved state states its rules once, and its
// archive() has them carried out behind what it loaded, before anything walks through it:
//
//   static std::span<const Rule<HostQueues>> rules() {
//     static constexpr Rule<HostQueues> kRules[] = {
//         {"its turn is that of no queue.", [](const HostQueues& queues) { return queues.turn_ < queues.queues_.size(); }},
//     };
//     return kRules;
//   }
//   ...
//   archive.require(rules(), *this);
//
// In their order: one may rely on those before it. validation/checks/loaded_states_test.cpp breaks each of them alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab {

// `Given`: what the class does not know itself.
template <class T, class... Given>
struct Rule {
  const char* otherwise;  // said of a state in which it does not hold
  bool (*holds)(const T& loaded, const Given&... given);
};

// Tests break rules through it, as a friend.
struct LoadedStates;

// The same of each of many, by a number: columns, lists and rings alike.
template <class List, class Holds>
bool each(const List& list, Holds&& holds) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!holds(list[i])) return false;
  return true;
}
// Numbers that are used as an index later.
template <class List>
bool each_below(const List& numbers, std::uint64_t end) {
  return each(numbers, [end](const auto& number) { return static_cast<std::uint64_t>(number) < end; });
}
template <class List, class T>
bool each_below(const List& numbers, std::uint64_t end, T none) {
  return each(numbers, [&](const auto& number) { return static_cast<std::uint64_t>(number) < end || number == none; });
}

}  // namespace ftlab
