// Takes typed values out of a Node and refuses whatever is not understood. A reader is made for one object;
// it remembers which keys were asked for, and finish() refuses the others by their nearest known name. After
// that, configuration is structs; no string is looked up again.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/config/error.h"

namespace ftlab {

// Where a physical number comes from. In a drive file such a number is an object:
//   "read_ns": {"value": 50000, "from": "datasheet", "source": "Toshiba ... table 5"}
// Every number says why it is what it is: an assumed one gives its reason as the source.
enum class Provenance : std::uint8_t { datasheet, measured, fitted, assumed, inferred, command_line };
const char* name_of(Provenance provenance);

struct Sourced {
  std::uint64_t value = 0;
  Provenance from = Provenance::assumed;
  std::string source;
};

class Reader {
 public:
  // `path` is the dotted path of this object, empty for the root; messages show it before the key.
  explicit Reader(const Node& object, std::string path = {});

  // Each throws ConfigError when the key is missing, of another type or out of range [low, high].
  std::uint64_t integer(std::string_view key, std::uint64_t low, std::uint64_t high);
  // A physical number: an object with value, from, source; or a bare integer that was set on the command
  // line.
  Sourced sourced(std::string_view key, std::uint64_t low, std::uint64_t high);
  bool boolean(std::string_view key);
  std::string text(std::string_view key);
  // One of the names; returns its position in `names`.
  std::size_t choice(std::string_view key, std::initializer_list<const char*> names);
  std::size_t choice_of(std::string_view key, const std::vector<std::string>& names);
  Reader object(std::string_view key);

  // Lists. An item is called KEY[i] in messages.
  std::vector<std::uint64_t> integers(std::string_view key, std::uint64_t low, std::uint64_t high);
  std::vector<std::string> texts(std::string_view key);
  std::vector<Reader> objects(std::string_view key);

  bool has(std::string_view key);  // also makes the key known
  // As above, with the value that holds when the key is absent.
  std::uint64_t integer_or(std::string_view key, std::uint64_t low, std::uint64_t high, std::uint64_t otherwise);
  bool boolean_or(std::string_view key, bool otherwise);
  std::string text_or(std::string_view key, std::string_view otherwise);
  std::size_t choice_or(std::string_view key, std::initializer_list<const char*> names, std::size_t otherwise);
  std::optional<Reader> object_if_present(std::string_view key);

  // Refuses the key by the name that it has now.
  void renamed(std::string_view old, std::string_view now) const;
  // Refuses keys that were never asked for, by their nearest known name. Call it when everything was taken.
  void finish() const;

  // Raises an error about a key of this object whose value breaks a relation to others.
  [[noreturn]] void refuse(std::string_view key, std::string_view problem, std::string_view allowed = {}) const;

 private:
  void know(std::string_view key);
  const Node& require(std::string_view key);
  const Node& require(std::string_view key, Node::Kind kind);
  void check_kind(const Node& node, std::string_view key, Node::Kind kind) const;
  std::uint64_t integer_in(const Node& node, std::string_view key, std::uint64_t low, std::uint64_t high) const;
  std::string path_of(std::string_view key) const;
  [[noreturn]] void refuse_node(const Node& node, std::string_view key, std::string_view problem, std::string_view allowed,
                                std::string_view nearest) const;

  const Node* object_;  // REQUIRES: outlives the reader
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace ftlab
