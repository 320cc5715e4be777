// Consistency rules of a loaded component, as a table. Each class of a saved state lists its rules once; its archive()
// checks them after loading its members, before anything uses them:
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
// They are checked in order: one may rely on those before it. validation/checks/loaded_states_test.cpp violates each alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab {

// `Given`: context that the class does not have itself.
template <class T, class... Given>
struct Rule {
  const char* otherwise;  // error message if it does not hold
  bool (*holds)(const T& loaded, const Given&... given);
};

// Friend through which tests violate rules.
struct LoadedStates;

// True if every element satisfies `holds`; works for columns, lists and rings.
template <class List, class Holds>
bool each(const List& list, Holds&& holds) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!holds(list[i])) return false;
  return true;
}
// True if every number is a valid index below `end` (or `none`).
template <class List>
bool each_below(const List& numbers, std::uint64_t end) {
  return each(numbers, [end](const auto& number) { return static_cast<std::uint64_t>(number) < end; });
}
template <class List, class T>
bool each_below(const List& numbers, std::uint64_t end, T none) {
  return each(numbers, [&](const auto& number) { return static_cast<std::uint64_t>(number) < end || number == none; });
}

}  // namespace ftlab
