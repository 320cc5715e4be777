#include "validation/run/trace_input.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

namespace ftlab {
namespace {

std::string counted(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

using Json = nlohmann::ordered_json;

constexpr std::size_t kSizesShown = 10;
constexpr std::size_t kVolumesShown = 100;
constexpr std::size_t kVolumesPrinted = 10;
constexpr std::size_t kEventsShown = 6;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t of(const std::array<std::uint64_t, kOpCount>& counts, Op op) { return counts[static_cast<std::size_t>(op)]; }

std::uint64_t data_requests(const TraceSummary& s) { return s.counts.requests - of(s.requests, Op::flush); }

double write_share(const TraceSummary& s) {
  return share(of(s.requests, Op::write), of(s.requests, Op::write) + of(s.requests, Op::read));
}

// Page writes per distinct written page.
double overwrite_ratio(const TraceSummary& s) { return share(s.pages_written, s.pages.written()); }

Json by_op(const std::array<std::uint64_t, kOpCount>& counts) {
  return {{"read", of(counts, Op::read)},
          {"write", of(counts, Op::write)},
          {"trim", of(counts, Op::trim)},
          {"flush", of(counts, Op::flush)}};
}

// Volume names come from the file; invalid UTF-8 is escaped as in messages.
Json volumes(const TraceSummary& s) {
  Json list = Json::array();
  for (const VolumeSummary& volume : s.volumes) {
    if (volume.requests > 0 && list.size() < kVolumesShown)
      list.push_back({{"name", printable(volume.name)}, {"requests", volume.requests}, {"span_bytes", volume.end_bytes}});
  }
  return list;
}

Json sizes(const TraceSummary& s) {
  Json list = Json::array();
  for (const auto& [bytes, count] : s.most_frequent_sizes(kSizesShown))
    list.push_back({{"bytes", bytes}, {"requests", count}});
  return list;
}

Json times_json(const Histogram& times) {
  const auto at = [&times](double percent) { return std::min(times.percentile_ns(percent), times.max_ns()); };
  return {{"requests", times.count()}, {"mean_ns", times.mean_ns()}, {"p50_ns", at(50)}, {"p99_ns", at(99)}};
}

std::string sizes_text(const TraceSummary& s) {
  std::string text;
  for (const auto& [bytes, count] : s.most_frequent_sizes(5)) {
    std::array<char, 64> part;
    std::snprintf(part.data(), part.size(), "%s%llu B %.1f %%", text.empty() ? "" : ", ",
                  static_cast<unsigned long long>(bytes), 100 * share(count, data_requests(s)));
    text += part.data();
  }
  return text;
}

std::string line(const char* form, ...) __attribute__((format(printf, 1, 2)));
std::string line(const char* form, ...) {
  std::array<char, 240> text;
  std::va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text.data(), text.size(), form, arguments);
  va_end(arguments);
  return text.data();
}

unsigned long long wide(std::uint64_t number) { return number; }
double mb(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

std::string volumes_text(const TraceSummary& s) {
  if (s.volumes_used() < 2) return {};
  std::string text = line("  volumes     %zu:", s.volumes_used());
  std::size_t shown = 0;
  for (const VolumeSummary& volume : s.volumes) {
    if (volume.requests == 0 || shown++ >= kVolumesPrinted) continue;
    text += line(" %s (%llu)", printable(volume.name).c_str(), wide(volume.requests));
  }
  return text + (shown > kVolumesPrinted ? " ...\n" : "\n");
}

std::string events_text(const TraceCounts& n) {
  std::vector<std::pair<std::string, std::uint64_t>> events(n.events.begin(), n.events.end());
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(events.size(), kEventsShown); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(events[i].second) + " " + printable(events[i].first);
  return text + (events.size() > kEventsShown ? " and others" : "");
}

}  // namespace

Json trace_json(const TraceSummary& s) {
  Json json = {{"format", s.format}};
  if (s.action != 0) json["action"] = std::string(1, s.action);
  const TraceCounts& n = s.counts;
  json.update({{"lines", n.lines},
               {"lines_without_request", n.without_request},
               {"lines_of_other_events", n.other_events},
               {"other_events", n.events},
               {"lines_of_other_volumes", n.other_volumes},
               {"bad_lines_skipped", n.bad},
               {"records", n.requests},
               {"flushes_before_writes", n.flushes_before},
               {"power_events", n.power_events},
               {"out_of_order", n.out_of_order},
               {"rounded_to_sectors", n.rounded},
               {"requests", by_op(s.requests)},
               {"bytes", by_op(s.bytes)},
               {"write_share", write_share(s)},
               {"duration_ns", s.duration_ns},
               {"span_bytes", s.span_bytes()},
               {"footprint_bytes", s.footprint_bytes()},
               {"written_footprint_bytes", s.pages.written() * kFootprintPageBytes},
               {"overwrite_ratio", overwrite_ratio(s)},
               {"unaligned_share", share(s.unaligned, data_requests(s))},
               {"sizes", sizes(s)},
               {"volume_count", s.volumes_used()},
               {"volumes", volumes(s)}});
  return json;
}

Json response_times_json(const TraceSummary& s, const RunStats& stats) {
  Json json = Json::object();
  for (const auto& [name, op, direction] :
       {std::tuple{"read", Op::read, Direction::read}, {"write", Op::write, Direction::write}}) {
    const Histogram& recorded = s.responses[static_cast<std::size_t>(op)];
    if (recorded.count() == 0) continue;
    const Histogram& simulated = stats.jobs.front().directions[static_cast<std::size_t>(direction)].latency;
    const bool timed = stats.ended > Nanoseconds{0} && simulated.count() > 0;
    json[name] = {{"recorded", times_json(recorded)}, {"simulated", timed ? times_json(simulated) : Json(nullptr)}};
    Json& by = json[name]["simulated_by_recorded"];
    for (const char* figure : {"p50_ns", "p99_ns"}) {
      const double before = json[name]["recorded"][figure].get<double>();
      const std::string ratio = std::string(figure).substr(0, 3);
      by[ratio] = timed && before > 0 ? Json(json[name]["simulated"][figure].get<double>() / before) : Json(nullptr);
    }
  }
  return json;
}

std::string trace_text(const TraceSummary& s) {
  const auto count = [&s](Op op) { return wide(of(s.requests, op)); };
  const auto volume_mb = [&s](Op op) { return mb(of(s.bytes, op)); };
  std::string text =
      line("  requests    %llu: %llu reads (%.1f MB), %llu writes (%.1f MB), %llu trims (%.1f MB), %llu flushes\n",
           wide(s.counts.requests), count(Op::read), volume_mb(Op::read), count(Op::write), volume_mb(Op::write),
           count(Op::trim), volume_mb(Op::trim), count(Op::flush));
  text += line("  writes      %.1f %% of reads and writes; each page written %.2f times\n", 100 * write_share(s),
               overwrite_ratio(s));
  text += line("  footprint   %.1f MB in pages of 4 KiB, span %.1f MB, %.1f %% of requests no whole pages\n",
               mb(s.footprint_bytes()), mb(s.span_bytes()), 100 * share(s.unaligned, data_requests(s)));
  text += line("  duration    %.3f s\n", static_cast<double>(s.duration_ns) / 1e9);
  if (s.power_cuts > 0) text += line("  power cuts  %llu\n", wide(s.power_cuts));
  return text + "  sizes       " + sizes_text(s) + "\n" + volumes_text(s);
}

std::vector<std::string> trace_notes(const TraceSummary& s, const TraceOptions& options) {
  std::vector<std::string> notes;
  const TraceCounts& n = s.counts;
  if (!s.doubt.empty()) notes.push_back(s.doubt + "; it is read as --trace-format says");
  if (n.other_events > 0)
    notes.push_back(counted(n.other_events, "line") + " of other events left out: " + events_text(n));
  if (n.bad > 0) notes.push_back(counted(n.bad, "bad line") + " skipped, the first: " + n.first_bad);
  if (n.out_of_order > 0) {
    notes.push_back(counted(n.out_of_order, "record") + " earlier than one before, " +
                    (options.order == TraceOrder::sort ? "sorted by time" : "served at the time of the latest before"));
  }
  if (n.rounded > 0) notes.push_back(counted(n.rounded, "request") + " widened to whole sectors of 512 bytes");
  if (n.flushes_before > 0)
    notes.push_back(counted(n.flushes_before, "write") + " with a flush before, which is a request of its own");
  return notes;
}

}  // namespace ftlab
