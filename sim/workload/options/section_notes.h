// Notes about the options of one section, each at the line of its option.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/workload/options/region.h"

namespace ftlab {

class SectionNotes {
 public:
  SectionNotes(const Settings& settings, const Section& section, std::vector<Note>& notes)
      : settings_(settings), section_(section), notes_(notes) {}

  // Pass a problem and its remedy if the figures of the run do not follow the option.
  void add(const char* option, std::string text, std::optional<ProblemCode> problem = {}, std::string remedy = {}) {
    const Setting line = line_of(settings_, section_, option);
    notes_.push_back({line.place.file, line.place.line, "[" + printable(section_.name) + "] " + std::move(text), problem,
                      std::move(remedy)});
  }
  bool is_set(const char* option) const { return settings_.written.count(option) != 0; }

 private:
  const Settings& settings_;
  const Section& section_;
  std::vector<Note>& notes_;
};

}  // namespace ftlab
