// Version of each sector of a device, as runs of sectors: memory and time depend on the number of entries, not on the number
// of sectors that an entry names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace ftlab {

class SectorVersions {
 public:
  // Within a run the version rises by `step` from sector to sector.
  explicit SectorVersions(std::uint64_t step) : step_(step) {}
  SectorVersions(SectorVersions&&) = default;
  SectorVersions(const SectorVersions&) = delete;  // last_ points into runs_

  // Gives the sectors [first, end) the versions `version`, `version` + step and so on, unless they have a later one.
  // Logarithmic in the number of runs, and linear in the runs of the range. REQUIRES: first < end.
  void raise(std::uint64_t first, std::uint64_t end, std::uint64_t version);

  // Returns none if the sector has no version. Constant time for ascending sectors, else logarithmic.
  std::optional<std::uint64_t> at(std::uint64_t sector) const;

  std::uint64_t sectors() const;  // with a version; linear in the number of runs

 private:
  struct Run {
    std::uint64_t end = 0;
    std::uint64_t version = 0;  // version of the first sector
  };
  using Runs = std::map<std::uint64_t, Run>;  // by first sector; without overlaps

  std::uint64_t version_at(Runs::const_iterator run, std::uint64_t sector) const {
    return run->second.version + step_ * (sector - run->first);
  }
  void split(std::uint64_t sector);

  std::uint64_t step_;
  Runs runs_;
  mutable Runs::const_iterator last_;  // found by the last at()
  mutable bool has_last_ = false;
};

}  // namespace ftlab
