// Tests the rules of loaded states (sim/core/rule.h) by class: each rule is broken alone, in an otherwise sound state, and
// must refuse it. At its bound the rules must accept the state.
#pragma once

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/core/archive.h"
#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/core/rule.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

namespace ftlab {

// Friend of every class with a saved state (sim/core/rule.h), for tests in separate files.
struct LoadedStates {
  struct Rules;       // loaded_states_test.cpp
  struct LayerRules;  // loaded_layer_states_test.cpp
  struct Invariants;  // invariants_test.cpp
};

}  // namespace ftlab

namespace ftlab::testing {

// Writes, reads and trims of one to four pages, one at a time, always the same.
inline void use(Drive& drive, int requests) {
  RandomStream random(7, "requests");
  const std::uint64_t pages = drive.config().user_bytes / 4096;
  for (int i = 0; i < requests; ++i) {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::read, Op::trim};
    Request request{0, kOps[random.below(7)], random.below(pages - 4) * 4096, (1 + random.below(4)) * 4096,
                    drive.idle_from()};
    request.content = {1 + random.below(50), 600};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
  }
}

inline constexpr char kPasses[] = "";  // accepted by all rules; a later check may fail

template <class Part>
struct Change {
  const char* otherwise;  // message of the broken rule
  void (*make)(Part& it);
};

// The rules of a class.
struct Tables {
  std::set<std::string> sentences, known;  // to be broken here; all
  template <class... Rules>
  explicit Tables(const Rules&... rules) {
    (add(rules), ...);
  }
  template <class Rules>
  void add(const Rules& rules) {
    all().insert(rules.data());
    for (const auto& rule : rules) sentences.insert(rule.otherwise);
    known = sentences;
  }
  static std::set<const void*>& all() {
    static std::set<const void*> addresses;
    return addresses;
  }
};

// Without the section of the archive.
inline std::string sentence(const std::string& message) {
  const std::size_t section = message.find(": ");
  const std::size_t problem = message.find(": ", section + 2);
  return problem == std::string::npos ? message : message.substr(problem + 2);
}

template <class Part>
std::string saved(Part& part) {
  Archive out = Archive::saving();
  part.archive(out);
  return out.finish();
}

template <class Part>
void load(Part& part, const std::string& state) {
  Archive in = Archive::viewing(state);
  part.archive(in);
  in.end();
}
inline void load(Drive& drive, const std::string& state) { drive.load(state); }

template <class Part>
std::string refusal(Part& part, const std::string& state) {
  try {
    load(part, state);
  } catch (const ArchiveError& error) {
    return sentence(error.what());
  } catch (const CheckFailed&) {  // failures that rules do not cover
  }
  return kPasses;
}

template <class Part>
using Changes = std::vector<Change<Part>>;

// `said_of` applies a change, loads the state and returns the refusal.
template <class Part, class SaidOf>
void try_changes(const Tables& tables, const Changes<Part>& changes, const SaidOf& said_of) {
  std::set<std::string> broken;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string said = said_of(changes[i]);
    INFO("change " << i << ": " << said);
    if (std::string_view(changes[i].otherwise) == kPasses)
      CHECK(tables.known.count(said) == 0);
    else
      CHECK(said == changes[i].otherwise);
    broken.insert(changes[i].otherwise);
  }
  for (const std::string& rule : tables.sentences) {
    INFO(rule);
    CHECK(broken.count(rule) == 1);
  }
}

// make() creates a sound component, fresh() one to load its state into.
template <class Part, class Make, class Fresh>
void try_rules(const Tables& tables, const Make& make, const Fresh& fresh, const Changes<Part>& changes) {
  Part sound = make();
  Part other = fresh();
  REQUIRE(refusal(other, saved(sound)) == kPasses);
  try_changes(tables, changes, [&](const Change<Part>& change) {
    Part changed = make(), loaded = fresh();
    change.make(changed);
    return refusal(loaded, saved(changed));
  });
}
template <class Part, class Make>
void try_rules(const Tables& tables, const Make& make, const Changes<Part>& changes) {
  try_rules(tables, make, make, changes);
}

// Like try_rules(), with a used drive of the design.
inline void try_drive(const Tables& tables, const Node& design, const Changes<Drive>& changes) {
  const DriveConfig config = read_drive(design);
  Drive used(config, Clock::timed, 3);
  use(used, 600);
  const std::string good = used.save();
  try_changes(tables, changes, [&](const Change<Drive>& change) {
    Drive changed(config, Clock::timed, 3), loaded(config, Clock::timed, 3);
    changed.load(good);
    change.make(changed);
    return refusal(loaded, changed.save());
  });
}

// Number of rule tables in the sources of these folders, to detect classes without tests.
inline std::size_t tables_in_sources(std::initializer_list<const char*> folders) {
  std::size_t tables = 0;
  for (const char* const folder : folders) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(FTLAB_SOURCE_DIR) / folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name.ends_with("_test.cpp") || name == "rule.h") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string words = text.str();
      for (std::size_t at = 0; (at = words.find("> kRules[] = {", at)) != std::string::npos; ++at) ++tables;
    }
  }
  return tables;
}

}  // namespace ftlab::testing
