// Who is busy until when: dies and channels as timelines. Given the moment at which an operation could begin, says when
// it is done. In an untimed run every operation is done at once and nothing is reserved.
//
// Modelled: one array operation at a time per die; one transfer at a time per channel; reads occupy the die until their
// data are on the bus (unless cache_read); programs occupy it from the beginning of their transfer (unless
// cache_program); times by kind of page, block and wear (operation_times.h); programs of one frontier on one die in order;
// other operations fill gaps. With read-first scheduling or independent plane reads the dies have queues instead of
// timelines (die_queue.h): reads pass programs and erases, stop them, and overlap. exact_backend.h simulates the same
// rules event by event; backend_against_exact_test holds the two together.
//
// Not modelled: reads of relocation that give way to those of the host; a page whose program is still queued is read from
// the array all the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/nand/block_speed.h"
#include "models/nand/channel_queue.h"
#include "models/nand/die_queue.h"
#include "models/nand/flash_operation.h"
#include "models/nand/flash_work.h"
#include "models/nand/geometry.h"
#include "models/nand/layout.h"
#include "models/nand/operation_times.h"
#include "models/nand/timing.h"
#include "sim/timeline.h"

namespace ftlab {

class Backend {
 public:
  // `frontiers` of them may program at the same time. REQUIRES: independent plane reads of kMostPlanes at most.
  Backend(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool timed, BlockSpeed speed = {});

  struct ReadTimes {
    Nanoseconds array_start, array_end, bus_start, done;
  };
  // One array read, single- or multi-plane, and the transfer of `bytes` of payload (whole codewords). `page` need be told
  // only if looks_at_pages(). `retries`: for how much longer the array is busy with reading the page again; what was
  // transferred for these is not charged.
  ReadTimes read(Nanoseconds ready, Die die, std::uint32_t bytes, const FlashPage& page = {},
                 Nanoseconds retries = Nanoseconds{0});
  // What one read of the page takes the array.
  Nanoseconds array_read(Die die, const FlashPage& page) const { return times_.read(die, page); }
  bool looks_at_pages() const { return independent_planes_ || times_.looks_at_pages(); }

  // The array read of a copyback: `bytes` of payload stay in the die's register. Returns when they are there.
  Nanoseconds read_internally(Nanoseconds ready, Die die, std::uint32_t bytes, const FlashPage& page = {});

  // One program of `planes` pages; data in the controller at `ready`. `slc`: one bit a cell in a block that could hold more.
  // `in_register`: of a copyback, nothing crosses the channel but the command. Returns when the array is done.
  Nanoseconds program(Nanoseconds ready, Die die, std::uint32_t nand_page, std::uint32_t planes, std::uint32_t frontier,
                      bool slc = false, bool in_register = false, BlockId block = kNoBlock);

  // One erase of `blocks` blocks on as many planes. Returns when the array is done.
  Nanoseconds erase(Nanoseconds ready, Die die, BlockId block = kNoBlock, std::uint32_t blocks = 1);

  // A superblock has been erased so often, or all have: what wear does to their times is found anew.
  void set_erases(BlockId block, std::uint32_t erases) { times_.speed().set_erases(block, erases); }
  void set_erases(std::span<const std::uint32_t> by_superblock) { times_.speed().set_erases(by_superblock); }

