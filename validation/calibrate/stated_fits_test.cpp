// fits.json against the drive files: every fitted number is marked in both.
#include "validation/calibrate/held_out.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "sim/config/file.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"
#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/fit_key.h"
#include "validation/run/open_device.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

using Keys = std::set<std::string>;

// Settings of policies: design choices, so they state no source.
const std::set<std::string> kPolicies = {"start_free_superblocks", "stop_free_superblocks", "pages_per_host_write",
                                         "start_permille",         "stop_permille",         "dies"};
// Beginning of the source of a number that `ftlab calibrate` fitted to a measurement.
constexpr char kToMeasurement[] = "ftlab calibrate: ";

struct Numbers {
  Keys fitted;    // marked as fitted, but not to a measurement
  Keys unmarked;  // without a source
};

void gather(const Node& node, const std::string& path, Numbers& numbers) {
  if (node.kind == Node::Kind::integer || node.kind == Node::Kind::real) numbers.unmarked.insert(path);
  if (node.kind == Node::Kind::array) {
    for (std::size_t i = 0; i < node.items.size(); ++i) gather(node.items[i], path + "[" + std::to_string(i) + "]", numbers);
  }
  if (node.kind != Node::Kind::object) return;
  if (const Node* const from = node.find("from"); from != nullptr && node.find("value") != nullptr) {
    if (from->text == "fitted" && node.find("source")->text.find(kToMeasurement) != 0) numbers.fitted.insert(path);
    return;
  }
  for (const auto& [key, child] : node.members) gather(child, path.empty() ? key : path + "." + key, numbers);
}

// By file, named as in fits.json.
std::map<std::string, Numbers> numbers_of_files() {
  const fs::path folder = fs::path(config_folder()) / "drives";
  std::map<std::string, Numbers> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string();
    gather(parse_document(read_text_file(path), path), "",
           files[entry.path().lexically_relative(folder).replace_extension()]);
  }
  return files;
}

StatedFits library_fits() { return load_stated_fits((fs::path(config_folder()) / "scoreboard" / "fits.json").string()); }

std::map<std::string, Keys> stated_keys(const StatedFits& fits) {
  std::map<std::string, Keys> stated;
  for (const StatedFit& fit : fits.fits) {
    for (const std::string& key : fit.keys) stated[fit.file].insert(key.substr(0, key.find(':')));
  }
  for (const FitByHand& fit : fits.by_hand) stated[fit.file].insert(fit.keys.begin(), fit.keys.end());
  return stated;
}

bool is_policy(const std::string& path) { return kPolicies.count(path.substr(path.rfind('.') + 1)) > 0; }

}  // namespace

TEST_CASE("every number marked as fitted is in fits.json, and no others are") {
  const std::map<std::string, Numbers> files = numbers_of_files();
  const std::map<std::string, Keys> stated = stated_keys(library_fits());
  for (const auto& [file, numbers] : files) {
    Keys listed = stated.count(file) > 0 ? stated.at(file) : Keys();
    for (const std::string& key : numbers.unmarked) {
      if (is_policy(key)) listed.erase(key);
    }
    INFO(file);
    CHECK(numbers.fitted == listed);
  }
  for (const auto& [file, keys] : stated) {
    INFO(file);
    REQUIRE(files.count(file) == 1);
    for (const std::string& key : keys) CHECK(files.at(file).fitted.count(key) + files.at(file).unmarked.count(key) == 1);
  }
}

TEST_CASE("every number of a drive file states its source, except settings of policies") {
  for (const auto& [file, numbers] : numbers_of_files()) {
    for (const std::string& key : numbers.unmarked) {
      INFO(file << ": " << key);
      CHECK(is_policy(key));
    }
  }
}

TEST_CASE("drives of a family agree on the fitted numbers") {
  const StatedFits fits = library_fits();
  for (const StatedFit& fit : fits.fits) {
    if (fit.drives.size() < 2) continue;
    for (const std::string& key : fit.keys) {
      std::set<std::uint64_t> values;
      for (const std::string& drive : fit.drives) values.insert(parse_fit_key(key, load_drive(drive, {}), Reach::all).value);
      INFO(fit.name << ": " << key);
      CHECK(values.size() == 1);
    }
  }
}

TEST_CASE("the rows in fits.json are on the board, marked as fitted and not held out") {
  const std::vector<Review> reviews = load_reviews((fs::path(config_folder()) / "scoreboard").string());
  for (const StatedFit& fit : library_fits().fits) {
    std::vector<std::string> notes;
    for (const ReviewedRow& row : fittable_rows(reviews, {fit.drives, fit.rows}, notes)) {
      INFO(fit.name << ": " << row.row->fact << " " << row.row->says);
      CHECK(row.row->basis == Basis::fitted);
      CHECK_FALSE(row.row->held_out);
    }
  }
}

TEST_CASE("an invalid file of fits is refused") {
  const auto refused = [](const std::string& text) {
    return refusal([&] { read_stated_fits(parse_document(text, "f.json")); });
  };
  CHECK(refused(R"({"about": "a", "by_hand": {}})").find("fits: is missing") != std::string::npos);
  CHECK(refused(R"({"about": "a", "fits": {"x": {"file": "f", "drives": ["d"], "rows": ["r"]}}, "by_hand": {}})")
            .find("fits.x.keys: is missing") != std::string::npos);
  CHECK(refused(R"({"about": "a", "fits": {}, "by_hand": {"f": {"keys": ["k"]}}})").find("by_hand.f.to: is missing") !=
        std::string::npos);
}

}  // namespace ftlab
