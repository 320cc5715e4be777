#include <deque>
#include <iterator>
#include <map>
#include <set>

#include "sim/workload/options/kinds.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMost = 0xffffffff, kAny = ~std::uint64_t{0};

// Figures of a real drive that an option without effect would change.
constexpr const char* kOrder = "the order in which the host lets requests of several jobs pass";
constexpr const char* kPolling = "the shorter latency of polling";
constexpr const char* kServedFirst = "requests that the drive serves first";

void set_nice(Draft& d, const Setting& w) {
  Setting rest = w;
  if (rest.value.starts_with('-')) rest.value.erase(0, 1);
  const std::uint64_t size = parse_number(rest, rest.value, d.kilo);
  if (size > (w.value.starts_with('-') ? 20u : 19u)) refuse(w, "out of range", "-20 to 19");
}

void set_memory(Draft&, const Setting& w) {
  Setting kind = w;
  const std::size_t colon = w.value.find_first_of(":=");  // "mmaphuge:/file"
  kind.value = w.value.substr(0, colon);
  choice_of(kind, "malloc shm shmhuge mmap mmapshared mmaphuge cudamalloc");
}

// Where fio has nothing more to check, only the form of switches and numbers is checked.
constexpr Option kHostOptions[] = {
    {"cpus_allowed_policy", "", Form::value, choice<"shared split">},
    {"nice", "", Form::value, set_nice},
    {"prio", "", Form::value, number<0, 7>, nullptr, kOrder},
    {"prioclass", "", Form::value, number<0, 3>, nullptr, kOrder},
    {"priohint", "", Form::value, number<0, 1023>, nullptr, kOrder},
    {"ioscheduler", "", Form::value, text<>, nullptr, kOrder},
    {"clocksource", "", Form::value, choice<"gettimeofday clock_gettime cpu">},
    {"disable_bw_measurement", "disable_bw", Form::flag, on_off<>},
    {"mem", "iomem", Form::value, set_memory},
    {"iomem_align", "mem_align", Form::value, number<0, kMost>},
    {"lockmem", "", Form::value, number<0, kAny>},
    {"fallocate", "", Form::value, choice<"none native posix keep truncate 0 1">},
    {"fadvise_hint", "", Form::value, choice<"0 1 random sequential noreuse">},
    {"lockfile", "", Form::value, choice<"none exclusive readwrite">},
    {"continue_on_error", "", Form::optional,
     [](Draft&, const Setting& w) {
       if (w.has_value) choice_of(w, "none read write io verify all 0 1");
     }},
    {"hipri_percentage", "", Form::value, number<0, 100>, nullptr, kPolling},
    {"thinkcycles", "", Form::value, number<0, kAny>, nullptr,
     "the time that the host computes between requests, which thinktime and thinktime_spin can"},
    {"deac", "", Form::flag, on_off<>, nullptr, "the blocks that the drive would free, as by a trim"},
    {"cmd_type", "", Form::value, choice<"nvme bsg">},
    {"wrr_priority", "", Form::value, number<0, kMost>, nullptr, kServedFirst},
    // A drive that holds the data in its write buffer reads it from there.
    {"readfua", "", Form::flag, on_off<>, nullptr, "the latency of reads that pass by the write buffer of the drive"},
    {"exec_prerun", "", Form::text, text<>, nullptr, "the command before the job, which is not executed"},  // never executed
    {"log_entries", "", Form::value, number<10, 1 << 20>},
    {"log_compression", "", Form::value, number<1024, 512 << 20>},
    {"significant_figures", "", Form::value, number<1, 10>},
    {"unit_base", "", Form::value, choice<"0 1 8">},
    {"cgroup_weight", "", Form::value, number<100, 1000>, nullptr, kOrder},
};

