#include "sim/procedures/procedure.h"

#include <algorithm>
#include <array>

#include "sim/config/reader.h"
#include "sim/config/split.h"
#include "sim/config/unit_value.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {

SteadyRounds judge_rounds(std::span<const double> rounds, const SteadyRule& rule) {
  FTLAB_CHECK(rule.window >= 2, "a window of one round has no slope");
  SteadyRounds judged;
  judged.rounds = rounds.size();
  if (rounds.size() < rule.window) return judged;
  const std::span<const double> window = rounds.last(rule.window);
  const double count = static_cast<double>(rule.window), middle = (count - 1) / 2;
  for (const double y : window) judged.average += y / count;
  double products = 0, squares = 0;
  for (std::size_t x = 0; x < window.size(); ++x) {
    products += (static_cast<double>(x) - middle) * window[x];
    squares += (static_cast<double>(x) - middle) * (static_cast<double>(x) - middle);
  }
  const auto [least, largest] = std::minmax_element(window.begin(), window.end());
  judged.first_round = rounds.size() - rule.window + 1;
  judged.range = *largest - *least;
  judged.slope = products / squares;
  judged.at_first_round = judged.average - judged.slope * middle;
  judged.slope_excursion = (judged.slope < 0 ? -judged.slope : judged.slope) * (count - 1);
  judged.reached = judged.average > 0 && 100 * judged.range <= static_cast<double>(rule.range_percent) * judged.average &&
                   100 * judged.slope_excursion <= static_cast<double>(rule.slope_percent) * judged.average;
  return judged;
}

namespace {

constexpr std::size_t kMostSteps = 1000;  // in one list
constexpr std::size_t kDeepest = 8;       // nested lists of steps
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
constexpr std::uint64_t kLongestIdleMs = std::uint64_t{366} * 24 * 3600 * 1000;

constexpr std::array<const char*, 11> kKindNames = {"purge",    "precondition", "age",         "job",    "idle",  "trim",
                                                    "snapshot", "restore",      "power_cycle", "repeat", "rounds"};

[[noreturn]] void refuse(const Node& node, const std::string& key, const std::string& problem,
                         const std::string& allowed = {}, const std::string& nearest = {}) {
  throw ConfigError({node.file, node.line}, key, problem, node.shown(), allowed, nearest);
}

bool is_word(std::string_view text, std::string_view others) {
  const auto fits = [others](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || others.find(c) != others.npos;
  };
  return !text.empty() && text.size() <= 60 && std::all_of(text.begin(), text.end(), fits);
}

std::string scalar(const Node& node, const std::string& key) {
  if (node.kind == Node::Kind::text || node.kind == Node::Kind::integer || node.kind == Node::Kind::real) return node.text;
  refuse(node, key, "must be a number or a text");
}

// Reads one document, and checks its steps' references.
class Document {
 public:
  Document(const Node& root, const std::vector<std::string>& settings) : root_(root), settings_(settings) {}

  Procedure read() {
    Reader reader(root_);
    procedure_.file = root_.file;
    procedure_.name = reader.text("name");
    reader.text_or("about", "");
    if (reader.has("variables")) read_variables(*root_.find("variables"));
    for (const std::string& setting : settings_) set_variable(setting);
    if (reader.has("report")) read_report(*root_.find("report"));
    if (!reader.has("steps")) reader.refuse("steps", "is missing");
    procedure_.steps = read_steps(*root_.find("steps"), "steps", 1);
    reader.finish();
    return std::move(procedure_);
  }

 private:
  void read_variables(const Node& node) {
    Reader must_be_object(node, "variables");
    for (const auto& [name, value] : node.members) {
      const std::string key = "variables." + name;
      if (!is_word(name, "_")) refuse(value, key, "is not a name of a variable", "letters, digits and _");
      Variable variable{name, {}, value.kind == Node::Kind::array, value.line};
      if (!variable.list) variable.values.push_back(scalar(value, key));
      for (const Node& item : value.items) variable.values.push_back(scalar(item, key));
      if (variable.values.empty()) refuse(value, key, "is an empty list");
      procedure_.variables.push_back(std::move(variable));
    }
  }

