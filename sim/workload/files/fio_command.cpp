#include "sim/config/split.h"
#include "sim/workload/files/job_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/workload/files/shell.h"
#include "sim/workload/options/options.h"

namespace ftlab {
namespace {

constexpr std::size_t kLongestWord = 4096;
constexpr std::size_t kMostCommandText = 1 << 20;
constexpr std::size_t kMostCommandJobs = 4096;

// Commands that run another command, and shell words that precede a command.
constexpr std::array kPrefixes = {"sudo",  "doas",    "env",    "time", "nice",   "ionice", "taskset",     "numactl", "chrt",
                                  "nohup", "timeout", "stdbuf", "exec", "cgexec", "setsid", "systemd-run", "strace",  "perf",
                                  "if",    "then",    "else",   "do",   "while",  "until",  "!",           "{"};
// fio's options of one letter that may follow a single dash, as in -o FILE (init.c of fio 3.33).
struct Letter {
  char letter;
  const char* name;
  bool takes_value;
};
constexpr Letter kLetters[] = {
    {'o', "--output", true},          {'l', "--latency-log", true},   {'b', "--bandwidth-log", false},
    {'m', "--minimal", false},        {'F', "--output-format", true}, {'s', "--showcmd", false},
    {'r', "--readonly", false},       {'e', "--eta", true},           {'O', "--eta-interval", true},
    {'E', "--eta-newline", true},     {'d', "--debug", true},         {'P', "--parse-only", false},
    {'x', "section", true},           {'a', "--alloc-size", true},    {'w', "--warnings-fatal", false},
    {'j', "--max-jobs", true},        {'V', "--terse-version", true}, {'I', "--idle-prof", true},
    {'L', "--status-interval", true}, {'W', "--trigger-file", true},  {'B', "--trigger-timeout", true},
    {'H', "--trigger", true},         {'K', "--aux-path", true}};

const Letter* letter_of(std::string_view word) {
  for (const Letter& letter : kLetters)
    if (word.size() > 1 && word[0] == '-' && word[1] == letter.letter && (letter.takes_value || word.size() == 2))
      return &letter;
  return nullptr;
}

// With these options fio starts no job.
constexpr std::array kNoJobs = {"--version", "-v", "--help", "-h", "--cmdhelp", "--enghelp"};

bool is_prefix(const std::string& raw) {
  return is_assignment(raw) || std::find(kPrefixes.begin(), kPrefixes.end(), raw) != kPrefixes.end();
}

// Shell prompts: "user@host:~$", "[root@host ~]#".
bool ends_prompt(const std::string& raw) { return raw.ends_with('$') || raw.ends_with('#') || raw.ends_with('%'); }

bool is_fio(const std::string& raw) {
  const std::string word = unquoted(raw);
  const std::string name = word.substr(word.rfind('/') + 1);
  const bool has_version = name.starts_with("fio-") && name.size() > 4 && name[4] >= '0' && name[4] <= '9';
  return name == "fio" || name == "fio.exe" || has_version;
}

// The words after "fio"; nullopt for another command.
std::optional<ShellCommand> arguments_of_fio(const ShellCommand& command) {
  const auto fio = std::find_if(command.begin(), command.end(), [](const ShellWord& word) { return is_fio(word.raw); });
  if (fio == command.end() || fio + 1 == command.end()) return std::nullopt;
  auto begin = fio;
  while (begin != command.begin() && !ends_prompt(std::prev(begin)->raw)) --begin;
  const bool runs = begin == fio || is_prefix(begin->raw);
  const std::string first = (fio + 1)->raw.substr(0, (fio + 1)->raw.find('='));
  if (!runs || std::find(kNoJobs.begin(), kNoJobs.end(), first) != kNoJobs.end()) return std::nullopt;
  return ShellCommand(fio + 1, command.end());
}

bool begins_with_section(std::string_view text) {
  for (const std::string_view part : split(text, '\n')) {
    const std::string_view line = trimmed(part);
    if (line.empty() || line.front() == ';' || line.front() == '#') continue;
    return line.starts_with('[') && line.ends_with(']');
  }
  return false;
}

// Converts the arguments of one command into sections.
class Arguments {
 public:
  Arguments(const std::string& file, const JobContext& context) : file_(file), context_(context) {}

  void add(const std::string& word, std::size_t line) {
    check_word(word, line);
    if (value_of_ != nullptr && (!is_flag_ || word == "0" || word == "1")) return add_value(word);
    if (value_of_ != nullptr) finish();
    if (word.size() > 1 && word.front() == '-')
      add_option(word, line);
    else
      add_file(word, line);
  }

  std::vector<Section> sections() {
    if (value_of_ != nullptr) finish();  // the value is missing
    for (const Setting& file : files_) append_file(file);
    const bool any = std::any_of(all_.begin(), all_.end(), [](const Section& section) { return !section.is_global(); });
    if (!any)
      throw ConfigError({file_, first_line_}, "fio", "names no job", {}, "--name=NAME before its options, or a job file");
    all_.front().misread = std::move(misread_);
    return std::move(all_);
  }

 private:
  void check_word(const std::string& word, std::size_t line) {
    if (first_line_ == 0) first_line_ = line;
    if (word.size() > kLongestWord) throw ConfigError({file_, line}, {}, "word too long", {}, "at most 4096 characters");
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::any_of(word.begin(), word.end(), is_control))
      throw ConfigError({file_, line}, {}, "control character in a word of the command", word);
  }

