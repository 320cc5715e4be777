#include "validation/soak/counts.h"

#include "models/nand/timing/policy.h"

namespace ftlab::soak {
namespace {

using Group = Counts::Group;

struct CountName {
  const char* name;
  Group group;
};

constexpr CountName kCountNames[] = {
    {"drives and workloads", Group::total},
    {"operations", Group::total},
    {"pages compared", Group::total},
    {"inspections of the whole state", Group::total},
    {"drives out of room after power cuts", Group::total},
    {"power cuts", Group::cut},
    {"cuts before the host was served again", Group::cut},
    {"cuts during the flash operations of recovery", Group::cut},
    {"cuts by index", Group::cut},
    {"cuts by time", Group::cut},
    {"cuts in a first stripe", Group::cut},
    {"cuts in a last stripe", Group::cut},
    {"cuts in an erase", Group::cut},
    {"cuts in a collection", Group::cut},
    {"cuts in a suspended operation", Group::cut},
    {"cuts with only the reserve free", Group::cut},
    {"cuts with trims that no flush covers", Group::cut},
    {"cuts while flash operations ran", Group::cut},
    {"cuts while others waited", Group::cut},
    {"cuts while a read had suspended one", Group::cut},
    {"places torn", Group::cut},
    {"places of lower pages destroyed", Group::cut},
    {"superblocks half erased", Group::cut},
    {"trims lost before they were durable", Group::cut},
    {"a host write overtook a page of a victim", Group::state},
    {"the reserve was in use", Group::state},
    {"no superblock was free", Group::state},
    {"several victims were collected at once", Group::state},
    {"no spare block was left", Group::state},
    {"a spare block took the place of a bad one", Group::state},
    {"the drive became read-only", Group::state},
    {"versions were renumbered", Group::state},
    {"a read saw what a trim was still to take away", Group::state},
    {"a write came before a trim was carried out", Group::state},
    {"a page was buffered until complete", Group::state},
    {"a request waited in the host", Group::state},
    {"every page was mapped", Group::state},
    {"nothing was mapped afterwards", Group::state},
    {"a run went on from a saved state", Group::state},
};

constexpr std::uint64_t Counters::*kMoving[] = {
    &Counters::collected_superblocks, &Counters::media_wear_bytes,      &Counters::media_refresh_bytes,
    &Counters::media_fold_bytes,      &Counters::media_mapping_bytes,   &Counters::media_parity_bytes,
    &Counters::media_failed_bytes,    &Counters::media_padding_bytes,   &Counters::read_modify_writes,
    &Counters::coalesced_pages,       &Counters::copyback_pages,        &Counters::trimmed_pages,
    &Counters::unmapped_read_pages,   &Counters::mapping_misses,        &Counters::regions_rewritten,
    &Counters::switch_merges,         &Counters::partial_merges,        &Counters::full_merges,
    &Counters::program_failures,      &Counters::erase_failures,        &Counters::superblocks_retired,
    &Counters::read_ahead_hits,       &Counters::read_ahead_wasted,     &Counters::suspensions,
    &Counters::buffered_reads,        &Counters::read_retries,          &Counters::deduplicated_bytes,
    &Counters::forgotten_fingerprints};

constexpr std::size_t kOwn = std::size(kCountNames), kAll = kOwn + std::size(kMoving);
static_assert(kOwn == static_cast<std::size_t>(Count::loaded_state) + 1);

}  // namespace

std::span<const Counts::Name> Counts::names() {
  static const std::vector<Name> names = [] {
    std::vector<Name> all;
    for (const CountName& own : kCountNames) all.push_back({own.name, own.group});
    for (const auto member : kMoving) {
      for (const CounterField& field : kCounterFields) {
        if (field.member == member) all.push_back({std::string("counter ") + field.name, Group::state});
      }
    }
    for (const SchedulingPolicyKind& kind : scheduling_policy_kinds())
      all.push_back({"operations scheduled by " + kind.name, Group::state});
    return all;
  }();
  return names;
}

void Counts::take(const Counters& counters) {
  for (std::size_t i = kOwn; i < kAll; ++i) counts_[i] = counters.*kMoving[i - kOwn] > 0;
}

void Counts::add_timed(std::size_t scheduling_policy, std::uint64_t operations) {
  counts_[kAll + scheduling_policy] += operations;
}

void Counts::add(const Counts& run) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += run.counts_[i];
}

}  // namespace ftlab::soak
