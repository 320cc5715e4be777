#include <algorithm>
#include <bit>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMost32Bits = 0xffffffff;

// Parses names: "a:b" are the logs of two clones of the job; "\\:" is a colon in a name.
void set_logs(Settings& s, const Setting& w) {
  std::vector<std::string> logs(1);
  for (std::size_t i = 0; i < w.value.size(); ++i) {
    const bool escaped = w.value.compare(i, 2, "\\:") == 0;
    if (escaped || w.value[i] != ':')
      logs.back() += w.value[escaped ? ++i : i];
    else
      logs.emplace_back();
  }
  for (const std::string& log : logs)
    if (log.empty()) refuse(w, "name missing");
  s.replay.logs = std::move(logs);
}

// Parses a list like "write,trim".
void set_skips(Settings& s, const Setting& w) {
  s.replay.skips = {};
  for (std::size_t first = 0; first <= w.value.size();) {
    const std::size_t end = std::min(w.value.find(',', first), w.value.size());
    Setting one = w;
    one.value = w.value.substr(first, end - first);
    s.replay.skips[choice_of(one, "read write trim sync")] = true;
    first = end + 1;
  }
}

void set_align(Settings& s, const Setting& w) {
  s.replay.align = number_between(s, w, 0, kMost32Bits);
  if (s.replay.align != 0 && !std::has_single_bit(s.replay.align))
    refuse(w, "is not a power of two, which fio requires", "0, 512, 1k, 2k, 4k, ...");
}

void set_sequence_log(Settings& s, const Setting& w) {
  if (text_of(w).find('/') != std::string::npos)
    refuse(w, "would leave the result folder; the sequence is written there as NAME_iolog.N.log", "a name without /");
  s.replay.sequence_log = w.value;
}

constexpr Option kReplayOptions[] = {
    {"read_iolog", "", Form::text, set_logs},
    {"read_iolog_chunked", "", Form::flag, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"replay_no_stall", "", Form::flag, [](Settings& s, const Setting& w) { s.replay.no_stall = parse_switch(w); }},
    {"replay_time_scale", "", Form::value,
     [](Settings& s, const Setting& w) { s.replay.time_percent = number_between(s, w, 1, 1'000'000); }},
    {"replay_scale", "", Form::value,
     [](Settings& s, const Setting& w) { s.replay.scale = number_between(s, w, 1, kMost32Bits); }},
    {"replay_align", "", Form::value, set_align},
    {"replay_redirect", "", Form::text, [](Settings& s, const Setting& w) { s.replay.redirect = text_of(w); }},
    {"replay_skip", "", Form::value, set_skips},
    {"write_iolog", "", Form::text, set_sequence_log},
};

}  // namespace

std::span<const Option> replay_options() { return kReplayOptions; }

}  // namespace ftlab
