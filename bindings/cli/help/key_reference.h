// Meaning of each key of a drive file and a host: docs/drive_file_keys.md and docs/hosts.md, built into the program. A test
// keeps those documents consistent with the readers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

struct KeyMeaning {
  std::string key;  // dotted path; all items of a list share one; keys of a host begin with "host."
  enum class Needed { never, by_some_designs, always } needed = Needed::never;
  std::string allowed, meaning;
};

// Order of the documents.
const std::vector<KeyMeaning>& key_reference();
// Returns null for an unknown key.
const KeyMeaning* meaning_of(std::string_view key);
// The unit of a key, from the end of its name, and the suffixes that --set accepts; empty if the key is not a quantity.
std::string unit_of_key(std::string_view key);

}  // namespace ftlab
