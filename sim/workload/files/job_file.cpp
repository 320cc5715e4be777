#include "sim/workload/files/job_file.h"

#include <algorithm>
#include <map>

#include "sim/workload/content_source.h"
#include "sim/workload/files/fio_command.h"
#include "sim/workload/files/named_targets.h"
#include "sim/workload/files/placement_scheme.h"
#include "sim/workload/files/replay_job.h"
#include "sim/workload/files/section_devices.h"
#include "sim/workload/files/shrink.h"
#include "sim/workload/files/vdbench.h"
#include "sim/workload/options/flow_relations.h"
#include "sim/workload/options/host_options.h"
#include "sim/workload/options/option.h"
#include "sim/workload/options/options.h"
#include "sim/workload/options/page_cache.h"
#include "sim/workload/options/region.h"
#include "sim/workload/options/relations.h"
#include "sim/workload/random/steady_fill.h"

namespace ftlab {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMostJobs = 4096;
constexpr std::uint64_t kMostFilesOfSection = 65536;  // per section
constexpr std::uint64_t kFileAlignment = 4096;
constexpr std::size_t kLongestLogName = 200;                     // with its suffix, below the 255 of file systems
constexpr std::size_t kMostOptionBytes = std::size_t{64} << 20;  // all jobs, each with its section's options

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
std::optional<std::string> log_name(const std::optional<std::string>& prefix, const Job& job, const Setting& written) {
  if (!prefix) return std::nullopt;
  const bool fits = prefix->size() <= kLongestLogName && job.name.size() <= kLongestLogName;  // before expansion
  const std::string name = !fits ? std::string() : prefix->empty() ? log_name_of(job.name) : filled(*prefix, job);
  if (!fits || name.size() > kLongestLogName)
    refuse(written, "is too long for the name of a log", "up to " + std::to_string(kLongestLogName) + " characters");
  if (name.find('/') != name.npos || name.find('\0') != name.npos)
    refuse(written,
           "would leave the result folder, where logs are written: the name begins with \"" + printable(name) + "\"",
           "a name without /" + std::string(prefix->empty() ? "; without one it is that of the job" : ""));
  return name;
}

// Jobs with dedupe_global draw from the working sets of all such jobs.
void share_content(std::vector<Job>& jobs) {
  std::uint64_t blocks = 0;
  for (const Job& job : jobs)
    if (job.content.shared)
      blocks += ContentSource::working_set(job.content, job.amount_bytes * (job.time_based ? 1 : job.loops),
                                           job.block_bytes[static_cast<std::size_t>(Direction::write)]);
  for (Job& job : jobs) job.content.shared_blocks = job.content.shared ? blocks : 0;
}

// Turns sections into jobs, in order.
class Assembly {
 public:
  Assembly(const JobContext& context, const std::string& file) : context_(context), file_(file) {}

  JobFile assemble(const std::vector<Section>& all) {
    check_overrides(all);
    const std::vector<Section> sections = context_.device.empty() ? all : sections_of_device(all, context_);
    for (const Section& section : sections) {
      for (const Setting& word : section.misread) note_misread(word);
      if (section.is_global())
        apply_section(globals_, section, {}, result_.notes, problems_);
      else
        add_jobs(section);
    }
    problems_.refuse_if_any();
    if (result_.jobs.empty()) refuse_empty(sections);
    refuse_unreported();
    share_exit(result_.jobs);
    share_content(result_.jobs);
    if (context_.zones_of_device && context_.zone_bytes != 0)
      result_.notes.push_back({file_, 0, "zones are those of the drive, whatever zonesize and max_open_zones say"});
    if (context_.shrink > 1)
      result_.notes.push_back({file_, 0, "sizes and offsets in bytes are divided by " + std::to_string(context_.shrink)});
    targets_.note(result_.notes);
    note_without_effect(sections, context_.overrides, result_.notes);
    return std::move(result_);
  }

 private:
  void note_misread(const Setting& word) {
    result_.notes.push_back({word.place.file, word.place.line,
                             printable(word.value) + ": fio reads it as " + word.value.substr(0, 2) + " for " + word.key +
                                 ", and no other option of that name exists",
                             ProblemCode::option_ignored, "write the name of the option as fio's manual has it"});
  }

