// What each key of a drive file and of a host means: docs/drive_file_keys.md and docs/hosts.md, built into the program. A
// test holds those documents to what the readers allow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

struct KeyMeaning {
  std::string key;  // dotted path; items of lists share theirs; a host's begin with "host."
  enum class Needed { never, by_some_designs, always } needed = Needed::never;
  std::string allowed, meaning;
};

// In the order of the documents.
const std::vector<KeyMeaning>& key_reference();
// Nothing: there is no such key.
const KeyMeaning* meaning_of(std::string_view key);
// What the key counts in, by the end of its name, with what --set takes; empty: it is no quantity.
std::string unit_of_key(std::string_view key);

}  // namespace ftlab
