#include "sim/workload/options.h"

#include <algorithm>
#include <array>

#include "sim/workload/engine.h"
#include "sim/workload/later_options.h"
#include "sim/workload/pattern.h"

namespace ftlab {

namespace {

// Limits that fio does not have; they keep a typing error from becoming a run of years or a gigabyte of jobs.
constexpr std::uint64_t kMostClones = 4096;
constexpr std::uint64_t kMostDepth = 65536;
constexpr std::uint64_t kLargestBlock = 1 << 30;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;

std::uint64_t number_between(const Settings& s, const Setting& written, std::uint64_t least, std::uint64_t most) {
  return parse_number(written, written.value, s.kilo, least, most);
}

// "8k", "8k,32k", ",32k", "8k,,32k": read, write, trim. A part left out keeps what it was; the last one, when written,
// counts for the directions after it.
void set_block_sizes(Settings& s, const Setting& written) {
  std::string_view rest = written.value;
  for (std::size_t direction = 0; direction < kDirectionCount; ++direction) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const bool last = comma == rest.npos;
    if (!part.empty() || (last && direction == 0)) {
      const std::uint64_t bytes = parse_number(written, part, s.kilo, kSectorBytes, kLargestBlock);
      if (bytes % kSectorBytes != 0) refuse(written, std::to_string(bytes) + " bytes is not a multiple of 512");
      std::fill(s.block_bytes.begin() + direction, last ? s.block_bytes.end() : s.block_bytes.begin() + direction + 1, bytes);
    }
    if (last) return;
    rest.remove_prefix(comma + 1);
  }
  refuse(written, "too many block sizes", "up to three: read,write,trim");
}

void set_filename(Settings& s, const Setting& written) {
  if (written.value.empty()) refuse(written, "name missing");
  s.filename.clear();
  for (std::size_t i = 0; i < written.value.size(); ++i) {
    const bool escaped = written.value[i] == '\\' && i + 1 < written.value.size() && written.value[i + 1] == ':';
    if (written.value[i] == ':')
      refuse(written, "one simulated drive cannot stand for several files", "one name (write \\: for a colon in it)");
    s.filename += written.value[escaped ? ++i : i];
  }
}

void refuse_page_cache(const Setting& written) {
  refuse(written, "the page cache is not modelled, only direct requests; write direct=1", "direct=1, buffered=0");
}

void set_random_generator(Settings& s, const Setting& written) {
  constexpr std::array<const char*, 3> kNames = {"tausworthe", "lfsr", "tausworthe64"};
  const auto found = std::find(kNames.begin(), kNames.end(), written.value);
  if (found == kNames.end())
    refuse(written, "unknown generator", "tausworthe lfsr tausworthe64",
           nearest_name(written.value, {kNames.begin(), kNames.end()}));
  s.random_kind = static_cast<RandomKind>(found - kNames.begin());
}

std::string text_of(const Setting& written) {
  if (written.value.empty()) refuse(written, "text missing");
  return written.value;
}

// fio's name for a log with no prefix of its own is the job's name.
std::string log_prefix(const Setting& written) { return written.has_value ? text_of(written) : std::string(); }

std::uint64_t zero_as(std::uint64_t number, std::uint64_t otherwise) { return number == 0 ? otherwise : number; }

enum class Form {
  flag,      // "norandommap" or "norandommap=1"
  value,     // needs a value
  text,      // needs a value, in which blanks count for nothing
  optional,  // "write_bw_log" or "write_bw_log=PREFIX"
};

using Set = void (*)(Settings&, const Setting&);

struct Option {
  const char* name;
  const char* alias;
  Form form;
  Set set;
};

void set_filesize(Settings& s, const Setting& w) {
  if (w.value.find('-') != std::string::npos && w.value.front() != '-')
    refuse(w, "a range of file sizes is known to fio, but this version does not carry it out yet", "one size");
  s.file_bytes = number_between(s, w, kSectorBytes, kLargest);
}

std::optional<Amount> amount_of(const Settings& s, const Setting& w) {
  const Amount amount = parse_amount(w, s.kilo);
  if (amount.number == 0) return std::nullopt;  // as in fio, zero is the same as nothing
  return amount;
}

void set_runtime(Settings& s, const Setting& w) {
  const Nanoseconds time = parse_time(w);
  s.runtime = time == Nanoseconds{0} ? std::nullopt : std::optional(time);  // as in fio, zero is no limit
}

void set_request_limit(Settings& s, const Setting& w) {
  const std::uint64_t limit = number_between(s, w, 0, kLargest);
  s.request_limit = limit == 0 ? std::nullopt : std::optional(limit);
}

void set_seed(Settings& s, const Setting& w) {
  s.seed = parse_number(w, w.value, s.kilo);
  s.seed_given = true;
}

void set_read_percent(Settings& s, const Setting& w) {
  s.read_percent = static_cast<std::uint32_t>(number_between(s, w, 0, 100));
}
void set_write_percent(Settings& s, const Setting& w) {
  s.read_percent = static_cast<std::uint32_t>(100 - number_between(s, w, 0, 100));
}

void set_kilo(Settings& s, const Setting& w) {
  if (w.value != "1000" && w.value != "1024") refuse(w, "must be one of two numbers", "1000, 1024");
  s.kilo = w.value == "1000" ? 1000 : 1024;
}

void set_log_interval(Settings& s, const Setting& w) {
  s.log_interval = Nanoseconds{number_between(s, w, 0, 1u << 31) * 1'000'000};
}

constexpr Option kOptions[] = {
    {"kb_base", "", Form::value, set_kilo},
    {"rw", "readwrite", Form::value, [](Settings& s, const Setting& w) { s.pattern = parse_pattern(w, s.kilo); }},
    {"bs", "blocksize", Form::value, set_block_sizes},
    {"size", "", Form::value, [](Settings& s, const Setting& w) { s.size = amount_of(s, w); }},
    {"io_size", "io_limit", Form::value, [](Settings& s, const Setting& w) { s.io_size = amount_of(s, w); }},
    {"offset", "fileoffset", Form::value, [](Settings& s, const Setting& w) { s.offset = parse_amount(w, s.kilo); }},
    {"filesize", "", Form::value, set_filesize},
    {"number_ios", "", Form::value, set_request_limit},
    {"loops", "", Form::value,
     [](Settings& s, const Setting& w) { s.loops = zero_as(number_between(s, w, 0, 1u << 31), 1); }},
    {"filename", "", Form::text, set_filename},
    {"directory", "", Form::text, [](Settings&, const Setting& w) { text_of(w); }},
    {"name", "", Form::text, [](Settings& s, const Setting& w) { s.name = text_of(w); }},
    {"description", "", Form::text, [](Settings&, const Setting&) {}},
    {"ioengine", "", Form::value, [](Settings& s, const Setting& w) { s.synchronous = engine_is_synchronous(w); }},
    {"iodepth", "", Form::value,
     [](Settings& s, const Setting& w) { s.depth = number_between(s, w, 1, kMostDepth); }},
    {"numjobs", "", Form::value,
     [](Settings& s, const Setting& w) { s.clones = number_between(s, w, 1, kMostClones); }},
    {"direct", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w) ? void() : refuse_page_cache(w); }},
    {"buffered", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w) ? refuse_page_cache(w) : void(); }},
    {"runtime", "timeout", Form::value, set_runtime},
    {"time_based", "", Form::flag, [](Settings& s, const Setting& w) { s.time_based = parse_switch(w); }},
    {"ramp_time", "", Form::value, [](Settings& s, const Setting& w) { s.ramp = parse_time(w); }},
    {"startdelay", "", Form::value, [](Settings& s, const Setting& w) { s.start_delay = parse_time(w); }},
    {"stonewall", "wait_for_previous", Form::flag,
     [](Settings& s, const Setting& w) { s.stonewall = parse_switch(w); }},
    {"group_reporting", "", Form::flag, [](Settings& s, const Setting& w) { s.group_reporting = parse_switch(w); }},
    {"rwmixread", "", Form::value, set_read_percent},
    {"rwmixwrite", "", Form::value, set_write_percent},
    {"norandommap", "", Form::flag, [](Settings& s, const Setting& w) { s.random_map = !parse_switch(w); }},
    {"randrepeat", "", Form::value, [](Settings& s, const Setting& w) { s.repeat_order = parse_switch(w); }},
    {"allrandrepeat", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"randseed", "", Form::value, set_seed},
    {"random_generator", "", Form::value, set_random_generator},
    {"thread", "", Form::flag, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"invalidate", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"refill_buffers", "", Form::flag, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"percentile_list", "", Form::value,
     [](Settings& s, const Setting& w) { s.percentiles = parse_percentiles(w); }},
    {"clat_percentiles", "", Form::value,
     [](Settings& s, const Setting& w) { s.completion_percentiles = parse_switch(w); }},
    {"lat_percentiles", "", Form::value, [](Settings& s, const Setting& w) { s.total_percentiles = parse_switch(w); }},
    {"slat_percentiles", "", Form::value,
     [](Settings& s, const Setting& w) { s.submission_percentiles = parse_switch(w); }},
    {"write_bw_log", "", Form::optional, [](Settings& s, const Setting& w) { s.bandwidth_log = log_prefix(w); }},
    {"write_iops_log", "", Form::optional, [](Settings& s, const Setting& w) { s.iops_log = log_prefix(w); }},
    {"write_lat_log", "", Form::optional, [](Settings& s, const Setting& w) { s.latency_log = log_prefix(w); }},
    {"log_avg_msec", "", Form::value, set_log_interval},
};

