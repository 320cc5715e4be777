// Reports what the reads of a device returned, without the bytes: as the number (version) of the write that each granule
// comes from. Granules are mapping pages on a simulated drive, and sectors on a real one, whose data contain the version.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab {

// Rules by which the host predicts versions. A version counts the granules written so far, in order of submission and of
// place; a granule that is partly written counts like a whole one. 0: never written, or trimmed.
struct VersionRules {
  // Content of a trimmed granule.
  enum class Trimmed : std::uint8_t {
    nothing,
    old_data,  // trims have no effect
    either     // the old data, then nothing from a time on that the device chooses
  };

  std::uint64_t granule_bytes = 0;
  std::uint64_t trim_bytes = 0;  // a trim affects only whole multiples of it inside its range
  Trimmed trimmed = Trimmed::nothing;
  std::uint64_t newest = 0;  // latest version; 0: nothing has ever been written
};

// Filled by the device, emptied by the reader.
struct ContentLog {
  // State of a granule whose bytes a real device has checked. Simulated devices always return `whole`.
  enum class Found : std::uint8_t {
    whole,      // has a version; 0: nothing
    zero,       // zeros: counts as nothing
    foreign,    // bytes not written by this run: counts as nothing
    torn,       // written by this run, but incomplete
    misplaced,  // written by this run, but to another place
  };
  struct Returned {
    std::uint64_t tag;
    std::uint64_t granule;  // granule number on the device
    std::uint64_t version;
    Found found = Found::whole;
  };
  // Part of a write or trim that the device did not carry out; the content of its granules is unknown.
  struct Refused {
    std::uint64_t from_bytes, end_bytes;
  };

  std::vector<Returned> returned;  // the granules of each read in order, at the latest when it completes
  std::vector<Refused> refused;    // at the latest when it completes
  bool renumbered = false;         // all versions have been renumbered since the last request
};

}  // namespace ftlab
