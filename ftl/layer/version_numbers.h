// Numbers of host writes. Versions are 32 bits of the medium; a drive that is written to its death takes more. When they are
// used up, those of the older half are replaced by their rank among those that are still there, and those of the younger
// half follow behind, at their old distances. Only the order among the copies of one page has a meaning on the medium, and
// it stays; the age in writes, which placement asks for, stays for pages written in the last 2^31 writes and becomes smaller
// for older ones. Costs a sort of at most all physical pages every 2^31 page writes, no simulated time, and nothing is
// counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/nand/array/medium.h"
#include "sim/core/check.h"

namespace ftlab {

class VersionNumbers {
 public:
  VersionNumbers(Version newest, std::uint32_t most) : newest_(number(newest)), most_(most) {}

  Version newest() const { return Version{newest_}; }
  bool used_up() const { return newest_ >= most_; }
  // REQUIRES: !used_up().
  Version next() {
    FTLAB_DCHECK(!used_up(), "a version beyond the last");
    return Version{++newest_};
  }

  using NumberOf = std::function<Version(Version)>;
  // `replace` gives each version that is kept the number that it is handed says, and is called twice. Returns by how much
  // the newest ones are smaller now.
  std::uint32_t renumber(const std::function<void(const NumberOf&)>& replace);

  template <class A>
  void archive(A& archive) {
    archive.value(newest_);
  }

 private:
  std::uint32_t newest_, most_;
};

}  // namespace ftlab
