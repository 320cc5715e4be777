// One file of the scoreboard (configs/scoreboard/NAME.json): what a review published, the runs that reproduce it, and how
// the two are compared. The keys are listed in configs/scoreboard/README.md.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/scoreboard/measure.h"

namespace ftlab {

// A procedure on one drive, as short and as small as the row's author found sufficient.
struct BoardRun {
  std::string name;       // NAME@DRIVE
  std::string drive;      // name in the library, or a path
  std::string host;       // like drive; empty: no cost except what `settings` state
  std::string procedure;  // path below configs/jobs; empty: use `steps`
  Node steps;             // document of a procedure
  std::uint64_t scale = 8;
  std::uint64_t series_ms = 1000;  // interval of rates over time
  std::vector<std::string> variables;
  std::vector<std::string> settings;
  std::string assumed;  // why it differs from the review's procedure
  bool quick = false;   // part of --quick
  std::string file;
  std::size_t line = 0;
};

struct Claim {
  enum class Kind : std::uint8_t { is, above, below, between, falls, alike };
  Kind kind = Kind::is;
  std::vector<std::vector<Measure>> of;  // falls: groups, highest first; others: one group
  double low = 0, high = 0;              // is: both are the published figure
  double by = 1;                         // falls: least factor between one group and the next; 1: any higher value
  double within = 0;                     // is: share of the figure; alike: share of the least. Given by the row's confidence
  double rounding = 0;                   // is: half a unit of the last digit that was published
};

enum class RowKind : std::uint8_t { quantity, ordering, shape };
enum class Confidence : std::uint8_t { high, medium, low };
// Origin of a row's simulated value. predicted: the model alone. fitted: a number of a drive, a host or a procedure was set
// by this figure, or by one that it follows from. restated: an input is read back.
enum class Basis : std::uint8_t { predicted, fitted, restated };
inline constexpr Basis kBases[] = {Basis::predicted, Basis::fitted, Basis::restated};

// Keys of a row that say why it does not count: any outcome of the model satisfies it; the publication supposes, explains or
// only implies it; another statement of the publication contradicts it; the model has no such figure.
inline constexpr std::array<const char*, 4> kReasonsNotToCount = {"vacuous", "guess", "contradicted", "not_simulated"};

struct BoardRow {
  std::string fact;  // fact ID
  std::string drive;
  RowKind kind = RowKind::quantity;
  std::string says;
  std::string quote;  // the sentence, or the line of a table, that the row restates
  std::string unit;
  Claim claim;
  Confidence confidence = Confidence::high;
  Basis basis = Basis::predicted;
  bool held_out = false;        // set for its fact: no number may be fitted to it
  std::string group;            // rows of one review with the same figure or claim; they count as one
  std::string not_counted;      // one of kReasonsNotToCount; empty: the row counts
  std::string why_not_counted;  // its explanation
  std::string believed;         // presumed reason for a miss
  std::size_t line = 0;

  bool counts() const { return not_counted.empty(); }
};

// A fact that a run cannot show: an input, a method, an explanation.
struct GivenFact {
  std::string fact, drive, says, why;
};

struct Review {
  std::string name;   // file name without extension
  std::string title;  // publication
  std::string file;
  std::vector<BoardRun> runs;
  std::vector<BoardRow> rows;
  std::vector<GivenFact> given;
};

const char* name_of(RowKind kind);
const char* name_of(Confidence confidence);
const char* name_of(Basis basis);
// Largest allowed error as a share of a figure; largest difference between values called alike.
double tolerance_of(Confidence confidence);

// Throws ConfigError for an invalid key, run or claim, and for a measure of an unknown run.
Review read_review(const Node& document, const std::string& name);

}  // namespace ftlab