// Further options, by kind; names are separated by single blanks. A command is never executed, a write is torn only by a
// power cut here, and fio accepts `threads` for `thread`.
struct PlainOptions {
  Form form;
  void (*set)(Draft&, const Setting&);
  const char* names;
  const char* missed = nullptr;  // as of an Option
};
constexpr PlainOptions kPlainOptions[] = {
    {Form::value, text<>, "cmdprio_percentage cmdprio_class cmdprio cmdprio_hint cmdprio_bssplit", kServedFirst},
    {Form::flag, on_off<>, "hipri sqthread_poll", kPolling},
    {Form::value, text<>, "cpus_allowed numa_cpu_nodes numa_mem_policy ignore_error log_compression_cpus"},
    {Form::value, number<0, kMost>,
     "cpumask gtod_cpu hugepage-size force_async sqthread_poll_cpu num_cqes threads log_alternate_epoch_clock_id uid gid"},
    {Form::flag, on_off<>,
     "gtod_reduce disable_lat disable_clat disable_slat unlink unlink_each_loop overwrite create_serialize "
     "create_fsync create_on_open allow_file_create allow_mounted_write pre_read error_dump fixedbufs registerfiles "
     "nonvectored userspace_reap nowait uncached atomic disk_util unique_filename log_store_compressed log_unix_epoch "
     "log_alternate_epoch block_error_percentiles cgroup_nodelete"},
    {Form::text, text<>, "filename_format exec_postrun cgroup"},
    // Engines libblkio, xnvme, rbd and libiscsi.
    {Form::text, text<>,
     "uri libblkio_driver libblkio_path libblkio_pre_connect_props xnvme_dev_subnqn libblkio_pre_start_props "
     "clustername rbdname clientname pool initiator"},
    {Form::value, number<0, kMost>, "libblkio_num_entries libblkio_queue_size xnvme_dev_nsid"},
    {Form::value, text<>, "xnvme_async xnvme_sync xnvme_admin xnvme_mem libblkio_wait_mode"},
    {Form::flag, on_off<>, "xnvme_iovec libblkio_vectored libblkio_force_enable_completion_eventfd busy_poll"},
    // Engines of SPDK.
    {Form::text, text<>, "spdk_conf spdk_json_conf spdk_rpc_listen_addr env_context log_flags hostnqn"},
    {Form::value, number<0, kMost>,
     "spdk_mem spdk_tracing mem_size_mb enable_sgl sge_size disable_pcie_sgl_merge bit_bucket_data_len enable_vmd "
     "print_qid_mappings enable_wrr arbitration_burst low_weight medium_weight high_weight"},
    {Form::flag, on_off<>, "spdk_single_seg"},
    {Form::value, text<>, "shm_id digest_enable"},
    // NVMe protection information; only its size would be visible.
    {Form::value, number<0, kMost>, "pi_act md_per_io_size"},
    {Form::text, text<>, "pi_chk"},
    {Form::value, text<>, "apptag apptag_mask"},
    // Options of fio's command line, not of its job files; the dashes are part of the name.
    {Form::text, text<>, "--output --output-format --latency-log --aux-path --trigger-file --trigger"},
    {Form::flag, any_value, "--append-terse --minimal --bandwidth-log --parse-only --showcmd --readonly --warnings-fatal"},
    {Form::value, text<>,
     "--terse-version --eta --eta-interval --eta-newline --status-interval --debug --alloc-size --max-jobs "
     "--idle-prof --trigger-timeout"},
};

// Options of a job file that have no effect, with their lines.
struct Ignored {
  ConfigError::Place place;  // place of the first one
  std::map<std::string, std::set<std::size_t>> lines;

  void add(const std::string& key, const ConfigError::Place& where) {
    if (lines.empty()) place = where;
    std::set<std::size_t>& of_key = lines[key];
    if (where.line > 0) of_key.insert(where.line);
  }

  std::string text() const {
    std::string all;
    for (const auto& [name, at] : lines) {
      std::string numbers;
      for (const std::size_t line : at) numbers += (numbers.empty() ? "line " : ", ") + std::to_string(line);
      all += (all.empty() ? "" : ", ") + name + (numbers.empty() ? "" : " (" + numbers + ")");
    }
    return all;
  }
};

}  // namespace

std::span<const Option> host_options() {
  static std::deque<std::string> names;
  static const std::vector<Option> options = [] {
    std::vector<Option> all(std::begin(kHostOptions), std::end(kHostOptions));
    for (const PlainOptions& plain : kPlainOptions)
      for (const std::string_view name : split(plain.names, ' '))
        all.push_back({names.emplace_back(name).c_str(), "", plain.form, plain.set, nullptr, plain.missed});
    return all;
  }();
  return options;
}

void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides, Notes& notes) {
  const std::span<const Option> options = host_options();
  Ignored harmless;
  std::map<std::string, Ignored> missed;  // by Option::missed
  const auto add = [&](const std::string& key, const std::string& value, const ConfigError::Place& place) {
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& candidate) {
      return key == candidate.name || (*candidate.alias != 0 && key == candidate.alias);
    });
    if (option == options.end()) return;
    const bool misses = option->missed != nullptr && value != "0";
    (misses ? missed[option->missed] : harmless).add(key, place);
  };
  for (const Section& section : sections)
    for (const Setting& written : section.settings) add(written.key, written.value, written.place);
  for (const JobOverride& override : overrides) add(override.key, override.value, {"--set-job", 0});
  if (!harmless.lines.empty()) {
    const bool executes = harmless.lines.count("exec_postrun") != 0 || harmless.lines.count("--trigger") != 0;
    notes.push_back({harmless.place.file, harmless.place.line,
                     "no effect on the simulated drive: " + harmless.text() + (executes ? "; no command is executed" : "")});
  }
  for (const auto& [figure, ignored] : missed)
    notes.push_back({ignored.place.file, ignored.place.line,
                     "no effect on the simulated drive: " + ignored.text() + "; the figures do not show " + figure,
                     ProblemCode::option_ignored, "leave the option out, or read the figures as those of a run without it"});
}

}  // namespace ftlab
