#include "ftl/layer/version_numbers.h"

namespace ftlab {

std::uint32_t VersionNumbers::renumber(const std::function<void(const NumberOf&)>& replace) {
  const std::uint32_t cut = newest_ / 2;
  std::vector<std::uint32_t> old;  // distinct versions up to `cut`, sorted
  replace([&](Version version) {
    if (version != Version{0} && number(version) <= cut) old.push_back(number(version));
    return version;
  });
  std::sort(old.begin(), old.end());
  old.erase(std::unique(old.begin(), old.end()), old.end());
  FTLAB_CHECK(old.size() < cut, "the medium holds more versions than can be numbered");
  const std::uint32_t passed = cut - static_cast<std::uint32_t>(old.size());
  replace([&](Version version) {
    if (version == Version{0} || number(version) > cut)
      return version == Version{0} ? version : Version{number(version) - passed};
    const auto rank = std::lower_bound(old.begin(), old.end(), number(version)) - old.begin();
    return Version{static_cast<std::uint32_t>(rank) + 1};
  });
  newest_ -= passed;
  return passed;
}

}  // namespace ftlab
