// Tests each replay option of job files by its effect on a device with known timing.
#include <cstdio>
#include <optional>
#include <sstream>

#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/stats/fio/fio_report.h"
#include "sim/testing/commands.h"
#include "sim/testing/devices.h"
#include "sim/traces/testing/traces.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr Nanoseconds kMs{1'000'000};

const std::string kLog =
    "fio version 3 iolog\n1000 a add\n1000 a open\n5000 a write 4096 4096\n7000 a read 12800 8192\n"
    "7000 a sync 0 0\n15000 a trim 40960 4096\n15000 a close\n";

std::string job_for(const TraceFile& log, const std::string& lines) {
  return "iodepth=8\n[j]\nread_iolog=" + log.path() + "\n" + lines;
}

// The requests that the device received, each as "ms op offset+length".
std::vector<std::string> shown(const std::vector<Request>& requests) {
  std::vector<std::string> lines;
  for (const Request& request : requests)
    lines.push_back(std::to_string(request.issued / kMs) + " " + letter_of(request.op) + " " +
                    std::to_string(request.offset_bytes) + "+" + std::to_string(request.length_bytes));
  return lines;
}

struct Replay {
  explicit Replay(const std::string& text, Nanoseconds service = Nanoseconds{1000})
      : device(service), file(jobs_of(text)), stats(run_jobs(device, file.jobs, {})) {}
  Replay(const TraceFile& log, const std::string& lines, Nanoseconds service = Nanoseconds{1000})
      : Replay(job_for(log, lines), service) {}
  std::vector<std::string> asked() const { return shown(device.requests); }

  ManyServers device;
  JobFile file;
  RunStats stats;
};

std::string notes_of(const JobFile& file) {
  std::string text;
  for (const Note& note : file.notes) text += note.text + "\n";
  return text;
}

bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

// The requests that the installed fio would issue, each as "R 4096+4096".
std::vector<std::string> replayed_by_fio(const TraceFile& log, const std::string& options) {
  const std::optional<std::string> output =
      output_of("ulimit -f 20000; timeout 10 fio --debug=io --name=j --ioengine=null --read_iolog=" + log.path() + " " +
                options + " </dev/null 2>&1");
  REQUIRE(output);
  std::istringstream debug(*output);
  std::vector<std::string> asked;
  for (std::string line; std::getline(debug, line);) {
    unsigned long long offset = 0, length = 0;
    unsigned direction = 0;
    const std::size_t queued = line.find("queue: io_u");
    const std::size_t at = queued == line.npos ? queued : line.find("off=", queued);
    if (at == line.npos) continue;
    REQUIRE(std::sscanf(line.c_str() + at, "off=0x%llx,len=0x%llx,ddir=%u", &offset, &length, &direction) == 3);
    REQUIRE(direction < 5);
    asked.push_back(std::string(1, "RWTFF"[direction]) + " " + std::to_string(offset) + "+" + std::to_string(length));
  }
  return asked;
}

std::vector<std::string> without_times(std::vector<std::string> lines) {
  for (std::string& line : lines) line.erase(0, line.find(' ') + 1);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a log is replayed at its recorded times, the first request at once") {
  const TraceFile log(kLog);
  const Replay replay(log, "");
  CHECK(replay.asked() == Lines{"0 W 4096+4096", "2 R 12800+8192", "2 F 0+0", "10 T 40960+4096"});
  CHECK(replay.stats.requests == 4);
  CHECK(holds(notes_of(replay.file), "replays 1 reads, 1 writes, 1 trims, 1 flushes, at the recorded times"));
  for (const Direction d : {Direction::read, Direction::write, Direction::trim})
    CHECK(replay.stats.jobs[0].directions[static_cast<std::size_t>(d)].requests == 1);
  CHECK(replay.stats.jobs[0].flushes.full == 1);
}

TEST_CASE("replay_time_scale is the speed in percent") {
  const TraceFile log(kLog);
  CHECK(Replay(log, "replay_time_scale=200").asked()[3] == "5 T 40960+4096");
  CHECK(Replay(log, "replay_time_scale=10").asked()[3] == "100 T 40960+4096");
}

