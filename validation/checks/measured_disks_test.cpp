// Compares the disks of the library with measurements of the real ones, within 10 %: all single-job results of the HGST
// 7K100 (reads and writes at all queue depths) and the five published ones of the WD5000BPKT.
#include <nlohmann/json.hpp>
#include <string>

#include "models/hdd/disk.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;

namespace {

constexpr double kBand = 0.10;

DiskConfig library_disk(const std::string& name) {
  const std::string path = std::string(FTLAB_SOURCE_DIR) + "/configs/drives/" + name + ".json";
  return read_disk(load_document(path, [](const std::string& file) { return read_text_file(file); }));
}

struct Measured {
  double iops, mean_us, mb_per_s;
};

Measured run(const DiskConfig& config, const std::string& options) {
  Disk disk(config, true);
  JobContext context;
  context.capacity_bytes = config.user_bytes;
  const JobFile jobs = parse_job_file("[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\n" + options, "test", context);
  const RunStats stats = run_jobs(disk, jobs.jobs, {});
  REQUIRE(disk.problems().empty());
  const JobStats& job = stats.jobs[0];
  const double seconds = static_cast<double>((job.ended - job.started).count()) / 1e9;
  std::uint64_t requests = 0, bytes = 0, latency = 0, parts = 0;
  for (const DirectionStats& direction : job.directions) {
    requests += direction.requests;
    bytes += direction.bytes;
    latency += direction.latency.total_ns();
  }
  for (const Nanoseconds part : job.parts) parts += part.count();
  CHECK(parts == latency);
  return {static_cast<double>(requests) / seconds, static_cast<double>(latency) / static_cast<double>(requests) / 1e3,
          static_cast<double>(bytes) / seconds / 1e6};
}

std::string random_4k(const std::string& rw, std::uint64_t depth) {
  // The ramp fills the write cache, like the runs before it did.
  return "bs=4k\nnorandommap\ntime_based\nruntime=240\nramp_time=60\nrw=" + rw + "\niodepth=" + std::to_string(depth) + "\n";
}

}  // namespace

TEST_CASE("random reads and writes of the HGST 7K100 agree with measurements within 10 % at every queue depth") {
  const DiskConfig config = library_disk("hgst-7k-100");
  const auto file =
      nlohmann::json::parse(read_text_file(std::string(FTLAB_SOURCE_DIR) + "/validation/measured/hdd_hgst_7k_100.json"));
  std::size_t points = 0;
  for (const auto& point : file["points"]) {
    if (point["numjobs"] != 1) continue;
    ++points;
    const std::uint64_t depth = point["iodepth"];
    const std::string rw = point["rw"];
    const Measured simulated = run(config, random_4k(rw, depth));
    INFO(rw << " at queue depth " << depth);
    CHECK(simulated.iops == Approx(point["iops"].get<double>()).epsilon(kBand));
    CHECK(simulated.mean_us == Approx(point["clat_mean_us"].get<double>()).epsilon(kBand));
  }
  CHECK(points == 12);
}

// Blog, 2014 (fio 2.1.11, dd, seeker), see configs/drives/wd-5000bpkt.json.
TEST_CASE("the WD5000BPKT agrees with published results within 10 %") {
  const DiskConfig config = library_disk("wd-5000bpkt");
  CHECK(run(config, random_4k("randread", 1)).iops == Approx(66).epsilon(kBand));
  CHECK(run(config, random_4k("randread", 1) + "size=512m\n").iops == Approx(143).epsilon(kBand));
  CHECK(run(config, random_4k("randwrite", 1) + "size=512m\n").iops == Approx(351).epsilon(kBand));
  CHECK(run(config, "rw=read\nbs=128k\nsize=512m\n").mb_per_s == Approx(105).epsilon(kBand));
  CHECK(run(config, "rw=write\nbs=128k\nsize=512m\n").mb_per_s == Approx(102).epsilon(kBand));
}

TEST_CASE("a sequential read runs at the rate of its zone with track switches, within 1 %") {
  const DiskConfig config = library_disk("wd-scorpio-blue");
  const double turn_s = 60.0 / static_cast<double>(config.platters.rpm);
  const double skews_s = (static_cast<double>(config.platters.head_skew.count()) * (config.platters.heads - 1) +
                          static_cast<double>(config.platters.cylinder_skew.count())) /
                         1e9;
  const auto zone_rate = [&](std::size_t zone) {
    const double bytes = 512.0 * config.platters.zones[zone].sectors_per_track * config.platters.heads;
    return bytes / (config.platters.heads * turn_s + skews_s) / 1e6;
  };
  const std::string read = "rw=read\nbs=128k\nsize=1g\n";
  CHECK(run(config, read).mb_per_s == Approx(zone_rate(0)).epsilon(0.01));
  CHECK(run(config, read + "offset=900g\nbs=64k\niodepth=4\n").mb_per_s == Approx(zone_rate(6)).epsilon(0.01));
}
