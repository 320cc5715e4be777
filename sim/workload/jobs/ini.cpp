#include "sim/workload/jobs/ini.h"

#include <algorithm>

#include "sim/config/split.h"

namespace ftlab {

namespace {

// Limits that no legitimate job file reaches, so that a hostile one is refused at once.
constexpr std::size_t kMostText = 1 << 20;
constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostSections = 4096;
constexpr std::size_t kDeepestInclude = 8;
constexpr std::size_t kMostIncludes = 256;
constexpr std::size_t kLongestName = 255;

constexpr std::string_view kBlanks = " \t\r\f\v";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r') || c == 0x7f; }

// As in fio, a comment sign ends the line wherever it is.
std::string_view without_comment(std::string_view line) { return line.substr(0, line.find_first_of(";#")); }

// "path/job.fio" -> "path/".
std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/') + 1); }

bool is_include(std::string_view line) {
  return line.starts_with("include") && line.size() > 7 && kBlanks.find(line[7]) != kBlanks.npos;
}

// Value of fio's $pagesize: fixed, so that a job file means the same on every machine.
constexpr std::string_view kPageBytes = "4096";
constexpr std::size_t kLongestValue = 4096;

std::string value_of(const Setting& setting, const std::string& name, const JobContext& context) {
  const char* value = context.environment ? context.environment(name) : nullptr;
  if (value == nullptr) refuse(setting, "the variable ${" + printable(name) + "} is not set");
  return value;
}

void check_length(const Setting& setting, std::size_t length) {
  if (length > kLongestValue) {
    Setting shown = setting;
    shown.value.clear();
    refuse(shown, "value too long after its variables are filled in", "at most 4096 characters");
  }
}

// Expanded values are not searched again, so that a variable that names itself cannot loop.
void expand_environment(Setting& setting, const JobContext& context) {
  std::string filled;
  std::string_view rest = setting.value;
  for (std::size_t start = rest.find("${"); start != rest.npos; start = rest.find("${")) {
    const std::size_t end = rest.find('}', start);
    if (end == rest.npos) refuse(setting, "'${' without '}'");
    filled += rest.substr(0, start);
    filled += value_of(setting, std::string(rest.substr(start + 2, end - start - 2)), context);
    check_length(setting, filled.size());
    rest.remove_prefix(end + 1);
  }
  filled += rest;
  check_length(setting, filled.size());
  setting.value = filled;
}

// Computes "2*4096". fio evaluates more than products, but nothing else was found in public job files.
std::string product_of(const Setting& setting, std::string_view text) {
  if (text.ends_with('*')) text.remove_suffix(1);
  std::uint64_t product = 1;
  for (const std::string_view part : split(text, '*')) {
    const auto factor = parsed<std::uint64_t>(part);
    if (!factor) refuse(setting, "$pagesize can be multiplied by whole numbers only", "for example 2*$pagesize");
    if (__builtin_mul_overflow(product, *factor, &product)) refuse(setting, "the product is too large");
  }
  return std::to_string(product);
}

void expand_page_size(Setting& setting) {
  constexpr std::string_view kWord = "$pagesize";
  if (setting.value.find(kWord) == std::string::npos) return;
  std::string filled = setting.value;
  for (std::size_t at = filled.find(kWord); at != filled.npos; at = filled.find(kWord))
    filled.replace(at, kWord.size(), kPageBytes);
  check_length(setting, filled.size());
  setting.value = filled.find('*') == filled.npos ? filled : product_of(setting, filled);
}

void refuse_host_words(const Setting& setting) {
  for (const char* word : {"$ncpus", "$mb_memory"})
    if (setting.value.find(word) != std::string::npos)
      refuse(setting, std::string(word) + " would make the result depend on the machine that computes it; write a number");
}

class Reader {
 public:
  explicit Reader(const JobContext& context) : context_(context) {}

  void read(std::string_view text, const std::string& file) {
    total_bytes_ += text.size();
    if (total_bytes_ > kMostText)
      throw ConfigError({file, 0}, {}, "too much text, included files counted", {}, "at most 1048576 bytes");
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    files_.push_back(file);
    std::size_t number = 0;
    for (const std::string_view line : split(text, '\n')) read_line(line, {file, ++number});
    files_.pop_back();
  }

  std::vector<Section> sections;

