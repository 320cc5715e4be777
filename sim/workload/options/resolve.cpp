#include "sim/workload/options/resolve.h"

#include "sim/workload/random/steady_fill.h"

namespace ftlab {
namespace {

constexpr std::size_t kLongestLogName = 200;  // with its suffix, below the 255 of file systems

void replace_all(std::string& text, std::string_view word, const std::string& by) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

// Expands fio's words in names.
std::string filled(std::string text, const Job& job) {
  replace_all(text, "$jobname", job.name);
  replace_all(text, "$jobnum", std::to_string(job.clone));
  return text;
}

// Log name of a job. A section named after a device ([/dev/sdb]) loses the folder.
std::string log_name_of(const std::string& job) { return job.starts_with("/dev/") ? job.substr(job.rfind('/') + 1) : job; }

// The prefix of a log's name. Logs always go to the result folder, because a job file may come from an untrusted source.
void set_log_name(std::optional<std::string>& prefix, const Draft& s, const char* option) {
  if (!prefix) return;
  const bool fits = prefix->size() <= kLongestLogName && s.name.size() <= kLongestLogName;  // before expansion
  const std::string name = !fits ? std::string() : prefix->empty() ? log_name_of(s.name) : filled(*prefix, s);
  if (!fits || name.size() > kLongestLogName)
    s.refuse(option, "is too long for the name of a log", "up to " + std::to_string(kLongestLogName) + " characters");
  if (name.find('/') != name.npos || name.find('\0') != name.npos)
    s.refuse(option,
             "would leave the result folder, where logs are written: the name begins with \"" + printable(name) + "\"",
             "a name without /" + std::string(prefix->empty() ? "; without one it is that of the job" : ""));
  prefix = name;
}

// Writes of constant content, and verifications, which are reads.
void set_write_command(Job& job, Draft::WriteCommand command) {
  if (command == Draft::WriteCommand::verify) {
    job.pattern.writes = false;
    job.pattern.reads = true;
    for (auto* sizes : {&job.block_bytes, &job.alignment_bytes}) (*sizes)[0] = (*sizes)[1];
    job.sizes[0] = job.sizes[1];
    job.content = {};
  } else if (command == Draft::WriteCommand::same) {
    job.content.pattern = job.content.pattern.value_or(std::string(1, '\0'));
    job.content.asked_for = true;
  }
}

// As in fio, a skewed distribution, or an alignment other than the block, has no map; for blocks of several sizes lfsr is
// replaced by the default generator.
void set_random(Job& job) {
  const bool skewed = job.spread.kind != Spread::Kind::uniform;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const std::uint64_t alignment = job.alignment_bytes[d];
    if (skewed || (alignment != 0 && alignment != job.block_bytes[d])) job.random_map = false;
    if (skewed || job.sizes[d].vary()) job.random_kind = RandomKind::tausworthe;
  }
}

void set_zones(Job& job, bool strided) {
  job.zbd.zone_bytes = job.zones.bytes;
  job.zbd.skip_bytes = job.zones.skip_bytes;
  if (!strided) job.zones = {};
  if (job.zones.range_bytes == 0) job.zones.range_bytes = job.zones.bytes;
}

void set_steady_fill(Job& job) {
  if (!job.steady_fill.on) return;
  const std::uint64_t block = job.block_bytes[static_cast<std::size_t>(Direction::write)];
  job.amount_bytes = SteadyFill::writes(job.steady_fill, region_bytes(job) / block) * block;
  job.amount_given = false;
  job.loops = 1;
}

}  // namespace

Draft::Draft() {
  pattern.reads = true;
  rw = "read";
  sizes.fill({0, 0, {}});  // until bsrange or bssplit is given
  percentiles = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
}

Setting Draft::line_of(const char* option) const {
  const auto found = written.find(option);
  if (found != written.end()) return found->second;
  return {option, {}, false, false, place};
}

void Draft::refuse(const char* option, std::string_view problem, std::string_view allowed) const {
  ftlab::refuse(line_of(option), problem, allowed);
}

void Draft::note(Notes& notes, const char* option, const std::string& text, std::optional<ProblemCode> problem,
                 std::string remedy) const {
  const ConfigError::Place at = line_of(option).place;
  notes.push_back({at.file, at.line, "[" + printable(section) + "] " + text, problem, std::move(remedy)});
}

Job resolved(const Draft& s) {
  Job job = s;
  job.as_pages = reaches_drive_as_pages(s);
  job.depth = queue_depth(s) * (s.pattern.trims && !s.pattern.writes ? s.ranges_of_trim : 1);
  job.repeat_order = s.repeat_order && !s.is_set("randseed");
  job.repeat_lfsr = s.repeat_order;
  set_zones(job, s.zoned);
  set_steady_fill(job);
  set_random(job);
  set_write_command(job, s.write_command);
  if (!s.placed) job.placement = {};
  job.placement.all = s.placed && !s.placement.any();
  job.time_based = s.time_based && s.runtime;
  if (job.time_based) job.request_limit.reset();
  job.flow = effective_flow(s);
  set_log_name(job.bandwidth_log, s, "write_bw_log");
  set_log_name(job.iops_log, s, "write_iops_log");
  set_log_name(job.latency_log, s, "write_lat_log");
  set_log_name(job.choices.histogram_log, s, "write_hist_log");
  return job;
}

}  // namespace ftlab
