#include "validation/scoreboard/review.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/config/reader.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::array<const char*, 6> kClaims = {"is", "above", "below", "between", "falls", "alike"};
// Words for limits, in tolerances. level: at most one behind; clearly: one ahead; much: two and a half ahead.
constexpr std::array<const char*, 3> kLimitWords = {"level", "clearly", "much"};
constexpr double kMuch = 2.5;
constexpr std::uint64_t kLargestScale = 64;
constexpr std::uint64_t kDefaultScale = 8;

double number(const Node& node, const std::string& key) {
  if (node.kind == Node::Kind::integer) {
    const double size = static_cast<double>(node.magnitude);
    return node.negative ? -size : size;
  }
  if (node.kind == Node::Kind::real) return node.real;
  throw ConfigError({node.file, node.line}, key, "must be a number", node.shown());
}

// The unit of the last digit of a number, as it is written.
double last_digit_unit(const std::string& number) {
  const std::size_t exponent = std::min(number.find_first_of("eE"), number.size()), point = number.find('.');
  int power = exponent < number.size() ? std::stoi(number.substr(exponent + 1)) : 0;
  if (point < exponent) power -= static_cast<int>(exponent - point - 1);
  return std::pow(10.0, power);
}

[[noreturn]] void refuse(const Node& node, const std::string& key, const std::string& problem, const std::string& value = {},
                         const std::string& allowed = {}, const std::string& nearest = {}) {
  throw ConfigError({node.file, node.line}, key, problem, value, allowed, nearest);
}

const Node& list_at(const Node& node, const std::string& key, const std::string& path) {
  const Node* const list = node.find(key);
  if (list == nullptr || list->kind != Node::Kind::array) refuse(node, path + key, "must be a list");
  return *list;
}

// Reads the fields of a row that state its claim. The other fields are plain and read by a Reader.
class ClaimReader {
 public:
  ClaimReader(const Node& row, std::string path, double tolerance)
      : row_(row), path_(std::move(path)), tolerance_(tolerance) {}

  Claim read() {
    Claim claim;
    claim.kind = kind();
    claim.within = tolerance_;
    switch (claim.kind) {
      case Claim::Kind::falls: read_groups(claim); break;
      case Claim::Kind::alike: claim.of = {measures(*row_.find("alike"), path_ + "alike")}; break;
      default: claim.of = {{read_measure(required("of"), path_ + "of")}};
    }
    read_limits(claim);
    if (const Node* by = row_.find("by")) claim.by = limit(*by, path_ + "by");
    check_measures(claim);
    return claim;
  }

 private:
  const Node& required(const std::string& key) const {
    if (const Node* const node = row_.find(key)) return *node;
    refuse(row_, path_ + key, "is missing");
  }

  Claim::Kind kind() const {
    std::optional<Claim::Kind> found;
    for (std::size_t i = 0; i < kClaims.size(); ++i) {
      if (row_.find(kClaims[i]) == nullptr) continue;
      if (found) refuse(row_, path_ + kClaims[i], "is a second claim of one row");
      found = static_cast<Claim::Kind>(i);
    }
    if (!found) refuse(row_, path_, "claims nothing", {}, "one of is, above, below, between, falls, alike");
    return *found;
  }

  // A number, which the row must justify with `why`, or a word, which stands for tolerances of the row's confidence.
  double limit(const Node& node, const std::string& key) const {
    if (node.kind != Node::Kind::text) {
      if (row_.find("why") == nullptr) refuse(row_, path_ + "why", "is missing: where does the limit come from?");
      return number(node, key);
    }
    const auto word = std::find(kLimitWords.begin(), kLimitWords.end(), node.text) - kLimitWords.begin();
    switch (word) {
      case 0: return 1 / (1 + tolerance_);
      case 1: return 1 + tolerance_;
      case 2: return 1 + kMuch * tolerance_;
      default:
        refuse(node, key, "is not a word of the scoreboard", node.text, "level, clearly, much, or a number",
               nearest_name(node.text, {kLimitWords.begin(), kLimitWords.end()}));
    }
  }

  void read_limits(Claim& claim) const {
    constexpr double kNoLimit = 1e300;
    switch (claim.kind) {
      case Claim::Kind::is:
        claim.low = claim.high = number(*row_.find("is"), path_ + "is");
        claim.rounding = step() / 2;
        break;
      case Claim::Kind::above: claim.low = limit(*row_.find("above"), path_ + "above"), claim.high = kNoLimit; break;
      case Claim::Kind::below: claim.low = -kNoLimit, claim.high = limit(*row_.find("below"), path_ + "below"); break;
      case Claim::Kind::between: {
        const Node& ends = list_at(row_, "between", path_);
        if (ends.items.size() != 2) refuse(ends, path_ + "between", "must be two numbers");
        claim.low = limit(ends.items[0], path_ + "between");
        claim.high = limit(ends.items[1], path_ + "between");
        break;
      }
      default: break;
    }
  }

