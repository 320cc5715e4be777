// The layers of the project, read from the #include lines: sim <- models <- ftl <- validation <- bindings. A file includes
// files of its own folder and of those to the left only; bindings never include the instrument or the tests. Type names are
// unique: if two headers that no file includes together defined the same name, the linker would use one destructor for both.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/testing/test.h"

namespace {

constexpr std::array<std::string_view, 5> kFolders = {"sim", "models", "ftl", "validation", "bindings"};

// Index of the path's top folder in kFolders; empty for other paths, such as system headers.
std::optional<std::ptrdiff_t> place_of(const std::string& path) {
  const auto folder = std::find(kFolders.begin(), kFolders.end(), path.substr(0, path.find('/')));
  if (folder == kFolders.end() || path.find('/') == std::string::npos) return std::nullopt;
  return folder - kFolders.begin();
}

// File named by an #include line, in quotes or angle brackets; empty for any other line.
std::optional<std::string> included_by(const std::string& line) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::smatch match;
  if (!std::regex_search(line, match, include)) return std::nullopt;
  return match[1].str();
}

// The parts of validation that bindings may include: running job files, keeping results, comparing with measurements.
bool opens_or_keeps(const std::string& path) {
  static const std::array<std::string_view, 5> folders = {"run", "results", "compare", "calibrate", "scoreboard"};
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return path.starts_with("validation/" + std::string(folder) + "/"); });
}

// True if the file, given by its path from the project root, may contain this line.
bool allowed(const std::string& file, const std::string& line) {
  const auto included = included_by(line);
  if (!included) return true;
  if (included->find("..") != std::string::npos) return false;  // would bypass the rule: paths start at the root
  const auto place = place_of(*included);
  if (!place) return true;
  const bool users = file.starts_with("bindings/") && file.find("/testing/") == std::string::npos;
  if (users && place_of(*included) == place_of("validation/")) return opens_or_keeps(*included);
  return *place <= place_of(file).value();
}

bool is_source(const std::filesystem::path& path) {
  static const std::array<std::string_view, 6> kinds = {".h", ".hpp", ".cpp", ".cc", ".c", ".inc"};
  return std::find(kinds.begin(), kinds.end(), path.extension().string()) != kinds.end();
}