const Option* find_option(std::string_view name) {
  for (const Option& option : kOptions)
    if (name == option.name || (*option.alias != 0 && name == option.alias)) return &option;
  return nullptr;
}

[[noreturn]] void refuse_unknown(const Setting& written) {
  if (const char* reason = reason_not_carried_out(written.key)) refuse(written, reason);
  std::vector<std::string> names;
  for (const Option& option : kOptions)
    for (const char* name : {option.name, option.alias})
      if (*name != 0) names.push_back(name);
  append_later_options(names);
  refuse(written, "unknown option", {}, nearest_name(lowered(written.key), names));
}

bool all_digits(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

void check_form(const Option& option, const Setting& written) {
  const bool needs_value = option.form == Form::value || option.form == Form::text;
  if (needs_value && !written.has_value) refuse(written, "needs a value, as in " + std::string(option.name) + "=...");
  if (option.form != Form::text && written.blank_first && !all_digits(written.value))
    refuse(written, "blank after '='; fio refuses or misreads such a value (it reads \"bs= 8k\" as 8)", "no blank");
}

void note_kib(const Settings& settings, const Setting& written, std::vector<Note>& notes) {
  if (!has_kib_suffix(written.value)) return;
  notes.push_back({written.place.file, written.place.line,
                   written.key + "=" + printable(written.value) + ": fio counts the suffix kib (mib, ...) in thousands " +
                       "when k is 1024, and the other way round (kb_base); here k is " +
                       std::to_string(settings.kilo) + ", write the suffix k for that"});
}

void record(std::vector<std::pair<std::string, std::string>>& list, const char* name, const std::string& value) {
  const auto same = [&](const auto& entry) { return entry.first == name; };
  const auto found = std::find_if(list.begin(), list.end(), same);
  if (found == list.end())
    list.emplace_back(name, value);
  else
    found->second = value;
}

// One line of a section.
void apply(Settings& settings, const Option& option, const Setting& written, bool global) {
  check_form(option, written);
  Setting meant = written;
  if (option.form == Form::flag && !written.has_value) meant.value = "1";
  option.set(settings, meant);
  settings.written[option.name] = written;
  record(global ? settings.global_options : settings.options, option.name, written.value);
}

const Option& option_of(const Setting& written) {
  const Option* option = find_option(written.key);
  if (option == nullptr) refuse_unknown(written);
  return *option;
}

void note_duplicates(const Section& section, std::vector<Note>& notes) {
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

void apply_section(Settings& settings, const Section& section, const std::vector<Setting>& overrides,
                   std::vector<Note>& notes) {
  note_duplicates(section, notes);
  settings.name.clear();  // a name in [global] names no job
  std::vector<Setting> all = section.settings;
  all.insert(all.end(), overrides.begin(), overrides.end());
  const auto is_base = [](const Setting& written) { return written.key == "kb_base"; };
  std::stable_partition(all.begin(), all.end(), is_base);
  for (const Setting& written : all) {
    apply(settings, option_of(written), written, section.is_global());
    note_kib(settings, written, notes);
  }
}

}  // namespace ftlab
