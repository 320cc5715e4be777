// What is put on record before the first write (R10): which drive, with which firmware, by whom, what is going to be
// done to it and where. A crash right afterwards leaves it on the disk.
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
  std::string work;              // the text of the job file or procedure, resolved
  nlohmann::ordered_json plan;   // what that comes to: bytes, requests, time
  nlohmann::ordered_json smart;  // of before the first write; null without smartctl
};

nlohmann::ordered_json preparation_json(const PreparationRecord& preparation, const SystemView& system = {});

// Everything that is known of the target; what is not known is null.
nlohmann::ordered_json device_json(const DeviceFacts& facts);
// The computer: name, kernel, CPU, cores, memory.
nlohmann::ordered_json host_json(const SystemView& system = {});

// Proof that something is on the disk; nothing but keep_on_record makes it, and no target opens for writing without it.
class OnRecord {
 public:
  OnRecord(OnRecord&&) = default;
  OnRecord(const OnRecord&) = delete;

 private:
  friend OnRecord keep_on_record(const std::filesystem::path& file, const nlohmann::ordered_json& record);
  OnRecord() = default;
};
// Appends the record to the file, which it makes when there is none, and waits until file and folder are on the disk.
// Throws OutputError (validation/results/result_folder.h).
OnRecord keep_on_record(const std::filesystem::path& file, const nlohmann::ordered_json& record);

}  // namespace ftlab
