#include "validation/results/run_problems.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "ftl/blocks/placement.h"
#include "sim/counters.h"

namespace ftlab {
namespace {

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.4g} MB", static_cast<double>(bytes) / 1e6); }

void add_unwritten_reads(const Counters& run, const TestedDevice& device, std::vector<Problem>& found) {
  const double share = unwritten_share(run, device.size.mapping_bytes);
  if (share < kUnwrittenShare) return;
  found.push_back({ProblemCode::unwritten_reads,
                   fmt::format("{:.0f} % of the bytes read were never written, so no flash was read", 100 * share),
                   "write the drive first: --precondition sequential"});
}

// Handles that a drive needs for the job. A job that uses all of its drive's gets eight, as common drives have.
std::uint32_t handles_for(const Job& job) {
  constexpr std::uint32_t kCommon = 8;
  const PlacementHandles& handles = job.placement;
  if (handles.all) return kCommon;
  std::uint32_t highest = handles.any() ? 0 : job.stream;
  for (const std::uint8_t stream : handles.streams) highest = std::max<std::uint32_t>(highest, stream);
  for (const PlacementHandles::Range& range : handles.by_offset) highest = std::max<std::uint32_t>(highest, range.stream);
  return highest + 1;
}

void add_placement(const RunStats& stats, const TestedDevice& device, std::vector<Problem>& found) {
  const Job* first = nullptr;
  std::uint32_t handles = 1;
  for (const JobStats& job : stats.jobs) {
    if (!job.job->names_placement()) continue;
    if (first == nullptr) first = job.job;
    handles = std::max(handles, handles_for(*job.job));
  }
  if (device.places_by_stream || first == nullptr) return;
  const std::string streams =
      fmt::format("--set ftl.placement.scheme=streams --set ftl.placement.streams={}", std::min(handles, kMostStreams));
  found.push_back(
      {ProblemCode::placement_without_effect,
       fmt::format("[{}] names placement handles or write hints; the drive places all data alike", first->name),
       device.superblock_bytes == 0 ? "leave them out, or an SSD" : streams});
}

// Pages that were placed, but not where the job wanted them.
void add_placed_elsewhere(const Counters& run, const TestedDevice& device, std::vector<Problem>& found) {
  const auto add = [&](std::uint64_t pages, const char* where, const char* remedy) {
    if (pages == 0) return;
    const std::uint64_t bytes = pages * device.size.mapping_bytes;
    const double percent = 100 * static_cast<double>(bytes) / static_cast<double>(run.host_write_bytes);
    const std::string share = run.host_write_bytes == 0 ? ""
                              : percent < 10            ? fmt::format(", {:.2g} % of what the host wrote", percent)
                                                        : fmt::format(", {:.0f} % of what the host wrote", percent);
    found.push_back({ProblemCode::placed_elsewhere, megabytes(bytes) + share + ", " + where, remedy});
  };
  add(run.other_group_pages, "went to another reclaim group than the one named, which was full",
      "spread the data over the groups (plids), or a smaller size");
  add(run.unknown_handle_pages, "named a placement handle that the drive lacks and went to handle 0",
      "plids that the drive has, or a larger ftl.placement.streams");
}

std::string why_not_steady(const Counters& run, const TestedDevice& device, const std::optional<FinalWindow>& window,
                           const SteadyWatch* watch) {
  if (watch != nullptr) return watch->verdict().why_not;
  const bool counts_media_writes = run.host_write_bytes > 0 && device.superblock_bytes > 0;
  return counts_media_writes && window ? window->why_not_steady : "";
}

std::string longer(const TestedDevice& device) {
  return device.replays_trace ? "a longer trace, or --trace-loops" : "run longer: a larger runtime or io_size";
}

// Write amplification over less than a superblock is meaningless, steady or not.
bool add_short_window(const Counters& run, const TestedDevice& device, std::vector<Problem>& found) {
  if (run.host_write_bytes == 0 || run.host_write_bytes >= device.superblock_bytes) return false;
  const double share = static_cast<double>(run.host_write_bytes) / static_cast<double>(device.superblock_bytes);
  found.push_back(
      {ProblemCode::window_below_superblock,
       fmt::format("the host wrote {}, {:.2g} of a superblock of {}: write amplification of this run says nothing",
                   megabytes(run.host_write_bytes), share, megabytes(device.superblock_bytes)),
       longer(device)});
  return true;
}

void add_steadiness(const RunStats& stats, const Counters& run, const TestedDevice& device,
                    const std::optional<FinalWindow>& window, const SteadyWatch* watch, std::vector<Problem>& found) {
  if (stats.requests == 0 || add_short_window(run, device, found)) return;
  const std::string why = why_not_steady(run, device, window, watch);
  if (why.empty()) return;
  found.push_back({ProblemCode::not_steady, "the run did not reach steady state: " + why,
                   watch != nullptr || device.replays_trace ? longer(device) : "run longer, or --until-steady 2%"});
}

void add_nothing_done(const RunStats& stats, std::vector<Problem>& found) {
  if (stats.requests > 0 || stats.left_early) return;
  found.push_back({ProblemCode::nothing_done, "no request was carried out",
                   "a longer runtime, or --precondition sequential for reads of empty zones"});
}

}  // namespace

std::vector<Problem> problems_of(const JobFile& jobs, const RunStats& stats, const TestedDevice& device,
                                 const std::optional<FinalWindow>& window, const SteadyWatch* watch) {
  std::vector<Problem> found;
  for (const Note& note : jobs.notes)
    if (note.problem) found.push_back({*note.problem, note.text, note.remedy});
  const Counters run = difference(stats.device_after, stats.device_before);
  add_nothing_done(stats, found);
  add_unwritten_reads(run, device, found);
  add_placement(stats, device, found);
  add_placed_elsewhere(run, device, found);
  add_steadiness(stats, run, device, window, watch, found);
  return found;
}

nlohmann::ordered_json problems_json(const std::vector<Problem>& problems) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems)
    list.push_back({{"code", name_of(problem.code)}, {"text", problem.text}, {"remedy", problem.remedy}});
  return list;
}

std::string problem_line(const Problem& problem) {
  return fmt::format("{}: {}{}", name_of(problem.code), problem.text,
                     problem.remedy.empty() ? "" : "; remedy: " + problem.remedy);
}

}  // namespace ftlab
