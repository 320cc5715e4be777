// What the requests in flight read and write: their memory, the bytes and stamps of writes, and what reads are found to
// hold.
#pragma once

#include <vector>

#include "sim/content_log.h"
#include "validation/measure/device/buffers.h"
#include "validation/measure/device/content.h"

namespace ftlab {

class DeviceContents {
 public:
  // `first_byte`: on the device, of offset 0 of the host. `seed`: of contents. `run`: told in stamps.
  DeviceContents(std::uint64_t first_byte, std::uint64_t seed, std::uint64_t run)
      : first_byte_(first_byte), run_(run), bytes_(seed) {}

  // Memory for `depth` requests of up to `largest` bytes. Where jobs read and write, reads have buffers of their own: one
  // that was read into would have to be filled again, all of it. Returns false when what there is will do, else calls
  // `forget` before the old memory goes.
  template <class Forget>
  bool prepare(const std::vector<Job>& jobs, std::size_t depth, bool separate_reads, std::uint64_t largest, Forget forget) {
    bytes_.set_jobs(jobs);
    first_of_writes_ = separate_reads ? depth : 0;
    const std::size_t count = depth + first_of_writes_;
    random_bytes_.assign(count, 0);
    if (buffers_.count() == count && largest <= buffers_.stride()) return false;
    forget();
    buffers_ = Buffers(count, largest);
    return true;
  }
  const Buffers& buffers() const { return buffers_; }
  // Of the request in that place.
  std::byte* memory(std::size_t place, Op op) const { return buffers_.at(buffer_of(place, op)); }
  // The kernel may still write into it: it stays until the process ends.
  void abandon_memory() { new Buffers(std::move(buffers_)); }

  // From now on every sector that is written is stamped.
  void stamp_writes() { stamps_ = true; }
  bool stamps() const { return stamps_; }
  // Where reads are reported; may be null.
  void set_log(ContentLog* log) {
    log_ = log;
    stamps_ = stamps_ || log != nullptr;
  }

  // `version`: of the sector before its first.
  void fill(std::size_t place, const Request& write, std::uint64_t version);
  void begin_read(std::size_t place) { random_bytes_[buffer_of(place, Op::read)] = 0; }
  void report_read(std::size_t place, const Request& read);

 private:
  std::size_t buffer_of(std::size_t place, Op op) const { return op == Op::write ? place + first_of_writes_ : place; }
  void make_bytes(std::size_t buffer, std::span<std::byte> memory, const Request& write);

  std::uint64_t first_byte_;
  std::uint64_t run_;
  ContentBytes bytes_;
  Buffers buffers_;
  std::size_t first_of_writes_ = 0;
  std::vector<std::uint64_t> random_bytes_;  // by buffer: so many were written for a content without a number
  std::uint64_t writes_ = 0;
  bool stamps_ = false;
  ContentLog* log_ = nullptr;
};

}  // namespace ftlab
