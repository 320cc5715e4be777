// Each format with a hand-written file: how it is parsed, and what it must not be mistaken for.
#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "sim/traces/formats/recognise.h"
#include "sim/traces/testing/traces.h"
#include "sim/traces/trace_summary.h"

using namespace ftlab;

namespace {

using Lines = std::vector<std::string>;

struct Example {
  const char* format;
  const char* text;
  Lines records;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"msr",
       "128166372003061629,hm,0,Read,400556032,32768,300\n"
       "128166372016382165,hm,0,Write,3145728,4096,1400\n"
       "128166372016382166,hm,1,write,512,512,0\n",
       {"0 R 400556032+32768 @hm,0 :1", "1332053600 W 3145728+4096 @hm,0 :2", "1332053700 W 512+512 @hm,1 :3"}},
      {"alibaba",
       "device_id,opcode,offset,length,timestamp\n"
       "41,W,9000001536,16384,1577808000000046\n"
       "72,R,0,4096,1577808000000162\n",
       {"0 W 9000001536+16384 @41 :2", "116000 R 0+4096 @72 :3"}},
      {"tencent",
       "1538323200,13000000,128,0,1007\n"
       "1538323200,6000000,8,1,1007\n"
       "1538323201,8,16,1,1300\n",
       {"0 R 6656000000+65536 @1007 :1", "0 W 3072000000+4096 @1007 :2", "1000000000 W 4096+8192 @1300 :3"}},
      {"systor",
       "Timestamp,Response,IOType,LUN,Offset,Size\n"
       "1455600000.017136000,0.000257000,R,0,43000320,8192\n"
       "1455600000.018000001,,,0,,\n"
       "1455600000.017136999,0.1,W,2,4096,512\n",
       {"0 R 43000320+8192 @0 :2", "999 W 4096+512 @2 :4"}},
      {"spc",
       "0,21000000,8192,W,0.500001\n"
       "0,20000000,8192,r,0.502336\n"
       "1,3072,15872,w,0.5023367,0.1,comment\n",
       {"0 W 10752000000+8192 @0 :1", "2335000 R 10240000000+8192 @0 :2", "2335700 W 1572864+15872 @1 :3"}},
      {"vscsi",
       "version,time,op,size,lbn\n"
       "2,100.5,28,4096,8\n"
       "2,100.500001,2a,512,0\n"
       "2,101,0x88,65536,128\n"
       "2,102,42,4096,8\n"
       "2,102.5,35,0,0\n",
       {"0 R 4096+4096 @vscsi :2", "1000 W 0+512 @vscsi :3", "500000000 R 65536+65536 @vscsi :4",
        "1500000000 T 4096+4096 @vscsi :5", "2000000000 F 0+0 @vscsi :6"}},
      {"disksim",
       "12.000005 3 0 5 1\n"
       "16.638155\t2\t777216\t6\t0\n"
       "  18.0 2 1 1 3\n",
       {"0 R 0+2560 @3 :1", "4638150 W 397934592+3072 @2 :2", "5999995 R 512+512 @2 :3"}},
      {"ssdsim",
       "700000000 5 123456784 16 0\n"
       "700000007 5 8 8 1\n",
       {"0 W 63209873408+8192 @5 :1", "7 R 4096+4096 @5 :2"}},
      {"fiu",
       "90000000000053 2234 nfsd 500000000 8 W 6 0 0123456789abcdef\n"
       "90000000000099 10 pdflush 8 16 R 6 1 0123456789abcdef\n",
       {"0 W 256000000000+4096 @6 0 :1", "46 R 4096+8192 @6 1 :2"}},
      {"blkparse",
       "  8,0    3        1     0.000000000   697  Q   W 300000 + 8 [kjournald]\n"
       "  8,0    3        2     0.000001829   697  G   W 300000 + 8 [kjournald]\n"
       "  8,0    3        3     0.000005000   697  D  WS 300000 + 8 [kworker/u8:2 a]\n"
       "  8,0    3        0     0.000005100     0  m   N cfq697S / complete\n"
       "  8,0    3        4     0.000006000   697  D WFS 8 + 8 [x]\n"
       "  8,0    3        5     0.000007000   697  D FWS 0 [x]\n"
       "  8,0    3        6     0.000008000   697  D FWFS 16 + 8 [x]\n"
       "  8,0    3        7     0.000009000   697  D  DS 1024 + 64 [fstrim]\n"
       "  8,0    3        8     0.000010000   697  D   N 36 (12 01 00) [hdparm]\n"
       "  8,0    1        9     0.000011005     0  D  RM 0 + 1 [swapper]\n"
       "  8,0    1       10     0.000012000     0  C  WS 300000 + 8 [0]\n"
       "CPU3 (8,0):\n"
       " Reads Queued:           1,        4KiB\t Writes Queued:           1,        4KiB\n",
       {"0 W 153600000+4096 @8,0 :3", "1000 W! 4096+4096 @8,0 :5", "2000 F 0+0 @8,0 :6", "3000 F 0+0 @8,0 :7",
        "3000 W! 8192+4096 @8,0 :7", "4000 T 524288+32768 @8,0 :8", "6005 R 0+512 @8,0 :10"}},
      {"ftrace",
       "# tracer: nop\n"
       "cpus=4\n"
       "     job-4711  [003] d..1  1234.567890: block_rq_issue: 259,0 W 4096 () 274432 + 8 [job]\n"
       " kworker/u8:2-31 [003] d..1  1234.567990: block_rq_issue: 259,0 WS 8192 () 274440 + 16 none,0,0 [job a + b]\n"
       "CPU:2 [LOST 17 EVENTS]\n"
       "     job-4711  [003] d..1  1234.568890: block_rq_complete: 259,0 W () 274432 + 8 [0]\n"
       "     job-4711  [003] d..1  1234.568990: block_rq_issue: 259,0 FF 0 () 0 + 0 [job]\n"
       "     job-4711  [001]  1234.569000: block_rq_issue: 259,0 FWFS 4096 () 8 + 8 [job]\n"
       "     job-4711  [001]  1234.569000: sched_switch: prev_comm=a prev_pid=1\n"
       "job  4711 [001]  1234.570000:  block:block_rq_issue: 259,0 DS 32768 () 1024 + 64 [fstrim]\n"
       "job  4711 [001]  1234.570001:  block:block_rq_issue: 259,0 N 36 (12 01 00 00 24 00) 0 + 0 [hdparm]\n"
       "job  4711 [001]  1234.570002:  block:block_rq_issue: 259,0 RA 512 () 0 + 1 [x]\n",
       {"0 W 140509184+4096 @259,0 :3", "100000 W 140513280+8192 @259,0 :4", "1100000 F 0+0 @259,0 :7",
        "1110000 F 0+0 @259,0 :8", "1110000 W! 4096+4096 @259,0 :8", "2110000 T 524288+32768 @259,0 :10",
        "2112000 R 0+512 @259,0 :12"}},
      {"etw",
       "BeginHeader\n"
       "   DiskRead,  TimeStamp,     Process Name ( PID),   ThreadID,     IrpPtr,   ByteOffset,     IOSize, ElapsedTime,  "
       "DiskNum, "
       "IrpFlags, DiskSvcTime, I/O Pri,  VolSnap, FileObject, FileName\n"
       "  DiskWrite,  TimeStamp,     Process Name ( PID),   ThreadID,     IrpPtr,   IOSize,   ByteOffset, ElapsedTime,  "
       "DiskNum\n"
       "  DiskFlush,  TimeStamp,     Process Name ( PID),   ThreadID,     IrpPtr,  ElapsedTime,  DiskNum, IrpFlags\n"
       "DiskReadInit, TimeStamp,     Process Name ( PID),   ThreadID,     IrpPtr\n"
       "EndHeader\n"
       "OS Version: 6.0, Trace Size: 100KB\n"
       "DiskReadInit,       4205,        server.exe (1000),       2000, 0x000000000000a001\n"
       "    DiskRead,       4210,        server.exe (1000),       2000, 0x0a001, 0x0009a3e000, 0x00002000,        5820,     "
       "   3, "
       "0x060043,        5820,  Normal, Original, 0x000000000000b001, \"X:\\a, b\"\n"
       "   DiskWrite,       4390,        server.exe (1000),       2001, 0x0a002, 0x00001000, 0x0009A40000,         210,     "
       "   3\n"
       "   DiskFlush,       4400,        server.exe (1000),       2001, 0x0a003,         10,        3, 0x0\n",
       {"0 R 161734656+8192 @3 :9", "180000 W 161742848+4096 @3 :10", "190000 F 0+0 @3 :11"}},
      {"fio-v2",
       "fio version 2 iolog\n"
       "/dev/sda add\n"
       "/dev/sda open\n"
       "/dev/sda write 4096 4096\n"
       "/dev/sda wait 500 0\n"
       "/dev/sda read 0 512\n"
       "/dev/sda datasync 0 0\n"
       "/dev/sda wait 400 0\n"
       "/dev/sda trim 8192 4096\n"
       "/dev/sda close\n",
       {"0 W 4096+4096 @/dev/sda :4", "500000000 R 0+512 @/dev/sda :6", "500000000 F 0+0 @/dev/sda :7",
        "500000000 T 8192+4096 @/dev/sda :9"}},
      {"fio-v3",
       "fio version 3 iolog\n"
       "0 dev add\n"
       "0 dev open\n"
       "17 dev write 4096 4096\n"
       "19 dev sync\n"
       "20 dev read 0 512\n"
       "20 dev close\n",
       {"0 W 4096+4096 @dev :4", "2000 F 0+0 @dev :5", "3000 R 0+512 @dev :6"}},
  };
  return all;
}

}  // namespace

