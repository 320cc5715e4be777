// Version numbers of host writes. The medium stores 32 bits, too few for a drive that is written to its end of life. When
// they run out, versions of the older half are replaced by their rank among those still present, and those of the younger
// half follow at their old distances. Only the order among the copies of one page matters on the medium, and it is kept. The
// age in writes, which placement uses, is exact for the last 2^31 writes and becomes smaller for older ones. Costs a sort of
// at most all physical pages every 2^31 page writes, but no simulated time and no counts.
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

  // Takes the next `count` versions. REQUIRES: so many are left.
  void skip(std::uint32_t count) {
    FTLAB_DCHECK(count <= left(), "versions beyond the last");
    newest_ += count;
  }

  // Number of versions left before all are used up.
  std::uint32_t left() const { return most_ - std::min(newest_, most_); }

  using NumberOf = std::function<Version(Version)>;
  // `replace` applies the given function to each version that is kept; it is called twice. Returns by how much the newest
  // versions have decreased.
  std::uint32_t renumber(const std::function<void(const NumberOf&)>& replace);

  template <class A>
  void archive(A& archive) {
    archive.value(newest_);
  }

 private:
  std::uint32_t newest_, most_;
};

}  // namespace ftlab
