#include "sim/config/reader.h"

#include <algorithm>
#include <limits>

#include "sim/core/check.h"

namespace ftlab {

namespace {

// In the order of Provenance.
constexpr std::initializer_list<const char*> kProvenanceNames = {"datasheet", "measured", "fitted",
                                                                 "assumed",   "inferred", "command_line"};
constexpr char kSourcedForm[] = R"({"value": INTEGER, "from": "datasheet", "source": "document, page or table"})";

const char* kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null: return "null";
    case Node::Kind::boolean: return "true or false";
    case Node::Kind::integer: return "an integer";
    case Node::Kind::real: return "a number with a fraction or an exponent";
    case Node::Kind::text: return "a text";
    case Node::Kind::array: return "a list";
    case Node::Kind::object: return "an object";
  }
  return "";
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string range(std::uint64_t low, std::uint64_t high) {
  if (high == std::numeric_limits<std::uint64_t>::max()) return std::to_string(low) + " or more";
  if (low == high) return "only " + std::to_string(low);
  return std::to_string(low) + " to " + std::to_string(high);
}

bool says_nothing(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

bool from_command_line(const Node& node) { return node.file == kCommandLineFile; }

std::string item_name(std::string_view key, std::size_t index) {
  return std::string(key) + "[" + std::to_string(index) + "]";
}

}  // namespace

const char* name_of(Provenance provenance) {
  const auto index = static_cast<std::size_t>(provenance);
  FTLAB_CHECK(index < kProvenanceNames.size(), "provenance " + std::to_string(index));
  return kProvenanceNames.begin()[index];
}

Reader::Reader(const Node& object, std::string path) : object_(&object), path_(std::move(path)) {
  if (object.kind == Node::Kind::object) return;
  throw ConfigError({object.file, object.line}, path_, std::string("must be an object, not ") + kind_name(object.kind),
                    object.shown());
}

std::uint64_t Reader::integer(std::string_view key, std::uint64_t low, std::uint64_t high) {
  return integer_in(require(key), key, low, high);
}

Sourced Reader::sourced(std::string_view key, std::uint64_t low, std::uint64_t high) {
  const Node& node = require(key);
  if (node.kind != Node::Kind::object) {
    const std::uint64_t bare = integer_in(node, key, low, high);
    if (!from_command_line(node)) refuse_node(node, key, "must say where it comes from", kSourcedForm, {});
    node.physical = true;
    return {bare, Provenance::command_line, kCommandLineFile};
  }
  Reader parts(node, path_of(key));
  Sourced number;
  number.value = parts.integer("value", low, high);
  number.from = static_cast<Provenance>(parts.choice("from", kProvenanceNames));
  number.source = parts.text("source");
  if (says_nothing(number.source)) parts.refuse("source", "must name the document, measurement or reason");
  if (from_command_line(*node.find("value"))) number.from = Provenance::command_line;
  parts.finish();
  return number;
}

bool Reader::boolean(std::string_view key) { return require(key, Node::Kind::boolean).boolean; }

std::string Reader::text(std::string_view key) { return require(key, Node::Kind::text).text; }

std::size_t Reader::choice(std::string_view key, std::initializer_list<const char*> names) {
  return choice_of(key, {names.begin(), names.end()});
}

std::size_t Reader::choice_of(std::string_view key, const std::vector<std::string>& names) {
  const Node& node = require(key, Node::Kind::text);
  const auto found = std::find(names.begin(), names.end(), node.text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse_node(node, key, "is not a known name", joined(names), nearest_name(node.text, names));
}

Reader Reader::object(std::string_view key) { return Reader(require(key), path_of(key)); }

std::vector<std::uint64_t> Reader::integers(std::string_view key, std::uint64_t low, std::uint64_t high) {
  std::vector<std::uint64_t> values;
  for (const Node& item : require(key, Node::Kind::array).items) {
    values.push_back(integer_in(item, item_name(key, values.size()), low, high));
  }
  return values;
}

std::vector<std::string> Reader::texts(std::string_view key) {
  std::vector<std::string> values;
  for (const Node& item : require(key, Node::Kind::array).items) {
    check_kind(item, item_name(key, values.size()), Node::Kind::text);
    values.push_back(item.text);
  }
  return values;
}

std::vector<Reader> Reader::objects(std::string_view key) {
  std::vector<Reader> readers;
  for (const Node& item : require(key, Node::Kind::array).items) {
    readers.emplace_back(item, path_of(item_name(key, readers.size())));
  }
  return readers;
}

bool Reader::has(std::string_view key) {
  know(key);
  return object_->find(key) != nullptr;
}

std::uint64_t Reader::integer_or(std::string_view key, std::uint64_t low, std::uint64_t high, std::uint64_t otherwise) {
  return has(key) ? integer(key, low, high) : otherwise;
}

bool Reader::boolean_or(std::string_view key, bool otherwise) { return has(key) ? boolean(key) : otherwise; }

std::string Reader::text_or(std::string_view key, std::string_view otherwise) {
  return has(key) ? text(key) : std::string(otherwise);
}

std::size_t Reader::choice_or(std::string_view key, std::initializer_list<const char*> names, std::size_t otherwise) {
  return has(key) ? choice(key, names) : otherwise;
}

std::optional<Reader> Reader::object_if_present(std::string_view key) {
  if (!has(key)) return std::nullopt;
  return object(key);
}

void Reader::renamed(std::string_view old, std::string_view now) const {
  const Node* const node = object_->find(old);
  if (node == nullptr) return;
  throw ConfigError({node->file, node->line}, path_of(old), "is not a known key", {}, "", now);
}

void Reader::finish() const {
  for (const auto& [key, node] : object_->members) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string nearest = nearest_name(key, known_);
    throw ConfigError({node.file, node.line}, path_of(key), "is not a known key", {}, nearest.empty() ? joined(known_) : "",
                      nearest);
  }
}

// A dotted key leads into objects below. Of a sourced number the value is what breaks a relation.
void Reader::refuse(std::string_view key, std::string_view problem, std::string_view allowed) const {
  const Node* node = object_;
  for (std::size_t start = 0; node != nullptr && start <= key.size();) {
    const std::size_t end = std::min(key.find('.', start), key.size());
    node = node->find(key.substr(start, end - start));
    start = end + 1;
  }
  if (node != nullptr) {
    const Node* const value = node->find("value");
    refuse_node(value == nullptr ? *node : *value, key, problem, allowed, {});
  }
  throw ConfigError({object_->file, object_->line}, path_of(key), problem, {}, allowed);
}

void Reader::know(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
}

// A key that is missing is most often one that is misspelled, so the nearest key that nobody asked for is
// named.
const Node& Reader::require(std::string_view key) {
  know(key);
  if (const Node* const node = object_->find(key)) return *node;
  std::vector<std::string> strangers;
  for (const auto& member : object_->members) {
    if (std::find(known_.begin(), known_.end(), member.first) == known_.end()) strangers.push_back(member.first);
  }
  const std::string nearest = nearest_name(key, strangers);
  if (nearest.empty()) refuse(key, "is missing");
  const std::size_t line = object_->find(nearest)->line;
  refuse(key, "is missing; is it meant by " + printable(nearest) + (line ? " on line " + std::to_string(line) : "") + "?");
}

const Node& Reader::require(std::string_view key, Node::Kind kind) {
  const Node& node = require(key);
  check_kind(node, key, kind);
  return node;
}

void Reader::check_kind(const Node& node, std::string_view key, Node::Kind kind) const {
  if (node.kind == kind) return;
  refuse_node(node, key, std::string("must be ") + kind_name(kind) + ", not " + kind_name(node.kind), {}, {});
}

std::uint64_t Reader::integer_in(const Node& node, std::string_view key, std::uint64_t low, std::uint64_t high) const {
  check_kind(node, key, Node::Kind::integer);
  const bool fits = !node.negative && node.magnitude >= low && node.magnitude <= high;
  if (!fits) refuse_node(node, key, "is out of range", range(low, high), {});
  return node.magnitude;
}

std::string Reader::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void Reader::refuse_node(const Node& node, std::string_view key, std::string_view problem, std::string_view allowed,
                         std::string_view nearest) const {
  throw ConfigError({node.file, node.line}, path_of(key), problem, node.shown(), allowed, nearest);
}

}  // namespace ftlab