TEST_CASE("every format is parsed correctly, named or recognised") {
  for (const Example& example : examples()) {
    CAPTURE(example.format);
    const TraceFile file(example.text);
    CHECK(shown(file.options(example.format)) == example.records);
    if (std::string(example.format) == "ssdsim") continue;  // ambiguous, see below
    const Trace trace(file.options());
    CHECK(trace.format().name == std::string(example.format));
  }
}

TEST_CASE("every format has an example, except csv, which has its own tests") {
  CHECK(examples().size() + 1 == trace_formats().size());
}

TEST_CASE("every format accepts blank lines, Windows line ends and a last line without an end") {
  for (const Example& example : examples()) {
    CAPTURE(example.format);
    std::string text;
    for (const char c : std::string(example.text)) text += c == '\n' ? "\r\n" : std::string(1, c);
    text.resize(text.size() - 2);
    CHECK(shown(TraceFile(text).options(example.format)) == example.records);
    CHECK(shown(TraceFile(std::string(example.text) + "\n  \n").options(example.format)) == example.records);
  }
}

TEST_CASE("five whole numbers may be DiskSim's milliseconds or SSDSim's nanoseconds, so the user must choose") {
  const TraceFile file("700000000 5 123456784 16 0\n700000007 5 8 8 1\n");
  CHECK(refusal([&] { Trace trace(file.options()); }) ==
        file.path() +
            ": its first lines fit several formats of traces; name one with --trace-format (allowed: disksim, ssdsim)");
  CHECK(shown(file.options("disksim")).back() == "7000000 R 4096+4096 @5 :2");
  CHECK(shown(file.options("ssdsim")).back() == "7 R 4096+4096 @5 :2");
}

