#include "ftl/drive/config/drive_defaults.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {
namespace {

constexpr std::string_view kDot = ".";

const Node* at(const Node& root, std::string_view path) {
  const Node* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t end = std::min(path.find(kDot), path.size());
    node = node->find(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return node;
}

// A number with or without a source; `otherwise` if it is missing.
std::uint64_t number_at(const Node& root, std::string_view path, std::uint64_t otherwise) {
  const Node* node = at(root, path);
  if (node != nullptr && node->kind == Node::Kind::object) node = node->find("value");
  return node != nullptr && node->kind == Node::Kind::integer && !node->negative ? node->magnitude : otherwise;
}

std::string text_at(const Node& root, std::string_view path) {
  const Node* const node = at(root, path);
  return node != nullptr && node->kind == Node::Kind::text ? node->text : std::string();
}

const char kLibrary[] = "as most SSDs of the library have it";

class Missing {
 public:
  explicit Missing(const Node& document) : document_(document) {}

  // Adds nothing if a parent of the key is not an object, which the reader refuses.
  void add(const std::string& key, const std::string& value, std::string source) {
    if (at(document_, key) != nullptr) return;
    for (std::size_t dot = key.find(kDot); dot != key.npos; dot = key.find(kDot, dot + 1)) {
      const Node* const parent = at(document_, std::string_view(key).substr(0, dot));
      if (parent != nullptr && parent->kind != Node::Kind::object) return;
    }
    found.push_back({key, value, std::move(source)});
  }

  std::vector<DriveDefault> found;

 private:
  const Node& document_;
};

void add_flash(const Node& document, Missing& missing) {
  if (at(document, "geometry") != nullptr) {
    const std::uint64_t page = number_at(document, "geometry.page_bytes", 8192);
    const std::string cell = text_at(document, "nand.cell");
    const bool many_bits = cell == "tlc" || cell == "qlc";
    missing.add("geometry.page_spare_bytes", std::to_string(many_bits ? page / 8 : page * 7 / 128),
                many_bits ? "an eighth of the page, as TLC flash has for LDPC codes"
                          : "448 of 8192 bytes and in proportion, as most SSDs of the library have it");
    missing.add("geometry.codeword_bytes", page % 1024 == 0 ? "1024" : "512", kLibrary);
  }
  if (at(document, "nand") != nullptr) missing.add("nand.bus_command_ns", "500", kLibrary);
}

// NVMe has no defaults: the library has no measured NVMe drive.
void add_link(const Node& document, Missing& missing) {
  const std::string kind = text_at(document, "link.kind");
  if (kind == "sata-1.5" || kind == "sata-3") {
    missing.add("link.read_command_ns", "5400", "as most SSDs of 3 Gb/s of the library have it");
    missing.add("link.write_command_ns", "6200", "as most SSDs of 3 Gb/s of the library have it");
  } else if (kind == "sata-6" || kind == "sas-6" || kind == "sas-12") {
    missing.add("link.read_command_ns", "2200", "as most SSDs of 6 Gb/s of the library have it");
    missing.add("link.write_command_ns", "2600", "as most SSDs of 6 Gb/s of the library have it");
  }
}

void add_collection(const Node& document, Missing& missing) {
  missing.add("ftl.frontiers", "host+gc", kLibrary);
  missing.add("ftl.gc.policy", "greedy", kLibrary);
  const std::uint64_t start = number_at(document, "ftl.gc.start_free_superblocks", 0);
  const std::uint64_t stop = number_at(document, "ftl.gc.stop_free_superblocks", 0);
  const std::uint64_t begin = start > 0 ? start : stop > 3 ? std::min<std::uint64_t>(stop - 2, 6) : stop > 0 ? 1 : 6;
  missing.add("ftl.gc.start_free_superblocks", std::to_string(begin), kLibrary);
  missing.add("ftl.gc.stop_free_superblocks", std::to_string(begin + 2), kLibrary);
  missing.add("ftl.gc.pages_per_host_write", "8", kLibrary);
}

void add_layer(const Node& document, Missing& missing) {
  missing.add("ftl.mapping.scheme", "page", kLibrary);
  missing.add("ftl.mapping.page_bytes", "4096", kLibrary);
  const std::string scheme = text_at(document, "ftl.mapping.scheme");
  if (scheme != "block" && scheme != "bast" && scheme != "fast") add_collection(document, missing);
  missing.add("ftl.write_buffer.bytes", "4194304", kLibrary);
  const Node* const coalesce = at(document, "ftl.write_buffer.coalesce");
  if (coalesce == nullptr || !coalesce->boolean) missing.add("ftl.write_buffer.partial_pages", "64", kLibrary);
}

bool is_number(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

Node plain(Node::Kind kind, const std::string& text) {
  FTLAB_CHECK((kind == Node::Kind::integer) <= is_number(text), "a default number that is none: " + text);
  Node node;
  node.kind = kind;
  node.file = kDefaultFile;
  node.text = text;
  if (kind == Node::Kind::integer) node.magnitude = std::stoull(text);
  return node;
}

// Numbers of the flash, the link and the RAM are physical and need a source; those of the layer's rules do not.
bool is_physical(const std::string& key) {
  return !key.starts_with("ftl.") || key.ends_with("bytes") || key.ends_with("partial_pages");
}

Node value_of(const DriveDefault& value) {
  FTLAB_CHECK(!value.value.empty() && !value.source.empty(), "the default of " + value.key + " says nothing");
  if (!is_number(value.value)) return plain(Node::Kind::text, value.value);
  if (!is_physical(value.key)) return plain(Node::Kind::integer, value.value);
  Node sourced = plain(Node::Kind::object, {});
  sourced.members.emplace_back("value", plain(Node::Kind::integer, value.value));
  sourced.members.emplace_back("from", plain(Node::Kind::text, "default"));
  sourced.members.emplace_back("source", plain(Node::Kind::text, value.source));
  return sourced;
}

void insert(Node& root, const DriveDefault& value) {
  Node* object = &root;
  std::string_view path = value.key;
  for (std::size_t dot = path.find(kDot); dot != path.npos; dot = path.find(kDot)) {
    const std::string_view key = path.substr(0, dot);
    if (object->find(key) == nullptr) object->members.emplace_back(key, plain(Node::Kind::object, {}));
    object = object->find(key);
    FTLAB_CHECK(object->kind == Node::Kind::object, "no object on the way to the default of " + value.key);
    path.remove_prefix(dot + 1);
  }
  FTLAB_CHECK(object->find(path) == nullptr, "a default in the place of what stands there: " + value.key);
  object->members.emplace_back(path, value_of(value));
}

}  // namespace

std::vector<DriveDefault> missing_defaults(const Node& document) {
  Missing missing(document);
  if (document.kind != Node::Kind::object) return {};
  add_flash(document, missing);
  add_link(document, missing);
  add_layer(document, missing);
  return std::move(missing.found);
}

Node with_defaults(Node document) {
  for (const DriveDefault& value : missing_defaults(document)) insert(document, value);
  FTLAB_DCHECK(missing_defaults(document).empty(), "a default asks for another one");
  return document;
}

}  // namespace ftlab
