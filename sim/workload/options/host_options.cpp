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
    {"cpus_allowed", "", Form::value, text<>},
    {"cpus_allowed_policy", "", Form::value, choice<"shared split">},
    {"cpumask", "", Form::value, number<0, kMost>},
    {"numa_cpu_nodes", "", Form::value, text<>},
    {"numa_mem_policy", "", Form::value, text<>},
    {"nice", "", Form::value, set_nice},
    {"prio", "", Form::value, number<0, 7>, nullptr, kOrder},
    {"prioclass", "", Form::value, number<0, 3>, nullptr, kOrder},
    {"ioscheduler", "", Form::value, text<>, nullptr, kOrder},
    {"clocksource", "", Form::value, choice<"gettimeofday clock_gettime cpu">},
    {"gtod_reduce", "", Form::flag, on_off<>},
    {"gtod_cpu", "", Form::value, number<0, kMost>},
    {"disable_lat", "", Form::flag, on_off<>},
    {"disable_clat", "", Form::flag, on_off<>},
    {"disable_slat", "", Form::flag, on_off<>},
    {"disable_bw_measurement", "disable_bw", Form::flag, on_off<>},
    {"mem", "iomem", Form::value, set_memory},
    {"iomem_align", "mem_align", Form::value, number<0, kMost>},
    {"hugepage-size", "", Form::value, number<0, kMost>},
    {"lockmem", "", Form::value, number<0, kAny>},
    {"fallocate", "", Form::value, choice<"none native posix keep truncate 0 1">},
    {"fadvise_hint", "", Form::value, choice<"0 1 random sequential noreuse">},
    {"unlink", "", Form::flag, on_off<>},
    {"unlink_each_loop", "", Form::flag, on_off<>},
    {"overwrite", "", Form::flag, on_off<>},
    {"create_serialize", "", Form::flag, on_off<>},
    {"create_fsync", "", Form::flag, on_off<>},
    {"create_on_open", "", Form::flag, on_off<>},
    {"allow_file_create", "", Form::flag, on_off<>},
    {"allow_mounted_write", "", Form::flag, on_off<>},
    {"pre_read", "", Form::flag, on_off<>},
    {"lockfile", "", Form::value, choice<"none exclusive readwrite">},
    {"error_dump", "", Form::flag, on_off<>},
    {"continue_on_error", "", Form::optional,
     [](Draft&, const Setting& w) {
       if (w.has_value) choice_of(w, "none read write io verify all 0 1");
     }},
    {"ignore_error", "", Form::value, text<>},
    {"hipri", "", Form::flag, on_off<>, nullptr, kPolling},
    {"hipri_percentage", "", Form::value, number<0, 100>, nullptr, kPolling},
    {"fixedbufs", "", Form::flag, on_off<>},
    {"registerfiles", "", Form::flag, on_off<>},
    {"nonvectored", "", Form::flag, on_off<>},
    {"force_async", "", Form::value, number<0, kMost>},
    {"sqthread_poll", "", Form::flag, on_off<>, nullptr, kPolling},
    {"sqthread_poll_cpu", "", Form::value, number<0, kMost>},
    {"userspace_reap", "", Form::flag, on_off<>},
    {"nowait", "", Form::flag, on_off<>},
    {"uncached", "", Form::flag, on_off<>},
    {"cmd_type", "", Form::value, choice<"nvme bsg">},
    {"threads", "", Form::value, number<0, kMost>},  // fio accepts it for thread
    {"uri", "", Form::text, text<>},
    {"libblkio_driver", "", Form::text, text<>},
    {"libblkio_path", "", Form::text, text<>},
    {"libblkio_pre_connect_props", "", Form::text, text<>},
    {"libblkio_num_entries", "", Form::value, number<0, kMost>},
    {"libblkio_queue_size", "", Form::value, number<0, kMost>},
    {"xnvme_async", "", Form::value, text<>},
    {"xnvme_sync", "", Form::value, text<>},
    {"xnvme_admin", "", Form::value, text<>},
    {"xnvme_dev_nsid", "", Form::value, number<0, kMost>},
    {"xnvme_iovec", "", Form::flag, on_off<>},
    {"xnvme_mem", "", Form::value, text<>},
    {"xnvme_dev_subnqn", "", Form::text, text<>},
    {"libblkio_pre_start_props", "", Form::text, text<>},
    {"libblkio_vectored", "", Form::flag, on_off<>},
    {"libblkio_wait_mode", "", Form::value, text<>},
    {"libblkio_force_enable_completion_eventfd", "", Form::flag, on_off<>},
    {"clustername", "", Form::text, text<>},  // of rbd
    {"rbdname", "", Form::text, text<>},
    {"clientname", "", Form::text, text<>},
    {"pool", "", Form::text, text<>},
    {"busy_poll", "", Form::flag, on_off<>},
    {"initiator", "", Form::text, text<>},  // of libiscsi
    {"spdk_conf", "", Form::text, text<>},  // from here: SPDK's engines
    {"spdk_json_conf", "", Form::text, text<>},
    {"spdk_mem", "", Form::value, number<0, kMost>},
    {"spdk_single_seg", "", Form::flag, on_off<>},
    {"spdk_rpc_listen_addr", "", Form::text, text<>},
    {"spdk_tracing", "", Form::value, number<0, kMost>},
    {"env_context", "", Form::text, text<>},
    {"log_flags", "", Form::text, text<>},
    {"mem_size_mb", "", Form::value, number<0, kMost>},
    {"shm_id", "", Form::value, text<>},
    {"enable_sgl", "", Form::value, number<0, kMost>},
    {"sge_size", "", Form::value, number<0, kMost>},
    {"disable_pcie_sgl_merge", "", Form::value, number<0, kMost>},
    {"bit_bucket_data_len", "", Form::value, number<0, kMost>},
    {"hostnqn", "", Form::text, text<>},
    {"digest_enable", "", Form::value, text<>},
    {"enable_vmd", "", Form::value, number<0, kMost>},
    {"print_qid_mappings", "", Form::value, number<0, kMost>},
    {"enable_wrr", "", Form::value, number<0, kMost>},
    {"arbitration_burst", "", Form::value, number<0, kMost>},
    {"low_weight", "", Form::value, number<0, kMost>},
    {"medium_weight", "", Form::value, number<0, kMost>},
    {"high_weight", "", Form::value, number<0, kMost>},
    {"wrr_priority", "", Form::value, number<0, kMost>, nullptr, kServedFirst},
    {"pi_act", "", Form::value, number<0, kMost>},  // NVMe protection information; only its size would be visible
    {"pi_chk", "", Form::text, text<>},
    {"md_per_io_size", "", Form::value, number<0, kMost>},
    {"apptag", "", Form::value, text<>},
    {"apptag_mask", "", Form::value, text<>},
    {"atomic", "", Form::flag, on_off<>},  // a write is torn only by a power cut here
    // A drive that holds the data in its write buffer reads it from there.
    {"readfua", "", Form::flag, on_off<>, nullptr, "the latency of reads that pass by the write buffer of the drive"},
    {"disk_util", "", Form::flag, on_off<>},
    {"filename_format", "", Form::text, text<>},
    {"unique_filename", "", Form::flag, on_off<>},
    {"cmdprio_percentage", "", Form::value, text<>, nullptr, kServedFirst},
    {"cmdprio_class", "", Form::value, text<>, nullptr, kServedFirst},
    {"cmdprio", "", Form::value, text<>, nullptr, kServedFirst},
    {"cmdprio_bssplit", "", Form::value, text<>, nullptr, kServedFirst},
    {"exec_prerun", "", Form::text, text<>, nullptr, "the command before the job, which is not executed"},  // never executed
    {"exec_postrun", "", Form::text, text<>},
    {"log_entries", "", Form::value, number<10, 1 << 20>},
    {"log_compression", "", Form::value, number<1024, 512 << 20>},
    {"log_compression_cpus", "", Form::value, text<>},
    {"log_store_compressed", "", Form::flag, on_off<>},
    {"log_unix_epoch", "", Form::flag, on_off<>},
    {"log_alternate_epoch", "", Form::flag, on_off<>},
    {"log_alternate_epoch_clock_id", "", Form::value, number<0, kMost>},
    {"block_error_percentiles", "", Form::flag, on_off<>},
    {"significant_figures", "", Form::value, number<1, 10>},
    {"unit_base", "", Form::value, choice<"0 1 8">},
    {"cgroup", "", Form::text, text<>},
    {"cgroup_weight", "", Form::value, number<100, 1000>, nullptr, kOrder},
    {"cgroup_nodelete", "", Form::flag, on_off<>},
    {"uid", "", Form::value, number<0, kMost>},
    {"gid", "", Form::value, number<0, kMost>},
    // Options of fio's command line, not of its job files; the dashes are part of the name.
    {"--output", "", Form::text, text<>},
    {"--output-format", "", Form::text, text<>},
    {"--append-terse", "", Form::flag, any_value},
    {"--minimal", "", Form::flag, any_value},
    {"--terse-version", "", Form::value, text<>},
    {"--bandwidth-log", "", Form::flag, any_value},
    {"--latency-log", "", Form::text, text<>},
    {"--eta", "", Form::value, text<>},
    {"--eta-interval", "", Form::value, text<>},
    {"--eta-newline", "", Form::value, text<>},
    {"--status-interval", "", Form::value, text<>},
    {"--debug", "", Form::value, text<>},
    {"--parse-only", "", Form::flag, any_value},
    {"--showcmd", "", Form::flag, any_value},
    {"--readonly", "", Form::flag, any_value},
    {"--alloc-size", "", Form::value, text<>},
    {"--warnings-fatal", "", Form::flag, any_value},
    {"--max-jobs", "", Form::value, text<>},
    {"--idle-prof", "", Form::value, text<>},
    {"--aux-path", "", Form::text, text<>},
    {"--trigger-file", "", Form::text, text<>},  // triggers are never run
    {"--trigger-timeout", "", Form::value, text<>},
    {"--trigger", "", Form::text, text<>},
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

std::span<const Option> host_options() { return kHostOptions; }

void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides, Notes& notes) {
  Ignored harmless;
  std::map<std::string, Ignored> missed;  // by Option::missed
  const auto add = [&](const std::string& key, const std::string& value, const ConfigError::Place& place) {
    const auto option = std::find_if(std::begin(kHostOptions), std::end(kHostOptions), [&](const Option& candidate) {
      return key == candidate.name || (*candidate.alias != 0 && key == candidate.alias);
    });
    if (option == std::end(kHostOptions)) return;
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
