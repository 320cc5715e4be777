#include "sim/workload/options/options.h"

#include <algorithm>
#include <array>

#include "sim/workload/options/later_options.h"
#include "sim/workload/options/option.h"

namespace ftlab {

namespace {

constexpr std::array kTables = {access_options,  zone_options,   block_options, random_options,
                                content_options, verify_options, flow_options,  pace_options,
                                queue_options,   report_options, host_options,  replay_options};

const Option* find_option(std::string_view name) {
  for (const auto table : kTables) {
    for (const Option& option : table())
      if (name == option.name || (*option.alias != 0 && name == option.alias)) return &option;
  }
  return nullptr;
}

std::vector<std::string> names_of_options() {
  std::vector<std::string> names;
  for (const auto table : kTables) {
    for (const Option& option : table())
      for (const char* name : {option.name, option.alias})
        if (*name != 0) names.push_back(name);
  }
  append_later_options(names);
  return names;
}

const std::vector<std::string>& option_names() {
  static const std::vector<std::string> names = names_of_options();
  return names;
}

[[noreturn]] void refuse_unknown(const Setting& written) {
  if (const char* reason = reason_unsupported(written.key)) refuse(written, reason);
  refuse(written, "unknown option", {}, nearest_name(lowered(written.key), option_names()));
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
                   written.key + "=" + printable(written.value) +
                       ": fio counts the suffixes kib, mib and so on in thousands " +
                       "when k is 1024, and the other way round (kb_base); here k is " + std::to_string(settings.kilo) +
                       ", write the suffix k for that"});
}

void record(std::vector<std::pair<std::string, std::string>>& list, const char* name, const std::string& value) {
  const auto same = [&](const auto& entry) { return entry.first == name; };
  const auto found = std::find_if(list.begin(), list.end(), same);
  if (found == list.end())
    list.emplace_back(name, value);
  else
    found->second = value;
}

// Applies one line of a section.
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

std::uint64_t number_between(const Settings& s, const Setting& written, std::uint64_t least, std::uint64_t most) {
  return parse_number(written, written.value, s.kilo, least, most);
}

std::size_t choice_of(const Setting& written, std::string_view choices) {
  std::vector<std::string> names;
  for (std::string_view rest = choices; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    names.emplace_back(rest.substr(0, blank));
    if (names.back() == written.value) return names.size() - 1;
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  refuse(written, "not one of the choices", choices, nearest_name(written.value, names));
}

std::string text_of(const Setting& written) {
  if (written.value.empty()) refuse(written, "text missing");
  return written.value;
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

void apply_section(Settings& settings, const Section& section, const std::vector<Setting>& overrides,
                   std::vector<Note>& notes, Problems& problems) {
  settings.name.clear();  // a name in [global] names no job
  std::vector<Setting> all = section.settings;
  all.insert(all.end(), overrides.begin(), overrides.end());
  const auto is_base = [](const Setting& written) { return written.key == "kb_base"; };
  std::stable_partition(all.begin(), all.end(), is_base);
  for (const Setting& written : all) {
    try {
      apply(settings, option_of(written), written, section.is_global());
      note_kib(settings, written, notes);
    } catch (const ConfigError& error) {
      problems.add(section.name + "." + written.key, error);
    }
  }
  if (!problems.touch("")) note_duplicates(section, notes);
}

}  // namespace ftlab