  static bool is_name(const std::string& key) { return key == "name" || key == "section" || option_form(key); }

  // The option that fio finds for the text between dashes and value, or the text itself.
  static std::string known_name(const std::string& written) {
    for (const std::string& key : {written, "--" + written})
      if (is_name(key)) return key;
    const std::string completed = completed_option(written);
    return completed.empty() ? written : completed;
  }

  // As in fio, one dash counts as two, except for an unknown name that begins with an option of one letter, and for a letter
  // alone. The value follows "=", or is the next word.
  void add_option(const std::string& word, std::size_t line) {
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    const std::size_t equals = word.find('=');
    pending_ = {
        known_name(word.substr(dashes, equals == word.npos ? word.npos : equals - dashes)), {}, false, false, {file_, line}};
    const Letter* letter = is_name(pending_.key) && word.size() > 2 ? nullptr : letter_of(word);
    if (letter != nullptr) {
      pending_.key = letter->name;
      if (word.size() > 2) misread_.push_back({letter->name, word, true, false, pending_.place});
      set_value(word.size() > 2, word.substr(2), letter->takes_value);
    } else {
      const std::optional<Form> form = option_form(pending_.key);
      is_flag_ = form == Form::flag;
      set_value(equals != word.npos, equals == word.npos ? "" : word.substr(equals + 1), pending_.key == "section" || form);
    }
  }

  // A flag takes the next word only if that is 0 or 1: fio does so with some of them, and no job file has such a name.
  void set_value(bool has_value, std::string value, bool takes_value) {
    pending_.has_value = has_value;
    pending_.value = std::move(value);
    if (takes_value && !has_value)
      value_of_ = &pending_;
    else
      finish();
  }

  void add_value(const std::string& word) {
    pending_.value = word;
    pending_.has_value = true;
    finish();
  }

  void finish() {
    value_of_ = nullptr;
    is_flag_ = false;
    if (pending_.key == "section") {
      chosen_.push_back(pending_.value);
    } else if (pending_.key == "name") {
      open_section();
    } else {
      if (all_.empty()) all_.push_back({"global", pending_.place, {}});
      expand_variables(pending_, context_);
      all_.back().settings.push_back(std::move(pending_));
    }
  }

  void open_section() {
    if (pending_.value.empty()) refuse(pending_, "needs a value, as in name=write");
    if (all_.size() == kMostCommandJobs) throw ConfigError(pending_.place, {}, "too many jobs", {}, "at most 4096");
    all_.push_back({pending_.value, pending_.place, {}});
  }

  void add_file(const std::string& word, std::size_t line) {
    const Setting setting{"fio", word, true, false, {file_, line}};
    if (word.find('=') != word.npos)
      refuse(setting, "is neither a job file nor a fio option (those begin with --)", "--OPTION=VALUE");
    files_.push_back(setting);
  }

  void append_file(const Setting& file) {
    if (!context_.include) refuse(file, "job files that a command names cannot be read here");
    std::string text;
    try {
      text = context_.include(file.value);
    } catch (const ConfigError& error) {
      refuse(file, error.what());
    }
    for (Section& section : read_sections(text, file.value, context_))
      if (section.is_global() || chosen_.empty() || std::find(chosen_.begin(), chosen_.end(), section.name) != chosen_.end())
        all_.push_back(std::move(section));
  }

  const std::string& file_;
  const JobContext& context_;
  std::vector<Section> all_;
  std::vector<std::string> chosen_;  // --section
  std::vector<Setting> files_;
  std::vector<Setting> misread_;
  Setting pending_;
  Setting* value_of_ = nullptr;  // waits for its value
  bool is_flag_ = false;         // and may have none
  std::size_t first_line_ = 0;
};

[[noreturn]] void refuse_several(const std::vector<ShellCommand>& commands, const std::string& file) {
  std::string lines;
  for (const ShellCommand& command : commands) lines += (lines.empty() ? "" : ", ") + std::to_string(command.front().line);
  throw ConfigError({file, 0}, "fio", "several commands, each a run of its own", "lines " + lines,
                    "one fio command in a file; jobs that follow each other in one run have --stonewall");
}

std::vector<ShellCommand> fio_commands(std::string_view text, ShellVariables* variables) {
  std::vector<ShellCommand> found;
  for (const ShellCommand& command : split_commands(text)) {
    if (const auto arguments = arguments_of_fio(command)) found.push_back(*arguments);
    if (variables != nullptr && found.empty()) variables->assign(command);
  }
  return found;
}

}  // namespace

bool holds_fio_command(std::string_view text) {
  return text.size() <= kMostCommandText && text.find("fio") != text.npos && !begins_with_section(text) &&
         !fio_commands(text, nullptr).empty();
}

std::vector<Section> read_fio_command(std::string_view text, const std::string& file, const JobContext& context) {
  ShellVariables variables(context.environment);
  const std::vector<ShellCommand> commands = fio_commands(text, &variables);
  if (commands.size() > 1) refuse_several(commands, file);
  Arguments arguments(file, context);
  for (const ShellWord& word : commands.front()) arguments.add(variables.expanded(word, file), word.line);
  return arguments.sections();
}

std::string fio_command_of(const std::vector<std::string>& arguments) {
  std::string text = "fio";
  for (const std::string& argument : arguments) {
    text += " '";
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

}  // namespace ftlab
