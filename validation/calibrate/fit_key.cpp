#include "validation/calibrate/fit_key.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/core/exact_math.h"
#include "validation/calibrate/drive_state.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

struct Prior {
  Provenance from;
  double deviation;        // standard deviation of the logarithm
  std::uint64_t most_off;  // usual bounds: value / most_off to value * most_off
};
// How far off numbers of each provenance may be. Stated, not measured: a datasheet's typical time is within about 10 % of a
// part's; an assumed number gives the order of magnitude.
constexpr std::array<Prior, 7> kPriors = {{{Provenance::datasheet, 0.10, 2},
                                           {Provenance::measured, 0.05, 2},
                                           {Provenance::fitted, 0.20, 3},
                                           {Provenance::inferred, 0.25, 3},
                                           {Provenance::assumed, 0.70, 10},
                                           {Provenance::command_line, 0.70, 10},
                                           {Provenance::by_default, 0.70, 10}}};
const Prior& prior_of(Provenance from) {
  return *std::find_if(kPriors.begin(), kPriors.end(), [from](const Prior& prior) { return prior.from == from; });
}

constexpr double kStepOfLogarithm = 0.08;
constexpr double kStepOfRange = 0.05;
constexpr double kLeastUnits = 2;  // smallest step, in units of the key

constexpr std::array<const char*, 6> kFittable = {"nand", "link", "controller", "dram", "host", "state"};
constexpr char kFittableShown[] =
    "numbers of nand, link, controller, dram, host, state; of a disk all but geometry and user_sectors";
constexpr char kAllShown[] = "numbers of the drive file, but not those of lists";

const char* shown(Reach reach) { return reach == Reach::all ? kAllShown : kFittableShown; }

[[noreturn]] void refuse(std::string_view key, std::string_view problem, std::string_view value = {},
                         std::string_view allowed = {}, std::string_view nearest = {}) {
  throw ConfigError({"--fit", 0}, key, problem, value, allowed, nearest);
}

bool is_number(const Node& node) {
  if (is_sourced(node)) return node.find("value")->kind == Node::Kind::integer;
  return node.kind == Node::Kind::integer;
}

void gather_numbers(const Node& node, const std::string& path, std::vector<std::string>& names) {
  if (is_number(node)) {
    names.push_back(path);
  } else if (node.kind == Node::Kind::object && !is_sourced(node)) {
    for (const auto& [key, child] : node.members) gather_numbers(child, path.empty() ? key : path + "." + key, names);
  }
}

// Keys that stand for one number per page type, if the file has these.
constexpr std::array<const char*, 2> kOfAllPages = {"nand.read_ns", "nand.program_ns"};
// Keys that stand for one number for reads and one for writes, if the file has these.
constexpr std::array<const char*, 3> kOfBothDirections = {"host.submit_ns", "host.complete_ns", "host.adapter.command_ns"};

std::vector<std::string> fittable_names(const Node& drive, Reach reach) {
  std::vector<std::string> names;
  if (reach == Reach::all) {
    gather_numbers(drive, "", names);
    return names;
  }
  if (is_disk(drive)) {
    for (const auto& [section, node] : drive.members) {
      if (section != "geometry" && section != "user_sectors") gather_numbers(node, section, names);
    }
    return names;
  }
  for (const char* const section : kFittable) {
    if (const Node* const node = drive.find(section)) gather_numbers(*node, section, names);
  }
  return names;
}

const Node& number_at(const Node& drive, const std::string& path, Reach reach) {
  const Node* const node = node_at(drive, path);
  const std::vector<std::string> names = fittable_names(drive, reach);
  if (node == nullptr) {
    std::vector<std::string> all = names;
    all.insert(all.end(), kOfAllPages.begin(), kOfAllPages.end());
    refuse(path, "is not a key of the drive", {}, shown(reach), nearest_name(path, all));
  }
  if (!is_number(*node)) refuse(path, "is not a number", node->shown(), shown(reach), nearest_name(path, names));
  if (std::find(names.begin(), names.end(), path) == names.end())
    refuse(path, "changes where data lie, not only how long things take", {}, shown(reach), nearest_name(path, names));
  return *node;
}

