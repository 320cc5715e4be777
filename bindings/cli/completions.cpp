// ftlab completions SHELL and ftlab manual: the contents of --help for a shell and for man.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"

namespace ftlab {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* one) { return !one->get_lnames().empty() && !one->get_group().empty(); });
}

bool takes_value(const CLI::Option& option) { return option.get_type_size() != 0; }

std::string with_each(const std::string& text, const std::string& escaped, const std::string& before) {
  std::string result;
  for (const char c : text) {
    if (escaped.find(c) != escaped.npos) result += before;
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

// For commands that another program or the Python package implements: the shell gets the options from their --help.
std::string options_told_by(const CLI::App& command) {
  return "$(ftlab " + command.get_name() + " --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)";
}

// Kind of an option's value, by the option's name: a drive or host of the library, otherwise a file.
std::string kind_of_value(const std::string& option) {
  if (option == "drive" || option == "like") return "drives";
  return option == "host" ? "hosts" : "files";
}

// One branch of the shell's switch over commands. `path` is "run" or "drives show".
void print_bash(const CLI::App& app, const std::string& path) {
  std::string words;
  for (const CLI::App* const command : commands_of(app)) words += command->get_name() + " ";
  for (const CLI::Option* const option : options_of(app))
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  if (app.get_prefix_command()) words = options_told_by(app);
  std::printf("    '%s') words=\"%s\" ;;\n", path.c_str(), words.c_str());
  for (const CLI::App* const command : commands_of(app))
    print_bash(*command, path.empty() ? command->get_name() : path + " " + command->get_name());
}

void print_commands_with_commands(const CLI::App& app) {
  for (const CLI::App* const command : commands_of(app))
    if (!commands_of(*command).empty()) std::printf("%s|", command->get_name().c_str());
}

void bash(const CLI::App& app) {
  std::printf(
      "# bash completion of ftlab, made by `ftlab completions bash`\n"
      "_ftlab() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' words=''\n"
      "  [ $COMP_CWORD -gt 1 ] && command=${COMP_WORDS[1]}\n"
      "  case $command in\n    ");
  print_commands_with_commands(app);
  std::printf(
      "'!none')\n"
      "      [ $COMP_CWORD -gt 2 ] && [[ ${COMP_WORDS[2]} != -* ]] && command+=\" ${COMP_WORDS[2]}\" ;;\n"
      "  esac\n"
      "  case $before in\n"
      "    --drive|--like|show) words=$(ftlab drives 2>/dev/null | cut -d' ' -f1) ;;\n"
      "    --host) words=$(ftlab hosts 2>/dev/null | cut -d' ' -f1) ;;\n"
      "  esac\n"
      "  [ -z \"$words\" ] && case $command in\n");
  print_bash(app, "");
  std::printf(
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "}\n"
      "complete -o filenames -F _ftlab ftlab\n");
}

void print_zsh_options(const CLI::App& app, const char* indent) {
  for (const CLI::Option* const option : options_of(app)) {
    for (const std::string& name : option->get_lnames()) {
      const std::string what = with_each(with_each(option->get_description(), "[]:\\", "\\"), "'", "'\\'");
      const std::string kind = kind_of_value(name);
      const std::string value =
          !takes_value(*option) ? "" : ":" + name + ":" + (kind == "files" ? "_files" : "_ftlab_" + kind);
      std::printf("%s'*--%s[%s]%s' \\\n", indent, name.c_str(), what.c_str(), value.c_str());
    }
  }
}

void print_zsh_command(const CLI::App& command) {
  if (command.get_prefix_command()) {
    std::printf("    %s) compadd -- ${(f)\"%s\"}; _files ;;\n", command.get_name().c_str(),
                options_told_by(command).c_str());
    return;
  }
  std::printf("    %s)\n      _arguments \\\n", command.get_name().c_str());
  print_zsh_options(command, "        ");
  std::string below;
  for (const CLI::App* const one : commands_of(command)) below += one->get_name() + " ";
  if (below.empty())
    std::printf("        '*:file:_files' ;;\n");
  else
    std::printf("        '1:command:(%s)' '*:file:_files' ;;\n", below.c_str());
}

void zsh(const CLI::App& app) {
  std::printf(
      "#compdef ftlab\n"
      "# zsh completion of ftlab, made by `ftlab completions zsh`\n"
      "_ftlab_drives() { compadd -- ${(f)\"$(ftlab drives 2>/dev/null | cut -d' ' -f1)\"}; _files; }\n"
      "_ftlab_hosts() { compadd -- ${(f)\"$(ftlab hosts 2>/dev/null | cut -d' ' -f1)\"}; _files; }\n"
      "_ftlab() {\n"
      "  local -a commands\n"
      "  commands=(\n");
  for (const CLI::App* const command : commands_of(app)) {
    const std::string what = with_each(with_each(command->get_description(), ":\\", "\\"), "'", "'\\'");
    std::printf("    '%s:%s'\n", command->get_name().c_str(), what.c_str());
  }
  std::printf(
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=${words[2]}\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n");
  for (const CLI::App* const command : commands_of(app)) print_zsh_command(*command);
  std::printf("  esac\n}\n_ftlab \"$@\"\n");
}

// Escapes text for troff: no line begins with a dot or a quote, and hyphens stay hyphens.
std::string troff(const std::string& text) {
  std::string safe = with_each(text, "", "");
  for (std::size_t at = 0; (at = safe.find_first_of("\\-", at)) != safe.npos; at += 2)
    safe.replace(at, 1, safe[at] == '-' ? "\\-" : "\\e");
  return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

void print_manual_options(const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); })) {
    std::printf(".TP\n.B %s\n%s\n", troff(option->get_name(option->get_positional(), true)).c_str(),
                troff(option->get_description()).c_str());
  }
}

void print_manual_command(const CLI::App& command, const std::string& name) {
  std::printf(".SH \"%s\"\n%s\n", troff(name).c_str(), troff(command.get_description()).c_str());
  print_manual_options(command);
  if (command.get_prefix_command()) std::printf("Its options: %s \\-\\-help.\n", troff(name).c_str());
  for (const CLI::App* const below : commands_of(command)) print_manual_command(*below, name + " " + below->get_name());
}

void manual(const CLI::App& app) {
  std::printf(".TH FTLAB 1 \"\" \"ftlab %s\" \"User commands\"\n.SH NAME\nftlab \\- %s\n", FTLAB_VERSION,
              troff(app.get_description().substr(app.get_description().find(':') + 2)).c_str());
  std::printf(".SH SYNOPSIS\n.B ftlab\nCOMMAND [OPTION]...\n.SH DESCRIPTION\n%s\n", troff(app.get_footer()).c_str());
  for (const CLI::App* const command : commands_of(app)) print_manual_command(*command, "ftlab " + command->get_name());
}

}  // namespace

void add_completions(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("completions", "print the completion of words for a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  when_chosen(*command, session, [&app, shell] {
    *shell == "zsh" ? zsh(app) : bash(app);
    return kDone;
  });
}

void add_manual(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("manual", "print the manual page, for man -l");
  when_chosen(*command, session, [&app] {
    manual(app);
    return kDone;
  });
}

}  // namespace ftlab
