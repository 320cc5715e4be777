// Recognition of traces by their values, with random traces: in its own units a trace is recognised and read exactly; in
// other units it is refused, with a column map that reads it.
#include "sim/traces/formats/recognise.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "sim/traces/testing/traces.h"
#include "sim/traces/trace_summary.h"

using namespace ftlab;

namespace {

using Lines = std::vector<std::string>;

struct Drawn {
  std::uint64_t at_ns, offset_bytes, length_bytes;
  bool read;
};

// One request as text, with numbers in the units of the file.
struct Row {
  std::string time, offset, size;
  bool read;
};

struct Writer {
  const char* format;
  TraceUnits units;
  std::uint64_t began_ns;  // clock at the first request
  bool fractions;          // times have fractions
  const char* heading;
  std::string (*row)(const Row&);
};

constexpr std::uint64_t kBegan1970 = 1'538'323'200 * kSecondNs, kBegan1601 = 128'166'372'003'061'629 * kFileTimeNs;

const char* letter(const Row& row) { return row.read ? "R" : "W"; }

// One writer for each recognisable format, with the units of its columns.
const std::vector<Writer>& writers() {
  constexpr TraceUnits kInSectors{1, kSectorBytes, kSectorBytes}, kPlaceInSectors{kSecondNs, kSectorBytes, 1};
  static const std::vector<Writer> all = {
      {"msr",
       {kFileTimeNs, 1, 1},
       kBegan1601,
       false,
       "",
       [](const Row& r) {
         return r.time + ",hm,0," + (r.read ? "Read" : "Write") + "," + r.offset + "," + r.size + ",100";
       }},
      {"alibaba",
       {kMicrosecondNs, 1, 1},
       kBegan1970,
       false,
       "device_id,opcode,offset,length,timestamp\n",
       [](const Row& r) { return std::string("4,") + letter(r) + "," + r.offset + "," + r.size + "," + r.time; }},
      {"tencent",
       {kSecondNs, kSectorBytes, kSectorBytes},
       kBegan1970,
       false,
       "",
       [](const Row& r) { return r.time + "," + r.offset + "," + r.size + "," + (r.read ? "0" : "1") + ",1007"; }},
      {"systor",
       {kSecondNs, 1, 1},
       kBegan1970,
       true,
       "Timestamp,Response,IOType,LUN,Offset,Size\n",
       [](const Row& r) { return r.time + ",0.0001," + letter(r) + ",0," + r.offset + "," + r.size; }},
      {"spc", kPlaceInSectors, 0, true, "",
       [](const Row& r) { return "0," + r.offset + "," + r.size + "," + letter(r) + "," + r.time; }},
      {"vscsi", kPlaceInSectors, 100 * kSecondNs, true, "version,time,op,size,lbn\n",
       [](const Row& r) { return "2," + r.time + "," + (r.read ? "28" : "2a") + "," + r.size + "," + r.offset; }},
      {"disksim",
       {kMillisecondNs, kSectorBytes, kSectorBytes},
       13'191'135,
       true,
       "",
       [](const Row& r) { return r.time + "\t3\t" + r.offset + "\t" + r.size + "\t" + (r.read ? "1" : "0"); }},
      {"ssdsim", kInSectors, 938'513'000, false, "",
       [](const Row& r) { return r.time + " 4 " + r.offset + " " + r.size + " " + (r.read ? "1" : "0"); }},
      {"fiu", kInSectors, 90'000'000'000'053, false, "",
       [](const Row& r) {
         return r.time + " 10 nfsd " + r.offset + " " + r.size + " " + letter(r) + " 6 0 0123456789abcdef";
       }},
      {"blkparse",
       {kSecondNs, kSectorBytes, kSectorBytes},
       0,
       true,
       "",
       [](const Row& r) {
         return "  8,0 3 1 " + r.time + " 697 I " + letter(r) + " " + r.offset + " + " + r.size + " [fio]\n  8,0 3 2 " +
                r.time + " 697 D " + letter(r) + "S " + r.offset + " + " + r.size + " [fio]";
       }},
      {"ftrace",
       {kSecondNs, kSectorBytes, kSectorBytes},
       1'234 * kSecondNs,
       true,
       "# tracer: nop\n",
       [](const Row& r) {
         return "  kworker/u8:2 x-47 [003] d..1 " + r.time + ": block_rq_issue: 259,0 " + letter(r) + " 4096 () " +
                r.offset + " + " + r.size + " [job]\n      <idle>-0 [003] d.h1 " + r.time + ": block_rq_complete: 259,0 " +
                letter(r) + " () " + r.offset + " + " + r.size + " [0]";
       }},
      {"etw",
       {kMicrosecondNs, 1, 1},
       4'210'000,
       false,
       "BeginHeader\n DiskRead, TimeStamp, Process Name ( PID), ThreadID, IrpPtr, ByteOffset, IOSize, ElapsedTime, DiskNum\n"
       "EndHeader\n",
       [](const Row& r) {
         return std::string(r.read ? "  DiskRead" : " DiskWrite") + ", " + r.time + ", a.exe (4), 7, 0xa0, " + r.offset +
                ", " + r.size + ", 5820, 3\n   CSwitch, " + r.time + ", a.exe (4), 7";
       }},
      {"fio-v2",
       {kMillisecondNs, 1, 1},
       0,
       false,
       "fio version 2 iolog\ndev add\ndev open\n",
       [](const Row& r) {
         return "dev wait " + r.time + " 0\ndev " + (r.read ? "read " : "write ") + r.offset + " " + r.size;
       }},
      {"fio-v3",
       {kMicrosecondNs, 1, 1},
       0,
       false,
       "fio version 3 iolog\n0 dev add\n0 dev open\n",
       [](const Row& r) { return r.time + " dev " + (r.read ? "read " : "write ") + r.offset + " " + r.size; }},
  };
  return all;
}

const TraceFormat& format_of(const Writer& writer) { return *find_trace_format(writer.format); }

// 3 to 200 requests of up to 128 KiB, in 4 KiB pages or in sectors, 50 us to 10 ms apart.
std::vector<Drawn> draw(RandomStream& random) {
  std::vector<Drawn> all(3 + random.below(198));
  const std::uint64_t grain = random.chance(1, 2) ? 4096 : kSectorBytes, gap_ns = 50'000 + random.below(10'000'000);
  std::uint64_t at = 0;
  for (Drawn& one : all) {
    one = {at, random.below(std::uint64_t{1} << 25) * grain, (1 + random.below((128 << 10) / grain)) * grain,
           random.chance(1, 2)};
    at += gap_ns / 2 + random.below(gap_ns);
  }
  return all;
}

std::string digits_of(std::uint64_t ns, std::uint64_t unit_ns, bool fractions) {
  std::string text = std::to_string(ns / unit_ns);
  if (fractions && unit_ns > 1) {
    const std::string below = std::to_string(ns % unit_ns);
    text += "." + std::string(std::to_string(unit_ns).size() - 1 - below.size(), '0') + below;
  }
  return text;
}

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 20> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
  return "0x" + std::string(text.data(), end);
}

