#include "sim/config/share.h"

#include <optional>
#include <string>

#include "sim/config/split.h"

namespace ftlab {
namespace {

// Shifted by its exponent instead of divided, so that 7% and 0.07 are the same double.
std::optional<double> number(const std::string& digits, const char* exponent = "") {
  const auto value = parsed<double>(digits + exponent);
  return value && *value >= 0 && *value < std::numeric_limits<double>::infinity() ? value : std::nullopt;
}

// The shortest digits of a bound or a value, times 100 if it is shown in per cent.
std::string shown(double value, bool percent) {
  char digits[64];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, percent ? value * 100 : value, std::chars_format::fixed, 6).ptr;
  std::string text(digits, end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return percent ? text + "%" : text;
}

std::string allowed(const ShareRange& range) {
  return shown(range.least, true) + " to " + shown(range.most, true) + ", as 7% or 0.07";
}

}  // namespace

double share_of(const ConfigError::Place& place, std::string_view key, std::string_view text, const ShareRange& range) {
  const bool percent = text.ends_with('%');
  const std::string digits(text.substr(0, text.size() - (percent ? 1 : 0)));
  const bool scientific = digits.find_first_of("eE") != digits.npos;
  const auto plain = percent && scientific ? std::nullopt : number(digits);
  if (!plain) throw ConfigError(place, key, "is not a share", text, allowed(range));
  const bool either = !percent && *plain > range.ratios_to && *plain < range.percent_from;
  if (either && *plain / 100 <= range.most)
    throw ConfigError(place, key, "may be a ratio or per cent", text,
                      shown(*plain / 100, true) + " if per cent was meant, " + shown(*plain, true) + " if the ratio was");
  const bool shifted = percent || (*plain >= range.percent_from && !scientific);
  const double share = shifted ? number(digits, "e-2").value_or(0) : *plain;
  if (share >= range.least && share <= range.most) return share;
  throw ConfigError(place, key, "is out of range", text, allowed(range));
}

}  // namespace ftlab
