// A trace compressed by gzip or zstd, or an invalid one.
#include <zlib.h>
#include <zstd.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/traces/trace_summary.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

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

}  // namespace

Door packed_trace() { return {"packed_trace", enter_packed_trace, packed_trace_seeds, 1024, 2}; }

}  // namespace ftlab::fuzz
