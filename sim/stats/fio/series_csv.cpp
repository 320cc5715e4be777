#include "sim/stats/fio/decimal.h"
#include "sim/stats/fio/fio_report.h"

namespace ftlab {

namespace {

constexpr const char* kDirectionNames[kDirectionCount] = {"read", "write", "trim"};
constexpr const char* kNoDevice = ",,,,,";  // columns wa to block_erases
constexpr const char* kNoMapping = ",,,,";  // columns mapped_bytes to power_w

std::string all_names() {
  std::string line = "t_s,length_s";
  for (const char* unit : {"MB_per_s", "iops"}) {
    for (const char* direction : kDirectionNames) line += std::string(",") + direction + "_" + unit;
  }
  line += ",wa,wa_cumulative,free_superblocks,relocated_pages,block_erases";
  for (const char* direction : kDirectionNames) {
    for (const char* statistic : {"mean", "p50", "p99", "p99.9", "max"}) {
      line += std::string(",latency_") + direction + "_us_" + statistic;
    }
  }
  return line + ",mapped_bytes,extents,mapping_hit_share,power_w\n";
}

std::string seconds(Nanoseconds time) { return decimal(time.count(), 1'000'000'000, 9); }

std::string microseconds(std::uint64_t ns) { return decimal(ns, 1000, 3); }

// Media bytes over host bytes written between the two; empty if the host wrote nothing.
std::string write_amplification(const Counters& before, const Counters& after) {
  const std::uint64_t host = after.host_write_bytes - before.host_write_bytes;
  if (host == 0) return "";
  return decimal(after.media_write_bytes() - before.media_write_bytes(), host, 6);
}

std::string rates(const SeriesRow& row) {
  std::string cells;
  for (const std::uint64_t bytes : row.bytes) {  // bytes / ns * 1000 = MB/s, with megabytes of 10^6 bytes
    cells += "," + decimal(Uint128{bytes} * 1000, row.length.count(), 3);
  }
  for (const std::uint64_t requests : row.requests) {
    cells += "," + decimal(Uint128{requests} * 1'000'000'000, row.length.count(), 3);
  }
  return cells;
}

std::string device(const Counters& start, const Counters& before, const Counters& after) {
  return "," + write_amplification(before, after) + "," + write_amplification(start, after) + "," +
         std::to_string(after.free_superblocks) + "," + std::to_string(after.relocated_pages - before.relocated_pages) +
         "," + std::to_string(after.block_erases - before.block_erases);
}

std::string latencies(const SeriesRow& row) {
  std::string cells;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const bool any = row.requests[d] > 0;
    for (const std::uint64_t ns : {row.latency_mean_ns[d], row.latency_p50_ns[d], row.latency_p99_ns[d],
                                   row.latency_p99_9_ns[d], row.latency_max_ns[d]}) {
      cells += any ? "," + microseconds(ns) : ",";
    }
  }
  return cells;
}

// Mapped space, on which effective over-provisioning depends, and figures of the mapping table. The hit share is empty
// without lookups in a map that is only partly in RAM.
std::string mapping(const Counters& before, const Counters& after) {
  const std::uint64_t hits = after.mapping_hits - before.mapping_hits;
  const std::uint64_t looked_up = hits + after.mapping_misses - before.mapping_misses;
  return "," + std::to_string(after.mapped_bytes) + "," + std::to_string(after.extents) + "," +
         (looked_up == 0 ? "" : decimal(hits, looked_up, 6));
}

// Picojoules / nanoseconds = milliwatts. Empty if the device has no power model.
std::string power(const Counters& before, const SeriesRow& row) {
  if (row.device.energy_pj == 0) return ",";
  return "," + decimal(row.device.energy_pj - before.energy_pj, Uint128{row.length.count()} * 1000, 6);
}

}  // namespace

std::string SeriesLines::names() { return all_names(); }

std::string SeriesLines::line(const SeriesRow& row) {
  std::string text = seconds(row.end) + "," + seconds(row.length) + rates(row);
  text += media_ ? device(start_, before_, row.device) : kNoDevice;
  text += latencies(row);
  text += media_ ? mapping(before_, row.device) + power(before_, row) : kNoMapping;
  before_ = row.device;
  return text + "\n";
}

std::string series_csv(const RunStats& run) {
  std::string text = SeriesLines::names();
  SeriesLines lines(run.device_before, true);
  for (const SeriesRow& row : run.series)
    if (row.length.count() > 0) text += lines.line(row);  // rates need a clock
  return text;
}

}  // namespace ftlab