// Writes the requests as a file of this format, in `units`, starting at `began_ns`.
std::string written(const Writer& writer, const std::vector<Drawn>& requests, const TraceUnits& units,
                    std::uint64_t began_ns) {
  const bool hex = std::string_view(writer.format) == "etw";
  std::string text = writer.heading;
  for (const Drawn& one : requests) {
    const std::uint64_t offset = one.offset_bytes / units.offset, size = one.length_bytes / units.size;
    text += writer.row({digits_of(began_ns + one.at_ns, units.time, writer.fractions),
                        hex ? hexadecimal(offset) : std::to_string(offset), hex ? hexadecimal(size) : std::to_string(size),
                        one.read}) +
            "\n";
  }
  return text;
}

// "op offset+length", without times, which a file may hold in coarse units.
Lines places(const TraceOptions& options) {
  Lines lines = shown(options);
  for (std::string& line : lines) line = line.substr(line.find(' ') + 1, line.find(" @") - line.find(' ') - 1);
  return lines;
}

Lines places(const std::vector<Drawn>& requests) {
  Lines lines;
  for (const Drawn& one : requests)
    lines.push_back(std::string(one.read ? "R " : "W ") + std::to_string(one.offset_bytes) + "+" +
                    std::to_string(one.length_bytes));
  return lines;
}

