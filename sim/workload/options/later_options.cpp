#include "sim/workload/options/later_options.h"

#include <array>

namespace ftlab {

namespace {

// Names published in fio's manual (3.33, and some of later versions), grouped by the reason for the refusal.
struct Family {
  const char* reason;
  const char* names;  // separated by single blanks
};

constexpr std::array<Family, 6> kFamilies = {{
    {"fio has this option, but this version does not support it yet (it changes what the drive is asked to do)",
     "sync_file_range merge_blktrace_file merge_blktrace_scalars merge_blktrace_iters file_append profile "
     "iodepth_mode"},
    {"fio has this option to prepare files, and nothing is read or written; a drive has no files to prepare",
     "create_only opendir"},
    {"fio has this option, but this version does not support it yet (verifying)", "verify_state_load experimental_verify"},
    {"fio has this option to go on after a write to a zone that failed halfway, and those of a simulated drive do not",
     "recover_zbd_write_error"},
    {"fio has this option for its server and client, or for tests of its own; here it has no meaning",
     "client server daemonize remote-config trigger-remote cpuclock-test crctest memcpytest inflate-log "
     "merge-blktrace-only"},
    {"fio has this option for an I/O engine that issues no block requests; it has no meaning here",
     "cpuload cpuchunks cpumode exit_on_io_done namenode port hostname serverip direct_write_to_pmem "
     "busy_wait_polling interface ttl nodelay protocol proto listen pingpong window_size mss donorname "
     "inplace conf touch_objects cont chunk_size "
     "object_class skip_bad hdfsdirectory verb bindname stat_type stream_id http_host http_user http_pass "
     "https http_mode http_s3_region http_s3_key http_s3_keyid http_s3_sse_customer_key "
     "http_s3_sse_customer_algorithm http_s3_storage_class http_swift_auth_token http_verbose "
     "gpu_dev_ids cuda_io nfs_url program arguments grace_time std_redirect"},
}};

// Calls f(name) for each name of a family until it returns true. Returns true if it did.
template <class F>
bool any_name(std::string_view names, F f) {
  while (!names.empty()) {
    const std::size_t blank = names.find(' ');
    if (f(names.substr(0, blank))) return true;
    names.remove_prefix(blank == names.npos ? names.size() : blank + 1);
  }
  return false;
}

}  // namespace

const char* reason_unsupported(std::string_view option) {
  for (const Family& family : kFamilies)
    if (any_name(family.names, [&](std::string_view name) { return name == option; })) return family.reason;
  return nullptr;
}

void append_later_options(std::vector<std::string>& names) {
  for (const Family& family : kFamilies)
    any_name(family.names, [&](std::string_view name) { return names.emplace_back(name), false; });
}

}  // namespace ftlab
