#include <map>
#include <nlohmann/json.hpp>

#include "sim/config/document.h"
#include "sim/config/unit_value.h"
#include "sim/core/error.h"

namespace ftlab {

namespace {

constexpr std::size_t kMaxSteps = 64;  // the maximum depth of a document

bool is_object(const Node& node) { return node.kind == Node::Kind::object; }

bool is_sourced(const Node& node) { return is_object(node) && node.find("value") != nullptr; }

[[noreturn]] void refuse(std::string_view key, std::string_view problem, std::string_view value = {},
                         std::string_view allowed = {}) {
  throw ConfigError({kCommandLineFile, 0}, key, problem, value, allowed);
}

Node command_line_node(Node::Kind kind) {
  Node node;
  node.kind = kind;
  node.file = kCommandLineFile;
  return node;
}

Node text_node(std::string_view text) {
  Node node = command_line_node(Node::Kind::text);
  node.text = text;
  return node;
}

// The parser counts lines from 1; a value on the command line has no line.
void forget_lines(Node& node) {
  node.line = 0;
  for (Node& item : node.items) forget_lines(item);
  for (auto& member : node.members) forget_lines(member.second);
}

// True if the user can only have meant JSON, so that an error in it must be reported.
bool must_be_json(std::string_view value) {
  if (value.empty()) return false;
  const std::string_view digits = value.front() == '-' ? value.substr(1) : value;
  const bool integer = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  return integer || value.front() == '{' || value.front() == '[' || value.front() == '"';
}

bool is_utf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

Node value_node(std::string_view value) {
  try {
    Node node = parse_document(value, kCommandLineFile);
    forget_lines(node);
    return node;
  } catch (const ConfigError&) {
    if (must_be_json(value)) throw;
    return text_node(value);
  }
}

// Converts texts that are a number with the unit of their key to whole numbers. The value of a sourced number has the unit
// of the number's key, an item of a list that of the list.
void take_units(Node& node, std::string_view key) {
  for (Node& item : node.items) take_units(item, key);
  for (auto& [name, member] : node.members) take_units(member, name == "value" ? key : std::string_view(name));
  if (node.kind != Node::Kind::text) return;
  if (const auto number = value_with_unit({kCommandLineFile, 0}, key, node.text)) node = value_node(std::to_string(*number));
}

Node& member_of(Node& object, std::string_view key) {
  if (Node* const present = object.find(key)) return *present;
  object.members.emplace_back(key, command_line_node(Node::Kind::null));
  return object.members.back().second;
}

// The value at `path`; created as null if it is missing.
Node& walk(Node& root, std::string_view path) {
  Node* node = &root;
  std::size_t end = 0;
  for (std::size_t start = 0, steps = 0; start <= path.size(); start = end + 1) {
    end = std::min(path.find('.', start), path.size());
    if (end == start || ++steps > kMaxSteps) refuse(path, "is not a path of keys", {}, "KEY.KEY...=VALUE");
    if (node->kind == Node::Kind::null && start > 0) *node = command_line_node(Node::Kind::object);
    if (!is_object(*node)) refuse(path, "leads through a value that is not an object", node->shown());
    node = &member_of(*node, path.substr(start, end - start));
  }
  return *node;
}

void set_sourced(Node& number, Node value, std::string_view assignment) {
  member_of(number, "value") = std::move(value);
  member_of(number, "from") = text_node("command_line");
  member_of(number, "source") = text_node(std::string(kCommandLineFile) + " " + std::string(assignment));
}

}  // namespace

void overlay(Node& under, const Node& over) {
  if (!is_object(under) || !is_object(over) || is_sourced(under) || is_sourced(over)) {
    under = over;
    return;
  }
  under.file = over.file;  // a missing key is best added in the file that extends
  under.line = over.line;
  for (const auto& [key, node] : over.members) {
    if (Node* const present = under.find(key)) {
      overlay(*present, node);
    } else {
      under.members.emplace_back(key, node);
    }
  }
}

void set_by_path(Node& root, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == assignment.npos) refuse("", "lacks the value", assignment, "KEY.KEY...=VALUE");
  if (!is_utf8(assignment)) refuse("", "is not UTF-8", assignment);
  const std::string_view path = assignment.substr(0, equals);
  const std::string_view text = assignment.substr(equals + 1);
  Node value = value_node(text);
  take_units(value, path);
  Node& place = walk(root, path);
  if (is_sourced(place) && !is_object(value)) {
    set_sourced(place, std::move(value), assignment);
  } else {
    place = std::move(value);
  }
}

void set_by_paths(Node& root, const std::vector<std::string>& assignments) {
  std::map<std::string_view, std::string_view> seen;
  for (const std::string& assignment : assignments) {
    const std::string_view key = std::string_view(assignment).substr(0, assignment.find('='));
    const auto [first, is_first] = seen.emplace(key, assignment);
    if (!is_first)
      refuse(std::string(key), "is set twice, first as " + std::string(first->second), assignment,
             "one --set KEY=VALUE for each key");
    set_by_path(root, assignment);
  }
}

}  // namespace ftlab