  bool timed() const { return timed_; }
  void set_timed(bool timed) {
    timed_ = timed;
    reserves_ = only_reserves();
  }
  // For callers that spare themselves the question where in an untimed run. Returns the beginning of time.
  Nanoseconds count_programs(std::uint64_t count, std::uint64_t pages, bool in_register) {
    work_.program(count, pages, in_register);
    return Nanoseconds{0};
  }
  Nanoseconds count_reads(std::uint64_t count, std::uint32_t bytes) {
    work_.reads += count;
    work_.pages_read += count * pages_of(bytes);
    read_bytes_ += count * times_.codewords_of(bytes) * times_.codeword_bytes();
    return Nanoseconds{0};
  }
  // What a read of `bytes` counts for: pages, and bytes in whole codewords; and what their transfer takes.
  struct ReadCount {
    std::uint64_t pages, bytes;
    Nanoseconds transfer;
  };
  ReadCount read_count(std::uint32_t bytes) const {
    return {pages_of(bytes), std::uint64_t{times_.codewords_of(bytes)} * times_.codeword_bytes(),
            times_.read_transfer(bytes)};
  }
  // Whether reads of one size are all alike, so that what each takes need not be asked for each; then they are read so:
  // returns when the data are in the controller.
  bool reads_alike() const { return reserves_ && !looks_at_pages(); }
  Nanoseconds read_alike(Nanoseconds ready, Die die, const ReadCount& one) {
    count_reads_at_once(1, one);
    return reserve_read(ready, dies_[number(die)], times_.read(die, {}), one.transfer).done;
  }
  // Of an untimed run: so many reads at once, which come to that together.
  void count_reads_at_once(std::uint64_t reads, const ReadCount& together) {
    work_.reads += reads;
    work_.pages_read += together.pages;
    read_bytes_ += together.bytes;
  }
  // Array reads whose data stay where they are.
  void count_repeats(std::uint64_t count, std::uint32_t bytes) {
    work_.reads += count;
    work_.pages_read += count * pages_of(bytes);
  }
  // Whether programs are also counted by kind of page, which takes some nanoseconds each. Not from the beginning.
  bool counts_kinds() const { return counts_kinds_; }
  void set_counts_kinds(bool counts_kinds) { counts_kinds_ = counts_kinds; }
  // From when on no die and no channel is reserved.
  Nanoseconds idle_from() const;
  // Counts on from where another one stood. REQUIRES: nothing was done yet.
  void count_on(const Backend& other) {
    work_ = other.work_;
    read_bytes_ = other.read_bytes_;
    past_suspensions_ += other.suspensions();
  }
  const FlashWork& work() const { return work_; }
  std::uint64_t operations() const { return work_.operations(); }
  std::uint64_t read_bytes() const { return read_bytes_; }
  // What crossed the channels, with the spare bytes that travel along.
  std::uint64_t bus_bytes() const;
  std::uint64_t suspensions() const;  // of programs and erases, by reads
  Nanoseconds die_busy(Die die) const {
    return queues_.empty() ? dies_[number(die)].array.busy() : queues_[number(die)].busy();
  }
  Nanoseconds channel_busy(std::uint32_t channel) const {
    return queues_.empty() ? channels_[channel].busy() : channel_queues_[channel].busy();
  }

  // Every timed operation is put down in `log` too, until another log, or null, takes its place. REQUIRES: it lives on.
  void record(std::vector<TimedOperation>* log) {
    log_ = log;
    reserves_ = only_reserves();
  }

  template <class A>
  void archive(A& archive) {
    archive.section("backend");
    for (Timeline& channel : channels_) channel.archive(archive);
    for (DieState& die : dies_) {
      die.array.archive(archive);
      archive.exact(die.programmed);
      archive.exact(die.register_free);
    }
    for (DieQueue& queue : queues_) queue.archive(archive);
    for (ChannelQueue& channel : channel_queues_) channel.archive(archive, queues_.size());
    archive.value(work_);
    archive.value(read_bytes_);
    if (!queues_.empty()) archive.value(past_suspensions_);
  }

 private:
  struct DieState {
    Timeline array;
    std::uint32_t channel;
    // By frontier: end of its last program here; with cache_program, from when the register takes the next page in.
    std::vector<Nanoseconds> programmed;
    std::vector<Nanoseconds> register_free;
  };