// All source files in the five folders, by path from the project root.
std::vector<std::string> project_sources(const std::filesystem::path& top) {
  std::vector<std::string> files;
  for (const auto folder : kFolders) {
    if (!std::filesystem::exists(top / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top / folder))
      if (entry.is_regular_file() && is_source(entry.path()))
        files.push_back(entry.path().lexically_relative(top).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Type whose definition begins in the line; empty for declarations, specialisations and nested types.
std::optional<std::string> defined_by(const std::string& line) {
  static const std::regex definition(R"re(^(?:class|struct|enum class|enum|union) (\w+)(?: final)?(?: :[^;]*)? \{)re");
  std::smatch match;
  if (!std::regex_search(line, match, definition)) return std::nullopt;
  return match[1].str();
}

// Which other folders the sources of each folder include, with an include line as an example. Tests and fixtures are left
// out.
using FolderGraph = std::map<std::string, std::map<std::string, std::string>>;

bool is_test(const std::string& file) {
  return file.find("_test.") != std::string::npos || file.find("/testing/") != std::string::npos ||
         file.starts_with("validation/checks/");
}

void add_include(FolderGraph& graph, const std::string& file, const std::string& included) {
  const std::string from = file.substr(0, file.rfind('/')), to = included.substr(0, included.rfind('/'));
  if (from != to) graph[from].emplace(to, file + " includes " + included);
}

// A chain of include lines that leads from a folder back to it; empty if there is none.
std::vector<std::string> circle_from(const FolderGraph& graph, const std::string& start) {
  std::map<std::string, std::string> example{{start, ""}};  // of the include that first led to the folder
  std::map<std::string, std::string> before;
  std::vector<std::string> waiting{start};
  while (!waiting.empty()) {
    const std::string folder = waiting.back();
    waiting.pop_back();
    const auto found = graph.find(folder);
    if (found == graph.end()) continue;
    for (const auto& [next, line] : found->second) {
      if (next == start) {
        std::vector<std::string> chain{line};
        for (std::string at = folder; at != start; at = before.at(at)) chain.push_back(example.at(at));
        std::reverse(chain.begin(), chain.end());
        return chain;
      }
      if (!example.emplace(next, line).second) continue;
      before[next] = folder;
      waiting.push_back(next);
    }
  }
  return {};
}

}  // namespace

TEST_CASE("folders_include_each_other_without_circles") {
  const std::filesystem::path top = FTLAB_SOURCE_DIR;
  FolderGraph graph;
  for (const auto& file : project_sources(top)) {
    if (is_test(file)) continue;
    std::ifstream in(top / file);
    for (std::string line; std::getline(in, line);) {
      const auto included = included_by(line);
      if (included && place_of(*included) && std::filesystem::exists(top / *included)) add_include(graph, file, *included);
    }
  }
  CHECK(graph.size() > 40);
  for (const auto& [folder, others] : graph) {
    std::string chain;
    for (const std::string& line : circle_from(graph, folder)) chain += "\n  " + line;
    INFO(folder << " is part of a circle:" << chain);
    CHECK(chain.empty());
  }
}

TEST_CASE("a_circle_of_folders_is_found") {
  FolderGraph graph;
  add_include(graph, "ftl/gc/victim.h", "ftl/write/page_store.h");
  add_include(graph, "ftl/write/page_store.h", "ftl/blocks/blocks.h");
  add_include(graph, "ftl/write/page_store.h", "ftl/write/page_table.h");
  CHECK(circle_from(graph, "ftl/gc").empty());
  add_include(graph, "ftl/blocks/placement.h", "ftl/gc/victim.h");
  CHECK(circle_from(graph, "ftl/gc").size() == 3);
  CHECK(circle_from(graph, "ftl/blocks").front() == "ftl/blocks/placement.h includes ftl/gc/victim.h");
}

TEST_CASE("includes_follow_the_order_of_layers") {
  const std::filesystem::path top = FTLAB_SOURCE_DIR;
  int includes_inside = 0;
  for (const auto& file : project_sources(top)) {
    std::ifstream in(top / file);
    REQUIRE(in.is_open());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const auto included = included_by(line);
      if (included && place_of(*included)) ++includes_inside;
      if (!allowed(file, line)) FAIL_CHECK(file << ":" << number << ": " << line);
    }
  }
  CHECK(includes_inside > 20);  // the project was found
}

TEST_CASE("no_two_headers_define_the_same_type_name") {
  const std::filesystem::path top = FTLAB_SOURCE_DIR;
  std::map<std::string, std::string> defined_in;
  for (const auto& file : project_sources(top)) {
    if (!file.ends_with(".h")) continue;
    std::ifstream in(top / file);
    for (std::string line; std::getline(in, line);) {
      const auto name = defined_by(line);
      if (!name) continue;
      const auto [first, is_new] = defined_in.emplace(*name, file);
      INFO(*name << " is defined in " << first->second << " and in " << file);
      CHECK(is_new);
    }
  }
  CHECK(defined_in.size() > 200);
}

TEST_CASE("type_definitions_differ_from_declarations") {
  CHECK(defined_by("struct Slot {") == "Slot");
  CHECK(defined_by("class Drive final : public Device {") == "Drive");
  CHECK(defined_by("enum class Op : std::uint8_t { read, write };") == "Op");
  CHECK_FALSE(defined_by("class Drive;"));
  CHECK_FALSE(defined_by("struct Archivable<T> {"));
  CHECK_FALSE(defined_by("struct Node::Member {"));
  CHECK_FALSE(defined_by("  struct Inside {"));
  CHECK_FALSE(defined_by("// struct Slot {"));
}

TEST_CASE("includes_of_lower_layers_are_allowed") {
  CHECK(allowed("sim/host/host.cpp", "#include \"sim/device.h\""));
  CHECK(allowed("models/nand/array/medium.h", "#include \"sim/core/types.h\""));
  CHECK(allowed("ftl/drive/drive.cpp", "#include \"models/nand/array/medium.h\""));
  CHECK(allowed("bindings/cli/main.cpp", "#include \"ftl/drive/drive.h\""));
  CHECK(allowed("bindings/cli/main.cpp", "#include \"validation/run/open_device.h\""));
  CHECK(allowed("validation/checks/reference/reference_ftl_test.cpp", "#include \"validation/run/open_device.h\""));
}

TEST_CASE("includes_of_higher_layers_are_refused") {
  CHECK_FALSE(allowed("sim/host/host.cpp", "#include \"models/link/link.h\""));
  CHECK_FALSE(allowed("sim/host/host_test.cpp", "#include \"ftl/drive/drive.h\""));
  CHECK_FALSE(allowed("models/nand/array/medium.cpp", "#include \"ftl/blocks/blocks.h\""));
  CHECK_FALSE(allowed("ftl/drive/drive.cpp", "#include \"validation/run/open_device.h\""));
  CHECK_FALSE(allowed("validation/checks/reference/reference_ftl_test.cpp", "#include \"bindings/cli/commands.h\""));
  CHECK_FALSE(allowed("bindings/cli/main.cpp", "#include \"validation/checks/reference/shadow.h\""));
  CHECK_FALSE(allowed("bindings/cli/main.cpp", "#include \"validation/measure/measure.h\""));
  CHECK(allowed("bindings/cli/testing/command_line_door.cpp", "#include \"validation/fuzz/door.h\""));
}

TEST_CASE("unusual_spelling_does_not_hide_an_include") {
  CHECK_FALSE(allowed("sim/host/host.h", "  #  include\t<ftl/drive/drive.h>  // why"));
  CHECK_FALSE(allowed("sim/host/host.h", "#include\"ftl/drive/drive.h\""));
  CHECK_FALSE(allowed("sim/stats/report.h", "#include \"../../ftl/drive/drive.h\""));
}

TEST_CASE("lines_without_project_includes_are_allowed") {
  CHECK(allowed("sim/host/host.h", "// #include \"ftl/drive/drive.h\""));
  CHECK(allowed("sim/host/host.h", "#include <vector>"));
  CHECK(allowed("sim/host/host.h", "#include <spdlog/spdlog.h>"));
  CHECK(allowed("sim/host/host.h", "#include \"sim\""));
  CHECK(allowed("sim/host/host.h", ""));
}
