// A value of a JSON document and the path by which messages name it. For documents of other programs: numbers with a
// fraction are taken, and keys that are not asked for are let be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

class JsonField {
 public:
  // REQUIRES: `node` outlives the field.
  explicit JsonField(const Node& node, std::string path = {}) : node_(&node), path_(std::move(path)) {}

  bool has(std::string_view key) const;  // of an object; false for all else
  // Of an object; throws ConfigError when it is none or has no such key.
  JsonField at(std::string_view key) const;
  std::optional<JsonField> find(std::string_view key) const;
  std::vector<JsonField> items() const;  // of a list, called PATH[i]

  // Each throws ConfigError when the value is of another kind or out of range.
  double number(double low, double high) const;
  std::uint64_t whole_number(std::uint64_t low, std::uint64_t high) const;
  std::string text() const;
  bool truth() const;  // true or false
  bool is_null() const;
  std::string json() const;  // all of it, in one line
  // The name of every member; throws unless it is an object.
  std::vector<std::string> keys() const;

  // Refuses this value.
  [[noreturn]] void refuse(std::string_view problem, std::string_view allowed = {}, std::string_view nearest = {}) const;

  const std::string& path() const { return path_; }
  const std::string& file() const { return node_->file; }
  std::size_t line() const { return node_->line; }

 private:
  void require(Node::Kind kind, const char* name) const;

  const Node* node_;
  std::string path_;
};

// A JSON file of up to 256 MiB, which a sweep with the bins of json+ may need. Throws ConfigError.
Node read_json_file(const std::string& path);
// The same of a text; `path` is what messages call it.
Node parse_foreign_json(std::string text, const std::string& path);

}  // namespace ftlab
