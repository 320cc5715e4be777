#include "validation/compare/reading/run_facts.h"

#include <algorithm>
#include <initializer_list>

namespace ftlab {
namespace {

constexpr double kMost = 1e24;  // bytes, counts

// The value at `path`, if all keys exist.
std::optional<JsonField> find(JsonField field, std::initializer_list<const char*> path) {
  for (const char* const key : path) {
    const auto next = field.find(key);
    if (!next) return std::nullopt;
    field = *next;
  }
  return field;
}

std::optional<double> number(const JsonField& field, std::initializer_list<const char*> path) {
  const auto found = find(field, path);
  return found && !found->is_null() ? std::optional(found->number(0, kMost)) : std::nullopt;
}

std::optional<RunFacts::WriteAmplification> amplification(const JsonField& ftlab) {
  const auto whole = number(ftlab, {"wa", "total"});
  const auto written = number(ftlab, {"traffic", "host_write_bytes"});
  if (!whole || !written || *written == 0 || !ftlab.has("erases")) return std::nullopt;
  RunFacts::WriteAmplification wa;
  wa.whole_run = *whole;
  const auto at_end = ftlab.find("wa_at_end");
  if (!at_end || at_end->is_null()) return wa;
  wa.at_end = at_end->at("total").number(0, kMost);
  wa.steady = at_end->at("steady").truth();
  wa.why_not_steady = at_end->at("why_not_steady").text();
  return wa;
}

// Early versions list failed checks here as plain strings.
std::vector<RunFacts::Problem> problems_in(const JsonField& list) {
  std::vector<RunFacts::Problem> problems;
  for (const JsonField& item : list.items())
    if (item.has("code")) problems.push_back({item.at("code").text(), item.at("text").text(), item.at("remedy").text()});
  return problems;
}

RunFacts::Intervals intervals_in(const JsonField& field) {
  RunFacts::Intervals intervals;
  intervals.known = field.at("known").text();
  intervals.level = field.at("level").number(0, 1);
  for (const JsonField& job : field.at("jobs").items()) {
    for (const std::string& key : job.keys()) {
      if (key == "job" || key == "direction" || key == "load") continue;
      const std::vector<JsonField> ends = job.at(key).items();
      if (ends.size() != 2) job.at(key).refuse("is no interval", "[low, high]");
      intervals.bounds.push_back({job.at("job").text(), job.at("direction").text(), key, ends[0].number(0, kMost),
                                  ends[1].number(0, kMost)});
    }
  }
  return intervals;
}

}  // namespace

RunFacts read_run_facts(const JsonField& ftlab) {
  RunFacts facts;
  facts.simulated = ftlab.has("simulator");
  const auto clock = ftlab.find("clock");
  facts.untimed = clock && clock->text() == "untimed";
  if (const auto why = ftlab.find("ended_because")) facts.ended_because = why->text();
  if (const auto drive = ftlab.find("drive"); drive && facts.simulated) facts.drive = drive->json();
  if (const auto host = find(ftlab, {"host", "name"}); host && facts.simulated) facts.host = host->text();
  const auto simulated_bytes = number(ftlab, {"over_provisioning", "user_bytes"});
  const auto measured_bytes = number(ftlab, {"device", "size_bytes"});
  facts.capacity_bytes = static_cast<std::uint64_t>(simulated_bytes.value_or(measured_bytes.value_or(0)));
  if (const auto problems = ftlab.find("problems")) facts.problems = problems_in(*problems);
  facts.wa = amplification(ftlab);
  facts.erases_per_block = number(ftlab, {"erases", "per_block_mean"});
  facts.blocks_erased = number(ftlab, {"erases", "blocks_erased"});
  facts.tbw_bytes = number(ftlab, {"endurance", "tbw_bytes"});
  if (const auto intervals = ftlab.find("intervals"); intervals && !intervals->is_null())
    facts.intervals = intervals_in(*intervals);
  return facts;
}

}  // namespace ftlab
