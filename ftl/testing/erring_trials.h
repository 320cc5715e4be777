// Helpers for tests of drives with bit errors: cells with a simple error model, and a host that keeps the time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

namespace ftlab::testing {

inline constexpr Nanoseconds kDay{86'400'000'000'000};
inline constexpr std::uint64_t kPage = 4096;

// Errors per bit, in the unit of a drive file.
inline constexpr std::uint64_t per_pbit(double rate) { return static_cast<std::uint64_t>(rate * 1e15); }

inline CellsConfig cells_with(std::vector<RetryStep> retry) {
  CellsConfig cells;
  cells.kinds_permille = {1000, 1000};
  cells.slc_permille = 1000;
  cells.correctable_bits = 24;  // per codeword of 8448 bits
  cells.retry = std::move(retry);
  return cells;
}

// Every read takes all these steps: the mean number of errors in a codeword is 422 without them and 2 with the last one.
inline CellsConfig always_retried() {
  CellsConfig cells =
      cells_with({{1000, 24, 1, Nanoseconds{0}}, {500, 24, 3, Nanoseconds{7'000}}, {5, 24, 2, Nanoseconds{900}}});
  cells.fresh_per_pbit = per_pbit(0.05);
  cells.fresh_exponent = 10'000;
  cells.wear_cycles = 1'000'000;
  return cells;
}
inline constexpr std::uint64_t kAlwaysReads = 1 + 3 + 2;
inline constexpr std::uint64_t kAlwaysOverhead = 7'900;

// Errors grow with the third power of time: no page fails within 30 days, all do after 90 (6 and 169 errors in a codeword).
inline CellsConfig fading(std::vector<RetryStep> retry = {}) {
  CellsConfig cells = cells_with(std::move(retry));
  cells.retention_per_pbit = per_pbit(0.02 / (90.0 * 90 * 90));
  cells.retention_wear_exponent = 0;
  cells.retention_time_exponent = 3000;
  return cells;
}

// Superblocks are refreshed after 30 days, when a codeword has 6 errors.
inline RefreshConfig monthly() { return {per_pbit(0.02 / 27), 1, kDay, 16}; }

inline DriveConfig erring_drive(const CellsConfig& cells) {
  DriveConfig drive = striped_drive();
  drive.cells = cells;
  return drive;
}

// A drive and the current time of its host, which issues one request at a time.
class Host {
 public:
  explicit Host(const DriveConfig& config, Clock clock = Clock::timed)
      : drive_(config, clock), pages_(config.logical_pages()) {}

  Completion request(Op op, std::uint64_t offset, std::uint64_t length) {
    Request request{1, op, offset, length, now_};
    request.content = {0, stored_};
    drive_.submit({&request, 1});
    Completion done;
    REQUIRE(drive_.wait(kNever, {&done, 1}) == 1);
    Nanoseconds sum{0};
    for (const Nanoseconds part : done.parts) sum += part;
    REQUIRE(sum == done.completed - now_);
    latency_ = done.completed - now_;
    now_ = done.completed;
    return done;
  }
  Status read(std::uint64_t page) { return request(Op::read, page * kPage, kPage).status; }
  Status write(std::uint64_t page) { return request(Op::write, page * kPage, kPage).status; }
  void flush() { request(Op::flush, 0, 0); }
  void fill() {
    for (std::uint64_t p = 0; p < pages_; ++p) REQUIRE(write(p) == Status::ok);
    flush();
  }
  void write_at_random(std::uint64_t writes, std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t i = 0; i < writes; ++i) REQUIRE(write(first + random_.below(end - first)) == Status::ok);
  }
  // Size to which an ideal compressor shrinks all later writes, in thousandths.
  void store(std::uint64_t thousandths) { stored_ = thousandths; }
  void rest(Nanoseconds time) { now_ += time; }
  std::uint64_t lost_pages() {
    std::uint64_t lost = 0;
    for (std::uint64_t p = 0; p < pages_; ++p) lost += read(p) == Status::media_error;
    return lost;
  }
  void require_sound() const {
    for (const std::string& sentence : inspect(drive_.ftl())) FAIL(sentence);
  }

  Drive& drive() { return drive_; }
  Counters counters() const { return drive_.counters(); }
  std::uint64_t pages() const { return pages_; }
  Nanoseconds latency() const { return latency_; }
  Nanoseconds now() const { return now_; }

 private:
  Drive drive_;
  RandomStream random_{3, "erring drive"};
  std::uint64_t pages_;
  std::uint64_t stored_ = 1000;
  Nanoseconds now_{0};
  Nanoseconds latency_{0};
};

inline Nanoseconds retry_part(const Completion& done) { return done.parts[static_cast<std::size_t>(LatencyPart::retry)]; }

}  // namespace ftlab::testing
