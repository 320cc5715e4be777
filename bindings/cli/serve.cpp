// ftlab serve DRIVE --socket PATH: a simulated drive as a network block device. This process becomes nbdkit, with the drive
// as its plugin. ftlab top SOCKET: live statistics of a served drive.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include <spdlog/fmt/fmt.h>

#include "bindings/cli/commands.h"
#include "bindings/nbd/live_figures.h"
#include "bindings/nbd/nbd_client.h"
#include "bindings/nbd/served_drive.h"
#include "bindings/nbd/serving_clock.h"
#include "sim/core/error.h"
#include "validation/run/options.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;

constexpr char kPlugin[] = "ftlab-nbd.so";

struct ServeCommand {
  ServeOptions options;
  std::string socket;
  std::uint64_t port = 0;
  std::uint64_t depth = 32;
};

std::string plugin_path() {
  const std::string plugin = program_folder() / kPlugin;
  if (fs::exists(plugin)) return plugin;
  throw ConfigError({"ftlab serve", 0}, "",
                    "needs the plugin " + plugin +
                        ", which was not built: `make build` builds it where nbdkit's header is there (packages nbdkit and "
                        "nbdkit-plugin-dev, `.ci/setup`)");
}

// LD_PRELOAD separates names by blanks and colons, so a path that contains them is replaced by a file descriptor's path.
std::string without_separators(const std::string& path) {
  if (path.find_first_of(": ") == path.npos) return path;
  return "/proc/self/fd/" + std::to_string(::open(path.c_str(), O_RDONLY));  // nbdkit inherits the descriptor
}

// Libraries that the user preloads stay first.
void preload(const std::string& library) {
  const char* const given = std::getenv("LD_PRELOAD");
  const std::string all = (given == nullptr || *given == '\0' ? "" : std::string(given) + ":") + without_separators(library);
  ::setenv("LD_PRELOAD", all.c_str(), 1);
}

// The URI for clients, with %XX for characters that a URI cannot contain.
std::string uri_of_socket(const std::string& path) {
  std::string uri = "nbd+unix:///?socket=";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/._-~", c) != nullptr;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// Removes the socket that a killed server left behind.
void make_way(const std::string& socket) {
  const fs::path folder = fs::absolute(socket).parent_path();
  if (!fs::is_directory(folder)) throw ConfigError({"--socket", 0}, "", folder.string() + " is not a folder");
  struct stat about {};
  if (::lstat(socket.c_str(), &about) != 0) return;
  if (!S_ISSOCK(about.st_mode)) throw ConfigError({"--socket", 0}, "", socket + " exists and is not a socket");
  if (somebody_listens(socket)) throw ConfigError({"--socket", 0}, "", socket + " is already served by another process");
  ::unlink(socket.c_str());
}

int serve(const ServeCommand& command) {
  if (command.socket.empty() == (command.port == 0))
    throw ConfigError({"ftlab serve", 0}, "--socket", command.socket.empty() ? "is missing" : "and --port are both given",
                      {}, "one of --socket PATH and --port N");
  const ServingClock known(command.options.time);
  std::vector<std::string> words = {"nbdkit", "--foreground", "--threads", std::to_string(command.depth)};
  if (command.socket.empty()) {
    words.insert(words.end(), {"--ipaddr", "127.0.0.1", "--port", std::to_string(command.port)});
  } else {
    make_way(command.socket);
    words.insert(words.end(), {"--unix", fs::absolute(command.socket).string()});
  }
  words.push_back(plugin_path());
  preload(words.back());  // see bindings/nbd/nbdkit_guard.cpp
  for (const std::string& word : plugin_words(command.options)) words.push_back(word);
  const std::string socket = command.socket.empty() ? "" : fs::absolute(command.socket).string();
  if (!socket.empty()) words.push_back("socket=" + socket);
  words.push_back("uri=" + (socket.empty() ? "nbd://127.0.0.1:" + std::to_string(command.port) : uri_of_socket(socket)));
  become("nbdkit", std::move(words));
  throw ConfigError({"ftlab serve", 0}, "",
                    std::string("needs the program nbdkit (package nbdkit, `.ci/setup`), which cannot be started: ") +
                        std::strerror(errno));
}

struct TopCommand {
  std::string socket;
  double every_s = 1;
  bool once = false;
  bool json = false;
};

void show(const TopCommand& command, const std::string& figures, bool over_the_last) {
  const std::string text = command.json ? figures : figures_text(figures_of(figures, command.socket));
  std::printf("%s%s", over_the_last ? "\x1b[H\x1b[J" : "", text.c_str());
  std::fflush(stdout);
}

int top(const TopCommand& command, const Session& session) {
  show(command, read_export(command.socket, "figures"), false);
  if (command.once) return kDone;
  session.heed_interruption();
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  while (!session.interrupted->load()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(command.every_s));
    try {
      show(command, read_export(command.socket, "figures"), terminal);
    } catch (const ConfigError&) {
      break;  // the server has ended
    }
  }
  return kDone;
}