// Expands "nand.read_ns" to the keys of each page type and "host.submit_ns" to those of reads and writes, if the file has
// these; otherwise returns the path itself.
std::vector<std::string> parts_of(const std::string& path, const Node& drive) {
  constexpr std::array<const char*, 5> kKinds = {"lower_ns", "middle_ns", "upper_ns", "extra_ns", "top_ns"};
  std::vector<std::string> parts;
  const auto is_one_of = [&path](const auto& all) { return std::find(all.begin(), all.end(), path) != all.end(); };
  const auto add = [&](const std::string& part) {
    if (node_at(drive, part) != nullptr) parts.push_back(part);
  };
  if (node_at(drive, path) == nullptr && is_one_of(kOfAllPages)) {
    for (const char* const kind : kKinds) add(path.substr(0, path.size() - 2) + kind);
  } else if (node_at(drive, path) == nullptr && is_one_of(kOfBothDirections)) {
    const std::size_t name = path.rfind('.') + 1;
    for (const char* const direction : {"read_", "write_"}) add(path.substr(0, name) + direction + path.substr(name));
  }
  return parts.empty() ? std::vector<std::string>{path} : parts;
}

std::uint64_t value_of(const Node& number) {
  return is_sourced(number) ? number.find("value")->magnitude : number.magnitude;
}

std::uint64_t bound_of(const FitKey& key, std::string_view text) {
  if (key.is_of_state()) return parse_share({"--fit", 0}, key.path, text);
  const auto value = parsed<std::uint64_t>(text);
  if (!value || *value > (std::uint64_t{1} << 53))
    refuse(key.path, "has a bound that is not a number", text, "KEY or KEY:LOW:HIGH, whole numbers");
  return *value;
}

void set_prior(FitKey& key) {
  key.logarithmic = key.low > 0 && !key.is_of_state();
  const double range = static_cast<double>(key.high - key.low);
  key.deviation = key.logarithmic ? prior_of(key.from).deviation : range / 2;
}

// `bounds`: the text after the key, including its colon.
void set_bounds(FitKey& key, std::string_view bounds) {
  if (bounds.empty() && key.is_of_state()) {
    key.low = 0;
    key.high = key.parts_of_one;
    return;
  }
  if (bounds.empty()) {
    if (key.value == 0) refuse(key.path, "is 0, which has no usual bounds", {}, "KEY:LOW:HIGH");
    const std::uint64_t off = prior_of(key.from).most_off;
    key.low = std::max<std::uint64_t>(1, key.value / off);
    key.high = key.value * off;
    return;
  }
  bounds.remove_prefix(1);
  const std::size_t colon = bounds.find(':');
  if (colon == bounds.npos) refuse(key.path, "lacks its upper bound", bounds, "KEY or KEY:LOW:HIGH, whole numbers");
  key.low = bound_of(key, bounds.substr(0, colon));
  key.high = bound_of(key, bounds.substr(colon + 1));
  if (key.low >= key.high) refuse(key.path, "has bounds that leave no room", bounds, "LOW below HIGH");
  if (key.value < key.low || key.value > key.high) {
    refuse(key.path, "is outside of its bounds in the drive file", key.shown(static_cast<double>(key.value)),
           key.shown(static_cast<double>(key.low)) + " to " + key.shown(static_cast<double>(key.high)));
  }
}

// Refuses numbers so small that the smallest step of the fit is a large change.
void check_fineness(const FitKey& key) {
  const double least =
      key.logarithmic ? kLeastUnits / static_cast<double>(key.value) : kLeastUnits / static_cast<double>(key.high - key.low);
  if (least <= (key.logarithmic ? kStepOfLogarithm : kStepOfRange)) return;
  refuse(key.path, "counts too few to be fitted by small steps", std::to_string(key.value),
         key.logarithmic ? "values of 25 or more" : "bounds 40 or more apart");
}

// The reader does not export the names of provenance, so each is tried.
Provenance provenance_of(const Node& number) {
  const Node* const from = number.find("from");
  for (const Prior& prior : kPriors) {
    if (from != nullptr && from->text == name_of(prior.from)) return prior.from;
  }
  return Provenance::assumed;
}

