#include "sim/workload/options/kinds.h"

namespace ftlab {

namespace {

// The first four kinds issue block requests: `queued` and `synchronous` through the kernel's block layer, or through the
// page cache if `direct` is off; `pass_through` bypasses both; `image` reads and writes a disk that a network serves.
enum class Kind { queued, synchronous, pass_through, image, page_cache, network, memory, file_system, command, extra };

struct Engines {
  Kind kind;
  const char* names;
};
// libxnvme-fio-engine.so is xNVMe's as it builds it, fio_plugin SPDK's before its engines had names; sgunmap and
// fusion-aw-sync are of early fio versions.
constexpr Engines kEngines[] = {
    {Kind::queued, "libaio io_uring posixaio solarisaio windowsaio"},
    {Kind::pass_through,
     "io_uring_cmd sg libzbc null nbd xnvme libxnvme-fio-engine.so libblkio nvme spdk spdk_nvme spdk_bdev fio_plugin "
     "sgunmap"},
    {Kind::synchronous, "sync psync vsync pvsync pvsync2 fusion-aw-sync"},
    {Kind::page_cache, "mmap splice"},
    {Kind::network,
     "net netsplice rdma librpma_apm_client librpma_apm_server librpma_gpspm_client librpma_gpspm_server rados http gfapi "
     "gfapi_async libhdfs nfs dfs"},
    {Kind::image, "rbd libiscsi"},
    {Kind::memory, "libpmem pmemblk dev-dax mtd libcufile"},
    {Kind::file_system, "ftruncate falloc filecreate filestat filedelete e4defrag"},
    {Kind::command, "cpuio exec"},
    {Kind::extra, "external"},
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

// Traits of an engine given by name or by the path of its plug-in. Refuses engines that do not issue block requests.
EngineTraits engine_traits(const Setting& setting) {
  const std::string_view name = name_of_engine(setting.value);
  std::vector<std::string> names;
  for (const auto& [kind, list] : kEngines) {
    for (const std::string_view known : split(list, ' ')) {
      if (name == known && kind <= Kind::image)
        return {kind == Kind::synchronous, kind >= Kind::pass_through, kind == Kind::image};
      if (name == known) refuse(setting, reason(kind), kAllowed);
      names.emplace_back(known);
    }
  }
  if (setting.value.starts_with("external:")) refuse(setting, reason(Kind::extra), kAllowed);
  refuse(setting, "unknown engine", kAllowed, nearest_name(name, names));
}

}  // namespace

void set_engine(Draft& draft, const Setting& written) {
  draft.engine = engine_traits(written);
  draft.engine_names_device = written.value == "nbd" || written.value == "libblkio" || draft.engine.over_network;
  draft.flow.flush_keeps_queue = written.value.starts_with("io_uring");
}

}  // namespace ftlab
