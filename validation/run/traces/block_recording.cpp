#include "validation/run/traces/block_recording.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "models/nand/array/data_slots.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/counters.h"
#include "sim/stats/fio/decimal.h"
#include "sim/workload/jobs/units.h"
#include "validation/results/result_parts.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOption = "--record-blocks";
constexpr const char* kForm = "FROM:TO:EVERY in seconds or with a unit, as 0:120s:500ms";
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

// Without trailing zeros: 0.5, 120.
std::string seconds(Nanoseconds time) {
  std::string text = decimal(time.count(), kNsPerSecond, 9);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::array<Nanoseconds, 3> three_times(const std::string& text) {
  const Setting setting{"", text, true, false, {kOption, 0}};
  std::array<Nanoseconds, 3> times;
  std::string_view rest = text;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t colon = rest.find(':');
    if ((colon == rest.npos) != (i + 1 == times.size())) refuse(setting, "is not three times", kForm);
    times[i] = parse_time(setting, rest.substr(0, colon), "s");
    rest.remove_prefix(colon == rest.npos ? rest.size() : colon + 1);
  }
  return times;
}

// Appends the delta of two pictures as runs (format: see the header). A gap of one or two unchanged superblocks is shorter
// as zeros than as a new run.
void append_runs(std::string& text, const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now) {
  constexpr std::size_t kShortGap = 2;
  const char* separator = "";
  std::size_t end = 0;  // end of the last run
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == before[i]) continue;
    std::size_t last = i;
    for (std::size_t j = i + 1; j < now.size() && j <= last + kShortGap + 1; ++j)
      if (now[j] != before[j]) last = j;
    text += separator + std::to_string(i - end) + "," + std::to_string(last + 1 - i);
    for (std::size_t j = i; j <= last; ++j) text += "," + std::to_string(std::int64_t{now[j]} - std::int64_t{before[j]});
    separator = ",";
    i = last;
    end = last + 1;
  }
}

std::string takes(const FtlConfig& ftl, std::uint32_t frontier) {
  if (ftl.mapping.hybrid()) return !ftl.mapping.merges() ? "zone" : frontier == 0 ? "merges" : "log";
  if (frontier == ftl.translation_frontier()) return "mapping";
  if (frontier == ftl.extent_frontier()) return "rewritten extents";
  if (frontier == ftl.slc_frontier()) return "pslc";
  if (frontier >= ftl.placement.classes()) return "relocation";
  return ftl.frontiers()[frontier].relocation ? "host and relocation" : "host";
}

Json frontiers(const FtlConfig& ftl) {
  Json list = Json::array();
  const std::vector<FrontierPlan> plans = ftl.frontiers();
  for (std::uint32_t f = 0; f < plans.size(); ++f) list.push_back({{"takes", takes(ftl, f)}, {"pool", plans[f].pool}});
  return list;
}

// Without background GC, collection starts when only the reserve is left.
std::uint32_t collection_begins_at(const FtlConfig& ftl) {
  return ftl.gc.pages_per_host_write > 0 ? ftl.gc.start_free : ftl.reserve(0);
}

std::string megabytes_per_s(const SeriesRow& row, Direction direction) {
  return decimal(Uint128{row.bytes[static_cast<std::size_t>(direction)]} * 1000, row.length.count(), 3);
}

std::string microseconds(const SeriesRow& row, Direction direction, const PerDirection<std::uint64_t>& ns) {
  const auto d = static_cast<std::size_t>(direction);
  return row.requests[d] == 0 ? "null" : decimal(ns[d], 1000, 3);
}

// First dies of the superblocks of one block row; the next rows repeat them.
Json first_dies(const Layout& layout) {
  Json list = Json::array();
  for (std::uint32_t block = 0; block < layout.superblocks(); ++block) {
    const auto place = [&layout](SuperblockId id) {
      return std::pair(layout.die_of(id, 0), layout.flash_page(id, 0, 0, 0).first_plane);
    };
    if (block > 0 && place(SuperblockId{block}) == place(SuperblockId{0})) break;
    list.push_back(number(layout.die_of(SuperblockId{block}, 0)));
  }
  return list;
}

}  // namespace