TEST_CASE("replay_no_stall replays as fast as the queue depth allows") {
  std::string text = "fio version 3 iolog\n0 a add\n";
  for (int i = 0; i < 100; ++i) text += std::to_string(i * 50'000) + " a read " + std::to_string(i * 4096) + " 4096\n";
  const TraceFile log(text);
  const Replay fast(log, "replay_no_stall=1", kMs);
  CHECK(fast.stats.requests == 100);
  CHECK(fast.device.most_outstanding == 8);
  CHECK(fast.stats.ended == 13 * kMs);  // 100 requests, 8 at once
  CHECK(Replay(log, "", kMs).stats.ended == 99 * 50 * kMs + kMs);
}

TEST_CASE("a due request waits only for room in the queue") {
  std::string text = "fio version 3 iolog\n1 a add\n";
  for (int i = 1; i <= 10; ++i) text += std::to_string(i * 1000) + " a read 0 4096\n";
  const TraceFile log(text);
  const Replay slow("iodepth=1\n[j]\nread_iolog=" + log.path(), 5 * kMs);
  CHECK(slow.device.most_outstanding == 1);
  CHECK(slow.stats.ended == 50 * kMs);
  CHECK(holds(notes_of(slow.file), "with a queue of 1"));
  const Replay open(log, "", 5 * kMs);
  CHECK(open.device.most_outstanding == 5);
  CHECK(open.stats.ended == 14 * kMs);
}

TEST_CASE("offsets are scaled, then aligned, as in fio") {
  const TraceFile log("fio version 3 iolog\n1 a add\n1 a read 4097 4096\n1 a write 12289 8192\n");
  CHECK(Replay(log, "replay_align=4096").asked() == Lines{"0 R 4096+4096", "0 W 12288+8192"});
  CHECK(Replay(log, "replay_scale=2\nreplay_align=4k").asked() == Lines{"0 R 0+4096", "0 W 4096+8192"});
  CHECK(Replay(log, "replay_scale=2\nreplay_align=512").asked() == Lines{"0 R 2048+4096", "0 W 6144+8192"});
}

TEST_CASE("replay_skip omits request types, and the others keep their times") {
  const TraceFile log(kLog);
  CHECK(Replay(log, "replay_skip=write,sync").asked() == Lines{"2 R 12800+8192", "10 T 40960+4096"});
  CHECK(Replay(log, "replay_skip=read,trim").asked() == Lines{"0 W 4096+4096", "2 F 0+0"});
  CHECK(holds(notes_of(Replay(log, "replay_skip=write").file), "replay_skip leaves out 1"));
}

TEST_CASE("waits of version 2 are milliseconds from the start") {
  const TraceFile log("fio version 2 iolog\na add\na open\na wait 300 0\na read 4096 4096\na wait 500 0\na write 0 512\n");
  CHECK(Replay(log, "").asked() == Lines{"300 R 4096+4096", "500 W 0+512"});
  CHECK(Replay(log, "replay_no_stall=1").asked() == Lines{"0 R 4096+4096", "0 W 0+512"});
  const Replay scaled(log, "replay_time_scale=200");
  CHECK(scaled.asked()[1] == "500 W 0+512");
  CHECK(holds(notes_of(scaled.file), "replay_time_scale has no effect"));
}

TEST_CASE("the files of a log map to the job's files, or all to one device") {
  const TraceFile log("fio version 3 iolog\n1 a add\n1 b add\n1 b write 4096 4096\n1 a write 8192 4096\n");
  const std::string files = "filename=a:b\nsize=2m\n";
  CHECK(Replay(log, files).asked() == Lines{"0 W 1052672+4096", "0 W 8192+4096"});
  CHECK(Replay(log, files + "replay_redirect=/dev/x").asked() == Lines{"0 W 4096+4096", "0 W 8192+4096"});
  CHECK_THROWS_AS(Replay(log, ""), ConfigError);
}

TEST_CASE("clones take the listed logs in turn") {
  const TraceFile one("fio version 3 iolog\n1 a add\n1 a read 4096 4096\n");
  const TraceFile two("fio version 3 iolog\n1 a add\n1 a read 8192 4096\n");
  const Replay run("[j]\nnumjobs=3\nread_iolog=" + one.path() + ":" + two.path());
  CHECK(run.asked() == Lines{"0 R 4096+4096", "0 R 8192+4096", "0 R 4096+4096"});
}

TEST_CASE("other jobs run before a replay and at the same time") {
  const TraceFile log(kLog);
  const Replay run("iodepth=1\n[fill]\nrw=write\nbs=4k\nsize=40k\n[j]\nstonewall\nread_iolog=" + log.path() +
                       "\n[beside]\nrw=randread\nbs=4k\nsize=4m\nnumber_ios=20\n",
                   kMs);
  REQUIRE(run.stats.jobs.size() == 3);
  CHECK(run.stats.requests == 10 + 4 + 20);
  CHECK(run.stats.jobs[1].ended == 10 * kMs + 10 * kMs + kMs);  // after the stonewall, at its own times
  CHECK(run.stats.jobs[2].ended == 30 * kMs);
}

TEST_CASE("runtime ends a replay early") {
  const TraceFile log(kLog);
  CHECK(Replay(log, "runtime=5ms").asked().size() == 3);
}

TEST_CASE("records that are out of order are issued at once") {
  const TraceFile log("fio version 3 iolog\n1 a add\n5000 a read 0 512\n9000 a read 512 512\n8000 a read 1024 512\n");
  const Replay run(log, "");
  CHECK(run.asked() == Lines{"0 R 0+512", "4 R 512+512", "4 R 1024+512"});
  CHECK(holds(notes_of(run.file), "1 are earlier than one before them"));
}

TEST_CASE("options overridden by the log are noted, and recorded times need a clock") {
  const TraceFile log(kLog);
  const JobFile file = jobs_of(job_for(log, "rw=randwrite\nbs=8k\nread_iolog_chunked=1\nwrite_iolog=x"));
  CHECK(holds(notes_of(file), "count for nothing: rw, bs, read_iolog_chunked, write_iolog"));
  CHECK_FALSE(file.jobs[0].sequence_log);
  CHECK(holds(untimed_problem(file.jobs[0]), "read_iolog"));
  CHECK(untimed_problem(jobs_of(job_for(log, "replay_no_stall")).jobs[0]).empty());
  const JobFile alone = jobs_of("[j]\nrw=read\nbs=4k\nreplay_skip=read\n");
  CHECK(holds(notes_of(alone), "replay_skip has no effect without read_iolog"));
}

TEST_CASE("read_iolog replays what write_iolog wrote") {
  const Replay first("[j]\nrw=randrw\nbs=4k\nsize=400k\nrate_iops=1000,1000\nfsync=10\nwrite_iolog=seq\n");
  const std::vector<LogFile> logs = fio_logs(first.stats);
  REQUIRE(logs.size() == 1);
  CHECK(logs[0].name == "seq_iolog.1.log");
  CHECK(logs[0].text.starts_with("fio version 3 iolog\n0 /dev/d add\n0 /dev/d open\n0 /dev/d "));
  const TraceFile log(logs[0].text);
  CHECK(Replay(log, "").asked() == first.asked());
}

TEST_CASE("write_iolog names the files of a job, with offsets relative to each file") {
  const Replay run("[j]\nrw=write\nbs=4k\nfilename=a:b\nsize=16k\nwrite_iolog=seq\n");
  const std::string text = fio_logs(run.stats).at(0).text;
  CHECK(holds(text, " b add\n"));
  CHECK(holds(text, " a write 4096 4096\n"));
  CHECK(holds(text, " b write 4096 4096\n"));
  const TraceFile log(text);
  CHECK(Replay(log, "filename=a:b\nsize=16k").asked().size() == run.asked().size());
}

// No trims: fio 3.33 skips them when it replays a log on its null engine.
TEST_CASE("fio replays the same requests at the same offsets", "[fio]") {
  if (fio_is_missing()) return;
  const TraceFile log(
      "fio version 3 iolog\n1 a add\n1 a open\n1 a read 4097 4096\n5 a write 12289 8192\n5 a sync 0 0\n"
      "9 a datasync 0 0\n9 a read 20480 512\n9 a close\n");
  for (const char* options :
       {"replay_align=4096", "replay_scale=2 replay_align=512", "replay_scale=3 replay_align=4k replay_no_stall=1"}) {
    INFO(options);
    std::string lines, arguments;
    std::istringstream words(options);
    for (std::string word; words >> word; lines += word + "\n") arguments += " --" + word;
    const std::vector<std::string> fio = replayed_by_fio(log, arguments);
    REQUIRE_FALSE(fio.empty());
    CHECK(without_times(Replay(log, lines).asked()) == fio);
  }
}

TEST_CASE("fio replays what write_iolog wrote", "[fio]") {
  if (fio_is_missing()) return;
  const Replay run("[j]\nrw=randrw\nbs=4k\nsize=400k\nfsync=10\nwrite_iolog=seq\n");
  const TraceFile log(fio_logs(run.stats).at(0).text);
  CHECK(replayed_by_fio(log, "--replay_no_stall=1") == without_times(run.asked()));
}
