#include "validation/run/subject.h"

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/error.h"
#include "validation/run/machine_memory.h"
#include "validation/run/open_device.h"
#include "validation/run/state_file.h"

namespace ftlab {
namespace {

std::string past_of(const Drive& drive) {
  return fmt::format("the drive has lived {:.3f} s, {} bytes were written to it, {} bytes hold data",
                     static_cast<double>(drive.now().count()) / 1e9, drive.counters().host_write_bytes,
                     drive.counters().mapped_bytes);
}

// A document without where its numbers come from: what two designs are compared by.
nlohmann::ordered_json values_of(const nlohmann::ordered_json& json) {
  if (!json.is_object()) return json;
  if (json.contains("value")) return json["value"];
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& [key, value] : json.items()) values[key] = values_of(value);
  return values;
}

}  // namespace

Subject new_drive(const std::string& name, const std::vector<std::string>& settings, Clock clock, std::uint64_t seed) {
  return new_drive(load_drive(name, settings), clock, seed);
}

Subject new_drive(Node document, Clock clock, std::uint64_t seed, const UserPolicies& own) {
  const DeviceConfig config = read_device(document);
  if (config.disk) return {nullptr, std::move(document), std::make_unique<Disk>(*config.disk, clock == Clock::timed, seed)};
  refuse_beyond_memory(*config.ssd, false, config.name());
  return {std::make_unique<Drive>(own.laid_over(*config.ssd), clock, seed), std::move(document)};
}

Subject loaded_drive(const std::string& load, const std::string& drive, const std::vector<std::string>& settings,
                     Clock clock, std::vector<Note>& notes, const UserPolicies& own) {
  const SavedState state = read_state(load);
  Node design = drive.empty() ? state.label.document : load_drive(drive, {});
  for (const std::string& setting : settings) set_by_path(design, setting);
  if (is_disk(design)) throw ConfigError({"--load", 0}, "", "is the state of an SSD, which a disk cannot take up", load);
  const bool same = nlohmann::json(values_of(to_json(design))) == nlohmann::json(values_of(to_json(state.label.document)));
  const std::uint64_t mapped = state.label.counters.mapped_bytes;
  Subject subject{restore_drive(state, load, clock, same ? nullptr : &design, own), std::move(design)};
  notes.push_back({load, 0, past_of(*subject.drive)});
  if (!same) {
    notes.push_back({load, 0,
                     "another design takes the medium over by its power-on scan; " + std::to_string(mapped) +
                         " bytes held data before"});
  }
  return subject;
}

}  // namespace ftlab