  void check_overrides(const std::vector<Section>& sections) const {
    std::vector<std::string> names;
    for (const Section& section : sections)
      if (!section.is_global()) names.push_back(section.name);
    for (const JobOverride& override : context_.overrides) {
      if (override.section.empty() || std::find(names.begin(), names.end(), override.section) != names.end()) continue;
      throw ConfigError({kJobOverride, 0}, override.section, "no such section in " + file_, {}, {},
                        nearest_name(override.section, names));
    }
  }

  [[noreturn]] void refuse_empty(const std::vector<Section>& sections) const {
    const bool none = sections.empty();
    throw ConfigError({file_, 0}, {}, none ? "no section, so no job" : "only [global] sections, so no job", {},
                      "at least one [JOB] section");
  }

  void refuse_unreported() const {
    const auto reported = [](const Job& job) { return job.choices.reported; };
    if (std::any_of(result_.jobs.begin(), result_.jobs.end(), reported)) return;
    throw ConfigError({file_, 0}, "stats", "leaves all jobs out of the report", "0", "stats=1 for one of them at least");
  }

  void add_jobs(const Section& section) {
    Settings settings = globals_;
    apply_section(settings, section, overrides_of(section, context_), result_.notes, problems_);
    if (problems_.touch("")) return;  // an option of this or an earlier section is wrong, and would cause more errors
    try {
      settle_jobs(settings, section);
    } catch (const ConfigError& error) {
      problems_.add(section.name, error);
    }
  }

  // Resolves the options of a section together and adds its jobs.
  void settle_jobs(Settings& settings, const Section& section) {
    settle_device(settings, section);
    check_block_sectors(settings, section);
    settle_block_sizes(settings);
    count_zones_in_bytes(settings, section, context_.zone_bytes);
    shrink_sizes(settings, context_.shrink);
    read_placement_scheme(settings, section, context_);
    check_direct(settings, section);
    check_count(settings, section);
    check_files(settings, section);
    check_flow(settings, section, result_.jobs);
    start_group(settings);
    targets_.add(settings, section);
    if (names_whole_devices(settings)) settings.filenames.resize(1);  // each of them is the whole simulated drive
    const std::uint64_t first_job = result_.jobs.size();
    if (replays(settings)) return add_replay_jobs(settings, section);
    if (has_several_files(settings)) {
      for (std::size_t clone = 0; clone < settings.clones; ++clone) add_job_on_files(settings, section, clone);
      note_files(section, result_.jobs[first_job]);
    } else {
      add_jobs_on_one_file(settings, section);
    }
    const Job& job = result_.jobs[first_job];
    note_surprises(settings, section, region_of(job), result_.notes);
    note_flow(settings, section, region_of(job), result_.notes);
  }

  void check_direct(const Settings& settings, const Section& section) const {
    if (!context_.strict || !is_buffered(settings) || reaches_drive_as_pages(settings)) return;
    refuse(line_of(settings, section, settings.written.count("buffered") != 0 ? "buffered" : "direct"),
           "the page cache is not modelled, and --strict does not take such a job as a direct one",
           "direct=1 in the file, or --set-job direct=1");
  }

  // The only file of a log is the whole drive. Several files are placed by name, like those of any job.
  void add_replay_jobs(const Settings& settings, const Section& section) {
    check_replay_options(settings, section);
    const std::size_t first_job = result_.jobs.size();
    const std::uint64_t capacity = context_.capacity_bytes / kSectorBytes * kSectorBytes;
    for (std::size_t clone = 0; clone < settings.clones; ++clone) {
      std::vector<ReplayFile> files;
      if (settings.filenames.size() > 1 && settings.replay.redirect.empty())
        add_job_on_files(settings, section, clone);
      else
        add_job(settings, section, {0, capacity, 0, capacity, 0, true}, clone);
      Job& job = result_.jobs.back();
      for (std::size_t i = 0; i < job.files.size(); ++i)
        files.push_back({settings.filenames[i], job.files[i].file_first_bytes, job.files[i].file_end_bytes});
      const IologSummary log = set_replay(job, settings, files, context_.folder, capacity);
      if (clone < settings.replay.logs.size()) note_replay(settings, section, job, log, result_.notes);
      job.sequence_log.reset();  // as in fio, read_iolog overrides it
    }
    note_flow(settings, section, region_of(result_.jobs[first_job]), result_.notes);
    if (!result_.jobs[first_job].files.empty()) note_files(section, result_.jobs[first_job]);
  }

