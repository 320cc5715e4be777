#include "sim/workload/options/host_options.h"

#include <map>
#include <set>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMost = 0xffffffff;

void any_text(Settings&, const Setting& w) { text_of(w); }
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

// fio's switches and numbers, where it has no more to check.
constexpr Option kHostOptions[] = {
    {"cpus_allowed", "", Form::value, any_text},
    {"cpus_allowed_policy", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "shared split"); }},
    {"cpumask", "", Form::value, any_number},
    {"numa_cpu_nodes", "", Form::value, any_text},
    {"numa_mem_policy", "", Form::value, any_text},
    {"nice", "", Form::value, set_nice},
    {"prio", "", Form::value, number_in<0, 7>},
    {"prioclass", "", Form::value, number_in<0, 3>},
    {"ioscheduler", "", Form::value, any_text},
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
    {"hipri", "", Form::flag, on_off},
    {"hipri_percentage", "", Form::value, number_in<0, 100>},
    {"fixedbufs", "", Form::flag, on_off},
    {"registerfiles", "", Form::flag, on_off},
    {"nonvectored", "", Form::flag, on_off},
    {"force_async", "", Form::value, any_number},
    {"sqthread_poll", "", Form::flag, on_off},
    {"sqthread_poll_cpu", "", Form::value, any_number},
    {"userspace_reap", "", Form::flag, on_off},
    {"nowait", "", Form::flag, on_off},
    {"uncached", "", Form::flag, on_off},
    {"cmd_type", "", Form::value, [](Settings&, const Setting& w) { choice_of(w, "nvme bsg"); }},
    {"threads", "", Form::value, any_number},  // fio takes it for thread
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
    {"atomic", "", Form::flag, on_off},   // nothing but a power cut cuts a write in two here
    {"readfua", "", Form::flag, on_off},  // a drive that holds the data in its buffer reads them from there
    {"disk_util", "", Form::flag, on_off},
    {"filename_format", "", Form::text, any_text},
    {"unique_filename", "", Form::flag, on_off},
    {"cmdprio_percentage", "", Form::value, any_text},
    {"cmdprio_class", "", Form::value, any_text},
    {"cmdprio", "", Form::value, any_text},
    {"cmdprio_bssplit", "", Form::value, any_text},
    {"exec_prerun", "", Form::text, any_text},  // never executed: the note says so
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
    {"cgroup_weight", "", Form::value, number_in<100, 1000>},
    {"cgroup_nodelete", "", Form::flag, on_off},
    {"uid", "", Form::value, any_number},
    {"gid", "", Form::value, any_number},
};

bool has_no_effect(const std::string& key) {
  for (const Option& option : kHostOptions)
    if (key == option.name || (*option.alias != 0 && key == option.alias)) return true;
  return false;
}

std::string lines_text(const std::set<std::size_t>& lines) {
  std::string text;
  for (const std::size_t line : lines) text += (text.empty() ? "line " : ", ") + std::to_string(line);
  return text;
}

}  // namespace

std::span<const Option> host_options() { return kHostOptions; }

void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides,
                         std::vector<Note>& notes) {
  std::map<std::string, std::set<std::size_t>> found;
  const Setting* first = nullptr;
  for (const Section& section : sections) {
    for (const Setting& written : section.settings) {
      if (!has_no_effect(written.key)) continue;
      if (first == nullptr) first = &written;
      found[written.key].insert(written.place.line);
    }
  }
  for (const JobOverride& override : overrides)
    if (has_no_effect(override.key)) found[override.key];
  if (found.empty()) return;
  std::string text;
  for (const auto& [name, lines] : found)
    text += (text.empty() ? "" : ", ") + name + (lines.empty() ? "" : " (" + lines_text(lines) + ")");
  const bool executes = found.count("exec_prerun") != 0 || found.count("exec_postrun") != 0;
  notes.push_back({first == nullptr ? "--set-job" : first->place.file, first == nullptr ? 0 : first->place.line,
                   "no effect on the simulated drive: " + text + (executes ? "; no command is executed" : "")});
}

}  // namespace ftlab
