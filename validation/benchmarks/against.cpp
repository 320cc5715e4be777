#include "validation/benchmarks/against.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ftlab {
namespace {

using Values = std::map<std::string, nlohmann::json>;

std::string quoted(const std::string& text) {
  std::string whole = "'";
  for (const char c : text) whole += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return whole + "'";
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  char piece[4096];
  for (std::size_t got; (got = std::fread(piece, 1, sizeof piece, pipe.get())) > 0;) text.append(piece, got);
  return text;
}

Values run(const std::string& program, const AgainstOptions& options) {
  std::string command = quoted(program) + " --json" + (options.small ? " --small" : "");
  for (const std::string& section : options.sections) command += " --only " + quoted(section);
  const nlohmann::json rows = nlohmann::json::parse(output_of(command), nullptr, false);
  if (!rows.is_array()) throw std::runtime_error(program + " printed no rows of benchmarks");
  Values values;
  for (const nlohmann::json& row : rows) {
    if (row.value("compared", true)) values[row.at("name")] = row;
  }
  return values;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct Row {
  std::vector<double> here, there, speed;
};

}  // namespace

std::vector<BuildComparison> compare_builds(const std::string& own, const AgainstOptions& options) {
  std::vector<std::string> names;
  std::map<std::string, Row> rows;
  for (unsigned pair = 0; pair < options.pairs; ++pair) {
    const bool own_first = pair % 2 == 0;
    const Values first = run(own_first ? own : options.other, options);
    const Values second = run(own_first ? options.other : own, options);
    const Values& here = own_first ? first : second;
    const Values& there = own_first ? second : first;
    for (const auto& [name, row] : here) {
      const auto other = there.find(name);
      if (other == there.end()) continue;
      const double mine = row.at("value"), theirs = other->second.at("value");
      rows[name].here.push_back(mine);
      rows[name].there.push_back(theirs);
      rows[name].speed.push_back(row.at("at_most") ? theirs / mine : mine / theirs);
    }
  }
  if (rows.empty()) throw std::runtime_error(own + " and " + options.other + " have no benchmark in common");
  std::vector<BuildComparison> all;
  for (const auto& [name, row] : rows) {
    const double speed = median(row.speed);
    all.push_back({name, median(row.here), median(row.there), speed, speed < 1 - options.most_lost});
  }
  return all;
}

}  // namespace ftlab