RecordingPlan read_recording_plan(const std::string& text) {
  const auto [from, to, every] = three_times(text);
  const ConfigError::Place place{kOption, 0};
  if (every == Nanoseconds{0}) throw ConfigError(place, "", "needs an interval above 0", text, kForm);
  if (to < from) throw ConfigError(place, "", "ends before it begins", text, kForm);
  const RecordingPlan plan{from, to, every};
  if (plan.pictures() > kMostPictures) {
    throw ConfigError(place, "",
                      "makes (" + seconds(to) + " s - " + seconds(from) + " s) / " + seconds(every) +
                          " s + 1 = " + std::to_string(plan.pictures()) + " pictures",
                      text, "at most " + std::to_string(kMostPictures));
  }
  return plan;
}

BlockRecording::BlockRecording(const Drive& drive, const RecordingPlan& plan) : drive_(drive), plan_(plan) {
  const std::uint32_t superblocks = drive.medium().layout().superblocks();
  if (superblocks * plan.pictures() > kMostPicturedCells) {
    throw ConfigError({kOption, 0}, "",
                      "makes " + std::to_string(superblocks) + " superblocks x " + std::to_string(plan.pictures()) +
                          " pictures = " + std::to_string(superblocks * plan.pictures()) + " cells",
                      {},
                      "at most " + std::to_string(kMostPicturedCells) + "; of this drive " +
                          std::to_string(kMostPicturedCells / superblocks) + " pictures");
  }
  for (auto* columns : {shown_, now_}) {
    for (int column = 0; column < kColumns; ++column) columns[column].resize(superblocks);
  }
}

Nanoseconds BlockRecording::next() const { return taken_ < plan_.pictures() ? plan_.from + plan_.every * taken_ : kNever; }

// Data pages only: superblock positions in the layout include parity. look() adds pages that wait in RAM.
std::uint32_t BlockRecording::written(SuperblockId block) const {
  const Medium& medium = drive_.medium();
  return DataSlots(medium.layout()).count_before(medium.superblocks().programmed(block));
}

void BlockRecording::look() {
  const PageStore& store = drive_.ftl().store();
  for (std::uint32_t b = 0; b < now_[kValid].size(); ++b) {
    const SuperblockId block{b};
    now_[kValid][b] = store.blocks().valid(block);
    now_[kWritten][b] = written(block);
    now_[kState][b] = static_cast<std::uint32_t>(store.blocks().state(block));
    now_[kEraseCounts][b] = store.medium().superblocks().erases(block);
    now_[kFrontier][b] =
        store.medium().superblocks().opened(block) == 0 ? 0 : 1 + store.medium().superblocks().frontier(block);
  }
  for (const Frontier& frontier : store.frontiers()) {
    const std::uint32_t in_ram = store.stages()[frontier.number()].slots_in_ram();
    if (in_ram > 0) now_[kWritten][number(frontier.block())] += in_ram;
  }
}

void BlockRecording::take(const Counters& device, const SeriesRow* host) {
  FTLAB_CHECK(next() != kNever, "a picture more than planned");
  look();
  for (int column = 0; column < kColumns; ++column) {
    pictures_[column] += taken_ == 0 ? "[" : ",\n[";
    append_runs(pictures_[column], shown_[column], now_[column]);
    pictures_[column] += "]";
    shown_[column] = now_[column];
  }
  add_host(device, host);
  before_ = device;
  ++taken_;
}

void BlockRecording::add_host(int list, const std::string& value) { host_[list] += (taken_ == 0 ? "" : ",") + value; }

void BlockRecording::add_host(const Counters& device, const SeriesRow* host) {
  const std::uint64_t page = drive_.config().ftl.mapping_bytes;
  add_host(kFree, std::to_string(device.free_superblocks));
  add_host(kMapped, std::to_string(device.mapped_bytes / page));
  if (host == nullptr) {
    for (int list = 0; list < kFree; ++list) add_host(list, "null");
    return;
  }
  const Counters since = difference(device, before_);
  add_host(kWriteRate, megabytes_per_s(*host, Direction::write));
  add_host(kReadRate, megabytes_per_s(*host, Direction::read));
  add_host(kTrimRate, megabytes_per_s(*host, Direction::trim));
  add_host(kWa, since.host_write_bytes == 0 ? "null" : decimal(since.media_write_bytes(), since.host_write_bytes, 6));
  add_host(kWriteMean, microseconds(*host, Direction::write, host->latency_mean_ns));
  add_host(kWriteP99, microseconds(*host, Direction::write, host->latency_p99_ns));
  add_host(kReadMean, microseconds(*host, Direction::read, host->latency_mean_ns));
  add_host(kReadP99, microseconds(*host, Direction::read, host->latency_p99_ns));
  add_host(kHostPages, std::to_string((since.host_write_bytes + page - 1) / page));
  add_host(kRelocated, std::to_string(since.relocated_pages));
  add_host(kCollected, std::to_string(since.collected_superblocks));
  add_host(kErased, std::to_string(since.block_erases));
  add_host(kTrimmed, std::to_string(since.trimmed_pages));
}

