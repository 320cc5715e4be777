#include "sim/workload/options/host_options.h"

#include <map>
#include <set>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMost = 0xffffffff;

void any_text(Settings&, const Setting& w) { text_of(w); }
void any_value(Settings&, const Setting&) {}
void on_off(Settings&, const Setting& w) { parse_switch(w); }
void any_number(Settings& s, const Setting& w) { number_between(s, w, 0, kMost); }

template <std::uint64_t kLeast, std::uint64_t kLargest>
void number_in(Settings& s, const Setting& w) {
  number_between(s, w, kLeast, kLargest);
}

void set_nice(Settings& s, const Setting& w) {
  Setting rest = w;
  if (rest.value.starts_with('-')) rest.value.erase(0, 1);
  const std::uint64_t size = parse_number(rest, rest.value, s.kilo);
  if (size > (w.value.starts_with('-') ? 20u : 19u)) refuse(w, "out of range", "-20 to 19");
}

void set_memory(Settings&, const Setting& w) {
  Setting kind = w;
  const std::size_t colon = w.value.find_first_of(":=");  // "mmaphuge:/file"
  kind.value = w.value.substr(0, colon);
  choice_of(kind, "malloc shm shmhuge mmap mmapshared mmaphuge cudamalloc");
}

// Where fio has nothing more to check, only the form of switches and numbers is checked.
constexpr Option kHostOptions[] = {
    {"cpus_allowed", "", Form::value, any_text},
    {"cpus_allowed_policy", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "shared split"); }},
    {"cpumask", "", Form::value, any_number},
    {"numa_cpu_nodes", "", Form::value, any_text},
    {"numa_mem_policy", "", Form::value, any_text},
    {"nice", "", Form::value, set_nice},
    {"prio", "", Form::value, number_in<0, 7>, "the order in which the host lets requests of several jobs pass"},
    {"prioclass", "", Form::value, number_in<0, 3>, "the order in which the host lets requests of several jobs pass"},
    {"ioscheduler", "", Form::value, any_text, "the order in which the host lets requests of several jobs pass"},
    {"clocksource", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "gettimeofday clock_gettime cpu"); }},
    {"gtod_reduce", "", Form::flag, on_off},
    {"gtod_cpu", "", Form::value, any_number},
    {"disable_lat", "", Form::flag, on_off},
    {"disable_clat", "", Form::flag, on_off},
    {"disable_slat", "", Form::flag, on_off},
    {"disable_bw_measurement", "disable_bw", Form::flag, on_off},
    {"mem", "iomem", Form::value, set_memory},
    {"iomem_align", "mem_align", Form::value, any_number},
    {"hugepage-size", "", Form::value, any_number},
    {"lockmem", "", Form::value, [](Settings& s, const Setting& w) { parse_number(w, w.value, s.kilo); }},
    {"fallocate", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "none native posix keep truncate 0 1"); }},
    {"fadvise_hint", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "0 1 random sequential noreuse"); }},
    {"unlink", "", Form::flag, on_off},
    {"unlink_each_loop", "", Form::flag, on_off},
    {"overwrite", "", Form::flag, on_off},
    {"create_serialize", "", Form::flag, on_off},
    {"create_fsync", "", Form::flag, on_off},
    {"create_on_open", "", Form::flag, on_off},
    {"allow_file_create", "", Form::flag, on_off},
    {"allow_mounted_write", "", Form::flag, on_off},
    {"pre_read", "", Form::flag, on_off},
    {"lockfile", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "none exclusive readwrite"); }},
    {"error_dump", "", Form::flag, on_off},
    {"continue_on_error", "", Form::optional,
     [](Settings&, const Setting& w) {
       if (w.has_value) choice_of(w, "none read write io verify all 0 1");
     }},
    {"ignore_error", "", Form::value, any_text},
    {"hipri", "", Form::flag, on_off, "the shorter latency of polling"},
    {"hipri_percentage", "", Form::value, number_in<0, 100>, "the shorter latency of polling"},
    {"fixedbufs", "", Form::flag, on_off},
    {"registerfiles", "", Form::flag, on_off},
    {"nonvectored", "", Form::flag, on_off},
    {"force_async", "", Form::value, any_number},
    {"sqthread_poll", "", Form::flag, on_off, "the shorter latency of polling"},
    {"sqthread_poll_cpu", "", Form::value, any_number},
    {"userspace_reap", "", Form::flag, on_off},
    {"nowait", "", Form::flag, on_off},
    {"uncached", "", Form::flag, on_off},
    {"cmd_type", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "nvme bsg"); }},
    {"threads", "", Form::value, any_number},  // fio accepts it for thread
    {"uri", "", Form::text, any_text},
    {"libblkio_driver", "", Form::text, any_text},
    {"libblkio_path", "", Form::text, any_text},
    {"libblkio_pre_connect_props", "", Form::text, any_text},
    {"libblkio_num_entries", "", Form::value, any_number},
    {"libblkio_queue_size", "", Form::value, any_number},
    {"xnvme_async", "", Form::value, any_text},
    {"xnvme_sync", "", Form::value, any_text},
    {"xnvme_admin", "", Form::value, any_text},
    {"xnvme_dev_nsid", "", Form::value, any_number},
    {"xnvme_iovec", "", Form::flag, on_off},
    {"xnvme_mem", "", Form::value, any_text},
    {"xnvme_dev_subnqn", "", Form::text, any_text},
    {"libblkio_pre_start_props", "", Form::text, any_text},
    {"libblkio_vectored", "", Form::flag, on_off},
    {"libblkio_wait_mode", "", Form::value, any_text},
    {"libblkio_force_enable_completion_eventfd", "", Form::flag, on_off},
    {"clustername", "", Form::text, any_text},  // of rbd
    {"rbdname", "", Form::text, any_text},
    {"clientname", "", Form::text, any_text},
    {"pool", "", Form::text, any_text},
    {"busy_poll", "", Form::flag, on_off},
    {"initiator", "", Form::text, any_text},  // of libiscsi
    {"spdk_conf", "", Form::text, any_text},  // from here: SPDK's engines
    {"spdk_json_conf", "", Form::text, any_text},
    {"spdk_mem", "", Form::value, any_number},
    {"spdk_single_seg", "", Form::flag, on_off},
    {"spdk_rpc_listen_addr", "", Form::text, any_text},
    {"spdk_tracing", "", Form::value, any_number},
    {"env_context", "", Form::text, any_text},
    {"log_flags", "", Form::text, any_text},
    {"mem_size_mb", "", Form::value, any_number},
    {"shm_id", "", Form::value, any_text},
    {"enable_sgl", "", Form::value, any_number},
    {"sge_size", "", Form::value, any_number},
    {"disable_pcie_sgl_merge", "", Form::value, any_number},
    {"bit_bucket_data_len", "", Form::value, any_number},
    {"hostnqn", "", Form::text, any_text},
    {"digest_enable", "", Form::value, any_text},
    {"enable_vmd", "", Form::value, any_number},
    {"print_qid_mappings", "", Form::value, any_number},
    {"enable_wrr", "", Form::value, any_number},
    {"arbitration_burst", "", Form::value, any_number},
    {"low_weight", "", Form::value, any_number},
    {"medium_weight", "", Form::value, any_number},
    {"high_weight", "", Form::value, any_number},
    {"wrr_priority", "", Form::value, any_number, "requests that the drive serves first"},
    {"pi_act", "", Form::value, any_number},  // NVMe protection information; only its size would be visible
    {"pi_chk", "", Form::text, any_text},
    {"md_per_io_size", "", Form::value, any_number},
    {"apptag", "", Form::value, any_text},
    {"apptag_mask", "", Form::value, any_text},
    {"atomic", "", Form::flag, on_off},  // a write is torn only by a power cut here
    // A drive that holds the data in its write buffer reads it from there.
    {"readfua", "", Form::flag, on_off, "the latency of reads that pass by the write buffer of the drive"},
    {"disk_util", "", Form::flag, on_off},
    {"filename_format", "", Form::text, any_text},
    {"unique_filename", "", Form::flag, on_off},
    {"cmdprio_percentage", "", Form::value, any_text, "requests that the drive serves first"},
    {"cmdprio_class", "", Form::value, any_text, "requests that the drive serves first"},
    {"cmdprio", "", Form::value, any_text, "requests that the drive serves first"},
    {"cmdprio_bssplit", "", Form::value, any_text, "requests that the drive serves first"},
    {"exec_prerun", "", Form::text, any_text, "the command before the job, which is not executed"},  // never executed
    {"exec_postrun", "", Form::text, any_text},
    {"log_entries", "", Form::value, number_in<10, 1 << 20>},
    {"log_compression", "", Form::value, number_in<1024, 512 << 20>},
    {"log_compression_cpus", "", Form::value, any_text},
    {"log_store_compressed", "", Form::flag, on_off},
    {"log_unix_epoch", "", Form::flag, on_off},
    {"log_alternate_epoch", "", Form::flag, on_off},
    {"log_alternate_epoch_clock_id", "", Form::value, any_number},
    {"block_error_percentiles", "", Form::flag, on_off},
    {"significant_figures", "", Form::value, number_in<1, 10>},
    {"unit_base", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "0 1 8"); }},
    {"cgroup", "", Form::text, any_text},
    {"cgroup_weight", "", Form::value, number_in<100, 1000>,
     "the order in which the host lets requests of several jobs pass"},
    {"cgroup_nodelete", "", Form::flag, on_off},
    {"uid", "", Form::value, any_number},
    {"gid", "", Form::value, any_number},
    // Options of fio's command line, not of its job files; the dashes are part of the name.
    {"--output", "", Form::text, any_text},
    {"--output-format", "", Form::text, any_text},
    {"--append-terse", "", Form::flag, any_value},
    {"--minimal", "", Form::flag, any_value},
    {"--terse-version", "", Form::value, any_text},
    {"--bandwidth-log", "", Form::flag, any_value},
    {"--latency-log", "", Form::text, any_text},
    {"--eta", "", Form::value, any_text},
    {"--eta-interval", "", Form::value, any_text},
    {"--eta-newline", "", Form::value, any_text},
    {"--status-interval", "", Form::value, any_text},
    {"--debug", "", Form::value, any_text},
    {"--parse-only", "", Form::flag, any_value},
    {"--showcmd", "", Form::flag, any_value},
    {"--readonly", "", Form::flag, any_value},
    {"--alloc-size", "", Form::value, any_text},
    {"--warnings-fatal", "", Form::flag, any_value},
    {"--max-jobs", "", Form::value, any_text},
    {"--idle-prof", "", Form::value, any_text},
    {"--aux-path", "", Form::text, any_text},
    {"--trigger-file", "", Form::text, any_text},  // triggers are never run
    {"--trigger-timeout", "", Form::value, any_text},
    {"--trigger", "", Form::text, any_text},
};

const Option* find_host_option(const std::string& key) {
  for (const Option& option : kHostOptions)
    if (key == option.name || (*option.alias != 0 && key == option.alias)) return &option;
  return nullptr;
}

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

void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides,
                         std::vector<Note>& notes) {
  Ignored harmless;
  std::map<std::string, Ignored> missed;  // by Option::missed
  const auto add = [&](const std::string& key, const std::string& value, const ConfigError::Place& place) {
    const Option* option = find_host_option(key);
    if (option == nullptr) return;
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
