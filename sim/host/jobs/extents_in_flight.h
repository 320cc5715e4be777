// serialize_overlap: a job does not issue a request that overlaps one of its outstanding requests.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/request.h"

namespace ftlab {

class ExtentsInFlight {
 public:
  // If off, nothing is kept and nothing overlaps.
  explicit ExtentsInFlight(bool on) : on_(on) {}

  bool overlap(const Request& request) const {
    const Extent asked = extent_of(request);
    return std::any_of(extents_.begin(), extents_.end(),
                       [&](const Extent& other) { return asked.first < other.end && other.first < asked.end; });
  }
  void add(const Request& request) {
    if (on_) extents_.push_back(extent_of(request));
  }
  void remove(const Request& request) {
    const auto same = [&](const Extent& extent) { return extent.first == request.offset_bytes; };
    const auto found = std::find_if(extents_.begin(), extents_.end(), same);
    if (found != extents_.end()) extents_.erase(found);
  }

 private:
  struct Extent {
    std::uint64_t first, end;
  };
  static Extent extent_of(const Request& request) {
    return {request.offset_bytes, request.offset_bytes + request.length_bytes};
  }

  bool on_;
  std::vector<Extent> extents_;
};

}  // namespace ftlab
