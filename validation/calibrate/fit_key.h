// A number of a drive file that a calibration may move: its path, its bounds and its prior.
//
// On the command line a key is named as for --set, with bounds if the usual ones do not fit: nand.read_ns or
// nand.read_ns:20000:90000. Provenance determines the prior: narrow for a datasheet's number, wide for an assumed one
// (kPriors). Prior and usual bounds are factors, so a key is fitted by its logarithm. A key that is 0, or may become 0, is
// fitted linearly and needs explicit bounds; its prior's deviation is then half of the distance between them.
//
// nand.read_ns and nand.program_ns of a flash whose file has a time for each page type (read_lower_ns, read_upper_ns) scale
// all of these by the same factor; the key's value is their mean. So do host.submit_ns and host.complete_ns of a host that
// states reads and writes separately.
//
// state.unwritten and state.random are shares of the drive's state (drive_state.h), from 0 to 1 unless bounds are given as
// in state.unwritten:0.5:0.9. Their priors are wide: half of the distance between the bounds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/config/reader.h"
#include "validation/run/open_device.h"

namespace ftlab {

struct FitKey {
  // A number of the document that the key moves.
  struct Part {
    std::string path;
    std::uint64_t value = 0;  // in the base
  };

  std::string path;
  std::vector<Part> parts;  // one, at the key's own path; or one for each page type
  std::uint64_t value = 0;  // in the base; mean of several parts
  Provenance from = Provenance::assumed;
  std::string source;
  bool sourced = true;  // the drive file states its source
  std::uint64_t low = 0, high = 0;
  bool logarithmic = true;
  double deviation = 0;            // standard deviation of the prior; of the logarithm or the value
  std::uint64_t parts_of_one = 1;  // values count such parts: those of a share are millionths

  // Scale of the fit: 0 is the value in the base, 1 is one deviation of the prior above it.
  double position(double at_value) const;
  double value_at(double position) const;
  std::uint64_t rounded_at(double position) const;  // within [low, high]
  // Step of difference quotients: a few per cent, but at least two of the key's units.
  double step() const;
  bool is_of_state() const { return path.starts_with("state."); }
  // A value or deviation as people read it: 71000, or 0.8012 of a share.
  std::string shown(double at_value) const;
  // Converts a deviation on the scale of the fit to the key's unit, at `at_value`.
  double deviation_at(double at_value, double deviation_on_scale) const;
};

// Which keys a fit may move.
enum class Reach : std::uint8_t {
  // Numbers that set times or numbers of parallel operations (nand, link, controller, dram, host; disks: all except geometry
  // and user_sectors), and shares of the state. Others change where data lie, so each forecast would need its own saved
  // state.
  times,
  // All numbers of SSDs and disks, for forecasts that execute whole runs. Excludes numbers so small that a step of the fit,
  // a few per cent, does not change them.
  all
};

// Parses "KEY" or "KEY:LOW:HIGH" for a drive's document. Throws ConfigError.
FitKey parse_fit_key(std::string_view text, const Node& drive, Reach reach = Reach::times);

// Parses all keys. Throws ConfigError, also for a key named twice or with different values in the drives.
std::vector<FitKey> parse_fit_keys(const std::vector<std::string>& texts, const std::vector<Node>& drives,
                                   Reach reach = Reach::times);

// Value of a part if the key has this value.
std::uint64_t part_at(const FitKey& key, const FitKey::Part& part, std::uint64_t value);
void set_key(Node& drive, const FitKey& key, std::uint64_t value);
// The drive's document with the keys at these positions.
Node drive_at(const Node& base, const std::vector<FitKey>& keys, const std::vector<double>& positions);
std::vector<Node> drives_at(const std::vector<Node>& bases, const std::vector<FitKey>& keys,
                            const std::vector<double>& positions);

}  // namespace ftlab
