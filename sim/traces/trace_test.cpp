// Properties of traces in any format: lines, order, volumes, compression, and faults that must not pass unnoticed.
#include "sim/traces/trace.h"

#include <zlib.h>
#include <zstd.h>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "sim/traces/testing/traces.h"
#include "sim/traces/trace_summary.h"

using namespace ftlab;

namespace {

using Lines = std::vector<std::string>;

std::string gzipped(const std::string& text) {
  z_stream state{};
  std::string out(text.size() + 1024, '\0');
  REQUIRE(deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&state, Z_FINISH) == Z_STREAM_END);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

std::string zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3);
  REQUIRE(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

// One line of an Alibaba trace.
std::string row(std::uint64_t at_us, char op = 'W', std::uint64_t offset = 0, std::uint64_t length = 4096,
                const std::string& volume = "7") {
  return volume + "," + op + "," + std::to_string(offset) + "," + std::to_string(length) + "," + std::to_string(at_us) +
         "\n";
}

// Longer than several of each buffer, and hard to compress.
std::string long_trace(std::uint64_t count) {
  RandomStream random(1, "long trace");
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += row(i, 'W', random.below(1 << 20) * 4096, 4096 * (1 + random.below(8)));
  return text;
}

std::vector<std::uint64_t> times(const TraceOptions& options) {
  std::vector<std::uint64_t> at;
  Trace trace(options);
  for (TraceRecord record; trace.next(record);) at.push_back(record.at_ns);
  return at;
}

std::string refused(const TraceOptions& options) {
  const std::string message = refusal([&] { summarise_trace(options); });
  return message.starts_with(options.path) ? message.substr(options.path.size()) : message;
}

}  // namespace

