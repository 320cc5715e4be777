#include "models/nand/backend.h"

#include <algorithm>

#include "sim/check.h"

namespace ftlab {

Backend::Backend(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool timed)
    : geometry_(geometry),
      codeword_bytes_(geometry.codeword_bytes),
      timing_(timing),
      timed_(timed),
      channels_(geometry.channels),
      dies_(geometry.dies(), DieState{{}, std::vector<Nanoseconds>(frontiers), std::vector<Nanoseconds>(frontiers)}) {
  const std::uint32_t codewords = geometry.planes_per_die * geometry.page_bytes / geometry.codeword_bytes;
  for (std::uint32_t n = 0; n <= codewords; ++n)
    read_transfer_.push_back(bus_time(n * std::uint64_t{geometry.codeword_bytes}));
  for (std::uint32_t n = 0; n <= geometry.planes_per_die; ++n) {
    program_transfer_.push_back(bus_time(n * std::uint64_t{geometry.page_bytes}));
  }
}

// Spare bytes travel with the payload in proportion.
Nanoseconds Backend::bus_time(std::uint64_t payload_bytes) const {
  const std::uint64_t bytes =
      payload_bytes * (geometry_.page_bytes + geometry_.page_spare_bytes) / geometry_.page_bytes;
  return timing_.bus_command + transfer_time(bytes, timing_.bus_bytes_per_s);
}

Nanoseconds Backend::idle_from() const {
  Nanoseconds last{0};
  for (const Timeline& channel : channels_) last = std::max(last, channel.end());
  for (const DieState& die : dies_) last = std::max(last, die.array.end());
  return last;
}

Backend::ReadTimes Backend::read(Nanoseconds ready, Die die_number, std::uint32_t bytes, Nanoseconds retries) {
  count_reads(1, bytes);
  if (!timed_) return {ready, ready, ready, ready};
  const Nanoseconds transfer = read_transfer_[codewords_of(bytes)];
  Timeline& die = dies_[number(die_number)].array;
  const Nanoseconds array = timing_.read + retries;
  const Nanoseconds occupied = array + (timing_.cache_read ? Nanoseconds{0} : transfer);
  const Nanoseconds array_start = die.reserve(ready, occupied);
  const Nanoseconds array_end = array_start + array;
  const Nanoseconds bus_start = channels_[geometry_.channel_of(number(die_number))].reserve(array_end, transfer);
  if (!timing_.cache_read) die.hold(array_start + occupied, bus_start + transfer);
  return {array_start, array_end, bus_start, bus_start + transfer};
}

Nanoseconds Backend::read_internally(Nanoseconds ready, Die die) {
  ++operations_;
  if (!timed_) return ready;
  return dies_[number(die)].array.reserve(ready, timing_.read) + timing_.read;
}

Nanoseconds Backend::program(Nanoseconds ready, Die die_number, std::uint32_t nand_page, std::uint32_t planes,
                             std::uint32_t frontier, bool slc, bool in_register) {
  ++operations_;
  if (!timed_) return ready;
  DieState& die = dies_[number(die_number)];
  const Nanoseconds array_time = slc ? timing_.program_slc : timing_.program[nand_page % timing_.program.size()];
  Timeline& channel = channels_[geometry_.channel_of(number(die_number))];
  const Nanoseconds transfer = program_transfer_[in_register ? 0 : planes];
  const Nanoseconds start =
      timing_.cache_program
          ? cached_program(die, channel, ready, transfer, array_time, frontier)
          : plain_program(die, channel, std::max(ready, die.programmed[frontier]), transfer, array_time);
  return die.programmed[frontier] = start + array_time;
}

// The register takes data in while the array still programs the frontier's last page, one page ahead.
Nanoseconds Backend::cached_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer,
                                    Nanoseconds array, std::uint32_t frontier) {
  const Nanoseconds in = channel.reserve(std::max(ready, die.register_free[frontier]), transfer);
  const Nanoseconds start = die.array.reserve(std::max(in + transfer, die.programmed[frontier]), array);
  die.register_free[frontier] = start;
  return start;
}

// Die and channel at the same time: raise the moment until both agree.
Nanoseconds Backend::plain_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer,
                                   Nanoseconds array) {
  Nanoseconds in = channel.earliest(ready, transfer);
  for (Nanoseconds both = die.array.earliest(in, transfer + array); both != in;
       both = die.array.earliest(in, transfer + array)) {
    in = channel.earliest(both, transfer);
  }
  channel.reserve(in, transfer);
  die.array.reserve(in, transfer + array);
  return in + transfer;
}

Nanoseconds Backend::erase(Nanoseconds ready, Die die_number) {
  ++operations_;
  if (!timed_) return ready;
  return dies_[number(die_number)].array.reserve(ready, timing_.erase) + timing_.erase;
}

}  // namespace ftlab
