#include "bindings/cli/command_line.h"

#include <unistd.h>
#include <algorithm>

#include "sim/config/names.h"
#include "sim/core/error.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/options/options.h"
#include "validation/run/job_input.h"
#include "validation/run/options.h"

namespace ftlab {

void when_chosen(CLI::App& command, Session& session, std::function<int()> run, bool heeds) {
  command.callback([run = std::move(run), heeds, &session] {
    session.chosen = [run, heeds, &session] {
      if (heeds) session.heed_interruption();
      return run();
    };
  });
}

std::filesystem::path program_folder() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path(".") : self.parent_path();
}

void become(const std::string& program, std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(program.c_str(), arguments.data());
}

CommandLine::CommandLine() {
  app_.set_version_flag("--version", std::string("ftlab ") + FTLAB_VERSION);
  app_.add_flag("-v,--verbose", verbosity_, "print more about what happens");
  app_.require_subcommand(1);
  app_.footer(
      "Exit status: 0 done, 1 standard output could not be written, 2 the input was refused, 3 the drive failed,\n"
      "4 the result failed its own checks, could not be written or lies outside the tolerances of a comparison, 130 "
      "interrupted.");
  add_run(app_, session_);
  add_bench(app_, session_);
  add_cache(app_, session_);
  add_calibrate(app_, session_);
  add_check(app_, session_);
  add_measure(app_, session_);
  add_drives(app_, session_);
  add_hosts(app_, session_);
  add_explain(app_, session_);
  add_init(app_, session_);
  add_compare(app_, session_);
  add_content(app_, session_);
  add_python_commands(app_, session_);
  add_serve(app_, session_);
  add_smart(app_, session_);
  add_validate(app_, session_);
  add_wa(app_, session_);
  add_theory(app_, session_);
  add_completions(app_, session_);
  add_manual(app_, session_);
}

void CommandLine::parse(std::vector<std::string> words) {
  refuse_unknown_command(words);
  const auto is_name = [](const std::string& word) { return !word.starts_with('-'); };
  session_.words.assign(std::find_if(words.begin(), words.end(), is_name), words.end());
  join_fio_command(words);
  std::reverse(words.begin(), words.end());  // the parser takes them from the back
  try {
    app_.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) refuse_left_over();  // not --help
    throw;
  }
}

const CLI::App& CommandLine::chosen() const {
  const CLI::App* command = &app_;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string CommandLine::chosen_name() const {
  std::string name;
  for (const CLI::App* command = &chosen(); command != nullptr; command = command->get_parent())
    name = command->get_name() + (name.empty() ? "" : " ") + name;
  return name;
}

// What follows "--" is neither a fio command nor a single word, or it stands where none is expected.
void CommandLine::refuse_fio_command(const std::string& word) const {
  constexpr const char* kPlace = "ftlab run --drive DRIVE --out DIR -- and the command, without a job file";
  if (word != "--") throw ConfigError({chosen_name(), 0}, "", "has no place for a fio command", word, kPlace);
  const auto dashes = std::find(session_.words.begin(), session_.words.end(), "--");
  throw ConfigError({chosen_name(), 0}, "--", "is followed by no fio command",
                    session_.words.end() - dashes > 1 ? *(dashes + 1) : std::string(),
                    "-- --name=NAME --rw=write ..., or -- fio and the same");
}

// Joins "-- --name=x --rw=write" or "-- fio --name=x --rw=write" into one word that stands for a job file.
void CommandLine::join_fio_command(std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes == words.end() || dashes + 1 == words.end()) return;
  const bool names_fio = *(dashes + 1) == "fio";
  if (!names_fio && !(dashes + 1)->starts_with('-')) return;
  const std::string command = fio_command_of({dashes + (names_fio ? 2 : 1), words.end()});
  words.erase(dashes, words.end());
  words.push_back(command);
}

// The parser only reports that a command is missing. The first word that is not an option must be a command.
void CommandLine::refuse_unknown_command(const std::vector<std::string>& words) const {
  const auto word = std::find_if(words.begin(), words.end(), [](const auto& text) { return !text.starts_with('-'); });
  std::vector<std::string> names;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (word != words.end()) index_of_name({"ftlab", 0}, "", "is not a command", *word, names);
}

void CommandLine::refuse_left_over() const {
  const std::string name = chosen_name();
  const std::vector<std::string> words = app_.remaining(true);
  for (const std::string& word : words) {
    if (word == "--" || is_fio_command(word)) refuse_fio_command(word);
    const std::string option = word.substr(0, word.find('='));
    if (option.starts_with("--") && option_form(option.substr(2)) && (name == "ftlab run" || name == "ftlab check"))
      throw ConfigError({name, 0}, "", "has no such option", option,
                        (option == "--name" ? "" : "--set-job " + option.substr(2) + "=VALUE with a job file; ") +
                            "a fio command stands behind --");
  }
  ftlab::refuse_left_over(chosen(), name, words);
}

}  // namespace ftlab
