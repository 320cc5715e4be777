// For tests of the host: devices with known timing.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "sim/device.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

namespace ftlab::testing {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Serves one request at a time, in a fixed time each.
class OneServer : public Device {
 public:
  explicit OneServer(Nanoseconds service) : service_(service) {}
  DeviceInfo info() const override { return {"one server", std::uint64_t{1} << 30, true}; }
  void expect(const Request&) override { ++expected; }
  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) {
      REQUIRE(request.issued >= last_issued_);
      last_issued_ = request.issued;
      busy_until_ = std::max(busy_until_, request.issued) + service_of(request);
      take(request, busy_until_);
    }
  }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    std::size_t count = 0;
    for (; count < out.size() && !queue_.empty() && queue_.front().completed <= until; queue_.pop_front()) {
      if (count > 0 && queue_.front().completed != out[0].completed) break;
      out[count++] = queue_.front();
    }
    return count;
  }
  Counters counters() const override { return {}; }

  std::vector<Request> requests;
  std::size_t most_outstanding = 0;
  std::size_t expected = 0;
  std::size_t refuses_after = ~std::size_t{0};  // read-only after this many requests

 protected:
  virtual Nanoseconds service_of(const Request&) { return service_; }
  void take(const Request& request, Nanoseconds completed) {
    LatencyParts parts{};
    parts[0] = completed - request.issued;
    const bool refused = request.op == Op::write && requests.size() >= refuses_after;
    queue_.push_back({request.tag, completed, refused ? Status::read_only : Status::ok, parts});
    most_outstanding = std::max(most_outstanding, queue_.size());
    requests.push_back(request);
  }

  Nanoseconds service_;

 private:
  Nanoseconds busy_until_{0};
  Nanoseconds last_issued_{0};
  std::deque<Completion> queue_;
};

// Serves all requests in parallel: each takes the same time, whatever else is outstanding.
class ManyServers final : public OneServer {
 public:
  using OneServer::OneServer;
  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) take(request, request.issued + service_);
  }
};

inline JobFile jobs_of(const std::string& text) {
  JobContext context;
  context.capacity_bytes = std::uint64_t{1} << 30;
  return parse_job_file("[global]\nfilename=/dev/d\ndirect=1\nioengine=libaio\n" + text, "test", context);
}

}  // namespace ftlab::testing
