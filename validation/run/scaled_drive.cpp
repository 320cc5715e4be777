#include "validation/run/scaled_drive.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "sim/config/share.h"
#include "sim/core/error.h"
#include "sim/core/types.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

constexpr const char* kScaledTo = " (scaled to ";
constexpr std::uint64_t kMostSectors = ~std::uint64_t{0} / kSectorBytes;
constexpr std::uint64_t kWholePage = 8;  // 4 KiB in sectors: the user space stays a multiple of it

const Node* number_at(const Node& root, std::string_view path) {
  const Node* const node = node_at(root, path);
  return node != nullptr && node->kind == Node::Kind::object ? node->find("value") : node;
}

// Decimal units: 10^9 or 10^6 bytes.
std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return bytes >= 1'000'000'000 ? fmt::format("{:.4g} GB", size / 1e9) : fmt::format("{:.4g} MB", size / 1e6);
}

// User capacity stated in a drive file; empty if absent or not a number.
std::optional<std::uint64_t> user_bytes_of(const Node& drive) {
  const Node* const sectors = number_at(drive, "user_sectors");
  if (sectors == nullptr || sectors->kind != Node::Kind::integer || sectors->magnitude > kMostSectors) return std::nullopt;
  return sectors->magnitude * kSectorBytes;
}

// Appends the capacity to the name of a drive that was scaled: " (scaled to 168 MB)".
void name_as_scaled(Node& drive) {
  Node* const name = drive.kind == Node::Kind::object ? drive.find("name") : nullptr;
  const std::optional<std::uint64_t> bytes = user_bytes_of(drive);
  if (name == nullptr || name->kind != Node::Kind::text || !bytes) return;  // the drive reader reports it
  name->text = name->text.substr(0, name->text.find(kScaledTo)) + kScaledTo + size_text(*bytes) + ")";
}

void divide(Node& drive, const std::string& path, std::uint64_t scale, std::uint64_t multiple = 1) {
  const Node* const number = number_at(drive, path);
  if (number == nullptr || number->kind != Node::Kind::integer)
    throw ConfigError({"--scale", 0}, path, "is missing in the drive file, or no number");
  const std::uint64_t divided = number->magnitude / scale / multiple * multiple;
  if (divided == 0) throw ConfigError({"--scale", 0}, path, "is less than the scale", number->text, "a smaller scale");
  set_by_path(drive, path + "=" + std::to_string(divided));
}

constexpr std::string_view kSpare = "over_provisioning=";

// Sets the user capacity that leaves this share of it as spare in the flash as built, in whole pages of 4 KiB.
void set_over_provisioning(Node& drive, const std::string& share, const std::vector<std::string>& settings) {
  const ConfigError::Place place{kCommandLineFile, 0};
  for (const std::string& other : settings) {
    if (other.starts_with("user_sectors=") || other.starts_with("user_sectors."))
      throw ConfigError(place, "over_provisioning", "gives the user capacity, which user_sectors gives too", share,
                        "one of them");
  }
  const bool quoted = share.size() > 1 && share.starts_with('"') && share.ends_with('"');  // as JSON writes a text
  const double op = share_of(place, "over_provisioning", quoted ? share.substr(1, share.size() - 2) : share,
                             over_provisioning_range(0.0001, 100));
  double bytes = 1;
  for (const char* const key : {"channels", "chips_per_channel", "dies_per_chip", "planes_per_die", "blocks_per_plane",
                                "pages_per_block", "page_bytes"}) {
    const Node* const number = number_at(drive, std::string("geometry.") + key);
    if (number == nullptr || number->kind != Node::Kind::integer)
      throw ConfigError(place, "over_provisioning", "needs the size of the flash, which this drive file lacks", share,
                        std::string("drives with geometry.") + key);
    bytes *= static_cast<double>(number->magnitude);
  }
  const auto pages = static_cast<std::uint64_t>(bytes / (1 + op) / (kWholePage * kSectorBytes));
  set_by_path(drive, "user_sectors=" + std::to_string(pages * kWholePage));
}

}  // namespace

Node with_fewer_blocks(const Node& drive, std::uint64_t scale) {
  Node smaller = drive;
  if (scale <= 1) return smaller;
  divide(smaller, "geometry.blocks_per_plane", scale);
  divide(smaller, "user_sectors", scale);
  name_as_scaled(smaller);
  return smaller;
}

Node with_smaller_blocks(const Node& drive, std::uint64_t scale) {
  Node smaller = drive;
  if (scale <= 1) return smaller;
  divide(smaller, "geometry.pages_per_block", scale);
  divide(smaller, "nand.erase_ns", scale);
  divide(smaller, "user_sectors", scale, kWholePage);
  if (number_at(smaller, "ftl.mapping.ram_bytes") != nullptr) divide(smaller, "ftl.mapping.ram_bytes", scale);
  name_as_scaled(smaller);
  return smaller;
}

void set_drive_keys(Node& drive, const std::vector<std::string>& settings) {
  const std::optional<std::uint64_t> bytes = user_bytes_of(drive);
  set_keys_of_new_drive(drive, settings);
  if (bytes && user_bytes_of(drive) != bytes) name_as_scaled(drive);
}

void set_keys_of_new_drive(Node& drive, const std::vector<std::string>& settings) {
  std::vector<std::string> keys = settings;
  const auto is_spare = [](const std::string& setting) { return setting.starts_with(kSpare); };
  const auto spare = std::find_if(settings.begin(), settings.end(), is_spare);
  if (std::erase_if(keys, is_spare) > 1)
    throw ConfigError({kCommandLineFile, 0}, "over_provisioning", "is set twice", "", "one --set KEY=VALUE for each key");
  set_by_paths(drive, keys);
  if (spare != settings.end()) set_over_provisioning(drive, spare->substr(kSpare.size()), settings);
}

}  // namespace ftlab
