// Each bad drive file in validation/checks/bad_inputs is refused by the reader with the message that the command line prints
// (commands/bad_inputs.py).
#include <set>
#include <string>

#include "ftl/drive/config/drive_config.h"
#include "ftl/drive/config/drive_defaults.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/core/error.h"
#include "sim/testing/bad_inputs.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("each bad drive file is refused by the reader with its message") {
  const testing::BadInputs inputs;
  const TestFolder folder;
  inputs.unpack("drive", folder);
  const std::string top = folder.path().string() + "/";
  std::set<std::string> elsewhere;  // refused by the command, which reads hosts
  int refused = 0;
  for (const auto& [name, input] : inputs.of("drive/drive-", ".json")) {
    INFO(name);
    try {
      read_drive(with_defaults(load_document(top + name, files_of_document(top + name))));
      elsewhere.insert(name);
    } catch (const ConfigError& error) {
      ++refused;
      std::string said = error.what();
      for (std::size_t at; (at = said.find(top)) != said.npos;) said.erase(at, top.size());
      CHECK(said + "\n" == input.message);
    }
  }
  CHECK(refused >= 200);
  CHECK(elsewhere == std::set<std::string>{"drive/drive-host-inside.json"});
}