  // The unit to which the figure of `is` was published.
  double step() const {
    const Node* const step = row_.find("step");
    if (step == nullptr) return last_digit_unit(row_.find("is")->text);
    const double unit = number(*step, path_ + "step");
    if (unit <= 0) refuse(row_, path_ + "step", "must be above 0", step->shown());
    return unit;
  }

  // peak_at and range are sets, so only a published figure can be looked up in them. A published difference is claimed as
  // two levels; within another measure it would have the tolerance of a figure of its own.
  void check_measures(const Claim& claim) const {
    const bool figure = claim.kind == Claim::Kind::is;
    if (row_.find("step") != nullptr && !figure) refuse(row_, path_ + "step", "is for a row with `is` only");
    for (const auto& group : claim.of) {
      for (const Measure& measure : group) check_parts(measure, figure, true);
    }
  }

  static void check_parts(const Measure& measure, bool figure, bool outermost) {
    const bool set = measure.kind == Measure::Kind::peak_at || measure.kind == Measure::Kind::range;
    if (set && !(figure && outermost))
      throw ConfigError({measure.file, measure.line}, measure.text,
                        "is a set, which only `is` compares, not within a measure");
    if (measure.kind == Measure::Kind::difference && figure && !outermost)
      throw ConfigError({measure.file, measure.line}, measure.text, "is within a measure of `is`: claim its two levels");
    for (const Measure& part : measure.of) check_parts(part, figure, false);
  }

  static std::vector<Measure> measures(const Node& node, const std::string& key) {
    if (node.kind != Node::Kind::array) return {read_measure(node, key)};
    std::vector<Measure> all;
    for (const Node& item : node.items) all.push_back(read_measure(item, key));
    if (all.empty()) refuse(node, key, "is an empty list");
    return all;
  }

  void read_groups(Claim& claim) const {
    const Node& groups = list_at(row_, "falls", path_);
    if (groups.items.size() < 2) refuse(groups, path_ + "falls", "must be two groups or more");
    for (const Node& group : groups.items) claim.of.push_back(measures(group, path_ + "falls"));
  }

  const Node& row_;
  std::string path_;
  double tolerance_;
};

class ReviewReader {
 public:
  ReviewReader(const Node& document, const std::string& name) : root_(document) {
    review_.name = name;
    review_.file = document.file;
  }

  Review read() {
    Reader reader(root_);
    review_.title = reader.text("review");
    if (!reader.has("runs")) reader.refuse("runs", "is missing");
    const Node& runs = *root_.find("runs");
    if (runs.kind != Node::Kind::object) refuse(runs, "runs", "must be an object");
    for (const auto& [name, run] : runs.members) read_run(name, run);
    if (!reader.has("rows")) reader.refuse("rows", "is missing");
    const Node& rows = list_at(root_, "rows", "");
    for (std::size_t i = 0; i < rows.items.size(); ++i) read_row(rows.items[i], "rows[" + std::to_string(i) + "]");
    for (Reader& given : reader.has("given") ? reader.objects("given") : std::vector<Reader>{}) {
      review_.given.push_back({given.text("fact"), given.text("drive"), given.text("says"), given.text("why")});
      given.finish();
    }
    reader.finish();
    return std::move(review_);
  }

