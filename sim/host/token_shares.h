// fio's flow: jobs of one flow_id take turns, so that each has its weight's share of their requests.
#pragma once

#include <cstdint>
#include <map>

namespace ftlab {

class TokenShares {
 public:
  void join(std::uint64_t id, std::uint64_t weight) { flows_[id].weight += weight; }
  void leave(std::uint64_t id, std::uint64_t weight, std::uint64_t taken) {
    flows_[id].weight -= weight;
    flows_[id].taken -= taken;
  }
  void take(std::uint64_t id) { ++flows_[id].taken; }

  // Whether a job that has taken so many is ahead of its share. REQUIRES: it has joined.
  bool ahead(std::uint64_t id, std::uint64_t weight, std::uint64_t taken) const {
    const Flow& flow = flows_.at(id);
    return taken * flow.weight > weight * flow.taken;
  }

 private:
  struct Flow {
    std::uint64_t weight = 0;
    std::uint64_t taken = 1;  // as with fio, so that the first job may begin
  };
  std::map<std::uint64_t, Flow> flows_;
};

}  // namespace ftlab
