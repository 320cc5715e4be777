// Numbers the volumes of a trace in order of appearance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ftlab {

inline constexpr std::size_t kMostVolumes = 65536;

class VolumeNames {
 public:
  // Returns the number of a name, adding it if new; kMostVolumes if that is one too many.
  std::uint32_t number_of(std::string_view name) {
    if (last_ < names_.size() && names_[last_] == name) return last_;
    const auto [place, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new && names_.size() < kMostVolumes) names_.emplace_back(name);
    return last_ = place->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t last_ = 0;  // most records name the same volume as the record before
};

}  // namespace ftlab
