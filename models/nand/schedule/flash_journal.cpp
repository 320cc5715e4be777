#include "models/nand/schedule/flash_journal.h"

#include <algorithm>

namespace ftlab {
namespace {

using Kind = FlashOperation::Kind;

// The n-th pages of all kinds share cells.
std::vector<std::vector<std::uint32_t>> lower_pages(const NandTiming& timing, std::uint32_t pages_per_block) {
  const auto kinds = static_cast<std::uint32_t>(timing.program.size());
  std::vector<std::vector<std::uint32_t>> by_kind(kinds), lower(pages_per_block);
  for (std::uint32_t page = 0; page < pages_per_block; ++page) {
    const std::uint32_t kind = page_kind(timing.page_order, kinds, page, pages_per_block);
    const std::size_t cell = by_kind[kind].size();
    by_kind[kind].push_back(page);
    for (std::uint32_t k = 0; k < kind; ++k) {
      if (cell < by_kind[k].size()) lower[page].push_back(by_kind[k][cell]);
    }
  }
  return lower;
}

}  // namespace

FlashJournal::FlashJournal(const Layout& layout, const NandTiming& timing, std::uint32_t pages_per_block)
    : layout_(layout), lower_pages_(lower_pages(timing, pages_per_block)) {}

void FlashJournal::erasing(const Medium& medium, SuperblockId block) {
  const std::uint32_t pages = medium.superblocks().programmed(block);
  const Medium::Contents contents{medium.pages().contents(layout_.first_page(block), pages),
                                  medium.superblocks().record(block)};
  events_.push_back({Event::Kind::erase, position(), {}, {}, block, contents, {}});
}

void FlashJournal::forget() {
  operations_.clear();
  events_.clear();
}

// Applies one power cut.
class FlashJournal::Cut {
 public:
  Cut(const FlashJournal& journal, Medium& medium, Nanoseconds at, const ChooseFate& choose)
      : journal_(journal), layout_(journal.layout_), medium_(medium), at_(at), choose_(choose) {}

  Damage execute() {
    const std::uint64_t before = medium_.pages().programmed();
    choose_fates();
    for (const SuperblockId block : touched()) cut_superblock(block);
    lose_trims();
    damage_.undone_slots = before - medium_.pages().programmed();
    return damage_;
  }

 private:
  const TimedOperation& operation(std::size_t i) const { return journal_.operations_[i]; }
  bool begun(std::size_t i) const { return operation(i).start < at_; }
  bool ended(std::size_t i) const { return operation(i).done <= at_; }
  std::size_t erase_end(std::size_t position) const { return position + layout_.dies_per_superblock(); }
  // Start on the die that begins first.
  Nanoseconds erase_begins(std::size_t position) const {
    Nanoseconds first = operation(position).start;
    for (std::size_t i = position; i < erase_end(position); ++i) first = std::min(first, operation(i).start);
    return first;
  }

  void choose_fates();
  void choose_program(std::size_t i);
  EraseFate choose_erase(const Event& erase);
  void check_order(const Event& erase) const;
  std::vector<SuperblockId> touched() const;
  void cut_superblock(SuperblockId block);
  void cut_programs(SuperblockId block, std::size_t first, std::size_t end);
  void tear_half_erased(const Event& erase);
  void tear_lower_pages(std::size_t upper, std::size_t first);
  void lose_trims();