bool share_a_number(const FitKey& a, const FitKey& b) {
  for (const FitKey::Part& of_a : a.parts) {
    for (const FitKey::Part& of_b : b.parts) {
      if (of_a.path == of_b.path) return true;
    }
  }
  return false;
}

}  // namespace

double FitKey::position(double at_value) const {
  const double base = static_cast<double>(value);
  return logarithmic ? exact_log(at_value / base) / deviation : (at_value - base) / deviation;
}

double FitKey::value_at(double position) const {
  const double base = static_cast<double>(value);
  return logarithmic ? base * exact_exp(position * deviation) : base + position * deviation;
}

std::uint64_t FitKey::rounded_at(double position) const {
  const double at = std::clamp(value_at(position), static_cast<double>(low), static_cast<double>(high));
  return static_cast<std::uint64_t>(std::floor(at + 0.5));
}

double FitKey::step() const {
  if (!logarithmic) return std::max(kStepOfRange * static_cast<double>(high - low), kLeastUnits) / deviation;
  return std::max(kStepOfLogarithm, kLeastUnits / static_cast<double>(value)) / deviation;
}

std::string FitKey::shown(double at_value) const {
  if (parts_of_one == 1) return fmt::format("{:.0f}", at_value);
  return fmt::format("{:.4f}", at_value / static_cast<double>(parts_of_one));
}

double FitKey::deviation_at(double at_value, double deviation_on_scale) const {
  return logarithmic ? at_value * deviation * deviation_on_scale : deviation * deviation_on_scale;
}

FitKey parse_fit_key(std::string_view text, const Node& drive, Reach reach) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  FitKey key;
  key.path = text.substr(0, colon);
  const std::vector<std::string> paths = parts_of(key.path, drive);
  std::uint64_t sum = 0;
  for (const std::string& path : paths) {
    key.parts.push_back({path, value_of(number_at(drive, path, reach))});
    sum += key.parts.back().value;
  }
  const Node& number = number_at(drive, paths.front(), reach);
  key.sourced = is_sourced(number);
  key.value = (sum + paths.size() / 2) / paths.size();
  key.from = key.sourced ? provenance_of(number) : Provenance::assumed;
  if (const Node* const source = number.find("source")) key.source = source->text;
  if (key.is_of_state()) key.parts_of_one = kPartsOfShare;
  set_bounds(key, text.substr(colon));
  set_prior(key);
  if (reach == Reach::all) check_fineness(key);
  return key;
}

std::vector<FitKey> parse_fit_keys(const std::vector<std::string>& texts, const std::vector<Node>& drives, Reach reach) {
  std::vector<FitKey> keys;
  for (const std::string& text : texts) {
    FitKey key = parse_fit_key(text, drives.front(), reach);
    for (const FitKey& other : keys) {
      if (share_a_number(key, other)) refuse(key.path, "is named twice", key.path == other.path ? "" : other.path);
    }
    for (const Node& drive : drives) {
      const std::uint64_t value = parse_fit_key(text, drive, reach).value;
      if (value != key.value) {
        refuse(key.path, "is not the same in the drives that are fitted together",
               std::to_string(key.value) + " and " + std::to_string(value));
      }
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

std::uint64_t part_at(const FitKey& key, const FitKey::Part& part, std::uint64_t value) {
  if (key.parts.size() == 1) return value;
  const double share = static_cast<double>(value) / static_cast<double>(key.value);
  return static_cast<std::uint64_t>(std::floor(static_cast<double>(part.value) * share + 0.5));
}

void set_key(Node& drive, const FitKey& key, std::uint64_t value) {
  for (const FitKey::Part& part : key.parts) set_by_path(drive, part.path + "=" + std::to_string(part_at(key, part, value)));
}

Node drive_at(const Node& base, const std::vector<FitKey>& keys, const std::vector<double>& positions) {
  Node drive = base;
  for (std::size_t i = 0; i < keys.size(); ++i) set_key(drive, keys[i], keys[i].rounded_at(positions[i]));
  return drive;
}

std::vector<Node> drives_at(const std::vector<Node>& bases, const std::vector<FitKey>& keys,
                            const std::vector<double>& positions) {
  std::vector<Node> drives;
  for (const Node& base : bases) drives.push_back(drive_at(base, keys, positions));
  return drives;
}

}  // namespace ftlab
