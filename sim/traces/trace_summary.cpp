#include "sim/traces/trace_summary.h"

#include <algorithm>
#include <bit>

#include "sim/config/split.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

// Sets bits [first, end) of a word. Returns the number of bits that were clear.
std::uint64_t set_bits(std::uint64_t& word, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t upto = end == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  const std::uint64_t mask = upto & (~std::uint64_t{0} << first);
  const std::uint64_t fresh = mask & ~word;
  word |= mask;
  return static_cast<std::uint64_t>(std::popcount(fresh));
}

}  // namespace

std::uint64_t PageSet::key_of(std::uint32_t volume, std::uint64_t page) {
  constexpr unsigned kVolumeShift = 48;
  return std::uint64_t{volume} << kVolumeShift | page / kChunkPages;
}

PageSet::Chunk& PageSet::chunk_at(std::uint64_t key) {
  if (last_ < chunks_.size() && chunks_[last_].key == key) return chunks_[last_];
  const auto [place, is_new] = places_.try_emplace(key, chunks_.size());
  if (is_new) {
    chunks_.emplace_back();
    chunks_.back().key = key;
  }
  last_ = place->second;
  return chunks_[last_];
}

void PageSet::touch(std::uint32_t volume, std::uint64_t first, std::uint64_t end, bool written) {
  for (std::uint64_t page = first; page < end;) {
    Chunk& chunk = chunk_at(key_of(volume, page));
    const std::uint64_t word = page % kChunkPages / 64;
    const std::uint64_t bit = page % 64;
    const std::uint64_t stop = std::min<std::uint64_t>(64, bit + (end - page));
    touched_ += set_bits(chunk.touched[word], bit, stop);
    if (written) written_ += set_bits(chunk.written[word], bit, stop);
    page += stop - bit;
  }
}

void PageSet::rank() {
  std::sort(chunks_.begin(), chunks_.end(), [](const Chunk& a, const Chunk& b) { return a.key < b.key; });
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    places_[chunks_[i].key] = i;
    chunks_[i].rank = before;
    for (const std::uint64_t word : chunks_[i].touched) before += static_cast<std::uint64_t>(std::popcount(word));
  }
  last_ = 0;
}

std::uint64_t PageSet::rank_of(std::uint32_t volume, std::uint64_t page) const {
  const auto place = places_.find(key_of(volume, page));
  FTLAB_CHECK(place != places_.end(), "page " + std::to_string(page) + " was never touched");
  const Chunk& chunk = chunks_[place->second];
  const std::uint64_t word = page % kChunkPages / 64;
  FTLAB_CHECK((chunk.touched[word] >> page % 64 & 1) == 1, "page " + std::to_string(page) + " was never touched");
  std::uint64_t rank = chunk.rank;
  for (std::uint64_t i = 0; i < word; ++i) rank += static_cast<std::uint64_t>(std::popcount(chunk.touched[i]));
  return rank + static_cast<std::uint64_t>(std::popcount(chunk.touched[word] & ((std::uint64_t{1} << page % 64) - 1)));
}

namespace {

constexpr std::size_t kVolumesNamed = 8;
// Chunks of 2 MiB: 16 TiB of addresses, about 2 GB of memory. Minus the longest request, because the limit is checked after
// each request: the list never exceeds 2^23 chunks, where it would double.
constexpr std::size_t kMostChunks = (std::size_t{1} << 23) - kLongestRequestBytes / (std::size_t{2} << 20);

std::uint64_t pages_up(std::uint64_t bytes) { return (bytes + kFootprintPageBytes - 1) / kFootprintPageBytes; }

void add_place(TraceSummary& summary, const TraceRecord& record) {
  const std::uint64_t end = record.offset_bytes + record.length_bytes;
  VolumeSummary& volume = summary.volumes[record.volume];
  if (end > volume.end_bytes) {
    volume.end_bytes = end;
    volume.end_line = record.line;
  }
  const std::uint64_t first_page = record.offset_bytes / kFootprintPageBytes;
  const bool write = record.op == Op::write;
  summary.pages.touch(record.volume, first_page, pages_up(end), write);
  if (write) summary.pages_written += pages_up(end) - first_page;
  if (record.offset_bytes % kFootprintPageBytes != 0 || record.length_bytes % kFootprintPageBytes != 0) ++summary.unaligned;
  ++summary.sizes[record.length_bytes];
}

void add(TraceSummary& summary, const TraceRecord& record) {
  summary.duration_ns = record.at_ns;
  if (record.power) return;
  const auto op = static_cast<std::size_t>(record.op);
  ++summary.requests[op];
  summary.bytes[op] += record.length_bytes;
  if (record.response_ns) summary.responses[op].add(Nanoseconds{*record.response_ns});
  if (record.volume >= summary.volumes.size()) summary.volumes.resize(record.volume + 1);
  ++summary.volumes[record.volume].requests;
  if (record.op != Op::flush) add_place(summary, record);
}

// Counts power cuts. Throws if a flash watch begins before a power cut ended the last one, which no recording contains.
class PowerEvents {
 public:
  explicit PowerEvents(const std::string& path) : path_(path) {}