  const FlashJournal& journal_;
  const Layout& layout_;
  Medium& medium_;
  Nanoseconds at_;
  const ChooseFate& choose_;
  std::vector<Fate> fates_;             // by operation
  std::vector<EraseFate> erase_fates_;  // by event
  std::vector<std::uint8_t> stopped_;   // by die: an operation did not end
  std::size_t safe_events_ = 0;         // trims before this event are durable
  std::size_t safe_operations_ = 0;     // lower pages programmed before this operation are safe
  Damage damage_;
};

// In order of request, in which each die runs its programs and erases.
void FlashJournal::Cut::choose_fates() {
  fates_.assign(journal_.operations_.size(), Fate::done);
  erase_fates_.assign(journal_.events_.size(), EraseFate::done);
  std::size_t event = 0;
  for (std::size_t i = 0; i <= journal_.operations_.size(); ++i) {
    for (; event < journal_.events_.size() && journal_.events_[event].position == i; ++event) {
      const Event& it = journal_.events_[event];
      if (it.kind == Event::Kind::erase) erase_fates_[event] = choose_erase(it);
      const bool safe = it.kind == Event::Kind::flush   ? it.at <= at_
                        : it.kind == Event::Kind::erase ? erase_begins(it.position) < at_
                                                        : false;
      if (!safe) continue;
      safe_events_ = event;
      safe_operations_ = i;
    }
    if (i < journal_.operations_.size() && operation(i).asked.kind == Kind::program) choose_program(i);
  }
}

void FlashJournal::Cut::choose_program(std::size_t i) {
  if (ended(i)) return;
  const std::uint32_t die = number(operation(i).asked.die);
  if (stopped_.size() <= die) stopped_.resize(die + 1);
  fates_[i] = Fate::none;
  if (begun(i) && !stopped_[die]) {
    const FlashPage& page = operation(i).asked.page;
    const bool pairs = !page.slc && !journal_.lower_pages_[page.nand_page].empty();
    fates_[i] = static_cast<Fate>(choose_(pairs ? 4 : 3));
    ++damage_.programs_under_way;
  }
  stopped_[die] |= begun(i) && fates_[i] != Fate::done;
}

FlashJournal::EraseFate FlashJournal::Cut::choose_erase(const Event& erase) {
  std::uint32_t dies_begun = 0, dies_ended = 0;
  bool stopped = false;
  for (std::size_t i = erase.position; i < erase_end(erase.position); ++i) {
    const std::uint32_t die = number(operation(i).asked.die);
    if (stopped_.size() <= die) stopped_.resize(die + 1);
    stopped |= stopped_[die] != 0;
    dies_begun += begun(i);
    dies_ended += ended(i);
  }
  const std::uint32_t dies = layout_.dies_per_superblock();
  if (dies_begun > 0) check_order(erase);
  if (dies_ended == dies) return EraseFate::done;
  EraseFate fate = EraseFate::none;
  if (dies_begun > 0) {
    ++damage_.erases_under_way;
    const bool may_end = dies_begun == dies && !stopped, may_not_begin = dies_ended == 0;
    const std::uint32_t chosen = choose_(1 + may_end + may_not_begin);
    fate = may_end && chosen == 0 ? EraseFate::done : may_not_begin && chosen == may_end ? EraseFate::none : EraseFate::half;
  }
  for (std::size_t i = erase.position; i < erase_end(erase.position); ++i) {
    stopped_[number(operation(i).asked.die)] |= fate != EraseFate::done && begun(i) && !ended(i);
  }
  return fate;
}

void FlashJournal::Cut::check_order(const Event& erase) const {
  for (std::size_t i = safe_operations_; i < erase.position; ++i) {
    if (operation(i).asked.kind != Kind::program) continue;
    FTLAB_CHECK(operation(i).done <= erase_begins(erase.position),
                "superblock " + std::to_string(number(erase.block)) + " is erased before superblock " +
                    std::to_string(number(operation(i).asked.page.block)) + " is programmed");
  }
}

// Superblocks with operations that are not done.
std::vector<SuperblockId> FlashJournal::Cut::touched() const {
  std::vector<SuperblockId> blocks;
  for (std::size_t i = 0; i < fates_.size(); ++i) {
    if (fates_[i] != Fate::done) blocks.push_back(operation(i).asked.page.block);
  }
  for (std::size_t e = 0; e < erase_fates_.size(); ++e) {
    if (erase_fates_[e] != EraseFate::done) blocks.push_back(journal_.events_[e].block);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

// Undoes erases that are not done, then cuts the programs since the last erase that is done.
void FlashJournal::Cut::cut_superblock(SuperblockId block) {
  std::size_t end = fates_.size(), first = 0;
  for (std::size_t e = journal_.events_.size(); e-- > 0;) {
    const Event& erase = journal_.events_[e];
    if (erase.kind != Event::Kind::erase || erase.block != block) continue;
    if (erase_fates_[e] == EraseFate::done) {
      first = erase.position;
      break;
    }
    for (std::size_t i = erase.position; i < end; ++i) {
      FTLAB_CHECK(operation(i).asked.kind != Kind::program || operation(i).asked.page.block != block || !begun(i),
                  "superblock " + std::to_string(number(block)) + " is programmed before it is erased");
    }
    medium_.undo_erase(block, erase.contents);
    end = erase.position;
    if (erase_fates_[e] == EraseFate::half) return tear_half_erased(erase);
  }
  cut_programs(block, first, end);
}

// [first, end): the operations since the superblock's last erase, or the last of these.
void FlashJournal::Cut::cut_programs(SuperblockId block, std::size_t first, std::size_t end) {
  const std::uint32_t group_slots = layout_.pages_per_stripe(), group_stripes = layout_.stripes_per_page();
  enum : std::uint8_t { kBegun = 1, kMissing = 2 };
  std::vector<std::uint8_t> groups(medium_.superblocks().programmed(block) / group_slots);  // by program of the layer
  for (std::size_t i = first; i < end; ++i) {
    const FlashOperation& asked = operation(i).asked;
    if (asked.kind != Kind::program || asked.page.block != block) continue;
    const std::uint32_t stripe = journal_.stripe_of(asked);
    std::uint8_t& group = groups[stripe / group_stripes];
    if (fates_[i] != Fate::none) group |= kBegun;
    if (fates_[i] != Fate::done) group |= kMissing;
  }
  const auto whole = [](std::uint8_t group) { return (group & kMissing) == 0; };
  if (std::all_of(groups.begin(), groups.end(), whole)) return;
  std::uint32_t left = static_cast<std::uint32_t>(groups.size());
  while (left > 0 && groups[left - 1] == kMissing) --left;
  medium_.undo_programs(block, left * group_slots);
  for (std::uint32_t group = 0; group < left; ++group) {
    if (whole(groups[group])) continue;
    medium_.tear(block, group * group_slots, group_slots);
    damage_.torn_slots += group_slots;
  }
  for (std::size_t i = first; i < end; ++i) {
    if (fates_[i] == Fate::torn_with_pair && operation(i).asked.page.block == block) tear_lower_pages(i, first);
  }
}

void FlashJournal::Cut::tear_lower_pages(std::size_t upper, std::size_t first) {
  const FlashOperation& torn = operation(upper).asked;
  const std::vector<std::uint32_t>& lower = journal_.lower_pages_[torn.page.nand_page];
  for (std::size_t i = std::max(first, safe_operations_); i < upper; ++i) {
    const FlashOperation& asked = operation(i).asked;
    if (asked.kind != Kind::program || asked.page.block != torn.page.block || asked.die != torn.die) continue;
    if (std::find(lower.begin(), lower.end(), asked.page.nand_page) == lower.end()) continue;
    const std::uint32_t group = journal_.stripe_of(asked) / layout_.stripes_per_page();
    medium_.tear(torn.page.block, group * layout_.pages_per_stripe(), layout_.pages_per_stripe());
    damage_.destroyed_lower_slots += layout_.pages_per_stripe();
  }
}

// Dies on which the erase has not begun keep their data.
void FlashJournal::Cut::tear_half_erased(const Event& erase) {
  ++damage_.half_erased;
  const std::uint32_t group_slots = layout_.pages_per_stripe(), group_stripes = layout_.stripes_per_page();
  const auto erased = [&](Die die) {
    for (std::size_t i = erase.position; i < erase_end(erase.position); ++i) {
      if (operation(i).asked.die == die) return begun(i);
    }
    return false;
  };
  for (std::uint32_t group = 0; group < medium_.superblocks().programmed(erase.block) / group_slots; ++group) {
    bool torn = false;
    for (std::uint32_t s = 0; s < group_stripes; ++s) {
      torn = torn || erased(layout_.die_of(erase.block, group * group_stripes + s));
    }
    if (torn) medium_.tear(erase.block, group * group_slots, group_slots);
  }
}

void FlashJournal::Cut::lose_trims() {
  std::vector<const Event*> open;
  for (std::size_t e = safe_events_; e < journal_.events_.size(); ++e) {
    if (journal_.events_[e].kind == Event::Kind::trim) open.push_back(&journal_.events_[e]);
  }
  if (open.empty()) return;
  const std::uint32_t lost = choose_(static_cast<std::uint32_t>(open.size() + 1));
  damage_.lost_trims = lost;
  for (std::uint32_t i = 0; i < lost; ++i) {
    const Event& trim = *open[open.size() - 1 - i];
    medium_.undo_trim(trim.lpn, trim.before);
  }
}

std::uint32_t FlashJournal::stripe_of(const FlashOperation& program) const {
  const std::uint32_t dies = layout_.dies_per_superblock();
  std::uint32_t stripe = program.page.nand_page * dies;
  while (layout_.die_of(program.page.block, stripe) != program.die) ++stripe;
  return stripe;
}

FlashJournal::Damage FlashJournal::cut(Medium& medium, Nanoseconds at, const ChooseFate& choose) const {
  return Cut(*this, medium, at, choose).execute();
}

}  // namespace ftlab
