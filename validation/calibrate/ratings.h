// Ratings of a data sheet, as `ftlab init --rated` takes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ftlab {

// How a maker's figures are measured. Sheets state rates at a deep queue, latencies with one request outstanding.
enum class Rating : std::uint8_t {
  sequential_read,   // bytes/s, 128 KiB
  sequential_write,  // bytes/s, 128 KiB; with a pSLC cache: into it
  random_read,       // 4 KiB per second
  random_write,      // 4 KiB per second; in the steady state, with a pSLC cache: into it
  read_latency,      // ns, 4 KiB at random, one outstanding
  write_latency,     // ns, 4 KiB, one outstanding
  written_bytes,     // bytes that the host may write (TBW)
  slc_cache          // bytes that fill the pSLC cache of an empty drive
};
inline constexpr std::size_t kRatings = 8;

const char* name_of(Rating rating);                       // as in --rated: "seq_read"
std::string rating_text(Rating rating, double value);  // "6.8 GB/s", "85.0 k/s", "80 us"

class Ratings {
 public:
  // Parses "seq_read=6.8GB/s,rand_write=85k,read_latency=80us,tbw=1700TB". Throws ConfigError, naming --rated.
  explicit Ratings(std::string_view text);

  // In the unit of the rating; nullopt if the sheet does not state it.
  const std::optional<double>& of(Rating rating) const { return values_[static_cast<std::size_t>(rating)]; }
  bool has(Rating rating) const { return of(rating).has_value(); }

 private:
  std::array<std::optional<double>, kRatings> values_;
};

}  // namespace ftlab