std::uint64_t duration_of(const TraceOptions& options) {
  Trace trace(options);
  TraceRecord last;
  for (TraceRecord record; trace.next(record);) last = record;
  return last.at_ns;
}

// The column map that a refusal suggests.
ColumnMap map_in(const std::string& message) {
  const std::size_t first = message.find("MAP.json with ") + 14;
  return read_column_map(message.substr(first, message.find('}', first) + 1 - first), "map");
}

constexpr int kDraws = 12;  // per format

}  // namespace

TEST_CASE("every recognisable format has random traces") {
  for (const TraceFormat& format : trace_formats()) {
    CAPTURE(format.name);
    const auto writes = [&format](const Writer& writer) { return std::string_view(format.name) == writer.format; };
    CHECK(std::count_if(writers().begin(), writers().end(), writes) == (format.recognisable ? 1 : 0));
  }
}

TEST_CASE("a random trace is recognised as its own format and read exactly") {
  RandomStream random(1, "drawn traces");
  for (const Writer& writer : writers()) {
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<Drawn> requests = draw(random);
      const TraceFile file(written(writer, requests, writer.units, writer.began_ns));
      CAPTURE(writer.format, i);
      const std::string message = refusal([&] { Trace trace(file.options()); });
      REQUIRE(message == "accepted");
      CHECK(Trace(file.options()).format().name == std::string(writer.format));
      CHECK(places(file.options()) == places(requests));
      const std::uint64_t whole = requests.back().at_ns, least = writer.fractions ? 1 : writer.units.time;
      CHECK(duration_of(file.options()) <= whole + least);
      CHECK(duration_of(file.options()) + least >= whole);
    }
  }
}

TEST_CASE("a random trace in bytes instead of sectors, or the reverse, is refused with a column map that reads it") {
  RandomStream random(2, "drawn traces");
  for (const Writer& writer : writers()) {
    if (format_of(writer).doubt == nullptr) continue;
    TraceUnits other = writer.units;
    const bool bytes = writer.units.offset == kSectorBytes;
    other.offset = other.size = bytes ? 1 : kSectorBytes;
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<Drawn> requests = draw(random);
      const TraceFile file(written(writer, requests, other, writer.began_ns));
      CAPTURE(writer.format, i);
      const std::string message = refusal([&] { Trace trace(file.options()); });
      REQUIRE(message.find(std::string("its columns are those of ") + writer.format + ", but the numbers look like " +
                           (bytes ? "bytes" : "sectors")) != std::string::npos);
      TraceOptions mapped = file.options();
      mapped.columns = map_in(message);
      CHECK(places(mapped) == places(requests));
      CHECK(Trace(file.options(writer.format)).doubt().find("the numbers look like ") != std::string::npos);
    }
  }
}

TEST_CASE("a random trace whose times count another unit since 1970 is refused, or read in this unit") {
  RandomStream random(3, "drawn traces");
  for (const Writer& writer : writers()) {
    if (format_of(writer).doubt == nullptr) continue;
    for (const std::uint64_t unit : {kSecondNs, kMillisecondNs, kMicrosecondNs, std::uint64_t{1}}) {
      if (unit == writer.units.time) continue;
      const std::vector<Drawn> requests = draw(random);
      TraceUnits units = writer.units;
      units.time = unit;
      const TraceFile file(written(writer, requests, units, kBegan1970));
      CAPTURE(writer.format, unit);
      if (refusal([&] { summarise_trace(file.options()); }) != "accepted") continue;
      const std::uint64_t duration = duration_of(file.options()), whole = requests.back().at_ns;  // fits another format
      CHECK((duration <= whole + unit && duration + unit >= whole));
    }
  }
}
