// ftlab: the command line. Errors go to stderr, one message each; results to stdout and to the folder that is named.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/commands.h"
#include "bindings/result_folder.h"
#include "sim/check.h"
#include "sim/config/error.h"
#include "sim/host.h"

namespace {

std::atomic<bool> interrupted{false};

void on_signal(int) { interrupted.store(true); }

void set_up_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes a failed write
  std::signal(SIGXFSZ, SIG_IGN);  // so does a file larger than the user's limit
}

void set_up_log(int verbosity) {
  const auto log = spdlog::stderr_color_mt("ftlab");
  log->set_pattern("%v");
  log->set_level(verbosity > 0 ? spdlog::level::info : spdlog::level::warn);
  spdlog::set_default_logger(log);
}

int fail(int status, const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return status;
}

// The parser only says that a command is missing. The first word that is no option must be one.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const auto is_word = [](std::string_view argument) { return !argument.starts_with('-'); };
  char** const word = std::find_if(argv + 1, argv + argc, is_word);
  std::vector<std::string> names;
  std::string allowed;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
    allowed += (allowed.empty() ? "" : ", ") + names.back();
  }
  if (word == argv + argc || std::find(names.begin(), names.end(), *word) != names.end()) return;
  throw ftlab::ConfigError({"ftlab", 0}, "", "is not a command", *word, allowed, ftlab::nearest_name(*word, names));
}

int run_chosen(const ftlab::Session& session) {
  try {
    return session.chosen();
  } catch (const ftlab::ConfigError& error) {
    return fail(ftlab::kRefused, error.what());
  } catch (const ftlab::Interrupted&) {
    return fail(ftlab::kInterrupted, "interrupted; no result was written");
  } catch (const ftlab::OutputError& error) {
    return fail(ftlab::kResultFailed, std::string(error.what()) + "; no result was written");
  } catch (const ftlab::CheckFailed& error) {
    return fail(ftlab::kResultFailed, std::string(error.what()) + "\nThis is a defect of ftlab; no result was written.");
  } catch (const std::bad_alloc&) {
    return fail(ftlab::kResultFailed, "out of memory; no result was written");
  }
}

}  // namespace

int main(int argc, char** argv) {
  set_up_signals();
  CLI::App app{"ftlab: a laboratory for flash translation layers", "ftlab"};
  app.set_version_flag("--version", std::string("ftlab ") + FTLAB_VERSION);
  int verbosity = 0;
  app.add_flag("-v,--verbose", verbosity, "say more about what happens");
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done, 2 the input was refused, 3 the drive failed, 4 the result failed its own checks, could not be "
      "kept\n"
      "or lies outside the tolerances of a comparison, 130 interrupted.");
  ftlab::Session session;
  session.interrupted = &interrupted;
  ftlab::add_run(app, session);
  ftlab::add_calibrate(app, session);
  ftlab::add_check(app, session);
  ftlab::add_measure(app, session);
  ftlab::add_drives(app, session);
  ftlab::add_compare(app, session);
  ftlab::add_content(app, session);
  ftlab::add_python_commands(app, session);
  ftlab::add_smart(app, session);
  ftlab::add_validate(app, session);
  ftlab::add_wa(app, session);
  ftlab::add_theory(app, session);
  if (argc < 2) return fail(ftlab::kRefused, app.help());
  try {
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const ftlab::ConfigError& error) {
    return fail(ftlab::kRefused, error.what());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(ftlab::kRefused, std::string("ftlab: ") + error.what() + " (see ftlab --help)");
  }
  set_up_log(verbosity);
  return run_chosen(session);
}