  Variable* find_variable(const std::string& name) {
    for (Variable& variable : procedure_.variables) {
      if (variable.name == name) return &variable;
    }
    return nullptr;
  }

  std::vector<std::string> variable_names() const {
    std::vector<std::string> names;
    for (const Variable& variable : procedure_.variables) names.push_back(variable.name);
    return names;
  }

  void set_variable(const std::string& setting) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    if (equals == setting.npos) throw ConfigError({"--variable", 0}, "", "lacks the value", setting, "NAME=VALUE");
    Variable* const variable = find_variable(name);
    if (variable == nullptr) {
      throw ConfigError({"--variable", 0}, name, "is not a variable of " + root_.file, {}, {},
                        nearest_name(name, variable_names()));
    }
    const std::string values = setting.substr(equals + 1);
    variable->values.clear();
    if (!variable->list) return variable->values.push_back(values);
    for (const std::string_view value : split(values, ',')) variable->values.emplace_back(value);
  }

  void read_report(const Node& node) {
    Reader must_be_object(node, "report");
    for (const auto& [name, value] : node.members) procedure_.report.emplace_back(name, scalar(value, "report." + name));
  }

  std::vector<Step> read_steps(const Node& list, const std::string& path, std::size_t depth) {
    if (list.kind != Node::Kind::array) refuse(list, path, "must be a list of steps");
    if (list.items.empty()) refuse(list, path, "has no step");
    if (list.items.size() > kMostSteps) refuse(list, path, "has too many steps", "at most " + std::to_string(kMostSteps));
    if (depth > kDeepest)
      refuse(list, path, "lies too deep", "at most " + std::to_string(kDeepest) + " lists in one another");
    std::vector<Step> steps;
    for (const Node& item : list.items) {
      steps.push_back(read_step(item, path + "[" + std::to_string(steps.size()) + "]", depth));
    }
    return steps;
  }

  Step read_step(const Node& node, const std::string& path, std::size_t depth) {
    Reader reader(node, path);
    Step step;
    step.path = path;
    step.line = node.line;
    step.kind = static_cast<StepKind>(
        reader.choice("step", {kKindNames[0], kKindNames[1], kKindNames[2], kKindNames[3], kKindNames[4], kKindNames[5],
                               kKindNames[6], kKindNames[7], kKindNames[8], kKindNames[9], kKindNames[10]}));
    const bool named = step.kind == StepKind::snapshot || step.kind == StepKind::restore;
    step.name = named ? reader.text("name") : reader.text_or("name", name_of(step.kind));
    if (!is_word(step.name, "-_.") || step.name[0] == '.')
      refuse(*node.find("name"), path + ".name", "is not a name of a folder", "letters, digits, - _ .");
    reader.text_or("about", "");
    read_kind(step, reader, node, depth);
    reader.finish();
    return step;
  }

  void read_kind(Step& step, Reader& reader, const Node& node, std::size_t depth) {
    switch (step.kind) {
      case StepKind::purge: step.new_drive = reader.choice("how", {"trim", "new-drive"}) == 1; break;
      case StepKind::precondition:
        step.measured = false;
        if (reader.has("file") || reader.has("lines")) return read_job(step, reader);
        [[fallthrough]];
      case StepKind::age: read_fill(step, reader, node); break;
      case StepKind::job:
        step.measured = reader.boolean_or("measured", true);
        step.keep = reader.boolean_or("keep", true);
        step.seed = quantity(reader, node, step.path, "seed", 0, kMostBytes, "");
        read_job(step, reader);
        break;
      case StepKind::idle: read_idle(step, reader, node); break;
      case StepKind::trim:
        step.offset_bytes = quantity(reader, node, step.path, "offset_bytes", 0, kMostBytes, "0");
        step.length_bytes = quantity(reader, node, step.path, "length_bytes", 512, kMostBytes, "");
        break;
      case StepKind::repeat: read_repeat(step, reader, node, depth); break;
      case StepKind::rounds: read_rounds(step, reader, node, depth); break;
      case StepKind::snapshot:
      case StepKind::restore:
      case StepKind::power_cycle: break;
    }
  }

