// For tests: the cases with known answers (validation/checks/data/write_amplification_cases.json), as questions.
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "models/theory/question.h"

namespace ftlab {

inline WaQuestion::Policy policy_of(const nlohmann::json& known) {
  using Policy = WaQuestion::Policy;
  const std::string name = known["policy"];
  if (name == "cb") {
    return known["params"].value("cb", "lfs") == "lfs" ? Policy::cost_benefit : Policy::cost_benefit_kawaguchi;
  }
  static const std::map<std::string, Policy> kByName{{"greedy", Policy::greedy},
                                                     {"random", Policy::random},
                                                     {"dchoices", Policy::d_choices},
                                                     {"fifo", Policy::fifo},
                                                     {"wgreedy", Policy::windowed_greedy}};
  return kByName.at(name);
}

inline void set_workload(WaQuestion& question, const nlohmann::json& known) {
  using Workload = WaQuestion::Workload;
  static const std::map<std::string, Workload> kByName{{"uniform", Workload::uniform},
                                                       {"seq", Workload::sequential},
                                                       {"hotcold", Workload::hot_cold},
                                                       {"zipf", Workload::zipf}};
  const nlohmann::json& params = known["params"];
  question.workload = kByName.at(known["workload"]);
  question.hot_writes = params.value("r", 0.8);
  question.hot_pages = params.value("f", 0.2);
  question.zipf = params.value("zipf", 1.0);
  question.trim = known["trim_fraction"];
  question.trim_any = params.value("trimmode", "inuse") == "any";
  question.units = params.value("unit", 1u);
  question.stored_low = params.value("cmin", 1u);
  question.stored_high = params.value("cmax", 1u);
}

inline WaQuestion question_of(const nlohmann::json& known) {
  using Frontiers = WaQuestion::Frontiers;
  static const std::map<std::string, Frontiers> kByName{{"shared", Frontiers::one},
                                                        {"hostgc", Frontiers::host_gc},
                                                        {"hc", Frontiers::hot_cold},
                                                        {"hchostgc", Frontiers::hot_cold_gc}};
  const nlohmann::json& params = known["params"];
  WaQuestion question;
  question.policy = policy_of(known);
  question.d = params.value("d", 10u);
  question.window = params.value("window", 0.1);
  question.op = known["op"];
  question.pages_per_block = known["pages_per_block"];
  question.blocks = known["data_blocks"];
  question.frontiers = kByName.at(known["frontier"]);
  set_workload(question, known);
  if (params.contains("share_hot")) {
    question.frontiers = Frontiers::pools;
    question.hot_spare = params["share_hot"];
  }
  return question;
}

inline nlohmann::json known_answers() {
  std::ifstream file(FTLAB_SOURCE_DIR "/validation/checks/data/write_amplification_cases.json");
  return nlohmann::json::parse(file)["cases"];
}

}  // namespace ftlab
