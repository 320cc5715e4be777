#include "sim/workload/options/engine.h"

namespace ftlab {

namespace {

// The first four kinds issue block requests: `queued` and `synchronous` through the kernel's block layer, or through the
// page cache if `direct` is off; `pass_through` bypasses both; `image` reads and writes a disk that a network serves.
enum class Kind { queued, synchronous, pass_through, image, page_cache, network, memory, file_system, command, extra };

struct Engine {
  const char* name;
  Kind kind;
};
constexpr Engine kEngines[] = {
    {"libaio", Kind::queued},
    {"io_uring", Kind::queued},
    {"io_uring_cmd", Kind::pass_through},
    {"posixaio", Kind::queued},
    {"solarisaio", Kind::queued},
    {"windowsaio", Kind::queued},
    {"sg", Kind::pass_through},
    {"libzbc", Kind::pass_through},
    {"null", Kind::pass_through},
    {"sync", Kind::synchronous},
    {"psync", Kind::synchronous},
    {"vsync", Kind::synchronous},
    {"pvsync", Kind::synchronous},
    {"pvsync2", Kind::synchronous},
    {"nbd", Kind::pass_through},
    {"xnvme", Kind::pass_through},
    {"libxnvme-fio-engine.so", Kind::pass_through},  // as xNVMe builds it
    {"libblkio", Kind::pass_through},
    {"nvme", Kind::pass_through},
    {"spdk", Kind::pass_through},
    {"spdk_nvme", Kind::pass_through},
    {"spdk_bdev", Kind::pass_through},
    {"fio_plugin", Kind::pass_through},  // SPDK's plug-in before its engines had names
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
    {"rbd", Kind::image},
    {"http", Kind::network},
    {"gfapi", Kind::network},
    {"gfapi_async", Kind::network},
    {"libhdfs", Kind::network},
    {"libiscsi", Kind::image},
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
    {"sgunmap", Kind::pass_through},  // this and the next: engines of early fio versions
    {"fusion-aw-sync", Kind::synchronous},
};
constexpr std::string_view kAllowed =
    "libaio io_uring io_uring_cmd posixaio solarisaio windowsaio sg nbd rbd libiscsi xnvme libblkio spdk spdk_bdev null "
    "sync psync vsync pvsync pvsync2";

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

// "external:/usr/lib/spdk_bdev.so" and "/usr/lib/spdk_bdev" mean the engine spdk_bdev; "rbd:POOL" means rbd.
std::string_view name_of_engine(std::string_view value) {
  const std::size_t slash = value.rfind('/');
  if (slash == value.npos) return value.substr(0, value.find(':'));
  const std::string_view file = value.substr(slash + 1);
  return file.substr(0, file.find('.'));
}

}  // namespace

EngineTraits engine_traits(const Setting& setting) {
  const std::string_view name = name_of_engine(setting.value);
  std::vector<std::string> names;
  for (const Engine& engine : kEngines) {
    if (name == engine.name && engine.kind <= Kind::image)
      return {engine.kind == Kind::synchronous, engine.kind >= Kind::pass_through, engine.kind == Kind::image};
    if (name == engine.name) refuse(setting, reason(engine.kind), kAllowed);
    names.push_back(engine.name);
  }
  if (setting.value.starts_with("external:")) refuse(setting, reason(Kind::extra), kAllowed);
  refuse(setting, "unknown engine", kAllowed, nearest_name(name, names));
}

}  // namespace ftlab
