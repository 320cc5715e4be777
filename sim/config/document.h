// A JSON document (// and /* */ comments allowed) that remembers on which line everything stood. Duplicate
// keys, trailing text, truncated and binary files are refused here, with line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ftlab {

class Node {
 public:
  struct Member;
  enum class Kind : std::uint8_t { null, boolean, integer, real, text, array, object };

  Kind kind = Kind::null;
  std::string file;      // where this value was written; differs from its parent's after `extends`
  std::size_t line = 0;  // of the key, for the member of an object; of the item itself, in an array
  bool boolean = false;
  mutable bool physical = false;  // of an integer: a Reader took it as a sourced number, so its echo says where it is from
  bool negative = false;          // of an integer
  std::uint64_t magnitude = 0;    // of an integer
  double real = 0;                // of a real
  std::string text;               // of a text; of a number, as written
  std::vector<Node> items;        // of an array
  std::vector<Member> members;    // of an object, in order

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  std::string shown() const;  // the value as a message shows it: the number, "text", {...}, [...]
};

struct Node::Member {
  Member(std::string_view key, Node value) : first(key), second(std::move(value)) {}
  std::string first;  // the key
  Node second;        // its value
};

// The "file" of values set by set_by_path; they have no line.
inline constexpr char kCommandLineFile[] = "--set";
// The source of a physical number that a user's own file states as a bare integer.
inline constexpr char kBareSource[] = "a plain number of the file";

// Throws ConfigError. Numbers that fit neither 64-bit integers nor a finite double are refused by their
// digits. An integer is a number written without point and exponent. A UTF-8 byte order mark is skipped; text
// that is not UTF-8 is refused. REQUIRES nesting of at most 64 levels in `text`; deeper is refused.
Node parse_document(std::string_view text, const std::string& file_name);

// Lays `over` on `under`: objects are merged key by key, everything else replaces. For drive files with
// `extends`. A sourced number (an object with the key "value") is replaced whole, so that a new value can
// never keep the source of the old one.
void overlay(Node& under, const Node& over);

// Sets one value by its dotted path, as `--set ftl.gc.policy=fifo` does. The value is read as JSON where it
// is JSON (numbers, true, false, quoted text, [..], {..}), as text otherwise. Creates missing objects on the
// way; the reader refuses keys it does not know. An integer set where a sourced number stands becomes its
// value, and the command line its source. Throws ConfigError when a step of the path is not an object.
void set_by_path(Node& root, std::string_view assignment);
// The same, one after the other. As in a file, a key that is set twice is refused.
void set_by_paths(Node& root, const std::vector<std::string>& assignments);

}  // namespace ftlab