  void add(TraceSummary& summary, const TraceRecord& record) {
    if (summary.power_line == 0) summary.power_line = record.line;
    if (record.power.kind == PowerEvent::Kind::cut) {
      ++summary.power_cuts;
      watched_since_ = 0;
      return;
    }
    if (watched_since_ != 0)
      throw ConfigError({path_, record.line}, "",
                        "watches a flash that is watched since line " + std::to_string(watched_since_), kWatchFlash,
                        "a power-cut between the two");
    watched_since_ = record.line;
  }

 private:
  const std::string& path_;
  std::uint64_t watched_since_ = 0;  // line; 0: not watched
};

std::string named(const TraceSummary& summary) {
  std::string text;
  std::size_t more = 0;
  std::size_t shown = 0;
  for (const VolumeSummary& volume : summary.volumes) {
    if (volume.requests == 0) continue;
    if (shown++ < kVolumesNamed)
      text += (text.empty() ? "" : ", ") + printable(volume.name) + " (" + std::to_string(volume.requests) + " requests)";
    else
      ++more;
  }
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

[[noreturn]] void refuse_empty(const TraceOptions& options, const TraceCounts& counts,
                               const std::vector<std::string>& volumes) {
  if (counts.bad > 0)
    throw ConfigError(
        {options.path, 0}, "",
        "holds no request; " + std::to_string(counts.bad) + " bad lines were skipped, the first: " + counts.first_bad);
  if (volumes.empty())
    throw ConfigError({options.path, 0}, "",
                      counts.lines == 0 ? "holds no request"
                                        : "holds no request; its lines are blank, comments, headings or other events");
  const std::span named(volumes.data(), std::min(volumes.size(), kVolumesNamed));
  throw ConfigError({options.path, 0}, "--trace-volume", "no request is for this volume", options.volume, joined(named),
                    nearest_name(options.volume, volumes));
}

}  // namespace

std::uint64_t TraceSummary::span_bytes() const {
  std::uint64_t pages_in_all = 0;
  for (const VolumeSummary& volume : volumes) pages_in_all += pages_up(volume.end_bytes);
  return pages_in_all * kFootprintPageBytes;
}

std::size_t TraceSummary::volumes_used() const {
  return static_cast<std::size_t>(
      std::count_if(volumes.begin(), volumes.end(), [](const VolumeSummary& volume) { return volume.requests > 0; }));
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> TraceSummary::most_frequent_sizes(std::size_t count) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all(sizes.begin(), sizes.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  all.resize(std::min(count, all.size()));
  return all;
}

TraceSummary summarise_trace(const TraceOptions& options) {
  Trace trace(options);
  TraceSummary summary;
  PowerEvents power(options.path);
  for (TraceRecord record; trace.next(record);) {
    add(summary, record);
    if (record.power) power.add(summary, record);
    if (summary.pages.chunks() > kMostChunks)
      throw ConfigError({options.path, record.line}, "offset", "is in one more piece of 2 MiB than can be kept",
                        std::to_string(record.offset_bytes),
                        "up to " + std::to_string(kMostChunks) + " pieces, which are 16 TiB where they are full");
  }
  if (trace.counts().requests == 0) refuse_empty(options, trace.counts(), trace.volumes());
  summary.format = trace.format().name;
  summary.action = trace.action();
  summary.doubt = trace.doubt();
  summary.counts = trace.counts();
  const TraceCounts& n = summary.counts;
  FTLAB_CHECK(n.lines == n.requests - n.flushes_before + n.power_events + n.other_volumes + n.other_events +
                             n.without_request + n.bad,
              "a line of the trace was lost");
  for (std::size_t i = 0; i < summary.volumes.size(); ++i) summary.volumes[i].name = trace.volumes()[i];
  return summary;
}

void refuse_several_volumes(const TraceSummary& summary, const std::string& path) {
  if (summary.volumes_used() < 2) return;
  throw ConfigError({path, 0}, "",
                    "holds " + std::to_string(summary.volumes_used()) + " volumes: " + named(summary) +
                        "; choose one with --trace-volume, or put them side by side with --trace-volume all");
}

}  // namespace ftlab
