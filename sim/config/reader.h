// Takes typed values out of a Node and refuses whatever is not understood. A reader is made for one object;
// it remembers which keys were asked for, and finish() refuses the others by their nearest known name. After
// that, configuration is structs; no string is looked up again.
//
// A reader that was given a place for problems collects there what is wrong with single values and goes on with a value that
// is allowed, so that all of them are reported at once; see read_part(). Without one, the first problem is thrown.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/config/problems.h"
#include "sim/core/error.h"

namespace ftlab {

// Where a physical number comes from. In a drive file such a number is an object:
//   "read_ns": {"value": 50000, "from": "datasheet", "source": "Toshiba ... table 5"}
// Every number of the library says why it is what it is: an assumed one gives its reason as the source. A bare integer, as a
// user writes it in a file of his own, is taken as assumed.
enum class Provenance : std::uint8_t { datasheet, measured, fitted, assumed, inferred, command_line, by_default };
const char* name_of(Provenance provenance);

struct Sourced {
  std::uint64_t value = 0;
  Provenance from = Provenance::assumed;
  std::string source;
};

class Reader {
 public:
  // `path` is the dotted path of this object, empty for the root; messages show it before the key.
  explicit Reader(const Node& object, std::string path = {}, Problems* problems = nullptr);

  // Each reports ConfigError when the key is missing, of another type or out of range [low, high].
  std::uint64_t integer(std::string_view key, std::uint64_t low, std::uint64_t high);
  // A physical number: an object with value, from, source; or a bare integer.
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
  void renamed(std::string_view old, std::string_view now);
  // Refuses keys that were never asked for, by their nearest known name. Call it when everything was taken.
  void finish() const;

  // Raises an error about a key of this object whose value breaks a relation to others. Always thrown.
  [[noreturn]] void refuse(std::string_view key, std::string_view problem, std::string_view allowed = {}) const;

 private:
  friend void read_part(const Reader& reader, std::initializer_list<std::string_view> keys,
                        const std::function<void()>& read);
  friend bool is_sound(const Reader& reader, std::initializer_list<std::string_view> keys);

  void know(std::string_view key);
  const Node* require(std::string_view key);  // nothing: reported as missing
  const Node* require(std::string_view key, Node::Kind kind);
  bool check_kind(const Node& node, std::string_view key, Node::Kind kind) const;
  std::uint64_t integer_in(const Node& node, std::string_view key, std::uint64_t low, std::uint64_t high) const;
  Sourced sourced_in(const Node& node, std::string_view key, std::uint64_t low, std::uint64_t high) const;
  Reader below(const Node& node, const std::string& key) const;
  Reader without_object(const std::string& key) const;
  std::string path_of(std::string_view key) const;
  void report(std::string_view key, const ConfigError& error) const;
  void refuse_value(const Node& node, std::string_view key, std::string_view problem, std::string_view allowed,
                    std::string_view nearest) const;

  const Node* object_;  // REQUIRES: outlives the reader
  std::string path_;
  Problems* problems_;   // nothing: the first is thrown
  bool silent_ = false;  // the object itself is missing, which was reported
  bool unsure_ = false;  // what decides about further keys is wrong: which are missing or unknown cannot be told
  std::vector<std::string> known_;
};

// Runs `read`, which reads or checks a part of the object that `reader` is of. What it throws is one more problem, of the
// first key; it is dropped where a value below one of the keys has a problem already, because it may follow from that.
// The keys are all that `read` looks at. Without a place for problems it is thrown on.
void read_part(const Reader& reader, std::initializer_list<std::string_view> keys, const std::function<void()>& read);
// Whether no value below these keys has a problem so far: relations between them can be checked.
bool is_sound(const Reader& reader, std::initializer_list<std::string_view> keys);

}  // namespace ftlab
