// The requests of a plan's host.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/random.h"
#include "validation/soak/plan.h"

namespace ftlab::soak {

class HostRequests {
 public:
  explicit HostRequests(const RunPlan& plan)
      : host_(plan.host),
        random_(plan.seed, "host of the swarm"),
        sectors_(plan.drive.user_bytes / kSectorBytes),
        page_sectors_(std::max<std::uint64_t>(plan.drive.ftl.mapping_bytes / kSectorBytes, 1)),
        longest_(std::min<std::uint64_t>(std::max(host_.longest_sectors, 1u), sectors_)),
        weights_(std::uint64_t{host_.read} + host_.write + host_.trim + host_.flush) {}

  Request next() {
    Request request;
    const std::uint64_t kind = weights_ == 0 ? 0 : random_.below(weights_);
    request.op = weights_ == 0 || kind < host_.write ? Op::write
                 : kind < host_.write + host_.read   ? Op::read
                 : kind < weights_ - host_.flush     ? Op::trim
                                                     : Op::flush;
    if (request.op == Op::flush) return request;
    place(request);
    if (request.op != Op::write) return request;
    if (host_.streams > 1) request.stream = static_cast<std::uint8_t>(random_.below(host_.streams));
    if (host_.fua_percent > 0) request.fua = random_.below(100) < host_.fua_percent;
    std::uint64_t id = 0, stored = 1000;
    if (host_.contents > 0) id = random_.below(host_.contents + std::uint64_t{1});
    if (host_.stored_permille < 1000) stored = host_.stored_permille + random_.below(1001 - host_.stored_permille);
    request.content = {id, stored};
    return request;
  }

 private:
  void place(Request& request) {
    const bool aligned = host_.aligned_percent >= 100 || random_.below(100) < host_.aligned_percent;
    const std::uint64_t piece = aligned && longest_ >= page_sectors_ ? page_sectors_ : 1;
    const std::uint64_t length = longest_ / piece > 1 ? (1 + random_.below(longest_ / piece)) * piece : piece;
    const bool on = host_.sequential_percent > 0 && random_.below(100) < host_.sequential_percent;
    std::uint64_t first = next_;
    if (!on || first + length > sectors_) {
      const bool hot = host_.hot_percent > 0 && random_.below(100) < host_.hot_percent;
      const std::uint64_t reach = std::max(hot && host_.hot_part > 0 ? sectors_ / host_.hot_part : sectors_, length);
      first = random_.below((reach - length) / piece + 1) * piece;
    }
    next_ = first + length;
    request.offset_bytes = first * kSectorBytes;
    request.length_bytes = length * kSectorBytes;
  }

  HostPlan host_;
  RandomStream random_;
  std::uint64_t sectors_, page_sectors_, longest_, weights_;
  std::uint64_t next_ = 0;  // sector where the last request ended
};

}  // namespace ftlab::soak
