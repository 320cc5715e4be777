// The host of a run: sends a plan's requests to a drive and checks every answer. Two shadows know what the drive must hold:
// the contents after each request, which every read is compared with, and the contents that a power cut may leave.
//
//   every completion      was requested, and only once; is not earlier than its request; the parts of its latency sum to its
//                         latency; its status is one that the plan allows
//   every read            returns the version last written there, or no data after a trim
//   inspections           inspect(), every page against the shadow, and the counters of layer and medium against each other
//                         and against the host's own
//   overall               no request takes more flash steps than moving the whole drive four times
//
// All errors are thrown as `Wrong`.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/core/signature.h"
#include "validation/checks/reference/expected_contents.h"
#include "validation/soak/counts.h"
#include "validation/soak/durable_contents.h"
#include "validation/soak/host_requests.h"
#include "validation/soak/plan.h"

namespace ftlab::soak {

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& wrong) {
  if (!holds) throw Wrong(wrong);
}
// `wrong`: an error, or nothing.
inline void require_none(const std::string& wrong) { require(wrong.empty(), wrong); }

// A hook for tests of the tests: true for requests that the drive never gets, so that a correct drive seems wrong.
using Lie = std::function<bool(const Request& request, const RunPlan& plan)>;

class ShadowedHost {
 public:
  // A new drive. REQUIRES: plan, lie and counts outlive this.
  ShadowedHost(const RunPlan& plan, const Lie& lie, Counts& counts);

  // Writes the drive once, sequentially, in large pieces.
  void fill();
  // Issues the plan's next requests, as many as a batch has, and perhaps lets time pass.
  void step();
  void issue(Request request);
  void drain();
  // Saves the drive and loads it into one that is made from `config`.
  void move_to(const DriveConfig& config);

  // The state of the drive. REQUIRES: no requests outstanding.
  void inspect() const;
  // Compares every page. REQUIRES: no requests outstanding.
  void compare_all() {
    if (out_of_room()) return;
    require_none(expected_.unanswered());
    require_none(expected_.compare_all(drive_->ftl()));
  }

  // Lets the flash finish all its operations, so that their times are known and a cut can be placed among them. Requests
  // answered meanwhile count as answered only if that was before the cut.
  void run_ahead();
  // The power fails at a time: later answers never come. Returns what must be durable.
  const DurableContents& lose_power(Nanoseconds at);
  // The data that a power cut at this time must leave.
  DurableContents durable_at(Nanoseconds at) const;
  // Times of the answers to what was outstanding when the flash ran ahead.
  std::vector<Nanoseconds> answers() const;
  // The contents of the drive are those to expect from now on, which is `now`.
  void adopt_contents(Nanoseconds now);
  void set_now(Nanoseconds now) { now_ = now; }

  Drive& drive() { return *drive_; }
  Nanoseconds now() const { return now_; }
  struct Sums {
    std::uint64_t operations = 0, batches = 0, read_bytes = 0, written_bytes = 0, refused = 0;
  };
  const Sums& sums() const { return sums_; }
  std::uint32_t outstanding() const { return static_cast<std::uint32_t>(std::popcount(taken_)); }
  const ExpectedContents& expected() const { return expected_; }
  const Signature& completions() const { return completions_; }

 private:
  static constexpr std::uint32_t kMostDepth = 64;
  struct Slot {
    Nanoseconds issued{0};
    std::uint64_t tag = 0;
    Op op = Op::read;
    bool barrier = false;
    std::uint64_t before = 0, mark = 0;  // its changes; a complete barrier makes all changes before `mark` durable
  };
  struct Limits {
    std::uint32_t depth;
    Nanoseconds latency{0};
  };

  void open(const DriveConfig& config);
  void look_at_target(const Request& request);
  void take_some();
  void take(const Completion& done);
  void check_status(const Completion& done, Op op) const;
  void check_latency(const Completion& done, Nanoseconds issued) const;
  void check_reads();
  void inspect_sums() const;
  // The power cuts have left no room, so the drive is read-only: its reads are not compared any more.
  bool out_of_room() const { return durable_.has_value() && drive_->ftl().read_only(); }
  void settle(DurableContents& durable, const Completion& done) const;

  const RunPlan& plan_;
  const Lie& lie_;
  Counts& counts_;
  HostRequests requests_;
  ExpectedContents expected_;
  std::optional<DurableContents> durable_;  // of plans with power cuts
  Limits limits_;
  std::unique_ptr<Drive> drive_;
  ContentLog seen_;
  std::array<Slot, kMostDepth> slots_{};
  std::uint64_t taken_ = 0;  // bit mask of occupied slots
  Nanoseconds now_{0};
  Sums sums_;
  Signature completions_;
  std::vector<Completion> ahead_;  // of requests that are outstanding, while the flash runs ahead of a cut
};

}  // namespace ftlab::soak