  // A number, or a text with a number and its unit, or with one variable.
  DeferredNumber quantity(Reader& reader, const Node& node, const std::string& path, const char* key, std::uint64_t low,
                          std::uint64_t high, const char* otherwise) {
    DeferredNumber q{otherwise, path + "." + key, node.line, low, high};
    if (!reader.has(key)) return q;
    const Node& value = *node.find(key);
    q.line = value.line;
    if (value.kind != Node::Kind::text) {
      q.text = std::to_string(reader.integer(key, low, high));
      return q;
    }
    q.text = value.text;
    if (value_with_unit({value.file, value.line}, q.key, q.text)) return q;
    const bool variable = q.text.starts_with("${") && q.text.ends_with("}") && q.text.size() > 3;
    if (!variable)
      refuse(value, q.key, "must be an integer, a number with a unit or a variable", "as 5, \"5min\" or \"${seconds}\"");
    require_variable(value, q.key, q.text.substr(2, q.text.size() - 3), false);
    return q;
  }

  void require_variable(const Node& at, const std::string& key, const std::string& name, bool list) {
    const Variable* const variable = find_variable(name);
    if (variable == nullptr && !(name == "replicate" && !list)) {
      refuse(at, key, "is not a variable", {}, nearest_name(name, variable_names()));
    }
    if (list && !variable->list) refuse(at, key, "is not a list", "variables whose value is a list");
  }

  // True if the step names a state of --precondition.
  static bool read_state(Step& step, Reader& reader) {
    if (step.kind != StepKind::age || !reader.has("state")) return false;
    constexpr std::array<const char*, 3> kStates = {"sequential", "random", "steady"};
    step.state = kStates[reader.choice("state", {kStates[0], kStates[1], kStates[2]})];
    for (const char* key : {"pattern", "times", "by", "block_bytes", "iodepth"}) {
      if (!reader.has(key)) continue;
      reader.refuse(key, "stands beside \"state\", which is what --precondition writes", "one of the two");
    }
    return true;
  }

  void read_fill(Step& step, Reader& reader, const Node& node) {
    step.measured = false;
    if (read_state(step, reader)) return;
    step.random = reader.choice("pattern", {"sequential", "random"}) == 1;
    step.times = quantity(reader, node, step.path, "times", 1, 1000, "1");
    if (step.kind == StepKind::age) step.counted = reader.choice_or("by", {"requests", "counting"}, 0) == 1;
    if (step.counted && !step.random)
      reader.refuse("by", "counts random writes only", "requests, or \"pattern\": \"random\"");
    step.block_bytes =
        quantity(reader, node, step.path, "block_bytes", 512, std::uint64_t{1} << 30, step.random ? "4096" : "131072");
    if (step.counted) return;
    step.depth = quantity(reader, node, step.path, "iodepth", 1, 65536, "32");
  }

  void read_job(Step& step, Reader& reader) {
    const bool file = reader.has("file"), lines = reader.has("lines");
    if (file && lines) reader.refuse("lines", "stands beside \"file\"", "one of the two");
    if (!file && !lines) reader.refuse("file", "is missing", "\"file\": a job file, or \"lines\": the lines of one job");
    if (file) step.file = reader.text("file");
    if (file && step.file.empty()) reader.refuse("file", "is empty");
    if (!lines) return;
    step.lines = reader.texts("lines");
    if (step.lines.empty()) reader.refuse("lines", "is an empty list");
    for (const std::string& line : step.lines) {
      const bool one = line.find('\n') == line.npos && line.find_first_not_of(" \t") != line.npos &&
                       line.find_first_not_of(" \t") == line.find_first_not_of(" \t[");
      if (!one)
        reader.refuse("lines", "holds a string that is not a line of a job: \"" + printable(line) + "\"", "KEY=VALUE");
    }
  }

