// Power events in the recording of a drive, between its requests (ftlab serve --record, sim/traces).
#pragma once

#include <cstdint>
#include <string_view>

namespace ftlab {

struct PowerEvent {
  enum class Kind : std::uint8_t {
    none,         // not a power event, but a request
    watch_flash,  // when idle: tracks flash operations from now on, so that a cut can interrupt them
    cut           // power failure
  };

  Kind kind = Kind::none;
  std::uint64_t fates = 0;  // cut only: seed for the outcomes of the interrupted flash operations

  explicit operator bool() const { return kind != Kind::none; }
};

// Words after "ftlab" in a message line of blkparse: "watch-flash", or "power-cut fates=SEED".
inline constexpr std::string_view kPowerMessage = "ftlab";
inline constexpr std::string_view kWatchFlash = "watch-flash";
inline constexpr std::string_view kPowerCut = "power-cut";
inline constexpr std::string_view kFates = "fates=";

}  // namespace ftlab
