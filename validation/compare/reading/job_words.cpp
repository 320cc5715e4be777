#include "validation/compare/reading/job_words.h"

#include <algorithm>
#include <array>

#include "sim/config/split.h"
#include "sim/workload/jobs/units.h"
#include "sim/workload/options/kinds.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kKilo = 1024;
constexpr std::string_view kDefaultBlock = "4096";
constexpr std::array<std::string_view, 6> kOneAtATime = {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"};

// The first option with that name or synonym; null if the job has none.
const Setting* find(const JobWords& words, std::string_view name, std::string_view synonym = {}) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const Setting& word) {
    return word.key == name || (!synonym.empty() && word.key == synonym);
  });
  return found == words.end() ? nullptr : &*found;
}

std::uint64_t number_or(const Setting* word, std::uint64_t least, std::uint64_t most, std::uint64_t otherwise) {
  return word == nullptr ? otherwise : parse_number(*word, word->value, kKilo, least, most);
}

std::uint64_t kilo_of(const JobWords& words) { return number_or(find(words, "kb_base"), 1000, 1024, kKilo); }

Pattern pattern_of(const JobWords& words) {
  const Setting* const rw = find(words, "rw", "readwrite");
  if (rw != nullptr) return parse_pattern(*rw, kilo_of(words));
  Pattern reads;
  reads.reads = true;
  return reads;
}

// "4k,8k" is reads, then writes and trims; an empty part is fio's default.
std::string of_direction(const std::string& list, Direction direction) {
  const std::vector<std::string_view> parts = split(list, ',');
  const std::string_view part = parts[std::min(static_cast<std::size_t>(direction), parts.size() - 1)];
  return std::string(part.empty() ? kDefaultBlock : part);
}

bool says_block_size(const Setting& word) {
  constexpr std::array<std::string_view, 5> kKeys = {"bs", "blocksize", "bsrange", "blocksize_range", "bssplit"};
  return std::find(kKeys.begin(), kKeys.end(), word.key) != kKeys.end();
}

void take_block(const JobWords& words, Direction direction, Workload& workload) {
  const auto word = std::find_if(words.begin(), words.end(), says_block_size);
  if (word != words.end() && word->key != "bs" && word->key != "blocksize") {
    workload.block_sizes = word->key + "=" + word->value;
    return;
  }
  const Setting setting = word == words.end() ? Setting{"bs", std::string(kDefaultBlock), true, false, {}} : *word;
  workload.block_bytes = parse_number(setting, of_direction(setting.value, direction), kilo_of(words), 1, kMostBlockBytes);
}

// Synchronous engines, fio's default included, send one request at a time and ignore iodepth.
std::uint64_t depth_of(const JobWords& words) {
  const std::uint64_t depth = number_or(find(words, "iodepth"), 1, kMostDepth, 1);
  const Setting* const engine = find(words, "ioengine");
  const bool waits =
      engine == nullptr || std::find(kOneAtATime.begin(), kOneAtATime.end(), engine->value) != kOneAtATime.end();
  return waits ? 1 : depth;
}

}  // namespace

std::string access_name(const std::string& rw) {
  constexpr std::string_view kLong = "readwrite";
  const std::string text(trimmed(rw));
  return text.starts_with(kLong) ? "rw" + text.substr(kLong.size()) : text;
}

Workload workload_of(const JobWords& words, Direction direction) {
  Workload workload;
  const Setting* const rw = find(words, "rw", "readwrite");
  workload.rw = rw == nullptr ? "read" : access_name(rw->value);
  const Pattern pattern = pattern_of(words);
  if (pattern.mixed()) {
    const Setting* const writes = find(words, "rwmixwrite");
    const std::uint64_t otherwise = 100 - number_or(writes, 0, 100, 50);
    workload.read_percent = number_or(find(words, "rwmixread"), 0, 100, otherwise);
  }
  take_block(words, direction, workload);
  workload.depth = depth_of(words);
  workload.jobs = number_or(find(words, "numjobs"), 1, kMostJobs, 1);
  return workload;
}

bool is_buffered(const JobWords& words) {
  const auto direct = std::find_if(words.begin(), words.end(),
                                   [](const Setting& word) { return word.key == "direct" || word.key == "buffered"; });
  if (direct == words.end()) return true;
  const bool on = direct->value.empty() || direct->value == "1";
  return on == (direct->key == "buffered");
}

bool goes(const JobWords& words, Direction direction) {
  const Pattern pattern = pattern_of(words);
  switch (direction) {
    case Direction::read: return pattern.reads;
    case Direction::write: return pattern.writes;
    case Direction::trim: return pattern.trims;
  }
  return false;
}

}  // namespace ftlab