  static Region region_of(const Job& job) {
    return {job.file_first_bytes, job.file_end_bytes, job.region_first_bytes,
            job.region_end_bytes, job.amount_bytes,   job.amount_given};
  }

  static bool has_several_files(const Settings& s) {
    return s.filenames.empty() ? s.file_count > 1 : s.filenames.size() > 1;
  }

  static void check_files(const Settings& settings, const Section& section) {
    if (settings.file_count * settings.clones > kMostFilesOfSection)
      refuse(line_of(settings, section, "nrfiles"), "too many files in all clones", "at most 65536");
    if (settings.fill_device && settings.filenames.size() != 1)
      refuse(line_of(settings, section, "fill_device"), "fills one device: it must be named by filename");
  }

  void add_jobs_on_one_file(Settings& settings, const Section& section) {
    RandomStream random(file_seed(settings), "file sizes");
    if (settings.most_file_bytes != 0) draw_file_size(settings, random);
    const bool own_files = settings.filename.empty();
    std::vector<Region> regions;
    for (std::size_t clone = 0; clone < (settings.offset_increment.number == 0 ? 1 : settings.clones); ++clone) {
      regions.push_back(own_files ? region_in_own_file(settings, section, context_.capacity_bytes, clone)
                                  : region_on_drive(settings, section, context_.capacity_bytes, clone));
      check_relations(settings, section, regions.back());
    }
    const std::uint64_t first_file = own_files ? place_files(settings, section, regions[0]) : 0;
    for (std::size_t clone = 0; clone < settings.clones; ++clone)
      add_job(settings, section,
              moved(regions[std::min(clone, regions.size() - 1)], first_file + clone * file_step(settings, regions[0])),
              clone);
  }

  std::uint64_t file_seed(const Settings& settings) const {
    return settings.seed + (std::uint64_t{result_.jobs.size()} << 32);
  }

  // Places each file on the drive, consecutively; a name used before refers to the same part of the drive.
  void add_job_on_files(const Settings& settings, const Section& section, std::size_t clone) {
    std::vector<FileRegion> files;
    Region all{};
    for (const Region& at_zero : regions_in_files(settings, section, context_.capacity_bytes, clone, file_seed(settings))) {
      check_relations(settings, section, at_zero);
      const Region region = moved(at_zero, place_file(settings, section, at_zero.file_end_bytes, files.size()));
      files.push_back({region.file_first_bytes, region.file_end_bytes, region.first_bytes, region.end_bytes});
      all.amount_bytes += region.end_bytes - region.first_bytes;
      all.file_end_bytes = std::max(all.file_end_bytes, region.file_end_bytes);
    }
    all.file_first_bytes = std::min_element(files.begin(), files.end(), [](const auto& a, const auto& b) {
                             return a.file_first_bytes < b.file_first_bytes;
                           })->file_first_bytes;
    all.first_bytes = all.file_first_bytes;
    all.end_bytes = all.file_end_bytes;
    bound_amount(settings, all);
    add_job(settings, section, all, clone);
    result_.jobs.back().files = std::move(files);
  }

  void note_files(const Section& section, const Job& job) {
    result_.notes.push_back({section.place.file, section.place.line,
                             "[" + printable(section.name) + "] " + std::to_string(job.files.size()) +
                                 " files of a job are placed on the drive consecutively, from byte " +
                                 std::to_string(job.file_first_bytes) + " to " + std::to_string(job.file_end_bytes)});
  }

  // As for a single file: with filesize, `size` bounds only the amount.
  static void bound_amount(const Settings& s, Region& all) {
    if (s.size && s.file_bytes && !s.size->percent) all.amount_bytes = std::min(all.amount_bytes, s.size->number);
    if (!s.io_size) return;
    all.amount_given = true;
    all.amount_bytes =
        s.io_size->percent ? std::max<std::uint64_t>(all.amount_bytes / 100 * s.io_size->number, 1) : s.io_size->number;
  }

