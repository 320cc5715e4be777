// What the translation layer asks of the flash, in order: counted always, and listed as records (work_record.h) while
// an engine executes them. The layer writes here and sees no time; the owner of the engine hands over the records after each
// call of the layer. Runs of pages go straight to the engine, as long as nothing is listed before them. In an untimed run
// nothing is listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/schedule/flash_engine.h"
#include "models/nand/schedule/flash_work.h"
#include "models/nand/schedule/work_record.h"
#include "models/nand/timing/timing.h"
#include "sim/core/check.h"
#include "sim/core/divisor.h"

namespace ftlab {

class WorkList {
 public:
  // `listed`: somebody executes the records.
  WorkList(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool listed);

  bool listed() const { return listed_; }
  // The engine that executes from now on; null: nothing is listed.
  void set_engine(FlashEngine* engine) {
    engine_ = engine;
    listed_ = engine != nullptr;
  }
  // The engine, where what is asked for next may go straight to it; otherwise null.
  FlashEngine* straight() const { return engine_ != nullptr && records_.empty() ? engine_ : nullptr; }
  // Programs are also counted by kind of page from now on, which takes some nanoseconds each.
  void count_kinds() { counts_kinds_ = true; }
  bool counts_kinds() const { return counts_kinds_; }

  // --- reads ---
  // One array read, single- or multi-plane, of `bytes` of payload; whole codewords cross the channel. Whoever needs the data
  // is named by feed(), or waits for the signal that is in the record. Returns the number of the record; REQUIRES: listed().
  using Read = std::uint32_t;
  Read read(Die die, std::uint32_t bytes, const FlashPage& page) {
    count_reads(1, bytes);
    return list_read(die, bytes, page);
  }
  // The same where nobody listens: counts only.
  void count_reads(std::uint64_t count, std::uint32_t bytes) { count_reads(count, read_count(bytes)); }
  // What a read of `bytes` counts for: pages, and bytes in whole codewords.
  struct ReadCount {
    std::uint64_t pages = 0, bytes = 0;
  };
  ReadCount read_count(std::uint32_t bytes) const;
  void count_reads(std::uint64_t reads, const ReadCount& each) {
    count_reads_of(reads, {each.pages * reads, each.bytes * reads});
  }
  // So many reads, which come to that together.
  void count_reads_of(std::uint64_t reads, const ReadCount& together) {
    work_.reads += reads;
    work_.pages_read += together.pages;
    read_bytes_ += together.bytes;
  }
  // Lists a read that is counted already.
  Read list_read(Die die, std::uint32_t bytes, const FlashPage& page) {
    FTLAB_DCHECK(listed_, "a read is listed that nobody executes");
    WorkRecord& record = add(WorkRecord::Kind::read);
    record.die = static_cast<std::uint16_t>(number(die));
    record.first_plane = static_cast<std::uint8_t>(page.first_plane);
    record.planes = static_cast<std::uint8_t>(page.planes);
    record.nand_page = page.nand_page;
    record.superblock = number(page.block);
    record.flags = page.slc ? WorkRecord::kSlc : 0;
    record.bytes = bytes;
    return static_cast<Read>(records_.size() - 1);
  }
  // The read keeps its data in the die's register (copyback): nothing crosses the channel.
  Read read_internally(Die die, std::uint32_t bytes, const FlashPage& page);
  // The array reads the page so many times again, and what belongs to that takes `overhead`; their data stay in the die.
  void repeat(Read read, std::uint32_t reads, std::uint32_t bytes, Nanoseconds overhead);
  // A request of the host waits for its data, which are reported under the tag.
  void read_for_host(Read read, std::uint32_t tag) {
    FTLAB_DCHECK(is_read(read), "a host waits for a record that is no read");
    records_[read].flags |= WorkRecord::kHost;
    records_[read].target = tag;
  }
  // It does not begin before the signal.
  void read_after(Read read, Signal signal) {
    FTLAB_DCHECK(is_read(read) && records_[read].after == kNoSignal, "a read waits for two signals");
    records_[read].after = signal;
  }

