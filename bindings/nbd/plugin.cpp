// The drive as an nbdkit plugin. nbdkit speaks the protocol; the logic is in serving_loop.h and served_drive.h.
// `ftlab serve` starts nbdkit with this plugin; the plugin's parameters are the options of that command.
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "bindings/nbd/served_drive.h"
#include "bindings/nbd/serving_loop.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "validation/results/standard_output.h"
#include "validation/results/summary.h"

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL

namespace ftlab {
namespace {

constexpr char kFiguresExport[] = "figures";
constexpr std::uint32_t kPreferredBytes = 4096, kMostBytes = 32 << 20;
constexpr unsigned kMostClients = 128;                 // each has --depth threads, each with memory for a request of 64 MiB
constexpr std::uint32_t kMostStatusBytes = 256 << 20;  // per answer, because the server does nothing else meanwhile

// Global, because nbdkit's callbacks take no context and a process is one server.
struct Server {
  ServeOptions options;
  std::string uri;     // the address for clients
  std::string socket;  // to be removed at the end; empty if a TCP port is used
  int output = -1;     // copy of stdout, which nbdkit closes
  std::unique_ptr<ServedDrive> drive;
  std::unique_ptr<ServingLoop> loop;
  int status = kDone;
  std::atomic<unsigned> clients{0};
};
Server server;

struct Client {
  std::uint64_t power_on = 0;
  bool reads_figures = false;
  std::string figures;
};

Client& client_of(void* handle) { return *static_cast<Client*>(handle); }

// Ends with ftlab's documented exit status; nbdkit's own is always 1.
[[noreturn]] void end(int status, const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  if (!server.socket.empty()) ::unlink(server.socket.c_str());
  std::exit(status);
}

void load() { server.output = ::dup(STDOUT_FILENO); }

int config(const char* key, const char* value) {
  if (std::strcmp(key, "socket") == 0) {
    server.socket = value;
    return 0;
  }
  if (std::strcmp(key, "uri") == 0) {
    server.uri = value;
    return 0;
  }
  if (take_plugin_option(server.options, key, value)) return 0;
  nbdkit_error("%s is not an option of ftlab serve", key);
  return -1;
}

int get_ready() {
  try {
    server.drive = std::make_unique<ServedDrive>(server.options);
    for (const Note& note : server.drive->notes()) std::fprintf(stderr, "%s\n", note.shown().c_str());
    return 0;
  } catch (const ConfigError& error) {
    end(kRefused, error.what());
  } catch (const CheckFailed& error) {
    end(kResultFailed, std::string(error.what()) + "\nThis is a defect of ftlab; nothing was served.");
  } catch (const std::exception& error) {
    end(kResultFailed, error.what());
  }
}

// Starts the thread here, because threads do not survive nbdkit's fork. The socket is already listening.
int after_fork() {
  server.loop = std::make_unique<ServingLoop>(*server.drive, server.options.time);
  if (!server.uri.empty())
    std::fprintf(stderr, "serving %s, %llu bytes; Ctrl-C or SIGTERM ends it\n", server.uri.c_str(),
                 static_cast<unsigned long long>(server.drive->capacity_bytes()));
  return 0;
}

void* open_client(int readonly) {
  (void)readonly;
  auto client = std::make_unique<Client>();
  const std::string name = nbdkit_export_name();
  client->reads_figures = name == kFiguresExport;
  if (!name.empty() && !client->reads_figures) {
    nbdkit_debug("there is no export %s", name.c_str());
    return nullptr;
  }
  if (++server.clients > kMostClients) {
    --server.clients;
    nbdkit_error("%u clients are served already, the most there may be", kMostClients);
    return nullptr;
  }
  if (client->reads_figures)
    client->figures = server.loop->figures();
  else
    client->power_on = server.loop->connect();
  return client.release();
}

void close_client(void* handle) {
  --server.clients;
  if (!client_of(handle).reads_figures) server.loop->disconnect();
  delete static_cast<Client*>(handle);
}

int list_exports(int, int, nbdkit_exports* exports) {
  if (nbdkit_add_export(exports, "", "the drive") != 0) return -1;
  return nbdkit_add_export(exports, kFiguresExport, "statistics so far, as JSON");
}

const char* default_export(int, int) { return ""; }

int64_t get_size(void* handle) {
  const Client& client = client_of(handle);
  return static_cast<int64_t>(client.reads_figures ? client.figures.size() : server.drive->capacity_bytes());
}

int block_size(void* handle, uint32_t* minimum, uint32_t* preferred, uint32_t* maximum) {
  *minimum = client_of(handle).reads_figures ? 1 : kSectorBytes;
  *preferred = kPreferredBytes;
  *maximum = kMostBytes;
  return 0;
}

int can_write(void* handle) { return client_of(handle).reads_figures ? 0 : 1; }
int can_flush(void* handle) { return can_write(handle); }
int can_trim(void* handle) { return can_write(handle) == 1 && server.drive->trim_bytes() > 0 ? 1 : 0; }
int can_zero(void* handle) { return can_write(handle); }
// Always offered: nbdkit 1.32 fails an assertion if a client requests fast zeros that were not offered.
int can_fast_zero(void* handle) { return can_write(handle); }
int can_fua(void*) { return NBDKIT_FUA_NATIVE; }
int can_multi_conn(void*) { return 1; }
int can_extents(void* handle) { return can_write(handle); }
int is_rotational(void*) { return 0; }

int serve(void* handle, ServedRequest request) {
  request.power_on = client_of(handle).power_on;
  const int error = server.loop->serve(request);
  if (error == 0) return 0;
  nbdkit_set_error(error);
  nbdkit_debug("refused at byte %llu: %s", static_cast<unsigned long long>(request.offset), std::strerror(error));
  return -1;
}

int pread(void* handle, void* into, uint32_t count, uint64_t offset, uint32_t) {
  const Client& client = client_of(handle);
  if (client.reads_figures) {
    std::memcpy(into, client.figures.data() + offset, count);
    return 0;
  }
  return serve(handle, {Op::read, offset, count, false, {static_cast<std::byte*>(into), count}, {}, 0});
}

int pwrite(void* handle, const void* from, uint32_t count, uint64_t offset, uint32_t flags) {
  const bool fua = (flags & NBDKIT_FLAG_FUA) != 0;
  return serve(handle, {Op::write, offset, count, fua, {}, {static_cast<const std::byte*>(from), count}, 0});
}

int flush(void* handle, uint32_t) { return serve(handle, {Op::flush, 0, 0, false, {}, {}, 0}); }

// A drive has no TRIM with forced unit access, so a flush follows the trim.
int trim(void* handle, uint32_t count, uint64_t offset, uint32_t flags) {
  if (serve(handle, {Op::trim, offset, count, false, {}, {}, 0}) != 0) return -1;
  return (flags & NBDKIT_FLAG_FUA) != 0 ? flush(handle, 0) : 0;
}

int write_zeros(void* handle, std::uint64_t from, std::uint64_t to, uint32_t flags) {
  const std::string zeros(to - from, '\0');
  return to == from ? 0 : pwrite(handle, zeros.data(), static_cast<uint32_t>(zeros.size()), from, flags);
}

// Trims whole trim units if the client allows it. nbdkit writes everything else as zeros, unless fast zeros were requested.
int zero(void* handle, uint32_t count, uint64_t offset, uint32_t flags) {
  const bool trims = server.drive->trim_bytes() > 0 && (flags & NBDKIT_FLAG_MAY_TRIM) != 0;
  const std::uint64_t piece = std::max<std::uint64_t>(server.drive->trim_bytes(), 1), end = offset + count;
  const std::uint64_t from = (offset + piece - 1) / piece * piece, to = end / piece * piece;
  if (!trims || from >= to) {
    nbdkit_set_error(EOPNOTSUPP);
    return -1;
  }
  const uint32_t fua = flags & NBDKIT_FLAG_FUA;
  if (write_zeros(handle, offset, from, fua) != 0 || write_zeros(handle, to, end, fua) != 0) return -1;
  return trim(handle, static_cast<uint32_t>(to - from), from, fua);
}

constexpr std::uint32_t kHole = NBDKIT_EXTENT_HOLE | NBDKIT_EXTENT_ZERO;

// Reports ranges that may hold non-zero bytes, and the holes between them.
int extents(void* handle, uint32_t count, uint64_t offset, uint32_t, nbdkit_extents* extents) {
  const StoredRange range{offset, std::min(count, kMostStatusBytes)};
  std::vector<StoredRange> found;
  if (const int error = server.loop->written(client_of(handle).power_on, range, found); error != 0) {
    nbdkit_set_error(error);
    return -1;
  }
  std::uint64_t at = offset;
  for (const StoredRange& data : found) {
    if (data.offset > at && nbdkit_add_extent(extents, at, data.offset - at, kHole) != 0) return -1;
    if (nbdkit_add_extent(extents, data.offset, data.length, 0) != 0) return -1;
    at = data.end();
  }
  return at == range.end() ? 0 : nbdkit_add_extent(extents, at, range.end() - at, kHole);
}

void print(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = ::write(server.output, text.data() + done, text.size() - done);
    if (put <= 0) return;  // no reader
    done += static_cast<std::size_t>(put);
  }
}

// How late answers were by the wall clock; empty with --time free.
std::string punctuality(const nlohmann::ordered_json& report) {
  if (!report.contains("answers")) return {};
  return "  late answers            " + report["late_by_100_us"].dump() + " of " + report["answers"].dump() +
         " by more than 100 us; the worst by " + std::to_string(std::llround(report["lateness_max_us"].get<double>())) +
         " us\n";
}

int show(const ServedDrive::Finished& finished) {
  print(summary(finished.result, finished.stats, server.options.out.empty() ? "not kept (--out DIR)" : server.options.out));
  for (const std::string& problem : finished.result.failed_checks) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!finished.result.failed_checks.empty()) return kResultFailed;
  return finished.result.failed_requests > 0 ? kDriveFailed : kDone;
}

