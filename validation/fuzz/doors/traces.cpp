// Block traces, compressed ones, and the maps of their columns.
#include <zlib.h>
#include <zstd.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/traces/address_map.h"
#include "sim/traces/formats/column_map.h"
#include "sim/traces/trace_summary.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

// A block trace in any format, read completely, summarised and mapped to a drive. The first byte chooses how it is read;
// with the highest format value, a column map and a zero byte precede the trace.

constexpr std::uint64_t kTracedBytes = 16u << 20;

// Bits 0 to 3: format, 0 for automatic. Bits 4 and 5: order. Bit 6: whole sectors. Bit 7: count bad lines.
void enter_trace(std::string_view input) {
  const std::uint8_t how = next_byte(input);
  TraceOptions options;
  options.path = kInputName;
  const std::vector<std::string> names = trace_format_names();
  const std::size_t format = how & 15;
  if (format > 0 && format <= names.size()) options.format = names[format - 1];
  constexpr TraceOrder kOrders[] = {TraceOrder::refuse, TraceOrder::clamp, TraceOrder::sort, TraceOrder::sort};
  options.order = kOrders[how >> 4 & 3];
  options.round_to_sectors = (how & 64) != 0;
  options.skip_bad_lines = (how & 128) != 0;
  try {
    if (options.format == "csv") options.columns = read_column_map(next_part(input), "columns");
    options.bytes = [&input] { return open_bytes(input, kInputName); };
    TraceSummary summary = summarise_trace(options);
    AddressMap addresses(how & 1 ? AddressPolicy::modulo : AddressPolicy::compact, kTracedBytes, summary, kInputName);
    Trace trace(options);
    for (TraceRecord record; trace.next(record);) {
      if (record.op != Op::flush) addresses.place(record);
    }
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> trace_seeds() {
  std::vector<std::string> all;
  const auto texts = joined(
      bad_texts("trace/trace-", ".trace", 1024),
      {"128166372003061629,hm,0,Read,8192,4096,151\n128166372003061729,hm,0,Write,0,8192,151\n",
       "419,W,0,16384,1577808144360767\n419,R,16384,4096,1577808144360797\n",
       "1538323200,0,8,1,1283\n1538323200,8,8,0,1283\n",
       "1455592401.003,0.000087,R,0,8192,16384\n1455592401.004,0.000087,W,0,8192,16384\n",
       "0,8,4096,r,0.1\n0,16,4096,W,0.2\n", "1,1000,2a,8192,800\n1,2000,28,8192,800\n", "0.5 0 8 16 1\n0.7 0 8 16 0\n",
       "100 0 8 16 0\n200 0 8 16 1\n", "1000 12 sh 800 8 W 6 0 0123\n2000 12 sh 800 8 R 6 0 0123\n",
       "8,0 1 1 0.1 12 Q W 8 + 8 [fio]\n8,0 1 1 0.2 12 D FWFS 8 + 8 [fio]\n",
       "fio version 2 iolog\n/dev/sda add\n/dev/sda open\n/dev/sda write 0 4096\n/dev/sda close\n",
       "fio version 3 iolog\n0 /dev/sda add\n1 /dev/sda open\n2 /dev/sda read 0 4096\n3 /dev/sda close\n"});
  for (const std::string& text : texts) {
    for (const char how : {'\0', '\xe0', '\x20'}) all.push_back(how + text);
  }
  const std::size_t formats = trace_format_names().size();
  for (std::size_t format = 1; format <= formats; ++format) {
    for (const std::string& text : {texts[texts.size() - 12], texts[texts.size() - 1], texts[texts.size() - 6]})
      all.push_back(static_cast<char>(0x80 | format) + text);
  }
  all.push_back(static_cast<char>(0xa0 | formats) +
                std::string(R"({"time":0,"op":1,"offset":2,"size":3,"time_unit":"us"})") + std::string(1, '\0') +
                "1,w,0,512\n2,r,512,512\n");
  return all;
}

// A trace compressed by gzip or zstd, or an invalid one.

void enter_packed_trace(std::string_view input) {
  TraceOptions options;
  options.path = kInputName;
  options.format = "msr";
  options.skip_bad_lines = true;
  options.bytes = [&input] { return open_bytes(input, kInputName); };
  try {
    summarise_trace(options);
  } catch (const ConfigError&) {
  }
}

std::string by_gzip(const std::string& text) {
  constexpr int kGzip = 16 + MAX_WBITS;
  z_stream state{};
  FTLAB_CHECK(deflateInit2(&state, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  std::string packed(deflateBound(&state, text.size()), '\0');
  std::string plain = text;
  state.next_in = reinterpret_cast<Bytef*>(plain.data());
  state.avail_in = static_cast<uInt>(plain.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  FTLAB_CHECK(deflate(&state, Z_FINISH) == Z_STREAM_END, "zlib");
  packed.resize(packed.size() - state.avail_out);
  deflateEnd(&state);
  return packed;
}

std::string by_zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::vector<std::string> packed_trace_seeds() {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "12816637200" + std::to_string(3061629 + 100 * i) + ",hm,0,Read,8192,4096,151\n";
  const std::string blank(std::size_t{1} << 16, '\n');
  return {by_gzip(lines), by_zstd(lines), by_gzip(lines) + by_gzip(lines), by_zstd(lines) + by_zstd(lines),
          by_zstd(blank + lines)};
}

// The map that assigns meanings to the columns of a CSV trace.

void enter_column_map(std::string_view input) {
  try {
    read_column_map(input, kInputName);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> column_map_seeds() {
  return joined(
      bad_texts("trace/trace-", ".columns", 512),
      {R"({"time":0,"op":3,"offset":4,"size":5,"time_unit":"100ns","volume":1,"separator":";","heading_lines":1,"write":["w","1"]})"});
}

}  // namespace

Door trace() { return {"trace", enter_trace, trace_seeds, 1024, 12}; }
Door packed_trace() { return {"packed_trace", enter_packed_trace, packed_trace_seeds, 1024, 2}; }
Door column_map() { return {"column_map", enter_column_map, column_map_seeds, 512, 3}; }

}  // namespace ftlab::fuzz
