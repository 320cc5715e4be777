// What a drive file says that a measurement of it would show: each measured workload simulated for a moment, on a drive in
// the state in which the real one was. The state is made once, untimed; every forecast forks it. The same seeds every time
// (common random numbers), so that two forecasts differ by their drives alone; the work is cut into the same pieces however
// many threads carry it out, so that their number changes nothing. A disk has no state: what it holds changes nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "validation/compare/reading/measurement.h"
#include "validation/run/open_device.h"

namespace ftlab {

// What the drive held when it was measured.
struct DriveState {
  enum class Kind : std::uint8_t {
    unwritten,   // nothing: reads are answered without the flash
    sequential,  // written once, in order
    random       // written in order and then twice over at random: the steady state of random writes
  };
  Kind kind = Kind::sequential;
  std::uint32_t percent = 100;  // of the user space, from its beginning
};

// "unwritten", "sequential", "random", with a share as in "sequential:15%". Throws ConfigError.
DriveState parse_drive_state(std::string_view text);
// The same, and of "fit" each of the three, of which the fit is to find the one that agrees best. Throws ConfigError.
std::vector<DriveState> parse_drive_states(std::string_view text);
std::string name_of(const DriveState& state);

struct PredictionOptions {
  DriveState state;
  std::uint64_t seed = 1;
  std::uint64_t requests = 6000;  // measured in each run, or 2 for each that may be outstanding, if that is more
  unsigned threads = 0;           // 0: as many as there are cores
  const std::atomic<bool>* interrupted = nullptr;
};

// What was simulated of one point. Latency is counted as that of points: from when the submission has returned.
struct PredictedFigures {
  double iops = 0;
  double latency_mean_ns = 0;
  std::vector<double> percentiles_ns;  // those that the point has
};

class Prediction {
 public:
  // Makes the state. Throws ConfigError when the drive cannot carry out what a point asks for.
  Prediction(const Node& drive, std::vector<Point> points, const PredictionOptions& options);

  // For each of the drives: the figures of every point. They differ from the one that the state was made with by times,
  // rates and queue depths. Throws ConfigError when the state does not fit one of them; Interrupted.
  std::vector<std::vector<PredictedFigures>> of(const std::vector<Node>& drives) const { return of(drives, options_.seed); }
  std::vector<std::vector<PredictedFigures>> of(const std::vector<Node>& drives, std::uint64_t seed) const;

  const std::vector<Point>& points() const { return points_; }
  std::uint64_t seed() const { return options_.seed; }

 private:
  // One workload; its points are those of its directions.
  struct Run {
    std::vector<std::size_t> points;
  };
  // Runs that follow one another on one fork of the state. Only reads, or few writes: they leave the state as it is.
  struct Piece {
    std::vector<std::size_t> runs;
  };
  void plan();
  void execute(const DeviceConfig& config, const Piece& piece, std::uint64_t seed,
               std::vector<PredictedFigures>& figures) const;
  template <class Simulated>
  void run_piece(Simulated& drive, const HostSoftwareConfig& host_software, const Piece& piece, std::uint64_t seed,
                 std::vector<PredictedFigures>& figures) const;
  std::unique_ptr<Drive> forked(const DriveConfig& config) const;

  std::vector<Point> points_;
  PredictionOptions options_;
  std::vector<Run> runs_;
  std::vector<Piece> pieces_;
  std::string state_;  // of an SSD
};

}  // namespace ftlab
