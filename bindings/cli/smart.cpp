// ftlab smart STATE|DIR: health of the simulated drive in smartctl's format.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bindings/cli/commands.h"
#include "sim/config/file.h"
#include "sim/core/error.h"
#include "validation/results/health/endurance.h"
#include "validation/results/health/smart_report.h"
#include "validation/run/state_file.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // result.json may be large: a procedure may have 10,000 steps
constexpr const char* kSubjects = "saved state (ftlab run --save), result folder or its result.json";

struct SmartOptions {
  std::string subject;
  std::string table;        // empty: the one that the drive file names
  bool attributes = false;  // as text; neither `attributes` nor `json`: text on a terminal, otherwise JSON
  bool json = false;
  std::string nvme_log;  // smart-log, ocp or fdp-stats, as nvme-cli prints them; empty: none
};

struct Patient {
  SmartSubject subject;
  std::string table;
  SmartLog log;
  nlohmann::ordered_json endurance;  // as in a result; null if unknown
};

Patient of_state(const std::string& path) {
  const SavedState state = read_state(path);
  const auto drive = restore_drive(state, path, Clock::untimed);
  const bool nvme = drive->config().link.line.family() == LinkLine::Family::nvme;
  return {{path, drive->config().name, drive->seed(), nvme},
          drive->config().smart,
          smart_log(*drive, state.label.lived),
          endurance(*drive)};
}

nlohmann::json parse_result(const std::string& path) {
  const nlohmann::json result = nlohmann::json::parse(read_text_file(path, kMostBytes), nullptr, false);
  if (result.is_discarded()) throw ConfigError({path, 0}, "", "is not a JSON document: it is damaged or cut short");
  return result;
}

// The health log at the end of a run.
Patient of_result(const std::string& folder) {
  const std::string path = (fs::path(folder) / "result.json").string();
  if (!fs::exists(path)) throw ConfigError({folder, 0}, "", "holds no result.json, so it is not a result", {}, kSubjects);
  const nlohmann::json result = parse_result(path);
  if (const nlohmann::json::json_pointer drives("/ftlab/drives"); result.is_object() && result.contains(drives))
    throw ConfigError({path, 0}, "ftlab.drives", "are several, and each has a health of its own", {},
                      "one of the folders in " + folder);
  const nlohmann::json::json_pointer health("/ftlab/health"), name("/ftlab/drive/name"), seed("/ftlab/seed"),
      life("/ftlab/endurance"), link("/ftlab/drive/link/kind");
  if (!result.is_object() || !result.contains(health) || !result[health].is_object()) {
    throw ConfigError({path, 0}, "ftlab.health",
                      "is missing: this is not a result of a simulated SSD (disks, measured drives and fio have no such "
                      "log), or it comes from an older ftlab");
  }
  if (!result.contains(name) || !result[name].is_string() || !result.contains(seed) || !result[seed].is_number_unsigned())
    throw ConfigError({path, 0}, "ftlab", "does not say which drive it is", {}, "ftlab.drive.name and ftlab.seed");
  const nlohmann::json::json_pointer table("/ftlab/drive/smart");
  const bool nvme = result.contains(link) && result[link] == "nvme";
  return {{folder, result[name].get<std::string>(), result[seed].get<std::uint64_t>(), nvme},
          result.contains(table) && result[table].is_string() ? result[table].get<std::string>() : "generic",
          read_health(result[health], path),
          result.contains(life) ? result[life] : nlohmann::json(nullptr)};
}

std::string text_of(const Patient& patient, const SmartTable& table) {
  return smart_text(patient.subject, table, patient.log) + "\n" + life_text(life_of(patient.endurance));
}

// Values that smartctl does not have are under the key "ftlab".
std::string json_of(const Patient& patient, const SmartTable& table) {
  nlohmann::ordered_json json = smart_json(patient.subject, table, patient.log);
  json["ftlab"] = {{"endurance", patient.endurance}};
  return json.dump(2) + "\n";
}

std::string nvme_cli_of(const Patient& patient, const std::string& log) {
  if (!patient.subject.nvme)
    throw ConfigError({"--nvme-cli", 0}, "", "prints logs of NVMe drives, and " + patient.subject.model + " has none", log,
                      "--json, --attributes");
  if (log == "fdp-stats" && patient.log.placement_handles == 0)
    throw ConfigError({"--nvme-cli", 0}, "",
                      "is for drives with placement handles, and " + patient.subject.model + " has none", log,
                      "smart-log, ocp; or a run with ftl.placement.scheme streams");
  if (log == "fdp-stats") return fdp_stats_json(patient.log).dump(2) + "\n";
  if (log == "smart-log") return nvme_cli_health_json(patient.log).dump(2) + "\n";
  return ocp_health_json(patient.log).dump(2) + "\n";
}

int smart(const SmartOptions& options) {
  refuse_missing(options.subject, kSubjects);
  std::error_code error;
  const fs::path subject(options.subject);
  const bool of_folder = subject.filename() == "result.json";
  const Patient patient = of_folder ? of_result(subject.has_parent_path() ? subject.parent_path().string() : ".")
                          : fs::is_directory(subject, error) ? of_result(options.subject)
                                                             : of_state(options.subject);
  if (!options.nvme_log.empty()) {
    std::fputs(nvme_cli_of(patient, options.nvme_log).c_str(), stdout);
    return kDone;
  }
  const SmartTable table = load_smart_table(options.table.empty() ? patient.table : options.table);
  const bool for_a_person = options.attributes || (!options.json && ::isatty(STDOUT_FILENO) != 0);
  std::fputs((for_a_person ? text_of(patient, table) : json_of(patient, table)).c_str(), stdout);
  return kDone;
}

}  // namespace

void add_smart(CLI::App& app, Session& session) {
  const auto options = std::make_shared<SmartOptions>();
  CLI::App* command =
      app.add_subcommand("smart", "print a simulated drive's SMART data, in the form of smartctl, and how long it lasts");
  command->add_option("subject", options->subject, kSubjects)->required();
  command->add_option("--table", options->table,
                      "attribute table: generic, intel, sandforce, samsung, micron (configs/smart), or a file; "
                      "default: the table that the drive file names");
  CLI::Option* const json =
      command->add_flag("--json", options->json, "print JSON even on a terminal (the default otherwise)");
  command
      ->add_flag("-A,--attributes", options->attributes,
                 "print the attributes as a table, as smartctl -A does, of an NVMe drive its health log: the default on a "
                 "terminal")
      ->excludes(json);
  command
      ->add_option("--nvme-cli", options->nvme_log,
                   "print a log as nvme-cli does with -o json: smart-log (page 02h); ocp (smart-add-log, page C0h), which "
                   "has the bytes written to the media; fdp-stats (page 22h) of a drive with placement handles")
      ->check(CLI::IsMember({"smart-log", "ocp", "fdp-stats"}))
      ->excludes(json);
  command->footer(
      "The counters cover the drive's whole life. smart_status.passed is false when the drive is read-only or a "
      "pre-failure\n"
      "attribute has reached its threshold. Write amplification from the attributes: intel 249 GiB by 241 * 32 MiB; "
      "sandforce\n"
      "233 by 241; samsung 177 * flash bytes by 241 * 512; micron (247 + 248) by 247; each as fine as its units.");
  when_chosen(*command, session, [options] { return smart(*options); });
}

}  // namespace ftlab
