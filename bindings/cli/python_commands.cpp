// ftlab report, ftlab sweep, ftlab explore, ftlab run --vary: commands of the Python package, started by this program.
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "bindings/cli/commands.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

// FTLAB_PYTHON, else the Python that the package was built for, else python3 in the search path.
std::string interpreter() {
  if (const char* const chosen = std::getenv("FTLAB_PYTHON")) return chosen;
  return fs::exists(FTLAB_BUILT_FOR_PYTHON) ? FTLAB_BUILT_FOR_PYTHON : "python3";
}

// Puts the Python package of this program's build before any installed one.
void show_built_package() {
  const fs::path built = program_folder().parent_path() / "python";
  if (!fs::exists(built / "ftlab")) return;
  const char* const others = std::getenv("PYTHONPATH");
  const std::string path = built.string() + (others != nullptr && *others != '\0' ? ":" + std::string(others) : "");
  ::setenv("PYTHONPATH", path.c_str(), 1);
}

void add_python_command(CLI::App& app, Session& session, const std::string& name, const std::string& description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();  // the package prints the command's help
  when_chosen(*command, session, [name, command] { return start_python(name, command->remaining()); });
}

}  // namespace

int start_python(const std::string& command, std::vector<std::string> words) {
  const std::string python = interpreter();
  show_built_package();
  std::vector<std::string> all = {python, "-m", "ftlab", command};
  all.insert(all.end(), words.begin(), words.end());
  become(python, std::move(all));
  throw ConfigError({"ftlab " + command, 0}, "",
                    "needs Python, and this cannot be started: " + std::string(std::strerror(errno)), python,
                    "the path of an interpreter in FTLAB_PYTHON");
}

void add_python_commands(CLI::App& app, Session& session) {
  add_python_command(app, session, "explore", "an interactive page for design questions, on this computer only (Python)");
  add_python_command(app, session, "report", "one offline page with interactive curves of results, and pictures (Python)");
  add_python_command(app, session, "sweep", "a grid of parameters, over processes or a cluster (Python)");
}

}  // namespace ftlab
