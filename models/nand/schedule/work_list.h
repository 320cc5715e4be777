// Work of the translation layer for the flash, in order. It is always counted. While an engine executes it, it is also
// listed as records (work_record.h) or, if the list is empty, passed to the engine at once. The layer sees no time; the
// engine's owner hands over the records after each call of the layer. Untimed runs list nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/schedule/flash_engine.h"
#include "models/nand/schedule/flash_work_count.h"
#include "models/nand/schedule/work_record.h"
#include "models/nand/timing/timing.h"
#include "sim/core/check.h"

namespace ftlab {

class WorkList {
 public:
  using ReadCount = FlashWorkCount::ReadCount;
  static constexpr std::uint32_t kNoTag = ~std::uint32_t{0};
  // `listed`: an engine executes the records. `counts_kinds`, `before`: as in FlashWorkCount.
  WorkList(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool listed,
           bool counts_kinds = false, const FlashWork& before = {});

  bool listed() const { return listed_; }
  // Sets the engine that executes from now on; null: nothing is listed.
  void set_engine(FlashEngine* engine) {
    engine_ = engine;
    listed_ = engine != nullptr;
  }
  const FlashWorkCount& count() const { return count_; }

  // --- reads ---
  // Handle of a listed read, to state what waits for its data; empty if nothing is listed. Valid until the records are
  // cleared.
  class Read {
   public:
    // A host request waits for it; the read is reported under the tag.
    void for_host(std::uint32_t tag) const;
    // The read begins after the signal.
    void after(Signal signal) const;
    // The read feeds the signal, which is created if it is kNoSignal.
    void raise(Signal& signal) const;
    // The read feeds `span` programs of the frontier, from program `number` on.
    void feed(std::uint32_t frontier, std::uint32_t number, std::uint32_t span) const;
    // The read `later` records after this one.
    Read operator+(std::uint32_t later) const { return {list_, record_ + later}; }
    bool operator==(const Read&) const = default;

    Read() = default;

   private:
    friend class WorkList;
    Read(WorkList* list, std::uint32_t record) : list_(list), record_(record) {}
    WorkRecord& record() const {
      FTLAB_DCHECK(
          list_ != nullptr && record_ < list_->records_.size() && list_->records_[record_].kind == WorkRecord::Kind::read,
          "a dependency on a record that is not a read");
      return list_->records_[record_];
    }

    WorkList* list_ = nullptr;
    std::uint32_t record_ = 0;
  };
  // One array read, single- or multi-plane, of `bytes` of payload; whole codewords cross the channel. With `keeps_data`
  // nothing crosses it: the data stay in the die's register (copyback).
  Read read(Die die, std::uint32_t bytes, const FlashPage& page, bool keeps_data = false) {
    keeps_data ? count_.read_internally(1, bytes) : count_.read(1, count_.of_read(bytes));
    return listed_ ? list_read(die, bytes, page, keeps_data) : Read();
  }
  // Like read(), but only the host request `tag` waits for the data; page() returns the page of `block`.
  template <class Page>
  void read_for_host(SuperblockId block, Die die, std::uint32_t bytes, std::uint32_t tag, Page&& page);
  // The array reads the page `reads` more times (retries), with `overhead` in addition; these data stay in the die.
  void repeat(const Read& read, std::uint32_t reads, std::uint32_t bytes, Nanoseconds overhead);
  // Counts reads that nothing waits for, without listing them.
  void count_reads(std::uint64_t reads, const ReadCount& together) { count_.read(reads, together); }
  // Passes the reads to FlashEngine::read_run(), uncounted. Returns false without an engine or if records are listed.
  template <class Place>
  bool read_run(const WorkRecord& record, std::uint32_t count, Place&& place) {
    if (goes_straight()) engine_->read_run(record, count, place);
    return goes_straight();
  }

  // --- dependencies ---
  // `signal` also waits for `other`; if it is kNoSignal, it becomes `other`.
  void feed_signal_from(Signal other, Signal& signal);
  // These programs also wait for the signal, unless it is kNoSignal.
  void wait(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Signal signal);
  // Number of the frontier's next program.
  std::uint32_t next_program(std::uint32_t frontier) const {
    FTLAB_DCHECK(frontier < programs_.size(), "frontier " + std::to_string(frontier));
    return programs_[frontier];
  }

  // --- programs and erases ---
  struct Program {
    Die die;
    std::uint32_t nand_page;
    SuperblockId block;
    std::uint8_t frontier;
    bool slc;
    std::uint8_t flags;  // WorkRecord::Flag
    std::uint16_t host_pages, moved_pages;
  };
  // Counts the programs if they need neither be listed nor counted by kind; otherwise returns false.
  bool count_programs(std::uint64_t count, std::uint64_t pages, bool in_register) {
    if (listed_ || count_.tells_kinds()) return false;
    count_.program(count, pages, in_register);
    return true;
  }
  // One program of all planes of a superblock on its die.
  void program(const Program& program, std::uint32_t planes) {
    program_run(program, planes, 1, [](WorkRecord&, std::uint32_t) {});
  }
  // Programs of one superblock on all planes, one per stripe from `walk` on. The last of each `per_page` of them carries the
  // relocated pages of `program`.
  void program_run(const Program& program, std::uint32_t planes, StripeWalk walk, std::uint32_t count,
                   std::uint32_t per_page) {
    program_run(program, planes, count, [&](WorkRecord& one, std::uint32_t i) {
      one.die = static_cast<std::uint16_t>(number(walk.die()));
      one.nand_page = walk.nand_page();
      one.moved_pages = per_page == 1 || (i + 1) % per_page == 0 ? program.moved_pages : 0;
      if (i + 1 < count) walk.step();
    });
  }
  // One erase of `blocks` blocks on as many planes. `again`: of a spare block, after the previous erase. `erases`: erase
  // count of the superblock, including this one.
  void erase(Die die, SuperblockId block, std::uint32_t blocks, std::uint32_t erases, bool again = false);
  // Later programs of the superblock wait for all programs so far.
  void hold(SuperblockId block, std::uint32_t frontier);

  // --- for the executor ---
  const std::vector<WorkRecord>& records() const { return records_; }
  void clear() { records_.clear(); }
  // Numbers programs from 0 again, like an engine after clear().
  void restart() {
    records_.clear();
    std::fill(programs_.begin(), programs_.end(), 0);
  }

  template <class A>
  void archive(A& archive) {
    archive.section("flash work");
    count_.archive(archive);
    archive.exact(programs_);
    archive.value(newest_signal_);
  }

 private:
  bool goes_straight() const { return engine_ != nullptr && records_.empty(); }
  template <class Place>
  void program_run(const Program& program, std::uint32_t planes, std::uint32_t count, Place&& place);
  Read list_read(Die die, std::uint32_t bytes, const FlashPage& page, bool keeps_data);
  WorkRecord& add(WorkRecord::Kind kind) {
    WorkRecord& record = records_.emplace_back();
    record.kind = kind;
    return record;
  }

  FlashEngine* engine_ = nullptr;
  bool listed_;
  FlashWorkCount count_;
  std::vector<std::uint32_t> programs_;  // by frontier: number of the next program
  std::vector<WorkRecord> records_;
  Signal newest_signal_ = kNoSignal;
};

}  // namespace ftlab

#include "models/nand/schedule/work_list_runs.h"