  void read_idle(Step& step, Reader& reader, const Node& node) {
    const bool seconds = reader.has("seconds"), milliseconds = reader.has("milliseconds");
    if (seconds && milliseconds) reader.refuse("seconds", "stands beside \"milliseconds\"", "one of the two");
    if (!seconds && !milliseconds) (void)reader.integer("seconds", 1, kLongestIdleMs / 1000);  // refuses the missing key
    step.milliseconds = quantity(reader, node, step.path, seconds ? "seconds" : "milliseconds", 1,
                                 seconds ? kLongestIdleMs / 1000 : kLongestIdleMs, "");
  }

  void read_repeat(Step& step, Reader& reader, const Node& node, std::size_t depth) {
    if (reader.has("over")) step.over = reader.texts("over");
    for (std::size_t i = 0; i < step.over.size(); ++i) {
      require_variable(node.find("over")->items[i], step.path + ".over[" + std::to_string(i) + "]", step.over[i], true);
      if (std::count(step.over.begin(), step.over.end(), step.over[i]) > 1) reader.refuse("over", "names a list twice");
      if (std::count(bound_.begin(), bound_.end(), step.over[i]) > 0)
        reader.refuse("over", "goes through a list that a repeat around it goes through");
    }
    step.replicates = quantity(reader, node, step.path, "replicates", 1, 10'000, "");
    if (step.over.empty() && !step.replicates.given())
      reader.refuse("over", "is missing", "lists to go through, or \"replicates\": how often");
    if (!reader.has("steps")) reader.refuse("steps", "is missing");
    const std::size_t outer = bound_.size();
    bound_.insert(bound_.end(), step.over.begin(), step.over.end());
    step.steps = read_steps(*node.find("steps"), step.path + ".steps", depth + 1);
    bound_.resize(outer);
  }

  void read_rounds(Step& step, Reader& reader, const Node& node, std::size_t depth) {
    if (in_rounds_) reader.refuse("step", "lies within other rounds");
    step.rule.window = reader.integer_or("window", 2, 100, 5);
    step.rule.range_percent = reader.integer_or("range_percent", 1, 100, 20);
    step.rule.slope_percent = reader.integer_or("slope_percent", 1, 100, 10);
    step.rule.most = reader.integer_or("most", 1, 1000, 25);
    if (step.rule.most < step.rule.window)
      reader.refuse("most", "is smaller than the window of " + std::to_string(step.rule.window) + " rounds");
    if (!reader.has("track")) reader.refuse("track", "is missing", "which figure of which row decides");
    read_track(step.track, *node.find("track"), step.path + ".track");
    if (!reader.has("steps")) reader.refuse("steps", "is missing");
    in_rounds_ = true;
    step.steps = read_steps(*node.find("steps"), step.path + ".steps", depth + 1);
    in_rounds_ = false;
  }

  void read_track(Track& track, const Node& node, const std::string& path) {
    Reader reader(node, path);
    track.line = node.line;
    track.figure = static_cast<Track::Figure>(reader.choice("figure", {"iops", "mb_per_s", "latency_mean"}));
    track.step = reader.text_or("step", "");
    if (reader.has("where")) {
      const Node& where = *node.find("where");
      Reader must_be_object(where, path + ".where");
      for (const auto& [name, value] : where.members) {
        require_variable(value, path + ".where." + name, name, false);
        track.where.emplace_back(name, scalar(value, path + ".where." + name));
      }
    }
    reader.finish();
  }

  const Node& root_;
  const std::vector<std::string>& settings_;
  Procedure procedure_;
  std::vector<std::string> bound_;  // lists that the enclosing repeats iterate over
  bool in_rounds_ = false;
};

}  // namespace

const char* name_of(StepKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

bool is_procedure(const Node& document) {
  return document.kind == Node::Kind::object && (document.find("steps") != nullptr || document.find("variables") != nullptr);
}

Procedure read_procedure(const Node& document, const std::vector<std::string>& settings) {
  return Document(document, settings).read();
}

}  // namespace ftlab
