// Power cuts.
#include "ftl/drive/lifecycle.h"

#include "ftl/drive/drive_counters.h"

namespace ftlab {

void Lifecycle::save_ram() {
  parts_.set_date();
  parts_.layer->save();
  parts_.hand_over();
  drive_.idle_from();
}

void Lifecycle::count_lost_pages() {
  for (const Stage& stage : parts_.layer->store().stages()) {
    drive_.past_.media_lost_bytes += std::uint64_t{stage.slots_in_ram()} * parts_.config.ftl.slot_bytes();
  }
}

void Lifecycle::power_cycle() {
  FTLAB_CHECK(parts_.back.medium.pages().keeps_versions(), "a power cut of a drive that keeps no versions");
  FTLAB_CHECK(drive_.commands_.at_rest(), "power cut with requests outstanding");
  drive_.idle_from();
  if (parts_.config.ftl.buffer.power_loss_protected) save_ram();
  drive_.past_ = count_layer(parts_, drive_.past_);
  count_lost_pages();
  ++drive_.past_.power_cuts;
  drive_.restart_layer();
}

void Lifecycle::keep_journal(FlashJournal* journal) {
  FTLAB_CHECK(journal == nullptr || parts_.agenda.timed(), "a journal of a flash that knows no time");
  FlashEngine& engine = *parts_.back.engine;
  parts_.back.medium.keep_journal(journal);
  if (journal != nullptr) drive_.idle_from();
  engine.record(nullptr);
  if (journal != nullptr) {
    journal->record(engine);
    journal->watch(&parts_.back.work);
  }
  parts_.journal = journal;
}

FlashJournal::Damage Lifecycle::power_cycle(FlashJournal& journal, Nanoseconds at, const ChooseFate& choose) {
  FTLAB_CHECK(drive_.commands_.at_rest(), "power cut with requests outstanding");
  FTLAB_CHECK(!parts_.back.health && !parts_.back.errors, "a power cut during operations of a flash that wears out or errs");
  FlashJournal::Damage damage;
  if (parts_.config.ftl.buffer.power_loss_protected) {
    drive_.idle_from();
    journal.forget();
    journal.record(*parts_.back.engine);
    power_cycle();
    return damage;
  }
  drive_.run_until(at);
  drive_.past_ = count_layer(parts_, drive_.past_);
  count_lost_pages();
  damage = journal.cut(parts_.back.medium, at, choose);
  drive_.past_.media_lost_bytes += damage.undone_slots * parts_.config.ftl.slot_bytes();
  journal.forget();
  journal.record(*parts_.back.engine);
  ++drive_.past_.power_cuts;
  drive_.restart_layer();
  return damage;
}

}  // namespace ftlab
