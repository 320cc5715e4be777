#include "validation/compare/reading/json_field.h"

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/file.h"
#include "sim/core/error.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {
namespace {

// Blanks the notes and warnings that fio writes before the JSON in the same file. Line numbers are kept.
std::string without_notes(std::string text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || text[begin] == '{' || text[begin] == '[' || text[begin] == '/') return text;
  const std::size_t brace = text.find("\n{");
  if (brace == text.npos) return text;
  for (; begin < brace; ++begin) {
    if (text[begin] != '\n') text[begin] = ' ';
  }
  return text;
}

}  // namespace

void JsonField::refuse(std::string_view problem, std::string_view allowed, std::string_view nearest) const {
  throw ConfigError({node_->file, node_->line}, path_, problem, node_->shown(), allowed, nearest);
}

void JsonField::require(Node::Kind kind, const char* name) const {
  if (node_->kind != kind) refuse(std::string("must be ") + name);
}

bool JsonField::has(std::string_view key) const { return node_->kind == Node::Kind::object && node_->find(key) != nullptr; }

std::optional<JsonField> JsonField::find(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return at(key);
}

JsonField JsonField::at(std::string_view key) const {
  require(Node::Kind::object, "an object");
  const std::string path = path_ + (path_.empty() ? "" : ".") + std::string(key);
  const Node* const member = node_->find(key);
  if (member == nullptr) throw ConfigError({node_->file, node_->line}, path, "is missing");
  return JsonField(*member, path);
}

std::vector<JsonField> JsonField::items() const {
  require(Node::Kind::array, "a list");
  std::vector<JsonField> fields;
  for (const Node& item : node_->items) fields.emplace_back(item, path_ + "[" + std::to_string(fields.size()) + "]");
  return fields;
}

double JsonField::number(double low, double high) const {
  double value = node_->real;
  if (node_->kind == Node::Kind::integer) {
    value = static_cast<double>(node_->magnitude) * (node_->negative ? -1 : 1);
  } else if (node_->kind != Node::Kind::real) {
    refuse("must be a number");
  }
  if (!(value >= low && value <= high)) refuse("is out of range", fmt::format("{} to {}", low, high));
  return value;
}

std::uint64_t JsonField::whole_number(std::uint64_t low, std::uint64_t high) const {
  require(Node::Kind::integer, "an integer");
  if (node_->negative || node_->magnitude < low || node_->magnitude > high)
    refuse("is out of range", fmt::format("{} to {}", low, high));
  return node_->magnitude;
}

std::string JsonField::text() const {
  require(Node::Kind::text, "a text");
  return node_->text;
}

bool JsonField::truth() const {
  require(Node::Kind::boolean, "true or false");
  return node_->boolean;
}

bool JsonField::is_null() const { return node_->kind == Node::Kind::null; }

std::string JsonField::json() const {
  return to_json(*node_).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<std::string> JsonField::keys() const {
  require(Node::Kind::object, "an object");
  std::vector<std::string> names;
  for (const Node::Member& member : node_->members) names.push_back(member.first);
  return names;
}

Node parse_foreign_json(std::string text, const std::string& path) {
  return parse_document(without_notes(std::move(text)), path);
}

Node read_json_file(const std::string& path) { return parse_foreign_json(read_text_file(path, kMostInputBytes), path); }

}  // namespace ftlab
