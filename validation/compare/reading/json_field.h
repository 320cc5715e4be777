// A JSON value with the path that messages show. For documents of other programs: fractions are allowed and unknown keys are
// ignored.
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

  bool has(std::string_view key) const;  // false if not an object
  // Throws ConfigError if this is not an object or has no such key.
  JsonField at(std::string_view key) const;
  std::optional<JsonField> find(std::string_view key) const;
  std::vector<JsonField> items() const;  // items of a list, with path PATH[i]

  // Each throws ConfigError if the value has another type or is out of range.
  double number(double low, double high) const;
  std::uint64_t whole_number(std::uint64_t low, std::uint64_t high) const;
  std::string text() const;
  bool truth() const;  // true or false
  bool is_null() const;
  std::string json() const;  // the whole value in one line
  // Names of all members. Throws ConfigError if this is not an object.
  std::vector<std::string> keys() const;

  [[noreturn]] void refuse(std::string_view problem, std::string_view allowed = {}, std::string_view nearest = {}) const;

  const std::string& path() const { return path_; }
  const std::string& file() const { return node_->file; }
  std::size_t line() const { return node_->line; }

 private:
  void require(Node::Kind kind, const char* name) const;

  const Node* node_;
  std::string path_;
};

// Reads a JSON file of up to 256 MiB; a sweep with the bins of json+ may need that. Throws ConfigError.
Node read_json_file(const std::string& path);
// Like read_json_file() with the content `text`; messages show `path`.
Node parse_foreign_json(std::string text, const std::string& path);

}  // namespace ftlab
