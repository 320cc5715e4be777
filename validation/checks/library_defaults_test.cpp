// Defaults of drive files are the most common values in the library's SSDs. The library itself relies on no default.
#include <map>

#include "ftl/drive/config/drive_defaults.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/testing/test.h"
#include "validation/run/open_device.h"

using namespace ftlab;

namespace {

Node as_written(const std::string& drive) {
  const std::string path = drive_path(drive);
  return load_document(path, files_of_document(path));
}

std::string value_at(const Node& root, const std::string& path) {
  const Node* node = &root;
  for (std::size_t start = 0; node != nullptr && start < path.size();) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    node = node->find(path.substr(start, end - start));
    start = end + 1;
  }
  if (node != nullptr && node->find("value") != nullptr) node = node->find("value");
  return node == nullptr ? "" : node->text;
}

}  // namespace

TEST_CASE("no drive of the library relies on a default") {
  for (const std::string& name : drive_names()) {
    const Node document = as_written(name);
    INFO(name);
    if (!is_disk(document)) CHECK(missing_defaults(document).empty());
  }
}

TEST_CASE("each default is the most common value among similar drives of the library") {
  const Node bare = parse_document(
      R"({"geometry": {"page_bytes": 8192}, "nand": {"cell": "mlc"}, "link": {"kind": "sata-6"}})", "bare.json");
  for (const DriveDefault& one : missing_defaults(bare)) {
    std::map<std::string, int> drives;
    for (const std::string& name : drive_names()) {
      const Node document = as_written(name);
      if (is_disk(document)) continue;
      const bool alike = (!one.key.starts_with("link.") || value_at(document, "link.kind") == "sata-6") &&
                         (one.key != "geometry.page_spare_bytes" || value_at(document, "geometry.page_bytes") == "8192");
      if (alike) ++drives[value_at(document, one.key)];
    }
    for (const auto& [value, count] : drives) {
      INFO(one.key << " " << value << " of " << count << " drives");
      CHECK(count <= drives[one.value]);
    }
  }
}