 private:
  void read_run(const std::string& name, const Node& node) {
    Reader reader(node, "runs." + name);
    BoardRun run;
    run.file = node.file;
    run.line = node.line;
    if (reader.has("procedure")) {
      run.procedure = reader.text("procedure");
    } else {
      if (!reader.has("steps")) reader.refuse("procedure", "is missing, as are steps");
      run.steps = procedure_of(name, node);
    }
    reader.has("procedure_variables");
    run.scale = reader.integer_or("scale", 1, kLargestScale, kDefaultScale);
    run.series_ms = reader.integer_or("series_ms", 1, 600'000, run.series_ms);
    if (reader.has("variables")) run.variables = reader.texts("variables");
    if (reader.has("set")) run.settings = reader.texts("set");
    run.host = reader.text_or("host", "");
    run.assumed = reader.text_or("assumed", "");
    run.quick = reader.boolean_or("quick", false);
    for (const std::string& drive : reader.texts("drives")) {
      run.drive = drive;
      run.name = name + "@" + drive;
      review_.runs.push_back(run);
    }
    reader.finish();
  }

  // Builds a procedure from a run's own steps and the values of their variables.
  static Node procedure_of(const std::string& name, const Node& run) {
    Node document;
    document.kind = Node::Kind::object;
    document.file = run.file;
    document.line = run.line;
    Node title = document;
    title.kind = Node::Kind::text;
    title.text = name;
    document.members.emplace_back("name", title);
    if (const Node* const values = run.find("procedure_variables")) document.members.emplace_back("variables", *values);
    document.members.emplace_back("steps", *run.find("steps"));
    return document;
  }

  void read_row(const Node& node, const std::string& path) {
    Reader reader(node, path);
    BoardRow row;
    row.line = node.line;
    row.fact = reader.text("fact");
    row.drive = reader.text("drive");
    row.kind = static_cast<RowKind>(reader.choice("kind", {"quantity", "ordering", "shape"}));
    row.says = reader.text("says");
    row.unit = reader.text_or("unit", "");
    row.confidence = static_cast<Confidence>(reader.choice("confidence", {"high", "medium", "low"}));
    row.basis = static_cast<Basis>(reader.choice("basis", {"predicted", "fitted", "restated"}));
    row.quote = reader.text("quote");
    row.group = reader.text_or("group", "");
    read_reason(reader, row);
    row.believed = reader.text_or("believed", "");
    for (const char* claim : {"is", "step", "above", "below", "between", "falls", "alike", "of", "by"}) reader.has(claim);
    reader.text_or("why", "");
    reader.finish();
    row.claim = ClaimReader(node, path + ".", tolerance_of(row.confidence)).read();
    check_group(row, path);
    check_sentence(row, path);
    for (const auto& group : row.claim.of) {
      for (const Measure& measure : group) visit_leaves(measure, [this](const Measure& leaf) { check_run(leaf); });
    }
    review_.rows.push_back(std::move(row));
  }

  static void read_reason(Reader& reader, BoardRow& row) {
    for (const char* reason : kReasonsNotToCount) {
      if (!reader.has(reason)) continue;
      if (!row.counts()) reader.refuse(reason, "is a second reason not to count the row");
      row.not_counted = reason;
      row.why_not_counted = reader.text(reason);
    }
  }

  // A sentence counts once as a claim and once as a figure, predicted or fitted.
  void check_sentence(const BoardRow& row, const std::string& path) const {
    const auto twice = std::find_if(review_.rows.begin(), review_.rows.end(), [&row](const BoardRow& other) {
      return row.counts() && other.counts() && other.quote == row.quote && other.basis == row.basis &&
             (other.kind == RowKind::quantity) == (row.kind == RowKind::quantity) &&
             (row.group.empty() || other.group != row.group);
    });
    if (twice == review_.rows.end()) return;
    throw ConfigError({review_.file, row.line}, path + ".quote",
                      "is the sentence of row " + std::to_string(twice - review_.rows.begin()) + ", with no common group",
                      row.quote);
  }

  // Rows of one group must have the same basis, and be all quantities or none.
  void check_group(const BoardRow& row, const std::string& path) const {
    if (row.group.empty()) return;
    const auto first = std::find_if(review_.rows.begin(), review_.rows.end(),
                                    [&row](const BoardRow& other) { return other.group == row.group; });
    if (first == review_.rows.end()) return;
    if (first->basis != row.basis)
      throw ConfigError({root_.file, row.line}, path + ".group", "is of a row with another basis", row.group);
    if ((first->kind == RowKind::quantity) != (row.kind == RowKind::quantity))
      throw ConfigError({root_.file, row.line}, path + ".group", "is of a row of another kind", row.group);
  }

  void check_run(const Measure& measure) const {
    if (measure.kind == Measure::Kind::drive) return;
    std::vector<std::string> names;
    for (const BoardRun& run : review_.runs) names.push_back(run.name);
    if (std::find(names.begin(), names.end(), measure.run) != names.end()) return;
    throw ConfigError({measure.file, measure.line}, measure.text, "is of a run that is not there", measure.run, {},
                      nearest_name(measure.run, names));
  }

  const Node& root_;
  Review review_;
};

}  // namespace

const char* name_of(RowKind kind) {
  constexpr const char* kNames[] = {"quantity", "ordering", "shape"};
  return kNames[static_cast<std::size_t>(kind)];
}

const char* name_of(Confidence confidence) {
  constexpr const char* kNames[] = {"high", "medium", "low"};
  return kNames[static_cast<std::size_t>(confidence)];
}

const char* name_of(Basis basis) {
  constexpr const char* kNames[] = {"predicted", "fitted", "restated"};
  return kNames[static_cast<std::size_t>(basis)];
}

double tolerance_of(Confidence confidence) {
  constexpr double kTolerances[] = {0.10, 0.20, 0.40};
  return kTolerances[static_cast<std::size_t>(confidence)];
}

Review read_review(const Node& document, const std::string& name) { return ReviewReader(document, name).read(); }

}  // namespace ftlab