void add_serve_command(CLI::App& app, Session& session) {
  const auto command = std::make_shared<ServeCommand>();
  ServeOptions& options = command->options;
  CLI::App* serving = app.add_subcommand("serve", "a simulated drive as a network block device (NBD)");
  serving->add_option("drive", options.drive, "a drive of the library (see ftlab drives) or a drive file");
  serving->add_option("--socket", command->socket, "the Unix socket to serve on; it appears once programs can connect");
  serving->add_option("--port", command->port, "serve on this port of the loopback address instead")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{65535}));
  serving
      ->add_option("--time", options.time,
                   "free: as fast as possible; real: answer when the drive would; scaled:N: N times as fast")
      ->capture_default_str();
  serving->add_option("--data", options.data, "keep the bytes in this sparse file; default: in memory");
  serving->add_option(
      "--host", options.host,
      "the computer that it is in: a host of the library (see ftlab hosts) or a host file [ideal: no overhead]");
  serving->add_option("--load", options.load, "begin with this saved state");
  serving->add_option("--save", options.save, "save the drive's state to this file at the end");
  serving->add_option("--out", options.out, "folder for the results; it must be new or empty");
  serving->add_flag("--replace", options.replace, "replace an earlier result in --out");
  serving->add_option("--record", options.record, "record the requests and power cuts as a trace that ftlab run replays");
  add_repeated(*serving, "--inject", options.inject,
               "power-cut@requests:N, power-cut@time:SECONDS or power-cut@random:SEED:WRITES; repeatable");
  add_repeated(*serving, "--set", options.settings, "KEY=VALUE: set any key of the drive file; repeatable");
  add_seed(*serving, options.seed, "seed of all random numbers of the drive");
  add_number(*serving, "--depth", command->depth, 1, 256, "requests of one connection that the drive gets at the same time");
  serving->footer(
      "Ctrl-C or SIGTERM ends it: outstanding requests are answered, then the results are written.\nThe line `serving nbd` "
      "on stderr gives the address once programs can connect.");
  when_chosen(*serving, session, [command] { return serve(*command); });
}

}  // namespace

void add_serve(CLI::App& app, Session& session) {
  add_serve_command(app, session);
  const auto command = std::make_shared<TopCommand>();
  CLI::App* top_command = app.add_subcommand("top", "live view of a served drive: MB/s, write amplification, latency");
  top_command->add_option("socket", command->socket, "the socket of ftlab serve")->required();
  add_number(*top_command, "--every", command->every_s, 0.05, 3600.0, "seconds between updates");
  top_command->add_flag("--once", command->once, "print once and exit");
  top_command->add_flag("--json", command->json, "print the figures as JSON");
  when_chosen(*top_command, session, [command, &session] { return top(*command, session); });
}

}  // namespace ftlab
