// What the recording of a drive says of its power, between the requests (ftlab serve --record, sim/traces).
#pragma once

#include <cstdint>
#include <string_view>

namespace ftlab {

struct PowerEvent {
  enum class Kind : std::uint8_t {
    none,         // it is a request
    watch_flash,  // with nothing outstanding: from now on it is known what the flash is at, so that a cut strikes amid it
    cut           // the power fails
  };

  Kind kind = Kind::none;
  std::uint64_t fates = 0;  // of a cut: seed of what becomes of the operations that are under way

  explicit operator bool() const { return kind != Kind::none; }
};

// The words behind "ftlab" in a message line of blkparse: "watch-flash", and "power-cut fates=SEED".
inline constexpr std::string_view kPowerMessage = "ftlab";
inline constexpr std::string_view kWatchFlash = "watch-flash";
inline constexpr std::string_view kPowerCut = "power-cut";
inline constexpr std::string_view kFates = "fates=";

}  // namespace ftlab