  // --- who waits for what ---
  // The read raises the signal, which is made when there is none yet.
  void raise(Read read, Signal& signal) {
    FTLAB_DCHECK(is_read(read), "a signal is raised by a record that is no read");
    FTLAB_DCHECK(records_[read].feeds == kNoSignal || records_[read].feeds == signal, "a read raises two signals");
    if (signal == kNoSignal) signal = new_signal();
    records_[read].feeds = signal;
  }
  // This signal is raised by the other one, too.
  void raise_with(Signal other, Signal& signal);
  // The data go into `span` programs of the frontier from its program `number` on. REQUIRES: a read of this batch.
  void feed(Read read, std::uint32_t frontier, std::uint32_t number, std::uint32_t span) {
    FTLAB_DCHECK(is_read(read), "data come from a record that is no read");
    WorkRecord& record = records_[read];
    if (record.span != 0) return feed_too(read, frontier, number, span);
    record.frontier = static_cast<std::uint8_t>(frontier);
    record.target = number;
    record.span = static_cast<std::uint8_t>(span);
  }
  // These programs wait for the signal, too. Nothing where there is none.
  void wait(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Signal signal);
  Signal new_signal() { return ++newest_signal_ == kNoSignal ? ++newest_signal_ : newest_signal_; }
  // The number of the frontier's next program.
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
    std::uint8_t flags;  // of WorkRecord
    std::uint16_t host_pages, moved_pages;
  };
  // One program of all planes of a superblock on its die.
  void program(const Program& program, std::uint32_t planes) {
    work_.program(1, planes, (program.flags & WorkRecord::kInRegister) != 0);
    if (counts_kinds_) count_kind(program.nand_page, program.slc, planes);
    if (!listed_) return;
    records_.push_back(record_of(program, planes));
    ++programs_[program.frontier];
  }
  // The same, straight to the engine. REQUIRES: straight(), no flag that looks back.
  void program_straight(const Program& program, std::uint32_t planes) {
    work_.program(1, planes, (program.flags & WorkRecord::kInRegister) != 0);
    if (counts_kinds_) count_kind(program.nand_page, program.slc, planes);
    ++programs_[program.frontier];
    WorkRecord record = record_of(program, planes);
    engine_->program_run(record, 1, [](WorkRecord&, std::uint32_t) {});
  }
  // So many programs, where they need not be listed. REQUIRES: !listed(), !counts_kinds().
  void count_programs(std::uint64_t count, std::uint64_t pages, bool in_register) {
    FTLAB_DCHECK(!listed_ && !counts_kinds_, "programs are counted that are to be listed, or told apart");
    work_.program(count, pages, in_register);
  }
  // Programs of one superblock on all planes, one for each stripe from `walk` on, straight to the engine. The last of each
  // `per_page` of them carries the relocated pages of `program`. REQUIRES: straight().
  void program_run(Program program, std::uint32_t planes, StripeWalk walk, std::uint32_t count, std::uint32_t per_page) {
    work_.program(count, std::uint64_t{count} * planes, false);
    programs_[program.frontier] += count;
    WorkRecord record = record_of(program, planes);
    engine_->program_run(record, count, [&](WorkRecord& one, std::uint32_t i) {
      one.die = static_cast<std::uint16_t>(number(walk.die()));
      one.nand_page = walk.nand_page();
      one.moved_pages = (i + 1) % per_page == 0 ? program.moved_pages : 0;
      if (counts_kinds_) count_kind(one.nand_page, program.slc, planes);
      if (i + 1 < count) walk.step();
    });
  }
  // One erase of `blocks` blocks on as many planes. `again`: of a spare block, after the erase before it.
  // `erases`: how often the superblock has been erased with this.
  void erase(Die die, SuperblockId block, std::uint32_t blocks, std::uint32_t erases, bool again = false);
  // The superblock is not programmed before all programs up to now have ended.
  void hold(SuperblockId block, std::uint32_t frontier);

  // --- for whoever executes ---
  std::span<const WorkRecord> records() const { return records_; }
  // Of them those that the flash carries out.
  std::size_t operations() const {
    return static_cast<std::size_t>(std::count_if(
        records_.begin(), records_.end(), [](const WorkRecord& record) { return record.kind <= WorkRecord::Kind::erase; }));
  }
  void clear() { records_.clear(); }
  // Programs are numbered from 0 again, as by an engine that was cleared.
  void restart() {
    records_.clear();
    std::fill(programs_.begin(), programs_.end(), 0);
  }

  const FlashWork& work() const { return work_; }
  // What crossed the channels, with the spare bytes that travel along.
  std::uint64_t bus_bytes() const;
  std::uint64_t read_bytes() const { return read_bytes_; }
  // Counts on from where another one stood. REQUIRES: nothing was done yet.
  void count_on(const WorkList& other) {
    FTLAB_DCHECK(work_.operations() == 0, "work is counted on from another list's after some was done");
    work_ = other.work_;
    read_bytes_ = other.read_bytes_;
  }

  template <class A>
  void archive(A& archive) {
    archive.section("flash work");
    archive.value(work_);
    archive.value(read_bytes_);
    archive.exact(programs_);
    archive.value(newest_signal_);
  }

 private:
  static WorkRecord record_of(const Program& program, std::uint32_t planes) {
    WorkRecord record;
    record.kind = WorkRecord::Kind::program;
    record.frontier = program.frontier;
    record.flags = static_cast<std::uint8_t>(program.flags | (program.slc ? WorkRecord::kSlc : 0));
    record.die = static_cast<std::uint16_t>(number(program.die));
    record.planes = static_cast<std::uint8_t>(planes);
    record.nand_page = program.nand_page;
    record.superblock = number(program.block);
    record.host_pages = program.host_pages;
    record.moved_pages = program.moved_pages;
    return record;
  }
  void count_kind(std::uint32_t nand_page, bool slc, std::uint32_t planes) {
    (slc ? work_.slc_pages_programmed : work_.pages_programmed_by_kind[kind_of_page_[nand_page]]) += planes;
  }
  bool is_read(Read read) const { return read < records_.size() && records_[read].kind == WorkRecord::Kind::read; }
  void feed_too(Read read, std::uint32_t frontier, std::uint32_t number, std::uint32_t span);
  std::uint32_t pages_of(std::uint32_t bytes) const { return (bytes + page_bytes_.value() - 1) / page_bytes_; }
  WorkRecord& add(WorkRecord::Kind kind) {
    WorkRecord& record = records_.emplace_back();
    record.kind = kind;
    return record;
  }

  FlashEngine* engine_ = nullptr;
  bool listed_;
  bool counts_kinds_ = false;
  Divisor page_bytes_, codeword_bytes_;
  std::uint32_t page_spare_bytes_;
  std::vector<std::uint8_t> kind_of_page_;  // by NAND page of a block
  std::vector<std::uint32_t> programs_;     // by frontier: listed so far
  std::vector<WorkRecord> records_;
  Signal newest_signal_ = kNoSignal;
  FlashWork work_;
  std::uint64_t read_bytes_ = 0;
};

}  // namespace ftlab
