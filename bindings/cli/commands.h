// The commands of the program `ftlab`. Each adds itself to the command line; main() runs the chosen one.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "validation/results/standard_output.h"

namespace CLI {
class App;
}

namespace ftlab {

// Context that main() passes to a command.
struct Session {
  const std::atomic<bool>* interrupted = nullptr;
  // After this call a signal only raises `interrupted`; the command polls it and cleans up. Before it, or if a command never
  // calls it, a signal ends the program.
  std::function<void()> heed_interruption = [] {};
  std::function<int()> chosen;  // set by the chosen command
  std::vector<std::string> words;  // the command line, from the command's name
};

// `run` carries the command out if it is chosen. `heeds`: it polls `interrupted`.
void when_chosen(CLI::App& command, Session& session, std::function<int()> run, bool heeds = false);

// The folder of this program, "." if the system does not tell.
std::filesystem::path program_folder();
// Replaces this process by a program with these words, of which the first is its name. Returns if it cannot be started.
void become(const std::string& program, std::vector<std::string> words);

// Replaces this process by a command of the Python package. Throws ConfigError if Python cannot be started.
int start_python(const std::string& command, std::vector<std::string> words);

void add_run(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_cache(CLI::App& app, Session& session);
void add_calibrate(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_completions(CLI::App& app, Session& session);
void add_content(CLI::App& app, Session& session);
void add_drives(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_hosts(CLI::App& app, Session& session);
void add_init(CLI::App& app, Session& session);
void add_manual(CLI::App& app, Session& session);
void add_measure(CLI::App& app, Session& session);
void add_python_commands(CLI::App& app, Session& session);
void add_serve(CLI::App& app, Session& session);  // and top
void add_smart(CLI::App& app, Session& session);
void add_validate(CLI::App& app, Session& session);
void add_wa(CLI::App& app, Session& session);
void add_theory(CLI::App& app, Session& session);

}  // namespace ftlab