  std::uint64_t place_file(const Settings& settings, const Section& section, std::uint64_t bytes, std::size_t index) {
    const std::string name = settings.filenames.empty() ? std::string() : settings.filenames[index];
    const auto known = named_files_.find(name);
    if (!name.empty() && known != named_files_.end() && known->second.second >= bytes) return known->second.first;
    const std::uint64_t alignment = file_alignment(settings);
    const std::uint64_t first = (files_end_ + alignment - 1) / alignment * alignment;
    if (first + bytes > context_.capacity_bytes) refuse_placement(settings, section, bytes, first);
    files_end_ = first + bytes;
    if (!name.empty()) named_files_[name] = {first, bytes};
    return first;
  }

  // A stonewall starts a wave and a group, a new_group only a group.
  void start_group(const Settings& settings) {
    if (result_.jobs.empty()) return;
    if (settings.stonewall) ++job_group_;
    if (settings.stonewall || settings.new_group) ++group_;
  }

  void check_count(const Settings& settings, const Section& section) const {
    if (result_.jobs.size() + settings.clones > kMostJobs)
      refuse(line_of(settings, section, "numjobs"), "too many jobs in all", "at most 4096");
  }

  static std::uint64_t file_alignment(const Settings& settings) {
    return reaches_drive_as_pages(settings) ? kFileAlignment : std::max(kFileAlignment, largest_block(settings));
  }

  // Distance between the files of consecutive clones; 0 if all clones use the whole drive.
  static std::uint64_t file_step(const Settings& settings, const Region& region) {
    if (!settings.filename.empty()) return 0;
    const std::uint64_t alignment = file_alignment(settings);
    return (region.file_end_bytes + alignment - 1) / alignment * alignment;
  }

  // Places the files of all clones after those of earlier jobs; returns the first byte of the first file.
  std::uint64_t place_files(const Settings& settings, const Section& section, const Region& region) {
    const std::uint64_t alignment = file_alignment(settings);
    const std::uint64_t first = (files_end_ + alignment - 1) / alignment * alignment;
    const std::uint64_t bytes = region.file_end_bytes;
    const Wide end = Wide{first} + Wide{file_step(settings, region)} * (settings.clones - 1) + bytes;
    if (end > context_.capacity_bytes) refuse_placement(settings, section, bytes, first);
    files_end_ = static_cast<std::uint64_t>(end);
    result_.notes.push_back({section.place.file, section.place.line,
                             "[" + printable(section.name) + "] no filename: " + std::to_string(settings.clones) +
                                 " file(s) of " + std::to_string(bytes) + " bytes are placed on the drive from byte " +
                                 std::to_string(first) + " to " + std::to_string(files_end_)});
    return first;
  }

  [[noreturn]] void refuse_placement(const Settings& settings, const Section& section, std::uint64_t bytes,
                                     std::uint64_t first) const {
    const char* option = settings.written.count("filesize") != 0 ? "filesize" : "size";
    refuse(line_of(settings, section, option), "the files do not fit on the drive: " + std::to_string(settings.clones) +
                                                   " file(s) of " + std::to_string(bytes) + " bytes from byte " +
                                                   std::to_string(first) + ", the drive has " +
                                                   std::to_string(context_.capacity_bytes) + " bytes");
  }

  static Region moved(Region region, std::uint64_t by) {
    for (std::uint64_t* bytes : {&region.file_first_bytes, &region.file_end_bytes, &region.first_bytes, &region.end_bytes})
      *bytes += by;
    return region;
  }

  void add_job(const Settings& s, const Section& section, const Region& region, std::size_t clone) {
    Job job;
    set_identity(job, s, section, clone);
    set_region(job, region);
    set_access(job, s);
    job.zbd.zones_of_device = context_.zones_of_device;
    set_duration(job, s);
    set_report(job, s, section);
    if (s.replay.sequence_log) job.sequence_log = sequence_log(s, section, job);
    result_.jobs.push_back(std::move(job));
  }

