// A drive file and its drive, which is made if it is small, and used a little. The input is settings for a small drive, one
// per line; the first byte chooses the drive.
#include <optional>
#include <stdexcept>

#include "ftl/drive/config/table_bytes.h"
#include "ftl/drive/drive.h"
#include "sim/core/error.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"

namespace ftlab::fuzz {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;  // limit on the drive's tables
constexpr int kRequestsOfDrive = 30;
constexpr Nanoseconds kYear = std::chrono::hours(24 * 365);  // even with each number of a drive file at its maximum

// Read only once, because this takes longer than everything else.
const std::vector<Node>& documents() {
  static const std::vector<Node> all = [] {
    std::vector<Node> read;
    for (const auto& [name, text] : designs()) read.push_back(document(name));
    return read;
  }();
  return all;
}

std::optional<DriveConfig> config_of(std::uint8_t which, std::string_view settings) {
  Node drive = documents()[which % documents().size()];
  try {
    while (!settings.empty()) set_by_path(drive, next_part(settings, '\n'));
    return read_drive(drive);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

void enter_small_drive(std::string_view input) {
  const std::uint8_t which = next_byte(input);
  const auto config = config_of(which, input);
  if (!config || table_bytes(*config) > kMostBytes) return;
  Drive drive(*config, which % 2 == 0 ? Clock::timed : Clock::untimed, 7);
  if (use_drive(drive, kRequestsOfDrive) > kYear) throw std::runtime_error("a few requests took more than a year");
}

std::vector<std::string> small_drive_seeds() {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < designs().size(); ++i) {
    for (const char* setting : {"geometry.channels=4", "user_sectors=9000", "ftl.mapping.ram_bytes=4000", "nand.read_ns=0",
                                "ftl.gc.policy=fifo\nftl.gc.start_free_superblocks=5", "endurance.worn_cycles=2"})
      all.push_back(static_cast<char>(i) + std::string(setting));
  }
  return all;
}

}  // namespace

Door small_drive() { return {"small_drive", enter_small_drive, small_drive_seeds, 256, 4}; }

}  // namespace ftlab::fuzz
