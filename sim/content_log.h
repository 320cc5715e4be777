// How a device tells what its reads returned, without bytes: by the number of the write that each granule comes from. A
// simulated drive knows it of its mapping pages; a real one, of sectors, when their numbers are written into the data.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab {

// What the host must know to predict the versions. They count the granules that are written, in order of submission and of
// place; a granule that is written in part counts like a whole one. 0: never written, or trimmed.
struct VersionRules {
  // What a trimmed granule returns.
  enum class Trimmed : std::uint8_t {
    nothing,
    old_data,  // trims have no effect
    either     // the old data first, nothing from a moment on that the device chooses
  };

  std::uint64_t granule_bytes = 0;
  std::uint64_t trim_bytes = 0;  // a trim concerns whole multiples of it inside its range
  Trimmed trimmed = Trimmed::nothing;
  std::uint64_t newest = 0;  // version so far; 0: nothing has ever been written
};

// Filled by the device, emptied by whoever reads it.
struct ContentLog {
  // What a granule looks like, of which a real device reads the bytes. Simulated ones return it whole.
  enum class Found : std::uint8_t {
    whole,      // with a version; 0: nothing
    zero,       // zeros, which is nothing
    foreign,    // bytes that this run did not write; nothing, as far as it is concerned
    torn,       // of this run, but not all of it is there
    misplaced,  // of this run, but written to another place
  };
  struct Returned {
    std::uint64_t tag;
    std::uint64_t granule;  // its number on the device
    std::uint64_t version;
    Found found = Found::whole;
  };
  // A write or trim that the device did not carry out from this byte on; what its granules hold is not known.
  struct Refused {
    std::uint64_t from_bytes, end_bytes;
  };

  std::vector<Returned> returned;  // of each read its granules in order, at the latest when it completes
  std::vector<Refused> refused;    // at the latest when it completes
  bool renumbered = false;         // all versions have other numbers than before the last request
};

}  // namespace ftlab
