// Saved drives in the states that forecasts start from. A state is built untimed, by writing the drive as the state says;
// every forecast of a drive in this state loads it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "validation/calibrate/drive_state.h"

namespace ftlab {

// Bytes that hold data, from the beginning of the space.
std::uint64_t written_bytes(std::uint64_t capacity_bytes, const DriveState& state);

using StateArchive = std::shared_ptr<const std::string>;

class SavedStates {
 public:
  SavedStates(const DriveConfig& config, std::uint64_t seed, const std::atomic<bool>* interrupted)
      : config_(config), seed_(seed), interrupted_(interrupted) {}

  // The states in this order. Builds those that the last call did not return, on `threads` threads, and forgets the others
  // of that call. Throws ConfigError if memory does not suffice; throws Interrupted.
  std::vector<StateArchive> of(const std::vector<DriveState>& states, unsigned threads);

 private:
  std::string built(const DriveState& state) const;

  DriveConfig config_;
  std::uint64_t seed_;
  const std::atomic<bool>* interrupted_;
  std::map<DriveState, StateArchive> kept_;
};

}  // namespace ftlab