TEST_CASE("a bad line among the first lines does not hide the format") {
  CHECK(recognise_format({"128166372003061629,hm,0,Raed,0,512,1", "128166372003061629,hm,0,Read,0,512,1"}).size() == 1);
  CHECK(recognise_format({"# comment", "", "[global]", "rw=randread"}).empty());
  CHECK(recognise_format({}).empty());
}

TEST_CASE("a trace of 8-sector requests in Tencent's columns is not mistaken for SCSI reads") {
  const TraceFile file("1538323200,13000000,8,0,1007\n1538323200,6000000,8,1,1007\n");
  CHECK(Trace(file.options()).format().name == std::string("tencent"));
}

TEST_CASE("blkparse: the default action is D if the file has one, else Q, else C; the user may choose another") {
  const std::string q = "8,0 1 1 0.0 9 Q R 0 + 8 [x]\n";
  const std::string c = "8,0 1 2 0.5 9 C R 0 + 8 [0]\n";
  const std::string d = "8,0 1 3 0.7 9 D R 8 + 8 [x]\n";
  CHECK(shown(TraceFile(q + c + d).options()) == Lines{"0 R 4096+4096 @8,0 :3"});
  CHECK(shown(TraceFile(c + q).options()) == Lines{"0 R 0+4096 @8,0 :2"});
  CHECK(shown(TraceFile(c).options()) == Lines{"0 R 0+4096 @8,0 :1"});
  const TraceFile file(q + c + d);
  TraceOptions options = file.options();
  options.action = 'C';
  CHECK(shown(options) == Lines{"0 R 0+4096 @8,0 :2"});
}

