#include "validation/calibrate/rated_drive.h"

#include <algorithm>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "sim/config/split.h"
#include "sim/config/unit_value.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

struct Form {
  const char* name;
  const char* counted_like;  // a key with the same unit; empty: requests per second
  const char* example;
};
constexpr Form kForms[kRatings] = {{"seq_read", "_bytes_per_s", "seq_read=6.8GB/s"},
                                   {"seq_write", "_bytes_per_s", "seq_write=1400MB/s"},
                                   {"rand_read", "", "rand_read=1M"},
                                   {"rand_write", "", "rand_write=85k"},
                                   {"read_latency", "_ns", "read_latency=80us"},
                                   {"write_latency", "_ns", "write_latency=15us"},
                                   {"tbw", "_bytes", "tbw=1700TB"},
                                   {"slc_cache", "_bytes", "slc_cache=113GB"}};

[[noreturn]] void refuse(std::string_view key, const char* problem, std::string_view value, std::string_view allowed,
                         std::string_view nearest = {}) {
  throw ConfigError({"--rated", 0}, key, problem, value, allowed, nearest);
}

// "85k" is 85,000, "1.1M" 1,100,000; nullopt if it is not a positive number.
std::optional<double> requests_per_s(std::string_view text) {
  double factor = 1;
  if (text.ends_with('k') || text.ends_with('K')) factor = 1e3;
  if (text.ends_with('M')) factor = 1e6;
  if (factor > 1) text.remove_suffix(1);
  const auto number = parsed<double>(text, std::chars_format::fixed);
  return number && *number > 0 ? std::optional(*number * factor) : std::nullopt;
}

double value_of(const Form& form, std::string_view text) {
  std::optional<double> value;
  if (*form.counted_like == 0) {
    value = requests_per_s(text);
  } else if (const auto whole = value_with_unit({"--rated", 0}, form.counted_like, text)) {
    value = static_cast<double>(*whole);
  }
  if (!value || *value < 1) refuse(form.name, "is not a number with its unit", text, std::string("as ") + form.example);
  return *value;
}

}  // namespace

std::string rating_text(Rating rating, double value) {
  switch (rating) {
    case Rating::sequential_read:
    case Rating::sequential_write: return fmt::format("{:.4g} GB/s", value / 1e9);
    case Rating::random_read:
    case Rating::random_write: return fmt::format("{:.4g} k/s", value / 1e3);
    case Rating::slc_cache: return fmt::format("{:.4g} GB", value / 1e9);
    case Rating::written_bytes: return fmt::format("{:.4g} TB", value / 1e12);
    default: return fmt::format("{:.4g} us", value / 1e3);
  }
}

const char* name_of(Rating rating) { return kForms[static_cast<std::size_t>(rating)].name; }

Ratings::Ratings(std::string_view text) {
  std::vector<std::string> names;
  for (const Form& form : kForms) names.emplace_back(form.name);
  for (const std::string_view item : split(text, ',')) {
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string name(item.substr(0, equals));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() || equals == item.size())
      refuse(name, "is not a rating with its value", item, "seq_read, seq_write, rand_read, rand_write, read_latency, "
             "write_latency, tbw, slc_cache, each as seq_read=6.8GB/s", nearest_name(name, names));
    std::optional<double>& value = values_[static_cast<std::size_t>(found - names.begin())];
    if (value) refuse(name, "is stated twice", item, "each rating once");
    value = value_of(kForms[found - names.begin()], item.substr(equals + 1));
  }
}

}  // namespace ftlab