  void set_identity(Job& job, const Settings& s, const Section& section, std::size_t clone) {
    job.name = s.name.empty() ? section.name : s.name;
    job.number = result_.jobs.size();
    job.clone = clone;
    job.line = section.place.line;
    job.job_group = job_group_;
    job.group = group_;
    job.group_reporting = s.group_reporting;
    job.report_group = next_report_group(s.group_reporting);
  }

  // As in fio, a job with group_reporting joins the job before it if both are in one group; any other job is reported alone.
  std::size_t next_report_group(bool group_reporting) const {
    if (result_.jobs.empty()) return 0;
    const Job& before = result_.jobs.back();
    return before.report_group + (group_reporting && before.group == group_ ? 0 : 1);
  }

  static void set_region(Job& job, const Region& region) {
    job.file_first_bytes = region.file_first_bytes;
    job.file_end_bytes = region.file_end_bytes;
    job.region_first_bytes = region.first_bytes;
    job.region_end_bytes = region.end_bytes;
    job.amount_bytes = region.amount_bytes;
    job.amount_given = region.amount_given;
  }

  static void set_access(Job& job, const Settings& s) {
    job.pattern = s.pattern;
    const auto written = s.written.find("rw");
    job.rw = written == s.written.end() ? "read" : written->second.value;
    job.block_bytes = s.block_bytes;
    job.sizes = s.sizes;
    job.alignment_bytes = s.alignment;
    job.any_size = s.any_size;
    job.sizes_by_order = s.sizes_by_order;
    job.as_pages = reaches_drive_as_pages(s);
    job.file_service = s.file_service;
    job.depth = s.engine.synchronous ? 1 : s.depth;
    if (s.pattern.trims && !s.pattern.writes) job.depth *= s.ranges_of_trim;
    job.read_percent = s.read_percent;
    job.random_map = s.random_map;
    job.repeat_order = s.repeat_order && !s.seed_given;
    job.repeat_lfsr = s.repeat_order;
    job.random_kind = s.random_kind;
    set_random(job, s);
    job.content = s.content;
    set_content_by_scsi(job, s.scsi_writes);
    job.stream = s.stream;
    if (s.placed) job.placement = s.placement;
    job.placement.all = s.placed && !s.placement.any();
    job.verify = s.verify;
    job.seed = s.seed;
  }

  static void set_content_by_scsi(Job& job, Settings::ScsiWrites writes) {
    if (writes == Settings::ScsiWrites::verify) {
      job.pattern.writes = false;
      job.pattern.reads = true;
      for (auto* sizes : {&job.block_bytes, &job.alignment_bytes}) (*sizes)[0] = (*sizes)[1];
      job.sizes[0] = job.sizes[1];
      job.content = {};
    } else if (writes == Settings::ScsiWrites::same) {
      job.content.pattern = job.content.pattern.value_or(std::string(1, '\0'));
      job.content.asked_for = true;
    }
  }

  // As in fio, a skewed distribution, or an alignment other than the block, has no map; for blocks of several sizes lfsr is
  // replaced by the default generator.
  static void set_random(Job& job, const Settings& s) {
    job.spread = s.spread;
    job.random_percent = s.random_percent;
    set_zones(job, s);
    set_steady_fill(job, s);
    job.repeat_offset = s.repeat_offset;
    for (std::size_t d = 0; d < kDirectionCount; ++d) {
      if (job.spread.kind != Spread::Kind::uniform || (s.alignment[d] != 0 && s.alignment[d] != s.block_bytes[d]))
        job.random_map = false;
      if (s.sizes[d].vary() || job.spread.kind != Spread::Kind::uniform) job.random_kind = RandomKind::tausworthe;
    }
  }

  static void set_zones(Job& job, const Settings& s) {
    job.zbd = s.zbd;
    job.zbd.zone_bytes = s.zones.bytes;
    job.zbd.skip_bytes = s.zones.skip_bytes;
    if (!s.zoned) return;
    job.zones = s.zones;
    if (job.zones.range_bytes == 0) job.zones.range_bytes = job.zones.bytes;
  }

