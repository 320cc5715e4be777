// Versions are 32 bits of the medium; a drive that is written to its death takes more. When they are used up, those of the
// older half are replaced by their rank among those that are still there, and those of the younger half follow behind, at
// their old distances. Only the order among the copies of one page has a meaning on the medium, and it stays; the age in
// writes, which placement asks for, stays for pages written in the last 2^31 writes and becomes smaller for older ones.
// Costs a sort of at most all physical pages every 2^31 page writes, no simulated time, and nothing is counted.
#include <algorithm>

#include "ftl/layer/ftl.h"

namespace ftlab {
namespace {

// Versions up to `cut`, each once, in order.
class Ranks {
 public:
  explicit Ranks(std::uint32_t cut) : cut_(cut) {}

  void add(Version version) {
    if (version != Version{0} && number(version) <= cut_) old_.push_back(number(version));
  }
  void sort() {
    std::sort(old_.begin(), old_.end());
    old_.erase(std::unique(old_.begin(), old_.end()), old_.end());
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(old_.size()); }
  Version of(Version version) const {
    if (version == Version{0}) return version;
    if (number(version) > cut_) return Version{number(version) - cut_ + count()};
    const auto found = std::lower_bound(old_.begin(), old_.end(), number(version));
    return Version{static_cast<std::uint32_t>(found - old_.begin()) + 1};
  }

 private:
  std::uint32_t cut_;
  std::vector<std::uint32_t> old_;
};

}  // namespace

// Translation pages have versions of their own, which count their writes.
void Ftl::renumber_versions() {
  Ranks ranks(newest_version_ / 2);
  const auto add = [&](Lpn lpn, Version version) {
    if (number(lpn) < logical_pages_) ranks.add(version);
    return version;
  };
  store_.renumber(add);
  held_.renumber(add);
  if (shared_ != nullptr) shared_->renumber(add);
  ranks.sort();
  FTLAB_CHECK(ranks.count() < newest_version_ / 2, "the medium holds more versions than can be numbered");
  const auto rank = [&](Lpn lpn, Version version) { return number(lpn) < logical_pages_ ? ranks.of(version) : version; };
  store_.renumber(rank);
  held_.renumber(rank);
  if (shared_ != nullptr) shared_->renumber(rank);
  placement_.count_on(newest_version_ / 2 - ranks.count());
  newest_version_ = number(ranks.of(Version{newest_version_}));
}

}  // namespace ftlab