// The short fields, without the closing bracket.
std::string BlockRecording::header(const RunStats& stats) const {
  const Layout& layout = drive_.medium().layout();
  const FtlConfig& ftl = drive_.config().ftl;
  const Json json = {
      {"format", "ftlab block recording"},
      {"version", 1},
      {"drive", drive_.config().name},
      {"superblocks", layout.superblocks()},
      {"superblock_pages", layout.data_pages()},
      {"page_bytes", layout.slot_bytes()},
      {"blocks_per_superblock", layout.blocks_per_superblock()},
      {"dies_per_superblock", layout.dies_per_superblock()},
      {"first_dies", first_dies(layout)},
      {"user_pages", drive_.config().logical_pages()},
      {"states", kBlockStateNames},
      {"frontiers", frontiers(ftl)},
      {"gc", {{"start_free_superblocks", collection_begins_at(ftl)}, {"stop_free_superblocks", ftl.gc.stop_free}}},
      {"from_ns", plan_.from.count()},
      {"to_ns", plan_.to.count()},
      {"every_ns", plan_.every.count()},
      {"pictures", taken_},
      {"ended_ns", stats.ended.count()},
      {"phases", run_phases(stats)}};
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  text.pop_back();
  return text;
}

std::string BlockRecording::text(const RunStats& stats) const {
  std::string text = header(stats) + ",\n\"host\":{";
  for (int list = 0; list < kHostLists; ++list)
    text += std::string(list == 0 ? "" : ",") + "\n\"" + kHostNames[list] + "\":[" + host_[list] + "]";
  text += "},\n\"columns\":{";
  for (int column = 0; column < kColumns; ++column)
    text += std::string(column == 0 ? "" : ",") + "\n\"" + kColumnNames[column] + "\":[\n" + pictures_[column] + "]";
  text += "},\n\"erases_at_end\":[";
  const char* separator = "";
  for (const std::uint32_t erases : drive_.medium().superblocks().erase_counts()) {
    text += separator + std::to_string(erases);
    separator = ",";
  }
  return text + "]}\n";
}

void RecordedDevice::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    FTLAB_CHECK(request.issued < recording_.next(),
                "a request of " + std::to_string(request.issued.count()) + " ns was handed over without waiting until then");
    in_flight_[request.tag] = request;
  }
  behind().submit(batch);
}

// Returns completions before the picture time first, then takes the picture, then waits for the rest.
std::size_t RecordedDevice::wait(Nanoseconds until, std::span<Completion> out) {
  std::size_t count_done = 0;
  while (count_done == 0 && recording_.next() <= until && recording_.next() != kNever) {
    if (recording_.next() > Nanoseconds{0}) count_done = behind().wait(recording_.next() - Nanoseconds{1}, out);
    if (count_done == 0) take_picture();
  }
  if (count_done == 0) count_done = behind().wait(until, out);
  for (const Completion& done : out.first(count_done)) count(done);
  return count_done;
}

void RecordedDevice::finish(Nanoseconds ended) {
  FTLAB_CHECK(in_flight_.empty(), std::to_string(in_flight_.size()) + " requests never came back");
  while (recording_.next() <= ended) take_picture();
}

void RecordedDevice::take_picture() {
  const Nanoseconds now = recording_.next();
  const Counters device = behind().counters_at(now);
  if (host_) {
    host_->close(device);
    recording_.take(device, &host_->rows().back());
  } else {
    host_.emplace(now, recording_.plan().every);
    recording_.take(device, nullptr);
  }
}

void RecordedDevice::count(const Completion& done) {
  const auto found = in_flight_.find(done.tag);
  FTLAB_CHECK(found != in_flight_.end(), "tag " + std::to_string(done.tag) + " came back, which was never handed over");
  const Request request = found->second;
  in_flight_.erase(found);
  if (!host_ || recording_.next() == kNever || request.op == Op::flush) return;
  const Direction direction = request.op == Op::read    ? Direction::read
                              : request.op == Op::write ? Direction::write
                                                        : Direction::trim;
  host_->add(done.completed, direction, request.length_bytes, done.completed - request.issued);
}

}  // namespace ftlab
