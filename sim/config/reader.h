// Reads typed values from a Node and refuses everything that it does not understand. A reader is made for one object; it
// records which keys were read, and finish() refuses the others, with the nearest known name. After that, configuration is
// structs; no string is looked up again.
//
// A reader with a Problems object adds the errors of single values to it and continues with an allowed value, so that all
// errors are reported at once; see read_part(). Without one, the first error is thrown.
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
//   "read_ns": {"value": 50000, "from": "datasheet", "source": "Toshiba datasheet, table 5"}
// Every number of the library states its source; an assumed one gives the reason as its source. A bare integer in a user's
// own file counts as assumed.
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

  // Each reports a ConfigError if the key is missing, of another type or out of range [low, high].
  std::uint64_t integer(std::string_view key, std::uint64_t low, std::uint64_t high);
  // A physical number: an object with value, from, source; or a bare integer.
  Sourced sourced(std::string_view key, std::uint64_t low, std::uint64_t high);
  bool boolean(std::string_view key);
  std::string text(std::string_view key);
  // One of `names`; returns its index.
  std::size_t choice(std::string_view key, std::initializer_list<const char*> names);
  std::size_t choice_of(std::string_view key, const std::vector<std::string>& names);
  Reader object(std::string_view key);

  // Lists. Messages call an item KEY[i].
  std::vector<std::uint64_t> integers(std::string_view key, std::uint64_t low, std::uint64_t high);
  std::vector<std::string> texts(std::string_view key);
  std::vector<Reader> objects(std::string_view key);

  bool has(std::string_view key);  // also makes the key known
  // Like above, with a default value if the key is absent.
  std::uint64_t integer_or(std::string_view key, std::uint64_t low, std::uint64_t high, std::uint64_t otherwise);
  bool boolean_or(std::string_view key, bool otherwise);
  std::string text_or(std::string_view key, std::string_view otherwise);
  std::size_t choice_or(std::string_view key, std::initializer_list<const char*> names, std::size_t otherwise);
  std::optional<Reader> object_if_present(std::string_view key);

  // Refuses the key `old` if present, suggesting its new name `now`.
  void renamed(std::string_view old, std::string_view now);
  // Refuses keys that were never read, suggesting the nearest known key. Call it after everything has been read.
  void finish() const;

  // Refuses a key of this object because its value breaks a relation to others. Always throws.
  [[noreturn]] void refuse(std::string_view key, std::string_view problem, std::string_view allowed = {}) const;

 private:
  friend void read_part(const Reader& reader, std::initializer_list<std::string_view> keys,
                        const std::function<void()>& read);
  friend bool has_no_problem(const Reader& reader, std::initializer_list<std::string_view> keys);
  friend void explain(const Reader& reader, std::string_view key, const void* member, std::string_view meaning);

  void know(std::string_view key);
  const Node* require(std::string_view key);  // nullptr: reported as missing
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
  Problems* problems_;       // nullptr: the first error is thrown
  bool suppressed_ = false;  // the object itself is missing, which was reported
  bool undecided_ =
      false;  // a value that decides about other keys is wrong, so missing or unknown keys cannot be determined
  std::vector<std::string> known_;
};

// Runs `read`, which reads or checks a part of the reader's object. An exception becomes one more problem, of the first key;
// it is dropped if a value below one of the keys already has a problem, because it may follow from that. `keys` are all keys
// that `read` uses. Without a Problems object the exception is passed on.
void read_part(const Reader& reader, std::initializer_list<std::string_view> keys, const std::function<void()>& read);
// True if no value below these keys has a problem so far, so that relations between them can be checked.
bool has_no_problem(const Reader& reader, std::initializer_list<std::string_view> keys);
// States what a key means and where its value goes, see keys.h.
void explain(const Reader& reader, std::string_view key, const void* member, std::string_view meaning);

}  // namespace ftlab
