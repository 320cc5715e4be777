#include "sim/workload/engine.h"

#include <array>

namespace ftlab {

namespace {

enum class Kind { queued, synchronous, page_cache, network, memory, file_system, command, extra };

struct Engine {
  const char* name;
  Kind kind;
};
constexpr std::array<Engine, 50> kEngines = {{{"libaio", Kind::queued},
                                              {"io_uring", Kind::queued},
                                              {"io_uring_cmd", Kind::queued},
                                              {"posixaio", Kind::queued},
                                              {"solarisaio", Kind::queued},
                                              {"windowsaio", Kind::queued},
                                              {"sg", Kind::queued},
                                              {"null", Kind::queued},
                                              {"sync", Kind::synchronous},
                                              {"psync", Kind::synchronous},
                                              {"vsync", Kind::synchronous},
                                              {"pvsync", Kind::synchronous},
                                              {"pvsync2", Kind::synchronous},
                                              {"mmap", Kind::page_cache},
                                              {"splice", Kind::page_cache},
                                              {"net", Kind::network},
                                              {"netsplice", Kind::network},
                                              {"rdma", Kind::network},
                                              {"librpma_apm_client", Kind::network},
                                              {"librpma_apm_server", Kind::network},
                                              {"librpma_gpspm_client", Kind::network},
                                              {"librpma_gpspm_server", Kind::network},
                                              {"rados", Kind::network},
                                              {"rbd", Kind::network},
                                              {"http", Kind::network},
                                              {"gfapi", Kind::network},
                                              {"gfapi_async", Kind::network},
                                              {"libhdfs", Kind::network},
                                              {"libiscsi", Kind::network},
                                              {"nbd", Kind::queued},
                                              {"nfs", Kind::network},
                                              {"dfs", Kind::network},
                                              {"libpmem", Kind::memory},
                                              {"pmemblk", Kind::memory},
                                              {"dev-dax", Kind::memory},
                                              {"mtd", Kind::memory},
                                              {"libcufile", Kind::memory},
                                              {"ftruncate", Kind::file_system},
                                              {"falloc", Kind::file_system},
                                              {"filecreate", Kind::file_system},
                                              {"filestat", Kind::file_system},
                                              {"filedelete", Kind::file_system},
                                              {"e4defrag", Kind::file_system},
                                              {"cpuio", Kind::command},
                                              {"exec", Kind::command},
                                              {"external", Kind::extra},
                                              {"xnvme", Kind::queued},
                                              {"libblkio", Kind::queued},
                                              {"sgunmap", Kind::queued},  // two of early versions
                                              {"fusion-aw-sync", Kind::synchronous}}};
constexpr std::string_view kAllowed =
    "libaio io_uring io_uring_cmd posixaio solarisaio windowsaio sg nbd xnvme libblkio null sync psync vsync pvsync pvsync2";

const char* reason(Kind kind) {
  switch (kind) {
    case Kind::page_cache: return "this engine goes through the page cache, which is not modelled";
    case Kind::network: return "this engine talks to a network service, not to a block device";
    case Kind::memory: return "this engine accesses raw flash or memory, not a block device";
    case Kind::file_system: return "this engine tests a file system, not a block device";
    case Kind::command: return "this engine runs commands or burns CPU time, it issues no block requests";
    default: return "this engine depends on a library whose requests are not known here";
  }
}

}  // namespace

bool engine_is_synchronous(const Setting& setting) {
  const std::string_view name = std::string_view(setting.value).substr(0, setting.value.find(':'));
  std::vector<std::string> names;
  for (const Engine& engine : kEngines) {
    if (name == engine.name && engine.kind <= Kind::synchronous) return engine.kind == Kind::synchronous;
    if (name == engine.name) refuse(setting, reason(engine.kind), kAllowed);
    names.push_back(engine.name);
  }
  refuse(setting, "unknown engine", kAllowed, nearest_name(name, names));
}

}  // namespace ftlab
