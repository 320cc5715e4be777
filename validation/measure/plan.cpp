#include "validation/measure/measure.h"

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/core/error.h"
#include "sim/procedures/walk.h"
#include "validation/run/job_input.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kBufferAlignment = 4096;
constexpr double kSlowBytes = 50e6, kFastBytes = 500e6;  // bytes/s of a slow and a fast drive

// A zoned drive takes commands that this program does not send to real drives.
void refuse_zones(const std::vector<Job>& jobs, const std::string& file) {
  for (const Job& job : jobs)
    if (job.zbd.on)
      throw ConfigError({file, job.line}, job.name + ".zonemode", "is for simulated drives: no zone of a real one is reset",
                        "zbd", "none, strided");
}

// Sums up the footprints of the steps. Rounds count as often as they may be repeated.
class Estimate final : public Performer {
 public:
  explicit Estimate(const std::string& file) : file_(file) {}

  void act(const Action& action) override {
    refuse_zones(action.jobs.jobs, file_);
    IoFootprint step = footprint_of(action.jobs.jobs);
    if (action.step->kind == StepKind::trim || (action.step->kind == StepKind::purge && !action.step->new_drive)) {
      step.trims = true;
      step.trim_bytes = action.length_bytes;
      step.unit_bytes = std::gcd(action.offset_bytes, action.length_bytes);
    }
    step.time += action.duration;
    for (std::size_t times = 0; times < times_; ++times) all_.then(step);
  }
  void begin_rounds(const Step& step, const Values&) override { times_ = step.rule.most; }
  bool another_round() override {
    times_ = 1;
    return false;
  }
  const IoFootprint& all() const { return all_; }

 private:
  const std::string& file_;
  IoFootprint all_;
  std::size_t times_ = 1;
};

std::string bytes(std::uint64_t count) {
  return count < 1'000'000'000 ? fmt::format("{:.1f} MB", static_cast<double>(count) / 1e6)
                               : fmt::format("{:.2f} GB", static_cast<double>(count) / 1e9);
}

std::string seconds(double time) {
  return time < 600 ? fmt::format("{:.0f} s", time) : fmt::format("{:.1f} h", time / 3600);
}

std::string line(const char* name, const std::string& text) { return fmt::format("  {:<12}{}\n", name, text); }

std::string drive_writes(double written, const ByteRange& range) {
  return fmt::format("{:.3f} times the range", written / static_cast<double>(range.end - range.first));
}

}  // namespace

std::vector<ByteRange> Plan::reads(const ByteRange& range) const {
  std::vector<ByteRange> places = footprint.reads;
  for (ByteRange& place : places) place = {range.first + place.first, range.first + place.end};
  return places;
}

Intent Plan::intent(const ByteRange& range, std::uint64_t guard_bytes) const {
  Intent intent;
  intent.reads = !footprint.reads.empty();
  intent.writes = footprint.writes;
  intent.discards = footprint.trims;
  intent.range = range;
  intent.guard_bytes = guard_bytes;
  intent.unit_bytes = static_cast<std::uint32_t>(std::gcd(footprint.unit_bytes, std::uint64_t{1} << 30));
  intent.memory_alignment_bytes = kBufferAlignment;
  intent.depth = static_cast<std::uint32_t>(std::min<std::size_t>(footprint.depth, UINT32_MAX));
  return intent;
}

nlohmann::ordered_json Plan::json() const {
  return {{"read_bytes", footprint.read_bytes}, {"write_bytes", footprint.write_bytes},
          {"trim_bytes", footprint.trim_bytes}, {"writes_until_time_is_over", footprint.endless_writes},
          {"depth", footprint.depth},           {"largest_bytes", footprint.largest_bytes},
          {"unit_bytes", footprint.unit_bytes}, {"time_s", static_cast<double>(footprint.time.count()) / 1e9}};
}

std::string Plan::text(const ByteRange& range) const {
  const IoFootprint& d = footprint;
  const double runtime_s = static_cast<double>(d.time.count()) / 1e9;
  const double moved = static_cast<double>(d.read_bytes + d.write_bytes);
  std::string text =
      line("range", fmt::format("bytes {} to {} ({})", range.first, range.end, bytes(range.end - range.first)));
  text += line("reads", bytes(d.read_bytes) + " by amount, more where time alone ends a job");
  if (d.writes)
    text += line("writes", bytes(d.write_bytes) + " by amount: " + drive_writes(static_cast<double>(d.write_bytes), range));
  if (d.endless_writes) {
    text += line("", fmt::format("and as much as the device takes in up to {}: {} at 500 MB/s, {}", seconds(runtime_s),
                                 bytes(static_cast<std::uint64_t>(runtime_s * kFastBytes)),
                                 drive_writes(runtime_s * kFastBytes, range)));
  }
  if (!d.writes) text += line("writes", "nothing");
  if (d.trims) text += line("trims", bytes(d.trim_bytes) + " by amount; their data are lost");
  text += line("in flight", fmt::format("{} requests at most, of {} bytes at most", d.depth, d.largest_bytes));
  text +=
      line("time", fmt::format("{} of runtimes and pauses; what is bounded by amount takes {} at 500 MB/s, {} at 50 MB/s",
                               seconds(runtime_s), seconds(moved / kFastBytes), seconds(moved / kSlowBytes)));
  return text;
}

Plan make_plan(const PlanRequest& request, std::uint64_t capacity_bytes) {
  Plan plan;
  if (!is_procedure_file(request.file)) {
    if (!request.variables.empty()) {
      throw ConfigError({"--variable", 0}, "", "is for procedures; job files take ${NAME} from the environment",
                        request.file);
    }
    plan.jobs = load_jobs(request.file, capacity_bytes, request.jobs);
    refuse_zones(plan.jobs->jobs, request.file);
    plan.footprint = footprint_of(plan.jobs->jobs);
    plan.text_of_work = read_text_file(request.file);
    return plan;
  }
  const Node document = load_document(request.file, files_of_document(request.file));
  plan.procedure = read_procedure(document, request.variables);
  plan.text_of_work = to_json(document).dump(2) + "\n";
  plan.context = context_of(request.file, capacity_bytes, request.jobs);
  Estimate estimate(request.file);
  walk(*plan.procedure, plan.context, estimate);
  plan.footprint = estimate.all();
  return plan;
}

}  // namespace ftlab
