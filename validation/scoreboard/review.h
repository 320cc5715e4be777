// One file of the scoreboard (configs/scoreboard/NAME.json): what a review published, what is run to see it, and how the two
// are held against each other. The keys are listed in configs/scoreboard/README.md.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/scoreboard/measure.h"

namespace ftlab {

// A procedure on one drive, as short and as small as the row's author found sufficient.
struct BoardRun {
  std::string name;       // NAME@DRIVE
  std::string drive;      // of the library, or a path
  std::string host;       // as drive; empty: costs nothing but what `settings` say
  std::string procedure;  // below configs/jobs; empty: `steps` says it
  Node steps;             // a procedure's document
  std::uint64_t scale = 8;
  std::uint64_t series_ms = 1000;  // interval of rates over time
  std::vector<std::string> variables;
  std::vector<std::string> settings;
  std::string assumed;  // why it differs from what the review did
  bool quick = false;   // part of --quick
  std::string file;
  std::size_t line = 0;
};

struct Claim {
  enum class Kind : std::uint8_t { is, above, below, between, falls, alike };
  Kind kind = Kind::is;
  std::vector<std::vector<Measure>> of;  // falls: groups, the first the highest; others: one group
  double low = 0, high = 0;              // is: both the figure published
  double by = 1;                         // falls: how many times higher each group is, at least; 1: higher at all
  double within = 0;                     // is: share of the figure; alike: of the least. By the row's confidence alone
};

enum class RowKind : std::uint8_t { quantity, ordering, shape };
enum class Confidence : std::uint8_t { high, medium, low };
// What answers a row: the model, which nobody told; a number of a drive, a host or a procedure that was set by this figure,
// or by one that it follows from; an input that is read back.
enum class Basis : std::uint8_t { predicted, fitted, restated };
inline constexpr Basis kBases[] = {Basis::predicted, Basis::fitted, Basis::restated};

struct BoardRow {
  std::string fact;  // its id
  std::string drive;
  RowKind kind = RowKind::quantity;
  std::string says;
  std::string unit;
  Claim claim;
  Confidence confidence = Confidence::high;
  Basis basis = Basis::predicted;
  bool held_out = false;  // its fact is: no number may be fitted to it
  std::string group;      // rows of one review that tell one figure, or one claim, count as one
  std::string vacuous;    // why any outcome of the model satisfies it; such a row does not count
  std::string believed;   // why it misses
  std::size_t line = 0;
};

// A fact that is no result of a run: an input, a method, an explanation.
struct GivenFact {
  std::string fact, drive, says, why;
};

struct Review {
  std::string name;   // of the file
  std::string title;  // publication
  std::string file;
  std::vector<BoardRun> runs;
  std::vector<BoardRow> rows;
  std::vector<GivenFact> given;
};

const char* name_of(RowKind kind);
const char* name_of(Confidence confidence);
const char* name_of(Basis basis);
// How far a figure may be off, as a share of it; how far what is called alike may lie apart.
double tolerance_of(Confidence confidence);

// Throws ConfigError: a key, a run or a claim that is not understood, a measure of a run that is not there.
Review read_review(const Node& document, const std::string& name);

}  // namespace ftlab
