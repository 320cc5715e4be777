// Verification by job files as a self-test of the FTL: a correct drive passes with every mapping scheme, with a history,
// with trims of every kind and at its end of life. Verification does not change results.
#include <map>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/testing/drives.h"
#include "sim/core/signature.h"
#include "sim/host/host.h"
#include "sim/host/stack/passing_device.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;

namespace {

// 12 MiB of flash: 48 superblocks of 64 pages of 4 KiB. The user space is 28 superblocks.
constexpr char kCommon[] = R"({
  "name": "verified",
  "user_sectors": 14336,
  "geometry": {"channels": 2, "chips_per_channel": 1, "dies_per_chip": 2, "planes_per_die": 2, "blocks_per_plane": 48,
               "pages_per_block": 8, "page_bytes": 4096, "page_spare_bytes": 128, "codeword_bytes": 1024},
  "nand": {"cell": "mlc", "read_ns": 50000, "program_lower_ns": 300000, "program_upper_ns": 900000, "erase_ns": 2000000,
           "bus_bytes_per_s": 100000000, "bus_command_ns": 500},
  "link": {"kind": "sata-3", "read_command_ns": 5400, "write_command_ns": 6200},
  "controller": {"read_command_ns": 5000, "write_command_ns": 5000, "trim_page_ns": 100},
  "ftl": {"mapping": {"page_bytes": 4096}, "superblock": {"dies": 4, "planes": 2},
          "wear": {"free_list": "fifo", "static_spread_erases": 0}, "trim": {"mode": "immediate"},
          "write_buffer": {"bytes": 65536, "partial_pages": 4}}
})";

constexpr char kGreedy[] = R"({"ftl": {"frontiers": "one", "gc": {"policy": "greedy", "start_free_superblocks": 3,
                             "stop_free_superblocks": 5, "pages_per_host_write": 4}}})";

const std::map<std::string, const char*>& schemes() {
  static const std::map<std::string, const char*> schemes = {
      {"page", R"({"ftl": {"mapping": {"scheme": "page"}}})"},
      {"small pages", R"({"ftl": {"mapping": {"scheme": "page", "page_bytes": 512}}})"},
      {"demand", R"({"ftl": {"mapping": {"scheme": "demand", "ram_bytes": 2048, "cache_unit": "entry", "eviction": "lru",
                   "entry_bytes": 8, "batch_write_back": true, "prefetch_entries": 2}}})"},
      {"extent", R"({"ftl": {"mapping": {"scheme": "extent", "ram_bytes": 4000, "entry_bytes": 8, "region_pages": 128,
                   "start_permille": 800, "pages_per_host_write": 4}}})"},
      {"bast", R"({"ftl": {"mapping": {"scheme": "bast", "log_superblocks": 4}}})"},
      {"fast", R"({"ftl": {"mapping": {"scheme": "fast", "log_superblocks": 4}}})"},
      {"block", R"({"ftl": {"mapping": {"scheme": "block", "log_superblocks": 2}}})"},
  };
  return schemes;
}

DriveConfig drive_of(const std::string& scheme, const char* more = "{}") {
  Node document = parse_document(kCommon, kCommandLineFile);
  const bool hybrid = scheme == "bast" || scheme == "fast" || scheme == "block";
  if (!hybrid) overlay(document, parse_document(kGreedy, kCommandLineFile));
  overlay(document, parse_document(schemes().at(scheme), kCommandLineFile));
  overlay(document, parse_document(more, kCommandLineFile));
  return read_drive(document);
}

struct Trial {
  Trial(Drive& drive, const std::string& text) : Trial(drive, drive, text) {}
  // `all`: the drive, or a device in front of it.
  Trial(Drive& drive, Device& all, const std::string& text) {
    JobContext context;
    context.capacity_bytes = drive.config().user_bytes;
    file = parse_job_file("[global]\nfilename=/dev/d\nioengine=libaio\ndirect=1\n" + text, "test", context);
    RebasedDevice device(all, drive.idle_from());
    stats = run_jobs(device, file.jobs, {});
  }
  // Requires only correct reads.
  void require_sound(std::uint64_t least_reads) const {
    REQUIRE(stats.verify.has_value());
    for (const std::string& line : stats.verify->lines) FAIL_CHECK(line);
    CHECK(stats.verify->mismatches == 0);
    CHECK(stats.verify->reads >= least_reads);
  }
  JobFile file;
  RunStats stats;
};

// Sends one write to the neighbouring address.
class Misdirecting final : public PassingDevice {
 public:
  Misdirecting(Drive& drive, std::uint64_t which) : PassingDevice(drive), left_(which) {}
  void submit(std::span<const Request> batch) override {
    for (Request request : batch) {
      if (request.op == Op::write && left_-- == 0) request.offset_bytes ^= request.length_bytes;
      behind().submit({&request, 1});
    }
  }

 private:
  std::uint64_t left_;
};

constexpr char kAllKinds[] =
    "verify=crc32c\n"
    "[sequential]\nrw=write\nbs=64k\n"
    "[random]\nstonewall\nrw=randwrite\nbs=4k\niodepth=8\n"
    "[backlog]\nstonewall\nrw=randwrite\nbs=8k\nverify_backlog=32\niodepth=4\n"
    "[mixed]\nstonewall\nrw=randrw\nbs=4k\niodepth=8\nnorandommap\nio_size=20m\n"
    "[bssplit]\nstonewall\nrw=randwrite\nbssplit=1k/30:4k/40:6k/30\nsize=2m\n"
    "[trims]\nstonewall\nrw=randtrimwrite\nbs=4k\nsize=2m\n"
    "[a]\nstonewall\nrw=randwrite\nbs=2k\nsize=1m\niodepth=4\n[b]\nrw=randrw\nbs=8k\nsize=1m\niodepth=4\n";

}  // namespace

