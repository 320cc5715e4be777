#include "sim/workload/files/job_file.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sim/config/split.h"
#include "sim/workload/content_source.h"
#include "sim/workload/files/devices.h"
#include "sim/workload/files/replay_job.h"
#include "sim/workload/options/options.h"
#include "sim/workload/options/resolve.h"

namespace ftlab {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMostJobs = 4096;
constexpr std::uint64_t kMostFilesOfSection = 65536;  // per section
constexpr std::uint64_t kFileAlignment = 4096;
constexpr std::size_t kMostOptionBytes = std::size_t{64} << 20;  // all jobs, each with its section's options

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
    Draft draft = globals_;
    apply_section(draft, section, overrides_of(section, context_), result_.notes, problems_);
    if (problems_.touch("")) return;  // an option of this or an earlier section is wrong, and would cause more errors
    try {
      settle_jobs(draft);
    } catch (const ConfigError& error) {
      problems_.add(section.name, error);
    }
  }

  // Resolves the options of a section together and adds its jobs.
  void settle_jobs(Draft& s) {
    settle_device(s);
    check_block_sectors(s);
    settle_block_sizes(s);
    count_zones_in_bytes(s, context_.zone_bytes);
    shrink_sizes(s, context_.shrink);
    read_placement_scheme(s, context_);
    s.zbd.zones_of_device = context_.zones_of_device;
    check_direct(s);
    if (result_.jobs.size() + s.clones > kMostJobs) s.refuse("numjobs", "too many jobs in all", "at most 4096");
    check_files(s);
    check_flow(s, result_.jobs);
    start_group(s);
    targets_.add(s);
    if (names_whole_devices(s)) s.filenames.resize(1);  // each of them is the whole simulated drive
    const std::uint64_t first_job = result_.jobs.size();
    if (replays(s)) {
      add_replay_jobs(s);
    } else if (s.has_several_files()) {
      for (s.clone = 0; s.clone < s.clones; ++s.clone) add_job_on_files(s);
    } else {
      add_jobs_on_one_file(s);
    }
    const Job& job = result_.jobs[first_job];
    if (!replays(s)) note_files(s, job);
    if (!replays(s)) note_surprises(s, job, result_.notes);
    note_flow(s, job, result_.notes);
    if (replays(s)) note_files(s, job);
  }

  void check_direct(const Draft& s) const {
    if (!context_.strict || !is_buffered(s) || reaches_drive_as_pages(s)) return;
    s.refuse(s.is_set("buffered") ? "buffered" : "direct",
             "the page cache is not modelled, and --strict does not take such a job as a direct one",
             "direct=1 in the file, or --set-job direct=1");
  }

  // The only file of a log is the whole drive. Several files are placed by name, like those of any job.
  void add_replay_jobs(Draft& s) {
    check_replay_options(s);
    const std::uint64_t capacity = context_.capacity_bytes / kSectorBytes * kSectorBytes;
    for (s.clone = 0; s.clone < s.clones; ++s.clone) {
      std::vector<ReplayFile> files;
      if (s.filenames.size() > 1 && !s.replay_rules.one_device) {
        add_job_on_files(s);
      } else {
        s.file_end_bytes = s.region_end_bytes = capacity;
        add_job(s);
      }
      Job& job = result_.jobs.back();
      for (std::size_t i = 0; i < job.files.size(); ++i)
        files.push_back({s.filenames[i], job.files[i].file_first_bytes, job.files[i].file_end_bytes});
      const IologSummary log = set_replay(job, s, files, context_.folder, capacity);
      if (s.clone < s.logs.size()) note_replay(s, job, log, result_.notes);
    }
  }

  static void check_files(const Draft& s) {
    if (s.file_count * s.clones > kMostFilesOfSection) s.refuse("nrfiles", "too many files in all clones", "at most 65536");
    if (s.fill_device && s.filenames.size() != 1) s.refuse("fill_device", "fills one device: it must be named by filename");
  }

  void add_jobs_on_one_file(Draft& s) {
    RandomStream random(file_seed(s), "file sizes");
    draw_file_size(s, random);
    for (s.clone = 0; s.clone < s.clones; ++s.clone) {
      set_region(s, context_.capacity_bytes);
      check_relations(s);
    }
    const bool own_files = s.filenames.empty();
    const std::uint64_t first = own_files ? place_files(s) : 0, step = own_files ? aligned(s, s.file_end_bytes) : 0;
    for (s.clone = 0; s.clone < s.clones; ++s.clone) {
      set_region(s, context_.capacity_bytes);
      move(first + s.clone * step, {&s.file_first_bytes, &s.file_end_bytes, &s.region_first_bytes, &s.region_end_bytes});
      add_job(s);
    }
  }

  std::uint64_t file_seed(const Draft& s) const { return s.seed + (std::uint64_t{result_.jobs.size()} << 32); }

  // Places each file on the drive, consecutively; a name used before refers to the same part of the drive.
  void add_job_on_files(Draft& s) {
    s.files.clear();
    s.amount_bytes = 0;
    for (FileRegion file : regions_of_files(s, context_.capacity_bytes, file_seed(s))) {
      s.region_first_bytes = file.first_bytes;
      s.region_end_bytes = file.end_bytes;
      check_relations(s);
      s.amount_bytes += region_bytes(s);
      move(place_file(s, file.file_end_bytes),
           {&file.file_first_bytes, &file.file_end_bytes, &file.first_bytes, &file.end_bytes});
      s.files.push_back(file);
    }
    s.file_first_bytes = std::numeric_limits<std::uint64_t>::max();
    s.file_end_bytes = 0;
    for (const FileRegion& file : s.files) {
      s.file_first_bytes = std::min(s.file_first_bytes, file.file_first_bytes);
      s.file_end_bytes = std::max(s.file_end_bytes, file.file_end_bytes);
    }
    s.region_first_bytes = s.file_first_bytes;
    s.region_end_bytes = s.file_end_bytes;
    bound_amount(s);
    add_job(s);
  }

  static void move(std::uint64_t by, std::initializer_list<std::uint64_t*> places) {
    for (std::uint64_t* bytes : places) *bytes += by;
  }

  void note_files(const Draft& s, const Job& job) {
    if (job.files.empty()) return;
    s.note(result_.notes, "",
           std::to_string(job.files.size()) + " files of a job are placed on the drive consecutively, from byte " +
               std::to_string(job.file_first_bytes) + " to " + std::to_string(job.file_end_bytes));
  }

  // As for a single file: with filesize, `size` bounds only the amount.
  static void bound_amount(Draft& s) {
    if (s.size && s.file_bytes && !s.size->percent) s.amount_bytes = std::min(s.amount_bytes, s.size->number);
    s.amount_given = s.io_size.has_value();
    if (s.io_size)
      s.amount_bytes =
          s.io_size->percent ? std::max<std::uint64_t>(s.amount_bytes / 100 * s.io_size->number, 1) : s.io_size->number;
  }

  std::uint64_t place_file(const Draft& s, std::uint64_t bytes) {
    const std::string name = s.filenames.empty() ? std::string() : s.filenames[s.files.size()];
    const auto known = named_files_.find(name);
    if (!name.empty() && known != named_files_.end() && known->second.second >= bytes) return known->second.first;
    const std::uint64_t first = next_file(s);
    if (first + bytes > context_.capacity_bytes) refuse_placement(s, bytes, first);
    files_end_ = first + bytes;
    if (!name.empty()) named_files_[name] = {first, bytes};
    return first;
  }

  // A stonewall starts a wave and a group, a new_group only a group.
  void start_group(const Draft& s) {
    if (result_.jobs.empty()) return;
    if (s.stonewall) ++job_group_;
    if (s.stonewall || s.new_group) ++group_;
  }

  static std::uint64_t aligned(const Draft& s, std::uint64_t bytes) {
    const std::uint64_t alignment = reaches_drive_as_pages(s) ? kFileAlignment : std::max(kFileAlignment, largest_block(s));
    return (bytes + alignment - 1) / alignment * alignment;
  }

  // First byte of a file after those of earlier jobs.
  std::uint64_t next_file(const Draft& s) const { return aligned(s, files_end_); }

  // Places the files of all clones after those of earlier jobs; returns the first byte of the first file.
  std::uint64_t place_files(const Draft& s) {
    const std::uint64_t first = next_file(s), bytes = s.file_end_bytes;
    const Wide end = Wide{first} + Wide{aligned(s, bytes)} * (s.clones - 1) + bytes;
    if (end > context_.capacity_bytes) refuse_placement(s, bytes, first);
    files_end_ = static_cast<std::uint64_t>(end);
    s.note(result_.notes, "",
           "no filename: " + std::to_string(s.clones) + " file(s) of " + std::to_string(bytes) +
               " bytes are placed on the drive from byte " + std::to_string(first) + " to " + std::to_string(files_end_));
    return first;
  }

  [[noreturn]] void refuse_placement(const Draft& s, std::uint64_t bytes, std::uint64_t first) const {
    s.refuse(s.is_set("filesize") ? "filesize" : "size", "the files do not fit on the drive: " + std::to_string(s.clones) +
                                                             " file(s) of " + std::to_string(bytes) + " bytes from byte " +
                                                             std::to_string(first) + ", the drive has " +
                                                             std::to_string(context_.capacity_bytes) + " bytes");
  }

  void add_job(const Draft& s) {
    count_options(s);
    Job job = resolved(s);
    job.number = result_.jobs.size();
    job.job_group = job_group_;
    job.group = group_;
    job.report_group = next_report_group(s.group_reporting);
    if (job.sequence_log) name_files(job, s);
    result_.jobs.push_back(std::move(job));
  }

  // As in fio, a job with group_reporting joins the job before it if both are in one group; any other job is reported alone.
  std::size_t next_report_group(bool group_reporting) const {
    if (result_.jobs.empty()) return 0;
    const Job& before = result_.jobs.back();
    return before.report_group + (group_reporting && before.group == group_ ? 0 : 1);
  }

  // Every job stores the options of its section, and a section may have thousands of jobs.
  void count_options(const Draft& s) {
    for (const auto* options : {&s.options, &s.global_options})
      for (const auto& [key, value] : *options) option_bytes_ += key.size() + value.size();
    if (option_bytes_ > kMostOptionBytes)
      throw ConfigError(s.place, s.section, "its options and those of the jobs before it are too long in all",
                        std::to_string(option_bytes_) + " bytes", "up to " + std::to_string(kMostOptionBytes));
  }

  const JobContext& context_;
  const std::string& file_;
  Draft globals_;
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

// True if a workload line is followed by a run line, before any section.
bool is_vdbench_file(std::string_view text) {
  bool has_workload = false;
  for (const std::string_view part : split(text, '\n')) {
    const std::string_view line = trimmed(part);
    if (line.starts_with('[')) return false;
    has_workload = has_workload || line.starts_with("wd=") || line.starts_with("fwd=");
    if (has_workload && line.starts_with("rd=")) return true;
  }
  return false;
}

void refuse_vdbench(const std::string& file) {
  throw ConfigError(
      {file, 0}, {}, "is a parameter file of vdbench; the workloads read here are those of fio", {},
      "a job file with filename for lun, bs for xfersize, rw=randrw (seekpct=0: rw=rw) and rwmixread for rdpct, "
      "iodepth for threads, rate_iops for iorate, runtime with time_based for elapsed");
}

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
