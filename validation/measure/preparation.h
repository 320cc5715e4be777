// The record made before the first write (R10): which drive, with which firmware, on which computer, and what is to be done
// to it and where. It is on the disk even if a crash follows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "validation/measure/target/facts.h"
#include "validation/measure/target/guard.h"

namespace ftlab {

struct PreparationRecord {
  DeviceFacts facts;
  Intent intent;
  std::uint64_t seed = 0;
  std::string work;              // text of the job file or procedure, resolved
  nlohmann::ordered_json plan;   // its bytes, requests, time
  nlohmann::ordered_json smart;  // before the first write; null without smartctl
};

nlohmann::ordered_json preparation_json(const PreparationRecord& preparation, const SystemView& system = {});

// All facts about the target; unknown ones are null.
nlohmann::ordered_json device_json(const DeviceFacts& facts);
// The computer: name, kernel, CPU, cores, memory.
nlohmann::ordered_json host_json(const SystemView& system = {});

// Proof that a record is on the disk. Only keep_on_record makes it, and no target opens for writing without it.
class OnRecord {
 public:
  OnRecord(OnRecord&&) = default;
  OnRecord(const OnRecord&) = delete;

 private:
  friend OnRecord keep_on_record(const std::filesystem::path& file, const nlohmann::ordered_json& record);
  OnRecord() = default;
};
// Appends the record to the file, creates it if needed, and syncs file and folder. Throws OutputError
// (validation/results/result_folder.h).
OnRecord keep_on_record(const std::filesystem::path& file, const nlohmann::ordered_json& record);

}  // namespace ftlab
