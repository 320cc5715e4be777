// A JSON document (// and /* */ comments allowed) that records the line of every value. Duplicate keys, trailing text,
// truncated and binary files are refused with their line.
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
  std::string file;      // file that contains this value; differs from its parent's after `extends`
  std::size_t line = 0;  // object members: line of the key; array items: line of the item itself
  bool boolean = false;
  mutable bool physical = false;  // integers only: a Reader took it as a sourced number, so its echo states a source
  bool negative = false;          // integers only
  std::uint64_t magnitude = 0;    // integers only
  double real = 0;                // reals only
  std::string text;               // texts, and numbers as written
  std::vector<Node> items;        // arrays only
  std::vector<Member> members;    // objects only, in order

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  std::string shown() const;  // the value as a message shows it, with nested values abbreviated
};

struct Node::Member {
  Member(std::string_view key, Node value) : first(key), second(std::move(value)) {}
  std::string first;  // the key
  Node second;        // its value
};

// The file name of values set by set_by_path(); they have no line.
inline constexpr char kCommandLineFile[] = "--set";
// The source of a physical number given as a bare integer in a user's own file.
inline constexpr char kBareSource[] = "a plain number of the file";

// Throws ConfigError. Numbers that fit neither 64-bit integers nor a finite double are refused with their digits. An integer
// is a number written without point and exponent. A UTF-8 byte order mark is skipped; text that is not UTF-8 is refused.
// REQUIRES: at most 64 levels of nesting in `text`; deeper nesting is refused.
Node parse_document(std::string_view text, const std::string& file_name);

// Merges `over` into `under`: objects are merged key by key, everything else is replaced. For drive files with `extends`. A
// sourced number (an object with the key "value") is replaced as a whole, so that a new value never keeps the source of the
// old one.
void overlay(Node& under, const Node& over);

// Sets one value by its dotted path, like `--set ftl.gc.policy=fifo`. The value is parsed as JSON if it is JSON (numbers,
// true, false, quoted text, [..], {..}), otherwise it is text. Creates missing objects on the way; the reader refuses
// unknown keys. An integer set on a sourced number replaces its value, and the command line becomes its source. Throws
// ConfigError if a step of the path is not an object.
void set_by_path(Node& root, std::string_view assignment);
// Like set_by_path(), for several values in order. As in a file, a key that is set twice is refused.
void set_by_paths(Node& root, const std::vector<std::string>& assignments);

}  // namespace ftlab
