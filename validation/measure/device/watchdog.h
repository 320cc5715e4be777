// Stands between the host and a real device and records faults: a request that fails, transfers too little, takes too long,
// or comes back twice or too early. After the first fault nothing more is issued, outstanding requests are waited for, and
// the result says that the measurement did not end as planned. A device that never returns a request is given up.
#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/host/stack/passing_device.h"

namespace ftlab {

enum class FaultKind : std::uint8_t {
  failed,
  short_transfer,
  late,          // outstanding for longer than `patience`
  out_of_order,  // completed before one that was already returned, or before its issue
  duplicate,     // returned although its tag was not outstanding
  lost           // still outstanding when the device was given up
};
const char* name_of(FaultKind kind);

struct ObservedFault {
  FaultKind kind;
  Nanoseconds at{0};  // on the device's clock
  Request request;
  std::string text;
};

// The device no longer answers.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Watchdog final : public PassingDevice {
 public:
  static constexpr std::size_t kMostFaults = 100;  // faults that are kept; all are counted

  struct Options {
    Nanoseconds patience{60'000'000'000};                   // after it a request is late, after twice as long it is lost
    std::function<std::string(std::uint64_t tag)> explain;  // for failed requests; may be empty
    std::atomic<bool>* leave = nullptr;                     // set at the first fault; checked by the host
  };

  // REQUIRES: the device outlives this.
  Watchdog(Device& device, Options options) : PassingDevice(device), options_(std::move(options)) {}

  void submit(std::span<const Request> batch) override;
  // Throws DeviceLost.
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  std::optional<VersionRules> report_contents(ContentLog* log) override;

  const std::vector<ObservedFault>& faults() const { return faults_; }
  std::uint64_t fault_count() const { return fault_count_; }
  std::size_t outstanding() const { return outstanding_; }

 private:
  struct Slot {
    Request request;
    std::uint32_t use = 0;  // counts up, so that an old request is not mistaken for a new one with the same tag
    bool out = false;
    bool late = false;
  };

  // Tags sent to the device: the host's in the low bits, the use of the slot above.
  static constexpr unsigned kHostBits = 32;
  static std::uint64_t host_tag(std::uint64_t tag) { return tag & ((std::uint64_t{1} << kHostBits) - 1); }
  void report_host_tags();

  bool leaving() const { return options_.leave != nullptr && options_.leave->load(std::memory_order_relaxed); }
  std::size_t look_at(std::span<Completion> done);
  bool judge(Completion& done);
  void look_for_late(Nanoseconds now);
  void record(FaultKind kind, Nanoseconds at, const Request& request, const std::string& text);

  Options options_;
  std::vector<Slot> slots_;  // by the host's tag
  std::vector<Request> batch_;
  ContentLog* log_ = nullptr;
  std::size_t outstanding_ = 0;
  Nanoseconds latest_{0};
  Nanoseconds looked_at_{0};
  std::vector<ObservedFault> faults_;
  std::uint64_t fault_count_ = 0;
};

}  // namespace ftlab
