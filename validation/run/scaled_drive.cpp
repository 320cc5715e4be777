#include "validation/run/scaled_drive.h"

#include <algorithm>
#include <string_view>

#include "sim/config/error.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kWholePage = 8;  // sectors of 4 KiB: the user space stays a whole number of them

Node* number_at(Node& root, std::string_view path) {
  Node* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    node = node->kind == Node::Kind::object ? node->find(path.substr(0, dot)) : nullptr;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node != nullptr && node->kind == Node::Kind::object ? node->find("value") : node;
}

void divide(Node& drive, const std::string& path, std::uint64_t scale, std::uint64_t multiple = 1) {
  const Node* const number = number_at(drive, path);
  if (number == nullptr || number->kind != Node::Kind::integer)
    throw ConfigError({"--scale", 0}, path, "is missing in the drive file, or no number");
  const std::uint64_t divided = number->magnitude / scale / multiple * multiple;
  if (divided == 0) throw ConfigError({"--scale", 0}, path, "is less than the scale", number->text, "a smaller scale");
  set_by_path(drive, path + "=" + std::to_string(divided));
}

}  // namespace

Node with_fewer_blocks(const Node& drive, std::uint64_t scale) {
  Node smaller = drive;
  if (scale <= 1) return smaller;
  divide(smaller, "geometry.blocks_per_plane", scale);
  divide(smaller, "user_sectors", scale);
  return smaller;
}

Node with_smaller_blocks(const Node& drive, std::uint64_t scale) {
  Node smaller = drive;
  if (scale <= 1) return smaller;
  divide(smaller, "geometry.pages_per_block", scale);
  divide(smaller, "nand.erase_ns", scale);
  divide(smaller, "user_sectors", scale, kWholePage);
  if (number_at(smaller, "ftl.mapping.ram_bytes") != nullptr) divide(smaller, "ftl.mapping.ram_bytes", scale);
  return smaller;
}

}  // namespace ftlab
