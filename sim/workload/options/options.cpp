#include "sim/workload/options/options.h"

#include <algorithm>
#include <array>

#include "sim/workload/options/kinds.h"

namespace ftlab {

namespace {

constexpr std::array kTables = {job_options, host_options};

// Options that fio has and this version refuses, so that a refusal can distinguish "unknown" from "not yet": names
// published in fio's manual (3.33, and some of later versions), grouped by the reason for the refusal.
struct Family {
  const char* reason;
  const char* names;  // separated by single blanks
};

constexpr std::array<Family, 6> kFamilies = {{
    {"fio has this option, but this version does not support it yet (it changes what the drive is asked to do)",
     "sync_file_range merge_blktrace_file merge_blktrace_scalars merge_blktrace_iters file_append profile "
     "iodepth_mode"},
    {"fio has this option to prepare files, and nothing is read or written; a drive has no files to prepare",
     "create_only opendir"},
    {"fio has this option, but this version does not support it yet (verifying)", "verify_state_load experimental_verify"},
    {"fio has this option to go on after a write to a zone that failed halfway, and those of a simulated drive do not",
     "recover_zbd_write_error"},
    {"fio has this option for its server and client, or for tests of its own; here it has no meaning",
     "client server daemonize remote-config trigger-remote cpuclock-test crctest memcpytest inflate-log "
     "merge-blktrace-only"},
    {"fio has this option for an I/O engine that issues no block requests; it has no meaning here",
     "cpuload cpuchunks cpumode exit_on_io_done namenode port hostname serverip direct_write_to_pmem "
     "busy_wait_polling interface ttl nodelay protocol proto listen pingpong window_size mss donorname "
     "inplace conf touch_objects cont chunk_size "
     "object_class skip_bad hdfsdirectory verb bindname stat_type stream_id http_host http_user http_pass "
     "https http_mode http_s3_region http_s3_key http_s3_keyid http_s3_sse_customer_key "
     "http_s3_sse_customer_algorithm http_s3_storage_class http_swift_auth_token http_verbose "
     "gpu_dev_ids cuda_io nfs_url program arguments grace_time std_redirect"},
}};

// Calls with(option) for each supported option.
template <class With>
void for_each_option(With with) {
  for (const auto table : kTables)
    for (const Option& option : table()) with(option);
}

const Option* find_option(std::string_view name) {
  const Option* found = nullptr;
  for_each_option([&](const Option& option) {
    if (found == nullptr && (name == option.name || (*option.alias != 0 && name == option.alias))) found = &option;
  });
  return found;
}

const std::vector<std::string>& option_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for_each_option([&](const Option& option) {
      for (const char* name : {option.name, option.alias})
        if (*name != 0) names.push_back(name);
    });
    append_unsupported(names);
    return names;
  }();
  return all;
}

const Option& option_of(const Setting& written) {
  if (const Option* option = find_option(written.key)) return *option;
  if (const char* reason = reason_unsupported(written.key)) refuse(written, reason);
  refuse(written, "unknown option", written.key.find('.') == std::string::npos ? "" : "--set for keys of the drive",
         nearest_name(lowered(written.key), option_names()));
}

void check_form(const Option& option, const Setting& written) {
  const bool needs_value = option.form == Form::value || option.form == Form::text;
  if (needs_value && !written.has_value) refuse(written, "needs a value, as in " + std::string(option.name) + "=...");
  const bool all_digits = written.value.find_first_not_of("0123456789") == std::string::npos;
  if (option.form != Form::text && written.blank_first && !all_digits)
    refuse(written, "blank after '='; fio refuses or misreads such a value (it reads \"bs= 8k\" as 8)", "no blank");
}

void note_kib(const Draft& draft, const Setting& written, Notes& notes) {
  if (!has_kib_suffix(written.value)) return;
  notes.push_back({written.place.file, written.place.line,
                   written.key + "=" + printable(written.value) +
                       ": fio counts the suffixes kib, mib and so on in thousands " +
                       "when k is 1024, and the other way round (kb_base); here k is " + std::to_string(draft.kilo) +
                       ", write the suffix k for that"});
}

