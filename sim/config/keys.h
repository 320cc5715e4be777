// Reads the leaf keys of drive and host files. A key is one line: its name, the member of the config that it sets, its range
// or words, whether it states its source, whether it may be left out, and its meaning, as in
//
//   read_sourced(reader, "after_ns", sleep.after, 1, kDay, "silence before sleep");
//
// The rows of docs/drive_file_keys.md and docs/hosts.md, which `ftlab explain` prints, follow from these lines; see
// key_reference_test. With _or a key may be left out, and the member then keeps its value.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

// The keys of a document that was read, for the test of the reference.
class KeyLog {
 public:
  // REQUIRES: a key means the same wherever it is read, and no other key of its object sets the same member.
  void add(std::string_view object, std::string_view key, const void* member, std::string_view meaning);
  // By dotted path; items of a list share theirs.
  const std::map<std::string, std::string>& meanings() const { return meanings_; }

 private:
  std::map<std::string, std::string> meanings_;
  std::map<std::pair<std::string, const void*>, std::string> members_;  // by object: the key that sets it
};

// Members count times in nanoseconds and energies in picojoules, whatever the unit of the key.
template <class Member>
void set_member(Member& member, std::string_view key, std::uint64_t value) {
  if constexpr (std::is_same_v<Member, Nanoseconds>)
    value *= key.ends_with("_ms") ? 1'000'000 : key.ends_with("_s") ? 1'000'000'000 : 1;
  if (key.ends_with("_nj")) value *= 1000;
  member = static_cast<Member>(value);
}

// A physical number, with its source.
template <class Member>
void read_sourced(Reader& reader, std::string_view key, Member& member, std::uint64_t low, std::uint64_t high,
                  std::string_view meaning) {
  explain(reader, key, &member, meaning);
  set_member(member, key, reader.sourced(key, low, high).value);
}
template <class Member>
void read_sourced_or(Reader& reader, std::string_view key, Member& member, std::uint64_t low, std::uint64_t high,
                     std::string_view meaning) {
  explain(reader, key, &member, meaning);
  if (reader.has(key)) set_member(member, key, reader.sourced(key, low, high).value);
}

template <class Member>
void read_integer(Reader& reader, std::string_view key, Member& member, std::uint64_t low, std::uint64_t high,
                  std::string_view meaning) {
  explain(reader, key, &member, meaning);
  set_member(member, key, reader.integer(key, low, high));
}
template <class Member>
void read_integer_or(Reader& reader, std::string_view key, Member& member, std::uint64_t low, std::uint64_t high,
                     std::string_view meaning) {
  explain(reader, key, &member, meaning);
  if (reader.has(key)) set_member(member, key, reader.integer(key, low, high));
}

inline void read_boolean(Reader& reader, std::string_view key, bool& member, std::string_view meaning) {
  explain(reader, key, &member, meaning);
  member = reader.boolean(key);
}
inline void read_boolean_or(Reader& reader, std::string_view key, bool& member, std::string_view meaning) {
  explain(reader, key, &member, meaning);
  if (reader.has(key)) member = reader.boolean(key);
}

// The member, an enumeration or a bool, receives the index of the word.
template <class Member>
void read_choice(Reader& reader, std::string_view key, Member& member, std::initializer_list<const char*> words,
                 std::string_view meaning) {
  explain(reader, key, &member, meaning);
  member = static_cast<Member>(reader.choice(key, words));
}
template <class Member>
void read_choice_or(Reader& reader, std::string_view key, Member& member, std::initializer_list<const char*> words,
                    std::string_view meaning) {
  explain(reader, key, &member, meaning);
  if (reader.has(key)) member = static_cast<Member>(reader.choice(key, words));
}

}  // namespace ftlab
