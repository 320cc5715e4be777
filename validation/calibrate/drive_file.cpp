#include "validation/calibrate/drive_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "sim/config/echo.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "validation/calibrate/drive_state.h"
#include "validation/results/result_folder.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

Node empty_object() {
  Node node;
  node.kind = Node::Kind::object;
  return node;
}

std::string source_of(const FittedKey& fitted, const FitKey::Part& part, const CalibrationOrigin& origin,
                      std::size_t figures) {
  const std::string bound = fitted.at_bound ? ", at a bound of the search" : "";
  const double share = static_cast<double>(part.value) / static_cast<double>(fitted.key.value);
  std::string text =
      fmt::format("ftlab calibrate: {} +- {:.0f} (one standard deviation{}) from {} figures of: {}; {} before ({})",
                  part_at(fitted.key, part, fitted.value), std::ceil(fitted.deviation * share), bound, figures,
                  joined(origin.measurements, "; "), part.value, name_of(fitted.key.from));
  if (fitted.key.parts.size() > 1)
    text += origin.of_host ? "; moved together with the other direction" : "; moved together with the other kinds of page";
  if (fitted.other_optimum)
    text += fmt::format("; another start leads to {}, which fits nearly as well",
                        part_at(fitted.key, part, *fitted.other_optimum));
  if (!fitted.determined) text += "; by itself hardly known, only together with others";
  return text;
}

constexpr std::string_view kHost = "host.";

// Keys of the state are of no file.
bool is_own(const std::string& path, const CalibrationOrigin& origin) {
  return path.starts_with(kHost) == origin.of_host && !path.starts_with(kStateKeys);
}
// Path as the written file spells it: without `host.` in a host file.
std::string own_path(const std::string& path, const CalibrationOrigin& origin) {
  return origin.of_host ? path.substr(kHost.size()) : path;
}

void set_fitted(Node& drive, const FittedKey& fitted, const CalibrationOrigin& origin, std::size_t figures) {
  for (const FitKey::Part& part : fitted.key.parts) {
    nlohmann::ordered_json number = part_at(fitted.key, part, fitted.value);
    if (fitted.key.sourced)
      number = {{"value", number}, {"from", "fitted"}, {"source", source_of(fitted, part, origin, figures)}};
    set_by_path(drive, own_path(part.path, origin) + "=" + number.dump());
  }
}

// Copies a command-line setting from the resolved base, with its provenance.
void take_over(Node& drive, const CalibrationOrigin& origin, const std::string& setting) {
  const std::string given = setting.substr(0, setting.find('='));
  if (!is_own(given, origin)) return;
  const std::string path = own_path(given, origin);
  const Node& base = origin.base;
  set_by_path(drive, path + "=" + to_json(*node_at(base, path)).dump());
}

// Path of the base relative to the folder of `path`, for `extends`; empty if the base is not in that folder or below.
std::string name_for_extends(const std::string& base, const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(path).parent_path(), error);
  const fs::path relative = fs::weakly_canonical(fs::absolute(base), error).lexically_relative(folder);
  if (error || relative.empty() || *relative.begin() == "..") return {};
  return relative.string();
}

std::size_t figures_used(const Calibration& calibration) {
  std::size_t count = 0;
  for (const Target& target : calibration.targets) count += !target.held_back;
  return count;
}

}  // namespace

std::string drive_file_text(const Calibration& calibration, const CalibrationOrigin& origin, const std::string& path) {
  const std::string base_name = name_for_extends(origin.base_path, path);
  Node drive = base_name.empty() ? origin.base : empty_object();
  if (!base_name.empty()) {
    for (const std::string& setting : origin.settings) take_over(drive, origin, setting);
  }
  for (const FittedKey& fitted : calibration.keys) {
    if (!fitted.kept && is_own(fitted.key.path, origin)) set_fitted(drive, fitted, origin, figures_used(calibration));
  }
  nlohmann::ordered_json json;
  if (!base_name.empty()) json["extends"] = base_name;
  json["about"] = "Calibrated with ftlab calibrate against: " + joined(origin.measurements, "; ") +
                  (origin.of_host ? "" : "; drive taken as " + origin.state);
  const nlohmann::ordered_json numbers = to_json(drive);
  for (const auto& [key, value] : numbers.items()) {
    if (key != "about") json[key] = value;
  }
  return json.dump(2) + "\n";
}

NewFile::NewFile(const std::string& path, const std::string& option, const std::string& at)
    : target_(at.empty() ? path : at) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error)))
    throw ConfigError({path, 0}, option, "exists, and is not replaced", {}, "the name of a new file");
  partial_ = partial_name(target_);
  const int file = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw ConfigError({path, 0}, option, std::string("cannot be written: ") + std::strerror(errno));
  ::close(file);
}

NewFile::~NewFile() { ::unlink(partial_.c_str()); }

void NewFile::commit(const std::string& text) {
  write_file(partial_, text, target_);
  if (::link(partial_.c_str(), target_.c_str()) != 0) fail_output(target_, "create");
}

}  // namespace ftlab