  bool only_reserves() const { return timed_ && queues_.empty() && log_ == nullptr; }
  // Of a backend that has queues, no time, or somebody who wants to know each operation.
  ReadTimes read_in_detail(Nanoseconds ready, Die die, std::uint32_t bytes, const FlashPage& page, Nanoseconds retries);
  Nanoseconds program_in_detail(Nanoseconds ready, Die die, std::uint32_t nand_page, std::uint32_t planes,
                                std::uint32_t frontier, bool slc, bool in_register, BlockId block);
  ReadTimes reserve_read(Nanoseconds ready, DieState& die, Nanoseconds array, Nanoseconds transfer);
  Nanoseconds reserve_program(Nanoseconds ready, DieState& die, Nanoseconds array, Nanoseconds transfer,
                              std::uint32_t frontier);
  // Start of the array's part of a program, which is reserved with its transfer.
  Nanoseconds cached_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer, Nanoseconds array,
                             std::uint32_t frontier);
  Nanoseconds plain_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer, Nanoseconds array);

  ReadTimes queued_read(Nanoseconds ready, Die die, Nanoseconds array, Nanoseconds transfer, const FlashPage& page);
  Nanoseconds queued_program(Nanoseconds ready, Die die, Nanoseconds transfer, Nanoseconds array, std::uint32_t frontier);
  Nanoseconds expected_end(const DieQueue& queue, Nanoseconds ready, Nanoseconds start, Nanoseconds array,
                           bool suspended) const;
  Nanoseconds take_channel(Die die, Nanoseconds asked, Nanoseconds length, Nanoseconds holder_start);
  std::uint32_t planes_of(const FlashPage& page) const;
  Timeline& channel_of(Die die) { return channels_[number(die) % channel_count_]; }

  void count_kind(std::uint32_t nand_page, std::uint32_t planes, bool slc);
  std::uint32_t pages_of(std::uint32_t bytes) const { return (bytes + page_bytes_.value() - 1) / page_bytes_; }

  OperationTimes times_;
  Divisor page_bytes_;
  std::uint32_t page_spare_bytes_;
  Divisor channel_count_;
  bool cache_program_, cache_read_;
  bool independent_planes_;
  bool timed_;
  bool reserves_;  // only_reserves(), asked for each operation
  DieQueue::Rules rules_;
  std::vector<Timeline> channels_;
  std::vector<DieState> dies_;
  std::vector<DieQueue> queues_;              // by die, in place of DieState::array; empty: time is reserved
  std::vector<ChannelQueue> channel_queues_;  // in place of channels_
  std::vector<TimedOperation>* log_ = nullptr;
  std::vector<std::uint8_t> kind_of_page_;  // by NAND page of a block
  bool counts_kinds_ = false;
  FlashWork work_;
  std::uint64_t read_bytes_ = 0;
  std::uint64_t past_suspensions_ = 0;  // of another one, see count_on()
};

inline Backend::ReadTimes Backend::read(Nanoseconds ready, Die die, std::uint32_t bytes, const FlashPage& page,
                                        Nanoseconds retries) {
  count_reads(1, bytes);
  if (!reserves_) [[unlikely]]
    return read_in_detail(ready, die, bytes, page, retries);
  return reserve_read(ready, dies_[number(die)], times_.read(die, page) + retries, times_.read_transfer(bytes));
}

inline Backend::ReadTimes Backend::reserve_read(Nanoseconds ready, DieState& die, Nanoseconds array, Nanoseconds transfer) {
  const Nanoseconds occupied = array + (cache_read_ ? Nanoseconds{0} : transfer);
  const Nanoseconds start = die.array.reserve(ready, occupied);
  const Nanoseconds bus_start = channels_[die.channel].reserve(start + array, transfer);
  if (!cache_read_) die.array.hold(start + occupied, bus_start + transfer);
  return {start, start + array, bus_start, bus_start + transfer};
}

inline Nanoseconds Backend::program(Nanoseconds ready, Die die, std::uint32_t nand_page, std::uint32_t planes,
                                    std::uint32_t frontier, bool slc, bool in_register, BlockId block) {
  count_programs(1, planes, in_register);
  if (counts_kinds_) count_kind(nand_page, planes, slc);
  if (!reserves_) [[unlikely]]
    return program_in_detail(ready, die, nand_page, planes, frontier, slc, in_register, block);
  return reserve_program(ready, dies_[number(die)], times_.program(die, nand_page, block, slc),
                         times_.program_transfer(in_register ? 0 : planes), frontier);
}

inline Nanoseconds Backend::reserve_program(Nanoseconds ready, DieState& die, Nanoseconds array, Nanoseconds transfer,
                                            std::uint32_t frontier) {
  Timeline& channel = channels_[die.channel];
  Nanoseconds& last = die.programmed[frontier];
  const Nanoseconds start = cache_program_ ? cached_program(die, channel, ready, transfer, array, frontier)
                                           : plain_program(die, channel, std::max(ready, last), transfer, array);
  return last = start + array;
}

// The register takes data in while the array still programs the frontier's last page, one page ahead.
inline Nanoseconds Backend::cached_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer,
                                           Nanoseconds array, std::uint32_t frontier) {
  const Nanoseconds in = channel.reserve(std::max(ready, die.register_free[frontier]), transfer);
  const Nanoseconds start = die.array.reserve(std::max(in + transfer, die.programmed[frontier]), array);
  die.register_free[frontier] = start;
  return start;
}

}  // namespace ftlab
