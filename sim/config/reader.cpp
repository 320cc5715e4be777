#include "sim/config/reader.h"

#include <algorithm>
#include <limits>

#include "sim/config/split.h"
#include "sim/core/check.h"

namespace ftlab {

namespace {

// In the order of Provenance.
constexpr std::initializer_list<const char*> kProvenanceNames = {"datasheet", "measured",     "fitted", "assumed",
                                                                 "inferred",  "command_line", "default"};

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

Reader::Reader(const Node& object, std::string path, Problems* problems)
    : object_(&object), path_(std::move(path)), problems_(problems) {
  if (object.kind == Node::Kind::object) return;
  suppressed_ = problems != nullptr;
  const ConfigError error({object.file, object.line}, path_, std::string("must be an object, not ") + kind_name(object.kind),
                          object.shown());
  if (problems == nullptr) throw error;
  problems->add(path_, error);
}

std::uint64_t Reader::integer(std::string_view key, std::uint64_t low, std::uint64_t high) {
  const Node* const node = require(key);
  return node == nullptr ? low : integer_in(*node, key, low, high);
}

Sourced Reader::sourced(std::string_view key, std::uint64_t low, std::uint64_t high) {
  const Node* const node = require(key);
  return node == nullptr ? Sourced{low, Provenance::assumed, {}} : sourced_in(*node, key, low, high);
}

Sourced Reader::sourced_in(const Node& node, std::string_view key, std::uint64_t low, std::uint64_t high) const {
  if (node.kind != Node::Kind::object) {
    const std::uint64_t bare = integer_in(node, key, low, high);
    node.physical = true;
    if (from_command_line(node)) return {bare, Provenance::command_line, kCommandLineFile};
    return {bare, Provenance::assumed, kBareSource};
  }
  Reader parts(node, path_of(key), problems_);
  Sourced number;
  number.value = parts.integer("value", low, high);
  number.from = static_cast<Provenance>(parts.choice("from", kProvenanceNames));
  number.source = parts.text("source");
  const Node* const source = node.find("source");
  if (source != nullptr && source->kind == Node::Kind::text && says_nothing(number.source))
    parts.refuse_value(*source, "source", "must name the document, measurement or reason", {}, {});
  const Node* const value = node.find("value");
  if (value != nullptr && from_command_line(*value)) number.from = Provenance::command_line;
  parts.undecided_ = false;
  parts.finish();
  return number;
}

bool Reader::boolean(std::string_view key) {
  const Node* const node = require(key, Node::Kind::boolean);
  if (node == nullptr) undecided_ = true;
  return node != nullptr && node->boolean;
}

std::string Reader::text(std::string_view key) {
  const Node* const node = require(key, Node::Kind::text);
  return node == nullptr ? std::string() : node->text;
}

std::size_t Reader::choice(std::string_view key, std::initializer_list<const char*> names) {
  return choice_of(key, {names.begin(), names.end()});
}

std::size_t Reader::choice_of(std::string_view key, const std::vector<std::string>& names) {
  const Node* const node = require(key, Node::Kind::text);
  if (node != nullptr) {
    const auto found = std::find(names.begin(), names.end(), node->text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    refuse_value(*node, key, "is not a known name", joined(names), nearest_name(node->text, names));
  }
  undecided_ = true;
  return 0;
}

Reader Reader::object(std::string_view key) {
  const Node* const node = require(key);
  return node == nullptr ? without_object(path_of(key)) : below(*node, path_of(key));
}

std::vector<std::uint64_t> Reader::integers(std::string_view key, std::uint64_t low, std::uint64_t high) {
  std::vector<std::uint64_t> values;
  const Node* const list = require(key, Node::Kind::array);
  if (list == nullptr) return values;
  for (const Node& item : list->items) values.push_back(integer_in(item, item_name(key, values.size()), low, high));
  return values;
}

std::vector<std::string> Reader::texts(std::string_view key) {
  std::vector<std::string> values;
  const Node* const list = require(key, Node::Kind::array);
  if (list == nullptr) return values;
  for (const Node& item : list->items) {
    check_kind(item, item_name(key, values.size()), Node::Kind::text);
    values.push_back(item.text);
  }
  return values;
}

std::vector<Reader> Reader::objects(std::string_view key) {
  std::vector<Reader> readers;
  const Node* const list = require(key, Node::Kind::array);
  if (list == nullptr) return readers;
  for (const Node& item : list->items) readers.push_back(below(item, path_of(item_name(key, readers.size()))));
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

void Reader::renamed(std::string_view old, std::string_view now) {
  const Node* const node = object_->find(old);
  if (node == nullptr) return;
  know(old);
  report(old, ConfigError({node->file, node->line}, path_of(old), "is not a known key", {}, "", now));
}

void Reader::finish() const {
  if (undecided_ || suppressed_) return;
  for (const auto& [key, node] : object_->members) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string nearest = nearest_name(key, known_);
    report(key, ConfigError({node.file, node.line}, path_of(key), "is not a known key", {},
                            nearest.empty() ? joined(known_) : "", nearest));
  }
}

// A dotted key leads into nested objects. For a sourced number, the error refers to its value.
void Reader::refuse(std::string_view key, std::string_view problem, std::string_view allowed) const {
  const Node* node = object_;
  for (std::size_t start = 0; node != nullptr && start <= key.size();) {
    const std::size_t end = std::min(key.find('.', start), key.size());
    node = node->find(key.substr(start, end - start));
    start = end + 1;
  }
  if (node == nullptr) throw ConfigError({object_->file, object_->line}, path_of(key), problem, {}, allowed);
  const Node* const value = node->find("value");
  const Node& shown = value == nullptr ? *node : *value;
  throw ConfigError({shown.file, shown.line}, path_of(key), problem, shown.shown(), allowed);
}

void Reader::know(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
}

// A missing key is most often misspelled, so the nearest unread key is named.
const Node* Reader::require(std::string_view key) {
  know(key);
  if (const Node* const node = object_->find(key)) return node;
  if (undecided_ || suppressed_) return nullptr;
  std::vector<std::string> strangers;
  for (const auto& member : object_->members) {
    if (std::find(known_.begin(), known_.end(), member.first) == known_.end()) strangers.push_back(member.first);
  }
  const std::string nearest = nearest_name(key, strangers);
  std::string problem = "is missing";
  if (!nearest.empty()) {
    const std::size_t line = object_->find(nearest)->line;
    problem += "; is it meant by " + printable(nearest) + (line ? " on line " + std::to_string(line) : "") + "?";
    know(nearest);
  }
  report(key, ConfigError({object_->file, object_->line}, path_of(key), problem));
  return nullptr;
}

const Node* Reader::require(std::string_view key, Node::Kind kind) {
  const Node* const node = require(key);
  return node == nullptr || check_kind(*node, key, kind) ? node : nullptr;
}

bool Reader::check_kind(const Node& node, std::string_view key, Node::Kind kind) const {
  if (node.kind == kind) return true;
  refuse_value(node, key, std::string("must be ") + kind_name(kind) + ", not " + kind_name(node.kind), {}, {});
  return false;
}

// If the value is not allowed, returns the nearest allowed one.
std::uint64_t Reader::integer_in(const Node& node, std::string_view key, std::uint64_t low, std::uint64_t high) const {
  if (!check_kind(node, key, Node::Kind::integer)) return low;
  const bool fits = !node.negative && node.magnitude >= low && node.magnitude <= high;
  if (fits) return node.magnitude;
  refuse_value(node, key, "is out of range", range(low, high), {});
  return node.negative || node.magnitude < low ? low : high;
}

Reader Reader::below(const Node& node, const std::string& path) const { return Reader(node, path, problems_); }

Reader Reader::without_object(const std::string& path) const {
  static const Node kNothing = [] {
    Node nothing;
    nothing.kind = Node::Kind::object;
    return nothing;
  }();
  Reader reader(kNothing, path, problems_);
  reader.suppressed_ = true;
  return reader;
}

std::string Reader::path_of(std::string_view key) const {
  if (path_.empty() || key.empty()) return key.empty() ? path_ : std::string(key);
  return path_ + "." + std::string(key);
}

void Reader::report(std::string_view key, const ConfigError& error) const {
  if (problems_ == nullptr) throw error;
  problems_->add(path_of(key), error);
}

void Reader::refuse_value(const Node& node, std::string_view key, std::string_view problem, std::string_view allowed,
                          std::string_view nearest) const {
  report(key, ConfigError({node.file, node.line}, path_of(key), problem, node.shown(), allowed, nearest));
}

bool has_no_problem(const Reader& reader, std::initializer_list<std::string_view> keys) {
  if (reader.problems_ == nullptr) return true;
  return std::none_of(keys.begin(), keys.end(),
                      [&](std::string_view key) { return reader.problems_->touch(reader.path_of(key)); });
}

void explain(const Reader& reader, std::string_view key, const void* member, std::string_view meaning) {
  if (reader.problems_ != nullptr) reader.problems_->explain(reader.path_, key, member, meaning);
}

void read_part(const Reader& reader, std::initializer_list<std::string_view> keys, const std::function<void()>& read) {
  if (reader.problems_ == nullptr) return read();
  try {
    read();
  } catch (const ConfigError& error) {
    if (has_no_problem(reader, keys)) reader.problems_->add(reader.path_of(*keys.begin()), error);
  }
}

}  // namespace ftlab
