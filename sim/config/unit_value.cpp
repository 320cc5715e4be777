#include "sim/config/unit_value.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "sim/core/error.h"
#include "sim/core/uint128.h"

namespace ftlab {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t scale;  // in ns, or bytes
};
constexpr std::uint64_t kK = 1000, kKi = 1024, kSecond = 1'000'000'000;
constexpr std::array kTimes = {Unit{"ns", 1},
                               Unit{"us", kK},
                               Unit{"ms", kK* kK},
                               Unit{"s", kSecond},
                               Unit{"min", 60 * kSecond},
                               Unit{"h", 3600 * kSecond},
                               Unit{"d", 86'400 * kSecond}};
constexpr std::array kSizes = {Unit{"B", 1},
                               Unit{"kB", kK},
                               Unit{"MB", kK* kK},
                               Unit{"GB", kK* kK* kK},
                               Unit{"TB", kK* kK* kK* kK},
                               Unit{"KiB", kKi},
                               Unit{"MiB", kKi* kKi},
                               Unit{"GiB", kKi* kKi* kKi},
                               Unit{"TiB", kKi* kKi* kKi* kKi}};
constexpr std::array kShares = {Unit{"%", 10}};  // in thousandths

// The unit in which a key counts.
struct Counted {
  std::string_view ending;
  std::span<const Unit> units;
  std::uint64_t scale;
  std::string_view behind = {};  // suffix of a unit's name
};
const std::array<Counted, 10> kCounted = {{{"_ns", kTimes, 1},
                                           {"_us", kTimes, kK},
                                           {"_ms", kTimes, kK* kK},
                                           {"milliseconds", kTimes, kK* kK},
                                           {"seconds", kTimes, kSecond},
                                           {"_bytes_per_s", kSizes, 1, "/s"},
                                           {"_s", kTimes, kSecond},
                                           {"_bytes", kSizes, 1},
                                           {"user_sectors", kSizes, 512},
                                           {"_permille", kShares, 1}}};

// True if the last step of a path ends in a unit, or is one: ftl.write_buffer.bytes.
bool ends_in(std::string_view key, std::string_view ending) {
  const std::string_view last = key.substr(key.rfind('.') + 1);
  return last.ends_with(ending) || (ending.starts_with('_') && last == ending.substr(1));
}

const Unit* unit_named(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

// "1.5" is 15 with divisor 10.
struct Decimal {
  Uint128 digits = 0;
  std::uint64_t divisor = 1;
};

std::optional<Decimal> decimal(std::string_view text) {
  constexpr std::size_t kMostDigits = 19;
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view after = point < text.size() ? text.substr(point + 1) : std::string_view();
  if (point == 0 || text.size() > kMostDigits || (point < text.size() && after.empty())) return std::nullopt;
  Decimal number;
  for (const char c : std::string(text.substr(0, point)) + std::string(after)) {
    if (c < '0' || c > '9') return std::nullopt;
    number.digits = number.digits * 10 + static_cast<unsigned>(c - '0');
  }
  for (std::size_t i = 0; i < after.size(); ++i) number.divisor *= 10;
  return number;
}

}  // namespace

std::optional<std::uint64_t> value_with_unit(const ConfigError::Place& place, std::string_view key, std::string_view value) {
  for (const Counted& counted : kCounted) {
    if (!ends_in(key, counted.ending)) continue;
    const std::size_t end = std::min(value.find_first_not_of("0123456789."), value.size());
    std::string_view name = value.substr(end);
    if (!name.ends_with(counted.behind)) return std::nullopt;
    name.remove_suffix(counted.behind.size());
    const Unit* const unit = unit_named(counted.units, name);
    const auto number = decimal(value.substr(0, end));
    if (unit == nullptr || !number) return std::nullopt;
    const Uint128 scaled = number->digits * unit->scale;
    const Uint128 whole = static_cast<Uint128>(number->divisor) * counted.scale;
    if (scaled % whole != 0 || scaled / whole > ~std::uint64_t{0})
      throw ConfigError(place, key, "is not a whole number of the unit in the key's name that fits 64 bits", value);
    return static_cast<std::uint64_t>(scaled / whole);
  }
  return std::nullopt;
}

}  // namespace ftlab
