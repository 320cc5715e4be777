// Collects everything that is wrong with one document, so that the user can fix it all at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

namespace ftlab {

class KeyLog;  // keys.h

class Problems {
 public:
  static constexpr std::size_t kMost = 20;  // shown; further ones are only counted

  // `keys`, if given, receives the keys that are read.
  explicit Problems(KeyLog* keys = nullptr) : keys_(keys) {}

  // Adds a problem of the value at this dotted path. A message that was already added counts once.
  void add(std::string_view path, const ConfigError& error);
  // True if the value at `path`, something in it or something around it has a problem. An empty path means any value.
  bool touch(std::string_view path) const;
  // States what a key means and where its value goes, see keys.h.
  void explain(std::string_view object, std::string_view key, const void* member, std::string_view meaning);
  // Throws one ConfigError if there are problems: their messages in the order of discovery, one per line.
  void refuse_if_any() const;

 private:
  KeyLog* keys_;
  std::vector<std::string> paths_, messages_;
};

}  // namespace ftlab