TEST_CASE("gzip and zstd give the same records as plain text, in one or several parts") {
  const std::string text = long_trace(100'000);
  const std::string first = text.substr(0, 1'000'003);
  const std::string second = text.substr(first.size());
  const Lines plain = shown(TraceFile(text).options());
  REQUIRE(plain.size() == 100'000);
  CHECK(shown(TraceFile(gzipped(text)).options()) == plain);
  CHECK(shown(TraceFile(gzipped(first) + gzipped(second)).options()) == plain);
  CHECK(shown(TraceFile(zstandard(text)).options()) == plain);
  CHECK(shown(TraceFile(zstandard(first) + zstandard(second)).options()) == plain);
}

TEST_CASE("text that compresses a thousandfold is read completely") {
  std::string text = row(1);
  for (int i = 0; i < 200'000; ++i) text += "# nothing happens here, and that is said again and again\n";
  text += row(2);
  CHECK(shown(TraceFile(gzipped(text)).options()).size() == 2);
  CHECK(shown(TraceFile(zstandard(text)).options()).size() == 2);
}

TEST_CASE("truncated or damaged compressed data are refused, never read as a short trace") {
  const std::string text = long_trace(50'000);
  for (const std::string& whole : {gzipped(text), zstandard(text)}) {
    for (const std::size_t length : {std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
      const TraceFile file(whole.substr(0, length));
      CHECK(refused(file.options("alibaba")).find("ends in the middle of its") != std::string::npos);
    }
    std::string damaged = whole;
    damaged[whole.size() - 6] = static_cast<char>(damaged[whole.size() - 6] ^ 0x10);
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x10);
    CHECK(refused(TraceFile(damaged).options("alibaba")) != "accepted");
    CHECK(refused(TraceFile(whole + "more").options("alibaba")).find("or something else behind them") != std::string::npos);
  }
}

TEST_CASE("a line of 64 KiB is read, a longer one is refused by its number") {
  const std::string comment = "#" + std::string(kLongestLine - 1, 'x');
  CHECK(shown(TraceFile(row(1) + comment + "\n" + row(2)).options()).size() == 2);
  CHECK(refused(TraceFile(row(1) + comment + "x\n" + row(2)).options("alibaba")) ==
        ":2: the line is longer than 65536 bytes");
  CHECK(refused(TraceFile(row(1) + std::string(1 << 20, 'x')).options("alibaba")) ==
        ":2: the line is longer than 65536 bytes");
}

TEST_CASE("a record earlier than one before it is refused by its line, unless the user chooses otherwise") {
  const TraceFile file(row(10) + row(40) + row(20) + row(30) + row(50));
  TraceOptions options = file.options();
  CHECK(refused(options) ==
        ":3: is 20000 ns earlier than a record before it (allowed: --trace-order clamp, or --trace-order sort)");
  options.order = TraceOrder::clamp;
  CHECK(times(options) == std::vector<std::uint64_t>{0, 30'000, 30'000, 30'000, 40'000});
  CHECK(summarise_trace(options).counts.out_of_order == 2);
  options.order = TraceOrder::sort;
  CHECK(times(options) == std::vector<std::uint64_t>{0, 10'000, 20'000, 30'000, 40'000});
  CHECK(summarise_trace(options).counts.out_of_order == 2);
}

TEST_CASE("sorting reorders records within its window and refuses records beyond it") {
  std::string text = row(1000);
  for (std::size_t i = 0; i < kSortWindow - 2; ++i) text += row(1001 + i);
  TraceOptions options = TraceFile("").options();
  const TraceFile reachable(text + row(999) + row(2'000'000));
  options.path = reachable.path();
  options.order = TraceOrder::sort;
  CHECK(times(options).at(1) == 1000);
  const TraceFile too_far(text + row(1'000'000) + row(1'000'001) + row(999));
  options.path = too_far.path();
  CHECK(refused(options) ==
        ":65538: is 2000 ns earlier than a record 65536 places before it (allowed: --trace-order clamp)");
}

TEST_CASE("sorting keeps the order of records with equal times") {
  const TraceFile file(row(5, 'W', 4096) + row(5, 'R', 8192) + row(5, 'W', 0) + row(4, 'R', 512, 512));
  TraceOptions options = file.options();
  options.order = TraceOrder::sort;
  CHECK(shown(options) ==
        Lines{"0 R 512+512 @7 :4", "1000 W 4096+4096 @7 :1", "1000 R 8192+4096 @7 :2", "1000 W 0+4096 @7 :3"});
}

TEST_CASE("recorded response times use the unit of the format, are split by direction, and are skipped if missing") {
  const TraceFile msr(
      "128166372003061629,hm,0,Read,0,4096,300\n128166372003061630,hm,0,Write,0,4096,1400\n"
      "128166372003061631,hm,0,Read,0,4096,\n");
  const TraceSummary ours = summarise_trace(msr.options("msr"));
  const auto of = [](const TraceSummary& summary, Op op) { return summary.responses[static_cast<std::size_t>(op)]; };
  CHECK((of(ours, Op::read).count() == 1 && of(ours, Op::read).max_ns() == 30'000));
  CHECK((of(ours, Op::write).count() == 1 && of(ours, Op::write).max_ns() == 140'000));
  const TraceFile systor("1455592200.5,0.000123,W,0,0,4096\n1455592200.6,,R,0,0,4096\n");
  const TraceSummary theirs = summarise_trace(systor.options("systor"));
  CHECK((of(theirs, Op::write).count() == 1 && of(theirs, Op::write).max_ns() == 123'000));
  CHECK(of(theirs, Op::read).count() == 0);
  const TraceSummary mute = summarise_trace(TraceFile(row(5) + row(6)).options());
  for (const Histogram& times : mute.responses) CHECK(times.count() == 0);
}

TEST_CASE("one volume is selected; the others are counted and do not affect the order") {
  const TraceFile file(row(10, 'W', 0, 4096, "a") + row(5, 'R', 0, 4096, "b") + row(20, 'R', 4096, 512, "a"));
  TraceOptions options = file.options();
  options.volume = "a";
  const TraceSummary summary = summarise_trace(options);
  CHECK(summary.counts.requests == 2);
  CHECK(summary.counts.other_volumes == 1);
  CHECK(summary.volumes_used() == 1);
  options.volume = "c";
  CHECK(refused(options) == ": --trace-volume: no request is for this volume (got c; allowed: a, b)");
}

TEST_CASE("several volumes without a selection are refused, naming them") {
  const TraceFile file(row(1, 'W', 0, 4096, "a") + row(2, 'R', 0, 4096, "b") + row(3, 'R', 0, 4096, "a"));
  const TraceSummary summary = summarise_trace(file.options());
  CHECK(refusal([&] { refuse_several_volumes(summary, "t"); }) ==
        "t: holds 2 volumes: a (2 requests), b (1 requests); choose one with --trace-volume, or put them side by side with "
        "--trace-volume all");
}

TEST_CASE("a bad line is refused by its number, or counted; the other lines are read") {
  const TraceFile file(row(1) + "7,X,0,4096,2\n" + row(3) + "7,W,0,4096\n" + row(5));
  TraceOptions options = file.options("alibaba");
  CHECK(refused(options) == ":2: opcode: is not an operation (got X; allowed: R (read), W (write))");
  options.skip_bad_lines = true;
  const TraceSummary summary = summarise_trace(options);
  CHECK(summary.counts.requests == 3);
  CHECK(summary.counts.bad == 2);
  CHECK(summary.counts.lines == 5);
  CHECK(summary.counts.first_bad == "line 2: opcode: is not an operation (got X)");
}

TEST_CASE("requests that are not whole sectors are bad, or widened and counted") {
  const TraceFile file(row(1, 'W', 100, 500) + row(2, 'R', 512, 1025) + row(3, 'R', 1024, 512));
  TraceOptions options = file.options();
  CHECK(refused(options) ==
        ":1: offset: is not a multiple of 512 bytes (got 100; allowed: whole sectors, or --trace-round)");
  options.round_to_sectors = true;
  CHECK(shown(options) == Lines{"0 W 0+1024 @7 :1", "1000 R 512+1536 @7 :2", "2000 R 1024+512 @7 :3"});
  CHECK(summarise_trace(options).counts.rounded == 2);
}

TEST_CASE("a file without requests is refused") {
  CHECK(refused(TraceFile("").options("msr")) == ": holds no request");
  CHECK(refused(TraceFile("# nothing\n\n").options("msr")) ==
        ": holds no request; its lines are blank, comments, headings or other events");
  CHECK(refused(TraceFile(gzipped("")).options("msr")) == ": holds no request");
}

TEST_CASE("a trace summary matches a manual count") {
  const TraceFile file(row(10, 'W', 0, 8192) + row(20, 'W', 4096, 4096) + row(25, 'R', 512, 512) +
                       row(40, 'R', 1 << 20, 65536));
  const TraceSummary summary = summarise_trace(file.options());
  CHECK(summary.requests == std::array<std::uint64_t, kOpCount>{2, 2, 0, 0});
  CHECK(summary.bytes == std::array<std::uint64_t, kOpCount>{66048, 12288, 0, 0});
  CHECK(summary.duration_ns == 30'000);
  CHECK(summary.unaligned == 1);
  CHECK(summary.pages_written == 3);
  CHECK(summary.pages.written() == 2);
  CHECK(summary.footprint_bytes() == 18 * 4096);
  CHECK(summary.span_bytes() == (1 << 20) + 65536);
  CHECK(summary.most_frequent_sizes(2) == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{512, 1}, {4096, 1}});
}

TEST_CASE("a trace with more than 65536 volumes is refused") {
  std::string text;
  for (std::size_t i = 0; i <= kMostVolumes; ++i) text += row(i, 'R', 0, 512, std::to_string(i));
  CHECK(refused(TraceFile(text).options("alibaba")) ==
        ":65537: volume: is one too many (got 65536; allowed: up to 65536 volumes in a file)");
}

TEST_CASE("a file that unpacks to far more than any trace is refused while unpacking") {
  std::string blank(std::size_t{80} << 20, '#');  // comments: fewer lines than blank ones
  for (std::size_t end = 1023; end < blank.size(); end += 1024) blank[end] = '\n';
  const std::string message = "unpacks to more than 1000 times its size, which is not plausible for a trace";
  CHECK(refused(TraceFile(zstandard(blank)).options("msr")).find(message) != std::string::npos);
  CHECK(refused(TraceFile(zstandard(blank.substr(0, 60 << 20))).options("msr")).find("holds no request") !=
        std::string::npos);
}

TEST_CASE("a trace that touches too many addresses is refused by its line", "[.][long]") {  // 2 GB
  std::string text;
  for (std::uint64_t i = 0; i < 4097; ++i) text += row(i, 'W', i << 32, std::uint64_t{1} << 32);
  const std::string message = refused(TraceFile(text).options("alibaba"));
  CHECK(message.find("4096: offset: is in one more piece of 2 MiB than can be kept (got 17587891077120; allowed: up to "
                     "8386560 pieces, which are 16 TiB where they are full)") != std::string::npos);
}

TEST_CASE("a line with too long a volume name is bad") {
  CHECK(refused(TraceFile(row(1, 'W', 0, 4096, std::string(5000, 'v'))).options("alibaba"))
            .find("volume: has too long a name") != std::string::npos);
}

TEST_CASE("a trace in memory gives the same records as its file") {
  const std::string text = gzipped(long_trace(20'000));
  TraceOptions options = TraceFile(text).options();
  const TraceFile file(text);
  options.bytes = [&text] { return open_bytes(text, "memory"); };
  CHECK(times(options) == times(file.options()));
}
