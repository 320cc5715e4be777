// Who is busy until when: dies and channels as timelines. Given the moment at which an operation could begin, says when
// it is done. In an untimed run every operation is done at once and nothing is reserved.
//
// Modelled: one array operation at a time per die; one transfer at a time per channel; reads occupy the die until their
// data are on the bus (unless cache_read); programs occupy it from the beginning of their transfer (unless
// cache_program); program time by kind of page; programs of one frontier on one die in order; other operations fill
// gaps. Not modelled here: suspension of programs and erases, read priority, process variation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/geometry.h"
#include "models/nand/layout.h"
#include "models/nand/timing.h"
#include "sim/timeline.h"

namespace ftlab {

class Backend {
 public:
  // `frontiers` of them may program at the same time.
  Backend(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool timed);

  struct ReadTimes {
    Nanoseconds array_start, array_end, bus_start, done;
  };
  // One array read, single- or multi-plane, and the transfer of `bytes` of payload (whole codewords). `retries`: for how
  // much longer the array is busy with reading the page again; what was transferred for these is not charged.
  ReadTimes read(Nanoseconds ready, Die die, std::uint32_t bytes, Nanoseconds retries = Nanoseconds{0});

  // The array read of a copyback: the data stay in the die's register. Returns when they are there.
  Nanoseconds read_internally(Nanoseconds ready, Die die);

  // One program of `planes` pages; data in the controller at `ready`. `slc`: one bit a cell in a block that could hold more.
  // `in_register`: of a copyback, nothing crosses the channel but the command. Returns when the array is done.
  Nanoseconds program(Nanoseconds ready, Die die, std::uint32_t nand_page, std::uint32_t planes, std::uint32_t frontier,
                      bool slc = false, bool in_register = false);

  // One erase, single- or multi-plane. Returns when the array is done.
  Nanoseconds erase(Nanoseconds ready, Die die);

  bool timed() const { return timed_; }
  void set_timed(bool timed) { timed_ = timed; }
  // For callers that spare themselves the question where in an untimed run. Returns the beginning of time.
  Nanoseconds count_operations(std::uint64_t count) {
    operations_ += count;
    return Nanoseconds{0};
  }
  Nanoseconds count_reads(std::uint64_t count, std::uint32_t bytes) {
    read_bytes_ += count * codewords_of(bytes) * codeword_bytes_.value();
    return count_operations(count);
  }
  // From when on no die and no channel is reserved.
  Nanoseconds idle_from() const;
  // Counts on from where another one stood.
  void count_on(const Backend& other) {
    operations_ += other.operations_;
    read_bytes_ += other.read_bytes_;
  }
  std::uint64_t operations() const { return operations_; }
  std::uint64_t read_bytes() const { return read_bytes_; }
  Nanoseconds die_busy(Die die) const { return dies_[number(die)].array.busy(); }
  Nanoseconds channel_busy(std::uint32_t channel) const { return channels_[channel].busy(); }

  template <class A>
  void archive(A& archive) {
    archive.section("backend");
    for (Timeline& channel : channels_) channel.archive(archive);
    for (DieState& die : dies_) {
      die.array.archive(archive);
      archive.list(die.programmed, die.programmed.size());
      archive.list(die.register_free, die.register_free.size());
    }
    archive.value(operations_);
    archive.value(read_bytes_);
  }

 private:
  struct DieState {
    Timeline array;
    // By frontier: end of its last program here; with cache_program, from when the register takes the next page in.
    std::vector<Nanoseconds> programmed;
    std::vector<Nanoseconds> register_free;
  };

  std::uint32_t codewords_of(std::uint32_t bytes) const { return (bytes + codeword_bytes_.value() - 1) / codeword_bytes_; }
  Nanoseconds bus_time(std::uint64_t payload_bytes) const;
  // Start of the array's part of a program, which is reserved with its transfer.
  Nanoseconds cached_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer,
                             Nanoseconds array, std::uint32_t frontier);
  Nanoseconds plain_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer,
                            Nanoseconds array);

  Geometry geometry_;
  Divisor codeword_bytes_;
  NandTiming timing_;
  bool timed_;
  std::vector<Timeline> channels_;
  std::vector<DieState> dies_;
  std::vector<Nanoseconds> read_transfer_;     // by codewords
  std::vector<Nanoseconds> program_transfer_;  // by planes
  std::uint64_t operations_ = 0;
  std::uint64_t read_bytes_ = 0;
};

}  // namespace ftlab
