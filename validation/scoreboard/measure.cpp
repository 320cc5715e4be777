#include "validation/scoreboard/measure.h"

#include <algorithm>
#include <array>

#include "sim/core/error.h"

namespace ftlab {
namespace {

using Kind = Measure::Kind;

struct Combination {
  const char* name;
  Kind kind;
  std::size_t least, most;  // numbers of measures
};
constexpr std::array<Combination, 8> kCombinations = {{{"ratio", Kind::ratio, 2, 2},
                                                       {"difference", Kind::difference, 2, 2},
                                                       {"sum", Kind::sum, 1, 1000},
                                                       {"mean", Kind::mean, 1, 1000},
                                                       {"max", Kind::max, 1, 1000},
                                                       {"min", Kind::min, 1, 1000},
                                                       {"peak_at", Kind::peak_at, 1, 1},
                                                       {"range", Kind::range, 1, 1000}}};
constexpr char kForm[] =
    "\"RUN@DRIVE / STEP VARIABLE=VALUE ... / FIGURE\", \"RUN@DRIVE / smart ID\", \"drive DRIVE / FIGURE\", or an object of "
    "one "
    "of ratio, difference, sum, mean, max, min, peak_at, range";

[[noreturn]] void refuse_measure(const Node& node, const std::string& key, const char* problem) {
  throw ConfigError({node.file, node.line}, key, problem, node.shown(), kForm);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    const std::string_view part = trimmed(text.substr(from, to - from));
    if (!part.empty()) parts.emplace_back(part);
    from = to + separator.size();
  }
  return parts;
}

void read_selector(Measure& measure, const std::string& selector, const Node& node, const std::string& key) {
  const std::vector<std::string> words = split(selector, " ");
  measure.step = words.front();
  if (measure.step == "smart") {
    measure.kind = Kind::smart;
    if (words.size() != 2) refuse_measure(node, key, "does not name one attribute");
    measure.figure = words[1];
    return;
  }
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    const std::size_t equals = word->find('=');
    if (equals == word->npos) refuse_measure(node, key, "holds a word that is not VARIABLE=VALUE");
    const std::string name = word->substr(0, equals), value = word->substr(equals + 1);
    if (value != "*" && value.find(',') == value.npos) {
      measure.where.emplace_back(name, value);
      continue;
    }
    if (!measure.over.empty()) refuse_measure(node, key, "goes over two variables");
    measure.over = name;
    if (value != "*") measure.among = split(value, ",");
  }
}

Measure read_text(const Node& node, const std::string& key) {
  Measure measure;
  measure.file = node.file;
  measure.line = node.line;
  measure.text = node.text;
  const std::vector<std::string> parts = split(node.text, " / ");
  if (parts.size() < 2 || parts.size() > 3) refuse_measure(node, key, "is not a measure");
  if (parts[0].starts_with("drive ")) {
    if (parts.size() != 2) refuse_measure(node, key, "is not a measure");
    measure.kind = Kind::drive;
    measure.drive = trimmed(std::string_view(parts[0]).substr(6));
    measure.figure = parts[1];
    return measure;
  }
  const std::size_t at = parts[0].find('@');
  if (at == 0 || at >= parts[0].size() - 1) refuse_measure(node, key, "does not begin with RUN@DRIVE");
  measure.run = parts[0];
  measure.drive = parts[0].substr(at + 1);
  read_selector(measure, parts[1], node, key);
  if ((measure.kind == Kind::smart) != (parts.size() == 2)) refuse_measure(node, key, "is not a measure");
  if (parts.size() == 3) measure.figure = parts[2];
  return measure;
}

}  // namespace

Measure read_measure(const Node& node, const std::string& key) {
  if (node.kind == Node::Kind::text) return read_text(node, key);
  if (node.kind != Node::Kind::object || node.members.size() != 1) refuse_measure(node, key, "is not a measure");
  const auto& [name, value] = node.members.front();
  const auto* const found =
      std::find_if(kCombinations.begin(), kCombinations.end(),
                   [&name = name](const Combination& combination) { return combination.name == name; });
  if (found == kCombinations.end()) refuse_measure(node, key, "is not a measure");
  Measure measure;
  measure.kind = found->kind;
  measure.file = node.file;
  measure.line = node.line;
  measure.text = name;
  if (value.kind == Node::Kind::array) {
    for (const Node& item : value.items) measure.of.push_back(read_measure(item, key + "." + name));
  } else {
    measure.of.push_back(read_measure(value, key + "." + name));
  }
  if (measure.of.size() < found->least || measure.of.size() > found->most)
    refuse_measure(node, key, "is of too few or too many");
  return measure;
}

void visit_leaves(const Measure& measure, const std::function<void(const Measure&)>& visit) {
  if (measure.of.empty()) visit(measure);
  for (const Measure& part : measure.of) visit_leaves(part, visit);
}

}  // namespace ftlab