// Applies one line of a section.
void apply(Draft& draft, const Option& option, const Setting& written, bool global) {
  check_form(option, written);
  Setting meant = written;
  if (option.form == Form::flag && !written.has_value) meant.value = "1";
  option.set(draft, meant);
  draft.written[option.name] = written;
  auto& list = global ? draft.global_options : draft.options;
  const auto same = [&](const auto& entry) { return entry.first == option.name; };
  const auto found = std::find_if(list.begin(), list.end(), same);
  if (found == list.end())
    list.emplace_back(option.name, written.value);
  else
    found->second = written.value;
}

void note_duplicates(const Section& section, Notes& notes) {
  std::map<std::string_view, std::size_t> lines;
  for (const Setting& written : section.settings) {
    const Option& option = option_of(written);
    const auto [first, is_first] = lines.emplace(option.name, written.place.line);
    if (!is_first)
      notes.push_back({written.place.file, written.place.line,
                       std::string(option.name) + " is given again (first on line " + std::to_string(first->second) +
                           "); the last one counts"});
  }
}

}  // namespace

std::uint64_t number_between(const Draft& draft, const Setting& written, std::uint64_t least, std::uint64_t most) {
  return parse_number(written, written.value, draft.kilo, least, most);
}

std::size_t choice_of(const Setting& written, std::string_view word, std::string_view choices, const char* problem) {
  const std::vector<std::string_view> names = split(choices, ' ');
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(written, problem, choices, nearest_name(word, {names.begin(), names.end()}));
}

std::size_t choice_of(const Setting& written, std::string_view choices) {
  return choice_of(written, written.value, choices);
}

std::string text_of(const Setting& written) {
  if (written.value.empty()) refuse(written, "text missing");
  return written.value;
}

std::vector<std::string> names_of(const Setting& written) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < written.value.size(); ++i) {
    const bool escaped = written.value.compare(i, 2, "\\:") == 0;
    if (escaped || written.value[i] != ':')
      names.back() += written.value[escaped ? ++i : i];
    else
      names.emplace_back();
  }
  if (std::find(names.begin(), names.end(), "") != names.end()) refuse(written, "name missing");
  return names;
}

std::optional<Form> option_form(std::string_view name) {
  const Option* option = find_option(name);
  return option == nullptr ? std::nullopt : std::optional(option->form);
}

std::string completed_option(std::string_view beginning) {
  std::string found;
  for (const std::string& name : option_names()) {
    if (!std::string_view(name).substr(name.starts_with("--") ? 2 : 0).starts_with(beginning)) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

const char* reason_unsupported(std::string_view option) {
  for (const Family& family : kFamilies)
    for (const std::string_view name : split(family.names, ' '))
      if (name == option) return family.reason;
  return nullptr;
}

void append_unsupported(std::vector<std::string>& names) {
  for (const Family& family : kFamilies)
    for (const std::string_view name : split(family.names, ' ')) names.emplace_back(name);
}

void apply_section(Draft& draft, const Section& section, const std::vector<Setting>& overrides, Notes& notes,
                   Problems& problems) {
  draft.name.clear();  // that of [global] names no job
  draft.section = section.name;
  draft.place = section.place;
  draft.line = section.place.line;
  std::vector<Setting> all = section.settings;
  all.insert(all.end(), overrides.begin(), overrides.end());
  const auto is_base = [](const Setting& written) { return written.key == "kb_base"; };
  std::stable_partition(all.begin(), all.end(), is_base);
  for (const Setting& written : all) {
    try {
      apply(draft, option_of(written), written, section.is_global());
      note_kib(draft, written, notes);
    } catch (const ConfigError& error) {
      problems.add(section.name + "." + written.key, error);
    }
  }
  if (draft.name.empty()) draft.name = section.name;
  if (!problems.touch("")) note_duplicates(section, notes);
}

void note_idle(const Draft& draft, Notes& notes, std::string_view other, const char* ending) {
  for (const Option& option : job_options())
    if (option.needs != nullptr && option.needs == other && draft.is_set(option.name))
      draft.note(notes, option.name, std::string(option.name) + " has no effect without " + option.needs + ending);
}

}  // namespace ftlab