TEST_CASE("a correct drive passes verification with every mapping scheme, timed and untimed") {
  for (const auto& [scheme, text] : schemes()) {
    for (const Clock clock : {Clock::timed, Clock::untimed}) {
      INFO(scheme << (clock == Clock::timed ? ", timed" : ", untimed"));
      Drive drive(drive_of(scheme), clock);
      Trial(drive, kAllKinds).require_sound(5'000);
      CHECK(drive.counters().relocated_pages + drive.counters().full_merges > 100);
    }
  }
}

TEST_CASE("a misdirected write is found with every mapping scheme and attributed to its job") {
  for (const auto& [scheme, text] : schemes()) {
    for (const std::string job : {"rw=write\nbs=64k\n", "rw=randwrite\nbs=4k\niodepth=8\n",
                                  "rw=randwrite\nbs=8k\nverify_backlog=32\n", "rw=randwrite\nbssplit=4k/50:8k/50\nsize=3m\n",
                                  "rw=randrw\nbs=4k\nnorandommap\nsize=2m\nio_size=20m\niodepth=4\n"}) {
      INFO(scheme << ": " << job);
      Drive drive(drive_of(scheme), Clock::untimed);
      Misdirecting wrong(drive, 60);
      const Trial trial(drive, wrong, "verify=crc32c\n[j]\n" + job);
      CHECK(trial.stats.verify->mismatches > 0);
      CHECK(trial.stats.jobs[0].error == 84);
    }
  }
}

TEST_CASE("a second run accepts the data of the first one and verifies it again") {
  Drive drive(drive_of("demand"), Clock::timed);
  Trial(drive, kAllKinds);
  const Trial again(drive, "verify=crc32c\n[look]\nrw=read\nbs=16k\n[look-again]\nstonewall\nrw=randread\nbs=4k\n");
  again.require_sound(448 + 1792);
  CHECK(again.stats.verify->first_seen == 1792);
  Trial(drive, std::string(kAllKinds)).require_sound(5'000);
}

TEST_CASE("trims of every kind are predicted by the drive's own rule") {
  for (const char* trim : {R"({"mode": "immediate"})", R"({"mode": "off"})",
                           R"({"mode": "deferred", "pages_per_host_write": 1, "read_before": "zeros"})",
                           R"({"mode": "deferred", "pages_per_host_write": 1, "read_before": "old-data"})"}) {
    INFO(trim);
    Drive drive(drive_of("page", (std::string(R"({"ftl": {"trim": )") + trim + "}}").c_str()), Clock::timed);
    Trial(drive,
          "verify=crc32c\nnorandommap\n"
          "[fill]\nrw=write\nbs=64k\n"
          "[trim]\nstonewall\nrw=randtrim\nbs=10k\nio_size=6m\n[write]\nrw=randwrite\nbs=6k\nio_size=12m\niodepth=4\n"
          "[read]\nrw=randread\nbs=14k\nio_size=12m\niodepth=4\n")
        .require_sound(1'900);
    // Trims that are pending when a run ends are executed in the next.
    Trial(drive, "verify=crc32c\nnorandommap\nbs=4k\n[read]\nrw=randread\nio_size=40m\n[write]\nrw=randwrite\nio_size=8m\n")
        .require_sound(10'000);
  }
}

TEST_CASE("renumbering of exhausted versions causes no mismatch") {
  DriveConfig config = drive_of("page");
  config.ftl.most_versions = 9'000;
  Drive drive(config, Clock::untimed);
  const Trial trial(drive, kAllKinds);
  trial.require_sound(5'000);
  CHECK(trial.stats.verify->first_seen > 0);
}

TEST_CASE("a drive at its end of life refuses writes and returns acknowledged data") {
  Drive drive(drive_of("page", R"({"endurance": {"program_erase_limit": 20, "limit_spread_permille": 300, "specimen": 3,
                                                 "warranty_days": 1000}})"),
              Clock::timed);
  const Trial life(drive,
                   "verify=crc32c\n"
                   "[wear]\nrw=randwrite\nbs=12k\niodepth=8\nnorandommap\nio_size=2g\nverify_backlog=64\n"
                   "[look]\nstonewall\nrw=read\nbs=4k\n");
  life.require_sound(1'792 + 1'000);
  CHECK(drive.ftl().read_only());
  CHECK(life.stats.jobs[0].failed[static_cast<std::size_t>(Direction::write)] > 0);
}

TEST_CASE("reporting contents does not change the behaviour of a drive") {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    std::string texts[2];
    for (int reported = 0; reported < 2; ++reported) {
      Drive drive(drive_of("page"), clock);
      ContentLog log;
      if (reported == 1) drive.report_contents(&log);
      const Trial plain(drive, "bs=4k\n[w]\nrw=randwrite\niodepth=8\nio_size=30m\n[r]\nrw=randread\niodepth=4\n");
      Signature signature;
      signature.add(plain.stats.signature);
      sign(drive, signature);
      texts[reported] = signature.text();
      CHECK(log.returned.size() == (reported == 1 ? 1792u : 0u));
    }
    CHECK(texts[0] == texts[1]);
  }
}
