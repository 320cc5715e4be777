#include "validation/measure/preparation.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <thread>

#include "validation/measure/target/facts.h"
#include "validation/measure/target/facts_sources.h"
#include "validation/results/output_file.h"

namespace ftlab {
namespace {

using nlohmann::ordered_json;

ordered_json kind_json(const Fact<TargetKind>& kind) {
  if (!kind) return nullptr;
  return *kind == TargetKind::block_device ? "block device" : "regular file";
}

ordered_json identity_json(const Fact<FileIdentity>& identity) {
  if (!identity) return nullptr;
  return {{"device", identity->device},
          {"inode", identity->inode},
          {"number", identity->rdev == 0 ? ordered_json(nullptr) : ordered_json(device_number_text(identity->rdev))}};
}

// "2026-03-01T12:00:00Z", for people; the measurement has its own clock.
std::string now_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

// Value of the first line "KEY : VALUE" in a procfs table.
ordered_json table_value(const std::filesystem::path& table, const std::string& key) {
  std::ifstream in(table);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (line.rfind(key, 0) != 0 || colon == std::string::npos) continue;
    const auto first = line.find_first_not_of(" \t", colon + 1);
    return first == std::string::npos ? "" : line.substr(first);
  }
  return nullptr;
}

ordered_json intent_json(const Intent& intent) {
  return {{"reads", intent.reads},
          {"writes", intent.writes},
          {"discards", intent.discards},
          {"first_byte", intent.range.first},
          {"end_byte", intent.range.end},
          {"guard_bytes", intent.guard_bytes},
          {"unit_bytes", intent.unit_bytes},
          {"depth", intent.depth},
          {"destroy", value_or_null(intent.destroy)},
          {"discard_consent", intent.discard_consent}};
}

}  // namespace

ordered_json device_json(const DeviceFacts& facts) {
  const auto& context = facts.context;
  return {{"path", facts.path},
          {"resolved", facts.resolved},
          {"kind", kind_json(facts.kind)},
          {"identity", identity_json(facts.identity)},
          {"model", value_or_null(context.model)},
          {"serial", value_or_null(facts.serial)},
          {"firmware", value_or_null(context.firmware)},
          {"size_bytes", value_or_null(facts.size_bytes)},
          {"logical_sector_bytes", value_or_null(facts.logical_sector_bytes)},
          {"physical_sector_bytes", value_or_null(facts.physical_sector_bytes)},
          {"direct_offset_bytes", value_or_null(facts.direct_offset_bytes)},
          {"direct_memory_bytes", value_or_null(facts.direct_memory_bytes)},
          {"file_system", value_or_null(facts.file_system)},
          {"created_here", value_or_null(facts.created_here)},
          {"unwritten_bytes", value_or_null(facts.unwritten_bytes)},
          {"discard_supported", value_or_null(facts.discard_supported)},
          {"signatures", value_or_null(facts.signatures)},
          {"scheduler", value_or_null(context.scheduler)},
          {"write_cache", value_or_null(context.write_cache)},
          {"rotational", value_or_null(context.rotational)},
          {"queue_depth", value_or_null(context.queue_depth)},
          {"nr_requests", value_or_null(context.nr_requests)}};
}

ordered_json host_json(const SystemView& system) {
  utsname names{};
  const bool known = uname(&names) == 0;
  return {{"name", known ? ordered_json(names.nodename) : ordered_json(nullptr)},
          {"kernel", known ? ordered_json(std::string(names.sysname) + " " + names.release) : ordered_json(nullptr)},
          {"machine", known ? ordered_json(names.machine) : ordered_json(nullptr)},
          {"cpu", table_value(system.proc / "cpuinfo", "model name")},
          {"cpus", std::thread::hardware_concurrency()},
          {"memory", table_value(system.proc / "meminfo", "MemTotal")}};
}

ordered_json preparation_json(const PreparationRecord& preparation, const SystemView& system) {
  return {{"time", now_text()},
          {"version", FTLAB_VERSION},
          {"compiler", FTLAB_COMPILER},
          {"seed", preparation.seed},
          {"device", device_json(preparation.facts)},
          {"intent", intent_json(preparation.intent)},
          {"host", host_json(system)},
          {"smart", preparation.smart},
          {"plan", preparation.plan},
          {"work", preparation.work}};
}

OnRecord keep_on_record(const std::filesystem::path& file, const ordered_json& record) {
  // Names of devices and files are bytes: replaces invalid UTF-8 instead of refusing it.
  OutputFile out(file, O_CREAT | O_APPEND, file);
  out.write(record.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  out.close();
  const auto folder = file.parent_path();
  if (!sync_folder(folder.empty() ? "." : folder)) fail_output(folder, "write");
  return OnRecord();
}

}  // namespace ftlab
