// Sections of a saved drive state: each section named in the sources is in the state of some design.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

std::set<std::string> sections_in_sources() {
  std::set<std::string> names;
  const std::regex call(R"re(archive\.section\("([^"]+)"\))re");
  for (const char* const folder : {"ftl", "models", "sim/core"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(FTLAB_SOURCE_DIR "/") + folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name.ends_with("_test.cpp")) continue;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      const std::string all = text.str();
      for (std::sregex_iterator it(all.begin(), all.end(), call), end; it != end; ++it) names.insert((*it)[1]);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("each section of a state begins with its name") {
  std::vector<std::string> states;
  for (const auto& [design, unused] : designs()) states.push_back(Drive(read_drive(document(design)), Clock::timed).save());
  states.push_back(Drive(read_drive(document("zoned")), Clock::timed).save());
  const std::set<std::string> names = sections_in_sources();
  CHECK(names.size() > 25);
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string mark = static_cast<char>(name.size()) + name;
    bool found = false;
    for (const std::string& state : states) found = found || state.find(mark) != state.npos;
    CHECK(found);
  }
}
