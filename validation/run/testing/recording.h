// For tests: decodes the runs of blocks.json into values.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "validation/run/traces/block_recording.h"

namespace ftlab::testing {

using Picture = std::map<std::string, std::vector<std::int64_t>>;  // by column name

inline constexpr const char* kRecordedColumns[] = {"valid", "written", "state", "erases", "frontier"};

// Like run_jobs() on the drive, with a recording whose content is stored in `text`.
inline RunStats record(Drive& drive, const std::vector<Job>& jobs, const RecordingPlan& plan, std::string& text) {
  BlockRecording recording(drive, plan);
  RecordedDevice device(drive, recording);
  const RunStats stats = run_jobs(device, jobs, {});
  device.finish(stats.ended);
  text = recording.text(stats);
  return stats;
}

inline std::vector<std::vector<std::int64_t>> decoded_column(const nlohmann::json& column, std::size_t superblocks) {
  std::vector<std::vector<std::int64_t>> pictures;
  std::vector<std::int64_t> now(superblocks);
  for (const nlohmann::json& picture : column) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < picture.size();) {
      at += picture[i++].get<std::size_t>();
      for (auto left = picture[i++].get<std::size_t>(); left > 0; --left) now.at(at++) += picture[i++].get<std::int64_t>();
    }
    pictures.push_back(now);
  }
  return pictures;
}

inline std::vector<Picture> decoded(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  std::vector<Picture> pictures(json["pictures"].get<std::size_t>());
  for (const char* name : kRecordedColumns) {
    const auto column = decoded_column(json["columns"][name], json["superblocks"].get<std::size_t>());
    REQUIRE(column.size() == pictures.size());
    for (std::size_t p = 0; p < pictures.size(); ++p) pictures[p][name] = column[p];
  }
  return pictures;
}

}  // namespace ftlab::testing
