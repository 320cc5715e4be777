#include "sim/workload/relations.h"

#include <algorithm>

namespace ftlab {

namespace {

bool block_sizes_differ(const Settings& s) {
  return std::any_of(s.block_bytes.begin(), s.block_bytes.end(), [&](auto bytes) { return bytes != s.block_bytes[0]; });
}

bool is_lfsr(const Settings& s) { return s.pattern.random && s.random_kind == RandomKind::lfsr; }
bool is_mapped(const Settings& s) { return s.pattern.random && s.random_map && !is_lfsr(s); }

void check_lfsr(const Settings& s, const Section& section) {
  if (is_lfsr(s) && block_sizes_differ(s))
    refuse(line_of(s, section, "bs"), "with random_generator=lfsr and different block sizes fio issues nothing at all",
           "one block size for all directions");
}

void check_trim_then_write(const Settings& s, const Section& section) {
  const auto& bytes = s.block_bytes;
  const std::size_t write = static_cast<std::size_t>(Direction::write), trim = static_cast<std::size_t>(Direction::trim);
  if (s.pattern.trim_then_write && !s.pattern.random && bytes[write] != bytes[trim])
    refuse(line_of(s, section, "bs"), "trimwrite writes the block that it has trimmed; the two sizes differ",
           "equal sizes for write and trim");
}

void check_skip(const Settings& s, const Section& section, const Region& region) {
  const std::uint64_t skip = static_cast<std::uint64_t>(std::abs(s.pattern.sequential_skip_bytes));
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  if (skip != 0 && skip >= bytes)
    refuse(line_of(s, section, "rw"), "the skip is as long as the region, which has " + std::to_string(bytes) + " bytes");
}

class Notes {
 public:
  Notes(const Settings& settings, const Section& section, std::vector<Note>& notes)
      : settings_(settings), section_(section), notes_(notes) {}

  void add(const char* option, std::string text) {
    const Setting line = line_of(settings_, section_, option);
    notes_.push_back({line.place.file, line.place.line, "[" + printable(section_.name) + "] " + std::move(text)});
  }

 private:
  const Settings& settings_;
  const Section& section_;
  std::vector<Note>& notes_;
};

void note_host(const Settings& s, Notes& notes) {
  if (s.written.count("direct") == 0 && s.written.count("buffered") == 0)
    notes.add("direct", "direct=1 is not written: fio on a real drive would go through the page cache, here requests are direct");
  if (s.synchronous && s.depth > 1)
    notes.add("iodepth", "iodepth=" + std::to_string(s.depth) + " counts as 1: the engine " +
                             (s.written.count("ioengine") != 0 ? "" : "(psync, as none is named) ") +
                             "is synchronous; ioengine=libaio keeps a queue");
}

void note_time(const Settings& s, Notes& notes) {
  if (s.time_based && !s.runtime) notes.add("time_based", "time_based without a runtime counts for nothing, as in fio");
  if (s.time_based && s.runtime && s.request_limit)
    notes.add("number_ios", "number_ios counts for nothing in a time_based job, as in fio");
}

void note_mix(const Settings& s, Notes& notes) {
  if (s.written.count("rwmixread") == 0 || s.written.count("rwmixwrite") == 0) return;
  notes.add("rwmixwrite", "rwmixread and rwmixwrite are both given; the later one counts: " +
                              std::to_string(s.read_percent) + " % reads");
}

bool repeats_in_same_order(const Settings& s, const Region& region) {
  const bool endless = s.time_based && s.runtime;
  const bool again = s.loops > 1 || region.amount_bytes > region.end_bytes - region.first_bytes;
  if (is_lfsr(s)) return endless || (again && s.repeat_order);
  return is_mapped(s) && again && !endless && s.repeat_order && !s.seed_given && s.pattern.blocks_per_random == 1;
}

void note_order(const Settings& s, const Region& region, Notes& notes) {
  if (s.pattern.writes && repeats_in_same_order(s, region))
    notes.add("rw", "every pass writes the blocks in the identical order, as in fio; write amplification then falls from "
                    "pass to pass. For fresh random writes set norandommap and randrepeat=0");
  if (is_lfsr(s) && !s.random_map)
    notes.add("norandommap", "norandommap counts for nothing with random_generator=lfsr, as in fio: no block repeats within a pass");
  if (is_mapped(s) && block_sizes_differ(s))
    notes.add("bs", "directions with different block sizes share one random map by block NUMBER, as in fio: a pass ends early, as "
                    "soon as a direction finds no free number of its own; norandommap avoids that");
}

}  // namespace

void check_relations(const Settings& settings, const Section& section, const Region& region) {
  check_lfsr(settings, section);
  check_trim_then_write(settings, section);
  check_skip(settings, section, region);
}

void note_surprises(const Settings& settings, const Section& section, const Region& region, std::vector<Note>& notes) {
  Notes here(settings, section, notes);
  note_host(settings, here);
  note_time(settings, here);
  note_mix(settings, here);
  note_order(settings, region, here);
}

}  // namespace ftlab
