// Stands between the host and a real device and writes down what must not happen: a request that fails, moves less than it
// was asked to, takes too long, comes back twice or before its time. After the first such fault nothing more is issued, what
// is outstanding is waited for, and the result is one of a measurement that did not end as planned. A device that never
// gives back what it was asked for is given up.
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
  late,          // outstanding for longer than the patience
  out_of_order,  // completed before one that had been returned already, or before it was issued
  duplicate,     // returned though nothing was outstanding under its tag
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
  static constexpr std::size_t kMostFaults = 100;  // that are kept; all are counted

  struct Options {
    Nanoseconds patience{60'000'000'000};                   // then a request is late; after twice as long it is lost
    std::function<std::string(std::uint64_t tag)> explain;  // of a request that failed; may be empty
    std::atomic<bool>* leave = nullptr;                     // set at the first fault; the host looks at it
  };

  // REQUIRES: the device outlives it.
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
    std::uint32_t use = 0;  // counts up, so that an old request is not taken for a new one of the same tag
    bool out = false;
    bool late = false;
  };

  // The device gets tags of our own: the host's below, the use of the slot above.
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