TEST_CASE("blkparse: lines other than picked requests are counted by name, and events after the totals are read") {
  const std::string once =
      "8,0 1 1 0.0 9 Q R 0 + 8 [x]\n8,0 1 2 0.1 9 D R 0 + 8 [x]\n8,0 1 3 0.2 0 m N cfq x\n8,0 1 4 0.3 9 D N 36 [x]\nCPU0 "
      "(8,0):\n"
      " Reads Queued: 1, 4KiB\n";
  const TraceCounts counts =
      summarise_trace(TraceFile(once + "8,0 1 5 0.4 9 D W 8 + 8 [x]\n8,0 1 6 0.4 9 C W 8 + 8 [0]\n").options()).counts;
  CHECK(counts.requests == 2);
  CHECK(counts.other_events == 4);
  CHECK(counts.without_request == 2);
  CHECK((counts.events == decltype(counts.events){{"C", 1}, {"Q", 1}, {"m", 1}, {"rwbs N", 1}}));
}

TEST_CASE("blkparse: ftlab's own messages are power events, all other messages are ignored") {
  const TraceFile file(
      "0,0 0 1 1.000000000 0 m N ftlab watch-flash\n"
      "0,0 0 2 1.000000000 0 D WF 0 + 8 [ftlab]\n"
      "0,0 0 3 1.000100000 0 m N ftlab power-cut fates=18446744073709551615\n"
      "8,0 0 0 1.000140000 0 m N\n"
      "8,0 0 0 1.000150000 0 m N cfq697S / power-cut fates=1\n"
      "0,0 0 4 1.000200000 0 D R 0 + 8 [ftlab]\n"
      "0,0 0 5 1.000300000 0 m N ftlab power-cut fates=0\n");
  CHECK(shown(file.options()) == Lines{"0 watch-flash", "0 W! 0+4096 @0,0 :2", "100000 power-cut 18446744073709551615",
                                       "200000 R 0+4096 @0,0 :6", "300000 power-cut 0"});
  const TraceSummary summary = summarise_trace(file.options());
  CHECK(summary.counts.requests == 2);
  CHECK(summary.counts.power_events == 3);
  CHECK(summary.power_cuts == 2);
  CHECK(summary.power_line == 1);
  CHECK(summary.duration_ns == 300'000);
}

TEST_CASE("blkparse: an unknown message of ftlab's own is a bad line") {
  const auto refused = [](const std::string& rest) {
    const TraceFile file("0,0 0 1 0.0 0 D W 0 + 8 [ftlab]\n0,0 0 2 0.5 0 m N ftlab" + rest + "\n");
    const std::string message = refusal([&] { summarise_trace(file.options()); });
    return message.starts_with(file.path()) ? message.substr(file.path().size()) : message;
  };
  CHECK(refused("") == ":2: message: is missing (allowed: watch-flash, power-cut fates=SEED)");
  CHECK(refused(" power-cuts fates=1") ==
        ":2: message: is none of ftlab's (got power-cuts; allowed: watch-flash, power-cut fates=SEED)");
  CHECK(refused(" power-cut") == ":2: power-cut: is missing (allowed: fates=SEED, below 2^64)");
  CHECK(refused(" power-cut fates=-1") ==
        ":2: power-cut: has no seed of fates (got fates=-1; allowed: fates=SEED, below 2^64)");
  CHECK(refused(" power-cut fates=1 2") == ":2: power-cut: is followed by more than belongs to it (got 2)");
  CHECK(refused(" watch-flash now") == ":2: watch-flash: is followed by more than belongs to it (got now)");
  CHECK(refused(" watch-flash\n0,0 0 3 0.6 0 m N ftlab watch-flash") ==
        ":3: watches a flash that is watched since line 2 (got watch-flash; allowed: a power-cut between the two)");
  const TraceFile file("0,0 0 1 0.0 0 D W 0 + 8 [ftlab]\n0,0 0 2 x 0 m N ftlab power-cut fates=1\n");
  CHECK(refusal([&] { summarise_trace(file.options()); }).starts_with(file.path() + ":2: time: is not a time"));
}

TEST_CASE("with any bytes changed, every line is a record, skipped or bad, and a refusal is a message") {
  RandomStream random(1, "changed traces");
  constexpr std::string_view kBytes = "0159,. \t\n\r-+#xRWF\0\xff[;";
  for (const Example& example : examples()) {
    std::size_t accepted = 0;
    for (int i = 0; i < 200; ++i) {
      std::string text = example.text;
      for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
        text[random.below(text.size())] = kBytes[random.below(kBytes.size())];
      }
      const TraceFile file(text);
      TraceOptions options = file.options(example.format);
      options.order = TraceOrder::clamp;
      options.round_to_sectors = options.skip_bad_lines = true;
      const std::string message = refusal([&] { summarise_trace(options); });  // also checks that no line is lost
      accepted += message == "accepted";
      CHECK((message == "accepted" || message.starts_with(file.path())));
    }
    CAPTURE(example.format);
    CHECK(accepted > 100);
  }
}

