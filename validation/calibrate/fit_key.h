// A number of a drive file that a calibration may move: where it stands, how far it may go, and what is believed of it
// before anything is measured.
//
// On the command line a key is named as --set names it, with bounds where the usual ones do not fit: nand.read_ns or
// nand.read_ns:20000:90000. Provenance is the prior: a datasheet's number is narrow, an assumed one wide (kPriors). Both the
// prior and the usual bounds are factors, so a key is fitted by its logarithm; one that is 0, or may become 0, is fitted as
// it stands and needs bounds of its own: its prior's deviation is then half of the way between them.
//
// nand.read_ns and nand.program_ns of a flash whose file has a time for each kind of page (read_lower_ns, read_upper_ns)
// scale them all alike: the key's value is their mean. So do host.submit_ns and host.complete_ns of a host that states
// reads and writes apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/config/reader.h"

namespace ftlab {

struct Prior {
  Provenance from;
  double deviation;        // of the logarithm
  std::uint64_t most_off;  // the usual bounds: value / most_off to value * most_off
};
// How far off numbers of each kind may be. Stated, not measured: a datasheet's typical time against that of a part is within
// 10 % or so; who assumes a number means its order.
const Prior& prior_of(Provenance from);

// What stands at a dotted path of a document; null: nothing.
const Node* node_at(const Node& root, std::string_view path);

struct FitKey {
  // A number of the document that the key moves.
  struct Part {
    std::string path;
    std::uint64_t value = 0;  // in the base
  };

  std::string path;
  std::vector<Part> parts;  // one, of the key's own path; or those of each kind of page
  std::uint64_t value = 0;  // in the base; of several parts their mean
  Provenance from = Provenance::assumed;
  std::string source;
  bool sourced = true;  // the drive file states where it comes from
  std::uint64_t low = 0, high = 0;
  bool logarithmic = true;
  double deviation = 0;  // of the prior: of the logarithm, or of the value

  // The scale of the fit: 0 is the value in the base, 1 a deviation of the prior more.
  double position(double at_value) const;
  double value_at(double position) const;
  std::uint64_t rounded_at(double position) const;  // within [low, high]
  // Of a difference quotient: some per cent, and two of the key's own steps at least.
  double step() const;
  // A deviation on the scale of the fit, in the key's own unit, around `value`.
  double deviation_at(double at_value, double deviation_on_scale) const;
};

// Which keys a fit may move.
enum class Reach : std::uint8_t {
  // What says how long things take, or how many may be under way (nand, link, controller, dram, host; of a disk all but what
  // it holds): the others change where data lie, and a forecast from a saved state would need a state of its own.
  times,
  // Every number, of SSDs and of disks, for forecasts that carry out whole runs. Not one that counts so few that a step of
  // the fit, some per cent, is none.
  all
};

// Reads "KEY" or "KEY:LOW:HIGH" against a drive's document. Throws ConfigError.
FitKey parse_fit_key(std::string_view text, const Node& drive, Reach reach = Reach::times);

// All of them; refuses a key that is named twice, and one that is not the same in all drives. Throws ConfigError.
std::vector<FitKey> parse_fit_keys(const std::vector<std::string>& texts, const std::vector<Node>& drives,
                                   Reach reach = Reach::times);

// A part of the key, when the key has this value.
std::uint64_t part_at(const FitKey& key, const FitKey::Part& part, std::uint64_t value);
void set_key(Node& drive, const FitKey& key, std::uint64_t value);
// The drive's document with the keys at these positions.
Node drive_at(const Node& base, const std::vector<FitKey>& keys, const std::vector<double>& positions);
std::vector<Node> drives_at(const std::vector<Node>& bases, const std::vector<FitKey>& keys,
                            const std::vector<double>& positions);

}  // namespace ftlab
