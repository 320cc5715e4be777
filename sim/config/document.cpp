#include "sim/config/document.h"

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/core/error.h"

namespace ftlab {

namespace {

constexpr std::size_t kMaxDepth = 64;

// How far the parser has read. The parser copies the iterator below; all copies share this.
struct Progress {
  const char* next;
  const char* end;
  std::size_t line = 1;
  char last = 0;

  // Line of the token just read. The parser finds the end of a number only by reading the next character, which may be the
  // newline.
  std::size_t token_line() const { return last == '\n' ? line - 1 : line; }
};

// An input iterator over a text that counts the lines, because nlohmann's SAX events carry no positions.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator() = default;
  explicit CountingIterator(Progress* progress) : progress_(progress) {}

  reference operator*() const { return *progress_->next; }
  CountingIterator& operator++() {
    progress_->last = *progress_->next++;
    if (progress_->last == '\n') ++progress_->line;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_end() == b.at_end(); }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return !(a == b); }

 private:
  bool at_end() const { return progress_ == nullptr || progress_->next == progress_->end; }
  Progress* progress_ = nullptr;
};

// Extracts the useful part of nlohmann's message: the text after "syntax error", without the echo of the input.
std::string plain_reason(std::string_view what) {
  constexpr std::string_view kMark = "syntax error ";
  const std::size_t mark = what.find(kMark);
  if (mark == std::string_view::npos) return "is not JSON here";
  std::string reason(what.substr(mark + kMark.size()));
  if (reason.find("UTF-8") != std::string::npos) return "contains invalid UTF-8";
  const std::size_t dash = reason.find(" - ");
  if (dash != std::string::npos) reason.erase(0, dash + 3);
  const std::size_t echo = reason.find("; last read");
  if (echo != std::string::npos) reason.erase(echo, reason.find("'; expected", echo) - echo + 1);
  return "is not JSON here: " + reason;
}

// Builds the tree. An object or array under construction stays on the stack until it ends.
class Builder {
 public:
  Builder(const std::string& file, const Progress& progress) : file_(file), progress_(progress) {}

  Node take() { return std::move(root_); }

  bool null() { return put(fresh(Node::Kind::null)); }
  bool boolean(bool value) {
    Node node = fresh(Node::Kind::boolean);
    node.boolean = value;
    return put(std::move(node));
  }
  bool number_integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return put_integer(value < 0, value < 0 ? 0 - bits : bits, std::to_string(value));
  }
  bool number_unsigned(std::uint64_t value) { return put_integer(false, value, std::to_string(value)); }
  bool number_float(double value, const std::string& written) {
    const bool integer = written.find_first_of(".eE") == std::string::npos;  // written as an integer, but parsed as a float
    if (integer) refuse("is a number beyond the range of 64-bit integers", written);
    Node node = fresh(Node::Kind::real);
    node.real = value;
    node.text = written;
    return put(std::move(node));
  }
  bool string(std::string& value) {
    Node node = fresh(Node::Kind::text);
    node.text = std::move(value);
    return put(std::move(node));
  }
  template <class Binary>
  bool binary(Binary&) {
    return false;  // never called for JSON text
  }
  bool start_object(std::size_t) { return open(Node::Kind::object); }
  bool start_array(std::size_t) { return open(Node::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name);
  bool parse_error(std::size_t, const std::string& token, const nlohmann::json::exception& error);

 private:
  struct Open {
    Node node;
    std::set<std::string> keys;
    std::string key;  // key of the member whose value comes next
    std::size_t key_line = 0;
  };

  [[noreturn]] void refuse(std::string_view problem, std::string_view value = {}) const {
    throw ConfigError({file_, progress_.token_line()}, path(), problem, value);
  }
  std::string path() const;
  Node fresh(Node::Kind kind) const;
  bool put_integer(bool negative, std::uint64_t magnitude, std::string written);
  bool put(Node node);
  bool open(Node::Kind kind);
  bool close();

  const std::string& file_;
  const Progress& progress_;
  Node root_;
  std::vector<Open> open_;
};

std::string Builder::path() const {
  std::string path;
  for (const Open& open : open_) {
    if (!open.key.empty()) path += (path.empty() ? "" : ".") + open.key;
  }
  return path;
}

Node Builder::fresh(Node::Kind kind) const {
  const bool member = !open_.empty() && open_.back().node.kind == Node::Kind::object;
  Node node;
  node.kind = kind;
  node.file = file_;
  node.line = member ? open_.back().key_line : progress_.token_line();
  return node;
}

bool Builder::put_integer(bool negative, std::uint64_t magnitude, std::string written) {
  Node node = fresh(Node::Kind::integer);
  node.negative = negative;
  node.magnitude = magnitude;
  node.text = std::move(written);
  return put(std::move(node));
}

bool Builder::put(Node node) {
  if (open_.empty()) {
    root_ = std::move(node);
  } else if (open_.back().node.kind == Node::Kind::array) {
    open_.back().node.items.push_back(std::move(node));
  } else {
    open_.back().node.members.emplace_back(std::move(open_.back().key), std::move(node));
    open_.back().key.clear();
  }
  return true;
}

bool Builder::open(Node::Kind kind) {
  if (open_.size() == kMaxDepth) refuse("is nested more than 64 levels deep");
  Open next;
  next.node = fresh(kind);
  open_.push_back(std::move(next));
  return true;
}

bool Builder::close() {
  Node done = std::move(open_.back().node);
  open_.pop_back();
  return put(std::move(done));
}

bool Builder::key(std::string& name) {
  Open& object = open_.back();
  const bool is_new = object.keys.insert(name).second;
  object.key = name;
  object.key_line = progress_.token_line();
  if (!is_new) refuse("is given twice, first on line " + std::to_string(object.node.find(name)->line));
  return true;
}

bool Builder::parse_error(std::size_t, const std::string& token, const nlohmann::json::exception& error) {
  constexpr int kNumberOverflow = 406;
  const std::string_view what = error.what();
  if (error.id == kNumberOverflow) refuse("is a number too large for a double", token);
  const bool cut = what.find("unexpected end of input") != what.npos || what.find("missing closing") != what.npos;
  if (!cut || open_.empty()) refuse(plain_reason(what));
  const Node& inner = open_.back().node;
  refuse(std::string("ends before the ") + (inner.kind == Node::Kind::object ? "object" : "list") + " opened on line " +
         std::to_string(inner.line) + " is closed");
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

void refuse_what_is_no_text(std::string_view text, const std::string& file_name) {
  if (is_blank(text)) throw ConfigError({file_name, 0}, "", "is empty");
  if (text.find('\0') != std::string_view::npos) throw ConfigError({file_name, 0}, "", "is a binary file, not JSON");
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const auto& [name, node] : members) {
    if (name == key) return &node;
  }
  return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

std::string Node::shown() const {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return boolean ? "true" : "false";
    case Kind::integer:
    case Kind::real: return text;
    case Kind::text: return '"' + printable(text) + '"';
    case Kind::array: return items.empty() ? "[]" : "[...]";
    case Kind::object: return members.empty() ? "{}" : "{...}";
  }
  return {};
}

Node parse_document(std::string_view text, const std::string& file_name) {
  refuse_what_is_no_text(text, file_name);
  Progress progress{text.data(), text.data() + text.size()};
  Builder builder(file_name, progress);
  nlohmann::json::sax_parse(CountingIterator(&progress), CountingIterator(), &builder, nlohmann::json::input_format_t::json,
                            /*strict=*/true, /*ignore_comments=*/true);
  return builder.take();
}

}  // namespace ftlab