TEST_CASE("a column map reads any CSV file") {
  const TraceFile file(
      "when;who;what;where;how much\n"
      "10.5;a;Rd;8;1\n"
      "10.6;b;WRITE;16;2\n"
      "10.7;b;barrier;;\n");
  TraceOptions options = file.options();
  options.columns = read_column_map(
      R"({"time":0, "volume":1, "op":2, "offset":3, "size":4, "time_unit":"us", "offset_unit":"sector", "size_unit":"4KiB",
          "separator":";", "heading_lines":1, "read":["rd"], "flush":["barrier"]})",
      "map");
  CHECK(shown(options) == Lines{"0 R 4096+4096 @a :2", "100 W 8192+8192 @b :3", "200 F 0+0 @b :4"});
}

TEST_CASE("a column map supports 100 ns ticks, blanks and tabs") {
  const TraceFile file("7 1\t4096   512 x\n8 0 0 512\n");
  TraceOptions options = file.options();
  options.columns = read_column_map(
      R"({"time":0, "op":1, "offset":2, "size":3, "time_unit":"100ns", "separator":"blank", "read":["0"], "write":["1"]})",
      "map");
  CHECK(shown(options) == Lines{"0 W 4096+512 @csv :1", "100 R 0+512 @csv :2"});
}

TEST_CASE("a column map reads hexadecimal numbers, and only the events that it names") {
  const TraceFile file(
      "Issue 0x10 W 0x2000 0x1000\n"
      "Done 17 W 0x2000 0x1000\n"
      "Note 17\n"
      "issue 18 R 0X3000 512\n");
  TraceOptions options = file.options();
  options.columns =
      read_column_map(R"({"event":0, "events":["issue"], "time":1, "op":2, "offset":3, "size":4, "time_unit":"us",
                                        "separator":"blank"})",
                      "map");
  CHECK(shown(options) == Lines{"0 W 8192+4096 @csv :1", "2000 R 12288+512 @csv :4"});
  CHECK((summarise_trace(options).counts.events == decltype(TraceCounts::events){{"Done", 1}, {"Note", 1}}));
}

TEST_CASE("a contradictory column map is refused") {
  const auto refused = [](const char* text) { return refusal([&] { read_column_map(text, "map"); }); };
  const std::string whole = R"({"time":0,"op":1,"offset":2,"size":3,"time_unit":"s")";
  CHECK(refused((whole + "}").c_str()) == "accepted");
  CHECK(refused(R"({"time":0,"op":0,"offset":2,"size":3,"time_unit":"s"})") == "map:1: gives one column two meanings");
  CHECK(refused((whole + R"(,"read":["w"]})").c_str()) == "map:1: gives the operation \"w\" two meanings");
  CHECK(refused((whole + R"(,"event":1,"events":["r"]})").c_str()) == "accepted");
  CHECK(refused((whole + R"(,"event":4})").c_str()).find("events: is missing") != std::string::npos);
  CHECK(refused((whole + R"(,"events":["r"]})").c_str()) != "accepted");
  CHECK(refused((whole + R"(,"sise_unit":"B"})").c_str()).find("did you mean size_unit?") != std::string::npos);
  CHECK(refused(R"({"time":0,"op":1,"offset":2,"size":3})").find("time_unit: is missing") != std::string::npos);
  CHECK(refused(R"({"time":0,"op":1,"offset":2,"size":24,"time_unit":"s"})").find("allowed: 0 to 23") != std::string::npos);
}

TEST_CASE("times are exact to the nanosecond, and smaller digits are cut off") {
  std::uint64_t ns = 0;
  CHECK((read_time("1455600000.017136999", 1'000'000'000, ns) && ns == 1'455'600'000'017'136'999));
  CHECK((read_time("0.0000000019", 1'000'000'000, ns) && ns == 1));
  CHECK((read_time("18446744073.709551615", 1'000'000'000, ns) && ns == ~std::uint64_t{0}));
  CHECK((read_time("128166372003061629", 100, ns) && ns == 12'816'637'200'306'162'900u));
  for (const char* bad :
       {"", ".", "1.", ".5", "-1", "+1", "1e3", "1.5s", "18446744073.709551616", "184467440738", "nan", "1,5", "1.-5"}) {
    CAPTURE(bad);
    CHECK_FALSE(read_time(bad, 1'000'000'000, ns));
  }
}
