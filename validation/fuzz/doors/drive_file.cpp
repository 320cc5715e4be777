// A drive file: JSON, the file that it extends, and --set settings. The input is up to three parts separated by zero bytes:
// the file, the file that it extends, and settings, one per line.
#include "sim/config/extends.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"
#include "validation/run/open_device.h"

namespace ftlab::fuzz {
namespace {

void enter_drive_file(std::string_view input) {
  const std::string_view text = next_part(input), base = next_part(input);
  try {
    Node document =
        load_document(kInputName, [&](const std::string& path) { return std::string(path == kInputName ? text : base); });
    while (!input.empty()) set_by_path(document, next_part(input, '\n'));
    read_device(document);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> drive_file_seeds() {
  std::vector<std::string> all = joined(short_drives(), bad_texts("drive/drive-", ".json", 4096));
  const std::string tiny = short_text(tiny_drive());
  all.push_back(tiny + std::string(2, '\0') + "ftl.gc.policy=fifo\nftl.mapping={\"scheme\": \"demand\"}");
  all.push_back(R"({"extends": "base.json", "name": "x"})" + std::string(1, '\0') + tiny);
  return joined(std::move(all), bad_texts("drive/disk-", ".json", 4096));
}

}  // namespace

Door drive_file() { return {"drive_file", enter_drive_file, drive_file_seeds, 8192, 3}; }

}  // namespace ftlab::fuzz