 private:
  void read_line(std::string_view raw, const ConfigError::Place& place) {
    if (raw.size() > kLongestLine) throw ConfigError(place, {}, "line too long", {}, "at most 4096 characters");
    if (std::any_of(raw.begin(), raw.end(), is_control))
      throw ConfigError(place, {}, "control character; a job file is plain text", raw);
    const std::string_view line = trimmed(without_comment(raw));
    if (line.empty()) return;
    if (line.front() == '[') return open_section(line, place);
    if (is_include(line)) return include(trimmed(line.substr(7)), place);
    add_setting(line, place);
  }

  void open_section(std::string_view line, const ConfigError::Place& place) {
    const std::size_t end = line.rfind(']');
    if (end == line.npos) throw ConfigError(place, {}, "section header without ']'", line);
    if (end + 1 != line.size()) throw ConfigError(place, {}, "text after the section header", line);
    const std::string_view name = trimmed(line.substr(1, end - 1));
    if (name.empty()) throw ConfigError(place, {}, "section without a name", line);
    if (name.size() > kLongestName) throw ConfigError(place, {}, "section name too long", name, "at most 255 characters");
    if (files_.size() > 1) throw ConfigError(place, {}, "an included file holds options only, no sections", line);
    if (sections.size() == kMostSections) throw ConfigError(place, {}, "too many sections", {}, "at most 4096");
    sections.push_back({std::string(name), place, {}});
  }

  void add_setting(std::string_view line, const ConfigError::Place& place) {
    Setting setting;
    const std::size_t equals = std::min(line.find('='), line.size());
    setting.key = trimmed(line.substr(0, equals));
    setting.has_value = equals < line.size();
    setting.place = place;
    if (setting.has_value) {
      const std::string_view value = line.substr(equals + 1);
      setting.blank_first = !value.empty() && kBlanks.find(value.front()) != kBlanks.npos;
      setting.value = trimmed(value);
    }
    check_setting(setting, line);
    expand_variables(setting, context_);
    sections.back().settings.push_back(std::move(setting));
  }

  void check_setting(const Setting& setting, std::string_view line) const {
    if (setting.key.empty()) throw ConfigError(setting.place, {}, "'=' without an option before it", line);
    if (sections.empty())
      throw ConfigError(setting.place, setting.key, "option before the first section", {}, "[global] or [JOB] above it");
  }

  void include(std::string_view path, const ConfigError::Place& place) {
    Setting line{"include", std::string(path), true, false, place};
    if (sections.empty()) refuse(line, "include before the first section", "[global] or [JOB] above it");
    expand_variables(line, context_);
    if (line.value.empty()) refuse(line, "name of the file missing");
    const bool absolute = line.value.starts_with('/');
    const std::string file = absolute ? line.value : folder_of(files_.back()) + line.value;
    if (std::find(files_.begin(), files_.end(), file) != files_.end()) refuse(line, "the file includes itself");
    if (files_.size() > kDeepestInclude || ++includes_ > kMostIncludes)
      refuse(line, "too many included files", "8 inside each other, 256 in all");
    if (!context_.include) refuse(line, "included files cannot be read here");
    // The context knows included files by their names relative to the job file's folder.
    read(text_of(line, absolute ? file : file.substr(folder_of(files_.front()).size())), file);
  }

  std::string text_of(const Setting& line, const std::string& name) const {
    try {
      return context_.include(name);
    } catch (const ConfigError& error) {
      refuse(line, error.what());
    }
  }

  const JobContext& context_;
  std::vector<std::string> files_;  // files being read, the job file first
  std::size_t includes_ = 0;
  std::size_t total_bytes_ = 0;
};

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

void refuse(const Setting& setting, std::string_view problem, std::string_view allowed, std::string_view nearest) {
  throw ConfigError(setting.place, setting.key, problem, setting.value, allowed, nearest);
}

void expand_variables(Setting& setting, const JobContext& context) {
  if (setting.value.find('$') == std::string::npos) return;
  expand_environment(setting, context);
  refuse_host_words(setting);
  expand_page_size(setting);
}

std::vector<Section> read_sections(std::string_view text, const std::string& file, const JobContext& context) {
  Reader reader(context);
  reader.read(text, file);
  return std::move(reader.sections);
}

}  // namespace ftlab
