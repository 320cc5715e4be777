#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {
namespace {

struct CounterProbe {
  const char* name;
  std::uint64_t Counters::*member;
};

constexpr CounterProbe kCounterProbes[] = {
    {"a victim was collected", &Counters::collected_superblocks},
    {"a page was moved by wear levelling", &Counters::media_wear_bytes},
    {"a page was rewritten because its cells erred", &Counters::media_refresh_bytes},
    {"the pSLC cache was folded", &Counters::media_fold_bytes},
    {"the map was written to the flash", &Counters::media_mapping_bytes},
    {"parity was written", &Counters::media_parity_bytes},
    {"a stripe failed and was written again", &Counters::media_failed_bytes},
    {"a stripe was padded", &Counters::media_padding_bytes},
    {"a page was read to complete a small write", &Counters::read_modify_writes},
    {"a page was overwritten in RAM", &Counters::coalesced_pages},
    {"a page was moved by copyback", &Counters::copyback_pages},
    {"a page was trimmed", &Counters::trimmed_pages},
    {"space without data was read", &Counters::unmapped_read_pages},
    {"the map cache missed", &Counters::mapping_misses},
    {"a region of extents was rewritten", &Counters::regions_rewritten},
    {"a log block became a data block", &Counters::switch_merges},
    {"a log block was merged in part", &Counters::partial_merges},
    {"a log block was merged whole", &Counters::full_merges},
    {"a program failed", &Counters::program_failures},
    {"an erase failed", &Counters::erase_failures},
    {"a superblock was retired", &Counters::superblocks_retired},
    {"a page that was read ahead was asked for", &Counters::read_ahead_hits},
    {"a page that was read ahead was given up", &Counters::read_ahead_wasted},
    {"a read suspended a program or an erase", &Counters::suspensions},
    {"a read was answered before the program of its page had ended", &Counters::buffered_reads},
    {"a read was retried", &Counters::read_retries},
    {"a write was deduplicated", &Counters::deduplicated_bytes},
    {"the table of fingerprints forgot one", &Counters::forgotten_fingerprints},
};

constexpr std::array<const char*, kProbeCount> kStateProbes = {
    "a host write overtook a page of a victim",
    "the reserve was in use",
    "no superblock was free",
    "several victims were collected at once",
    "no spare block was left",
    "a spare block took the place of a bad one",
    "the drive became read-only",
    "versions were renumbered",
    "a read saw what a trim was still to take away",
    "a write came before a trim was carried out",
    "a page was buffered until complete",
    "a request waited in the host",
    "the last sector was written",
    "every page was mapped",
    "nothing was mapped afterwards",
    "a run went on from a saved state",
};

}  // namespace

std::span<const ProbeName> ProbeCounts::names() {
  static const std::vector<ProbeName> names = [] {
    std::vector<ProbeName> all;
    for (const char* name : kStateProbes) all.push_back({name, true});
    for (const CounterProbe& probe : kCounterProbes) all.push_back({probe.name, true});
    return all;
  }();
  return names;
}

ProbeCounts::ProbeCounts() : counts_(names().size()) {}

void ProbeCounts::take(const Counters& counters) {
  std::size_t index = kProbeCount;
  for (const CounterProbe& probe : kCounterProbes) counts_[index++] = counters.*probe.member > 0;
}

void ProbeCounts::add(const ProbeCounts& run) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += run.counts_[i];
}

}  // namespace ftlab::soak