// Called when all clients have disconnected.
void cleanup() {
  if (!server.loop) return;
  server.loop->stop();
  try {
    if (!server.loop->failure().empty()) throw std::runtime_error(server.loop->failure() + "\nThis is a defect of ftlab");
    server.status = show(server.drive->finish(server.loop->report(), server.loop->wall_s()));
    print(punctuality(server.loop->report()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s; no result was written\n", error.what());
    server.status = kResultFailed;
  }
  server.loop.reset();
}

void unload() {
  server.drive.reset();
  if (!server.socket.empty()) ::unlink(server.socket.c_str());
  if (server.status == kDone) return;
  std::fflush(nullptr);
  ::_exit(server.status);
}

nbdkit_plugin described() {
  nbdkit_plugin plugin{};
  plugin.name = "ftlab";
  plugin.longname = "a simulated SSD of ftlab";
  plugin.version = FTLAB_VERSION;
  plugin.load = load;
  plugin.config = config;
  plugin.get_ready = get_ready;
  plugin.after_fork = after_fork;
  plugin.cleanup = cleanup;
  plugin.unload = unload;
  plugin.list_exports = list_exports;
  plugin.default_export = default_export;
  plugin.open = open_client;
  plugin.close = close_client;
  plugin.get_size = get_size;
  plugin.block_size = block_size;
  plugin.can_write = can_write;
  plugin.can_flush = can_flush;
  plugin.can_trim = can_trim;
  plugin.can_zero = can_zero;
  plugin.can_fast_zero = can_fast_zero;
  plugin.can_fua = can_fua;
  plugin.can_multi_conn = can_multi_conn;
  plugin.can_extents = can_extents;
  plugin.extents = extents;
  plugin.is_rotational = is_rotational;
  plugin.pread = pread;
  plugin.pwrite = pwrite;
  plugin.flush = flush;
  plugin.trim = trim;
  plugin.zero = zero;
  plugin.errno_is_preserved = 0;
  return plugin;
}

nbdkit_plugin plugin = described();

}  // namespace
}  // namespace ftlab

using ftlab::plugin;
NBDKIT_REGISTER_PLUGIN(plugin)
