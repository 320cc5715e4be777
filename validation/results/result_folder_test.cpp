#include "validation/results/result_folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sim/core/error.h"
#include "sim/testing/test.h"

using namespace ftlab;
namespace fs = std::filesystem;

namespace {

struct Place {
  fs::path folder = fs::temp_directory_path() / ("ftlab-result-folder-" + std::to_string(::getpid()));
  Place() { fs::create_directories(folder); }
  ~Place() { fs::remove_all(folder); }
  std::string operator/(const char* name) const { return (folder / name).string(); }
};

}  // namespace

TEST_CASE("a folder being written by one run is refused to another at its start") {
  const Place place;
  ResultFolder first(place / "out", false);
  CHECK_THROWS_WITH(ResultFolder(place / "out", false), Catch::Contains("is being written by another run"));
  CHECK_THROWS_AS(ResultFolder(place / "out", true), ConfigError);
  first.write("result.json", "{}\n");
  first.commit();
  CHECK_THROWS_WITH(ResultFolder(place / "out", false), Catch::Contains("holds an earlier result"));
}

TEST_CASE("the folder of a killed run is taken over without its files") {
  const Place place;
  fs::create_directories(place.folder / ".out.partial");
  std::ofstream(place.folder / ".out.partial" / "series.csv") << "cut off";
  ResultFolder folder(place / "out", false);
  folder.write("result.json", "{}\n");
  folder.commit();
  CHECK(fs::exists(place.folder / "out" / "result.json"));
  CHECK_FALSE(fs::exists(place.folder / "out" / "series.csv"));
}

TEST_CASE("a folder is free again when its run gives up") {
  const Place place;
  { const ResultFolder given_up(place / "out", false); }
  CHECK_NOTHROW(ResultFolder(place / "out", false));
  CHECK(fs::is_empty(place.folder));
}
