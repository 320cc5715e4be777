// The drive files of validation/checks/bad_inputs are refused by their reader with the message that the command line prints
// (bad_inputs_test.sh).
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "ftl/drive/config/drive_config.h"
#include "ftl/drive/config/drive_defaults.h"
#include "sim/config/error.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/testing/test.h"

using namespace ftlab;
namespace fs = std::filesystem;

TEST_CASE("each bad drive file is refused by its reader with its message") {
  const std::string source = std::string(FTLAB_SOURCE_DIR) + "/";
  std::set<std::string> elsewhere;  // refused by the command, which knows of hosts
  int refused = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(source + "validation/checks/bad_inputs/drive")) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("drive-") || !name.ends_with(".json")) continue;
    INFO(name);
    std::string expected =
        read_text_file(entry.path().string().substr(0, entry.path().string().size() - 4) + "expect", 1 << 20);
    while (expected.ends_with('\n')) expected.pop_back();
    try {
      read_drive(with_defaults(load_document(entry.path(), files_of_document(entry.path()))));
      elsewhere.insert(name);
    } catch (const ConfigError& error) {
      ++refused;
      std::string said = error.what();
      for (std::size_t at; (at = said.find(source)) != said.npos;) said.erase(at, source.size());
      CHECK(said == expected);
    }
  }
  CHECK(refused >= 200);
  CHECK(elsewhere == std::set<std::string>{"drive-host-inside.json"});
}