  static void set_steady_fill(Job& job, const Settings& s) {
    job.steady_fill = s.steady_fill;
    if (!s.steady_fill.on) return;
    const std::uint64_t block = job.block_bytes[static_cast<std::size_t>(Direction::write)];
    job.amount_bytes = SteadyFill::writes(s.steady_fill, (job.region_end_bytes - job.region_first_bytes) / block) * block;
    job.amount_given = false;
  }

  static void set_duration(Job& job, const Settings& s) {
    job.loops = s.steady_fill.on ? 1 : s.loops;
    job.time_based = s.time_based && s.runtime.has_value();
    if (!job.time_based) job.request_limit = s.request_limit;
    job.runtime = s.runtime;
    job.ramp = s.ramp;
    job.start_delay = s.start_delay;
    job.flow = effective_flow(s);
  }

  // Every job stores the options of its section, and a section may have thousands of jobs.
  void keep_options(Job& job, const Settings& s, const Section& section) {
    job.options = s.options;
    job.global_options = s.global_options;
    for (const auto* options : {&s.options, &s.global_options})
      for (const auto& [key, value] : *options) option_bytes_ += key.size() + value.size();
    if (option_bytes_ > kMostOptionBytes)
      throw ConfigError(section.place, section.name, "its options and those of the jobs before it are too long in all",
                        std::to_string(option_bytes_) + " bytes", "up to " + std::to_string(kMostOptionBytes));
  }

  void set_report(Job& job, const Settings& s, const Section& section) {
    keep_options(job, s, section);
    job.percentiles = s.percentiles;
    job.completion_percentiles = s.completion_percentiles;
    job.total_percentiles = s.total_percentiles;
    job.submission_percentiles = s.submission_percentiles;
    job.bandwidth_log = log_name(s.bandwidth_log, job, line_of(s, section, "write_bw_log"));
    job.iops_log = log_name(s.iops_log, job, line_of(s, section, "write_iops_log"));
    job.latency_log = log_name(s.latency_log, job, line_of(s, section, "write_lat_log"));
    job.log_interval = s.log_interval;
    job.choices = s.choices;
    job.choices.histogram_log = log_name(s.choices.histogram_log, job, line_of(s, section, "write_hist_log"));
  }

  const JobContext& context_;
  const std::string& file_;
  Settings globals_;
  JobFile result_;
  Problems problems_;
  NamedTargets targets_;
  std::size_t job_group_ = 0;
  std::size_t group_ = 0;
  std::size_t option_bytes_ = 0;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>
      named_files_;              // jobs with several files: first byte and size of each file
  std::uint64_t files_end_ = 0;  // end of the last placed file
};

std::vector<Section> sections_in(std::string_view text, const std::string& file_name, const JobContext& context) {
  return holds_fio_command(text) ? read_fio_command(text, file_name, context) : read_sections(text, file_name, context);
}

}  // namespace

JobOverride parse_job_override(std::string_view text) {
  const ConfigError::Place place{kJobOverride, 0};
  const std::size_t equals = text.find('=');
  if (equals == text.npos) throw ConfigError(place, {}, "'=' missing", text, "KEY=VALUE or SECTION:KEY=VALUE");
  const std::size_t colon = text.substr(0, equals).rfind(':');
  JobOverride override;
  if (colon != text.npos) override.section = text.substr(0, colon);
  override.key = trimmed(text.substr(colon == text.npos ? 0 : colon + 1, equals - (colon == text.npos ? 0 : colon + 1)));
  override.value = trimmed(text.substr(equals + 1));
  if (override.key.empty()) throw ConfigError(place, {}, "option missing", text, "KEY=VALUE or SECTION:KEY=VALUE");
  return override;
}

JobFile parse_job_file(std::string_view text, const std::string& file_name, const JobContext& context) {
  if (is_vdbench_file(text)) refuse_vdbench(file_name);
  return Assembly(context, file_name).assemble(sections_in(text, file_name, context));
}

std::vector<std::string> devices_in_job_file(std::string_view text, const std::string& file_name,
                                             const JobContext& context) {
  if (is_vdbench_file(text)) refuse_vdbench(file_name);
  return devices_of(sections_in(text, file_name, context), context);
}

}  // namespace ftlab
