#include "sim/core/error.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ftlab {

namespace {

std::string escape(char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7f) return std::string(1, c);
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string escape_all(std::string_view text) {
  std::string fit;
  for (const char c : text) fit += escape(c);
  return fit;
}

std::string front(const ConfigError::Place& place, std::string_view key) {
  std::string text = escape_all(place.file);
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (!text.empty()) text += ": ";
  if (!key.empty()) text += printable(key) + ": ";
  return text;
}

std::string brackets(std::string_view value, std::string_view allowed, std::string_view nearest) {
  std::vector<std::string> parts;
  if (!value.empty()) parts.push_back("got " + printable(value));
  if (!allowed.empty()) parts.push_back("allowed: " + escape_all(allowed));
  if (!nearest.empty()) parts.push_back("did you mean " + printable(nearest) + "?");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? " (" : "; ") + part;
  return text.empty() ? text : text + ")";
}

// Restricted Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours, no piece edited
// twice (the "optimal string alignment" of the literature). Keeps three rows of the table. Returns `enough` early if the
// distance is at least that. O(|a| * |b|).
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t enough) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> rows(3 * width);
  std::size_t *before = rows.data(), *above = before + width, *row = above + width;
  for (std::size_t j = 0; j < width; ++j) row[j] = j;
  std::size_t least = 0, least_above = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    least_above = std::exchange(least, i);
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (std::min(least, least_above + 1) >= enough) return enough;
  }
  return row[width - 1];
}

std::size_t size_difference(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

}  // namespace

ConfigError::ConfigError(const Place& place, std::string_view key, std::string_view problem, std::string_view value,
                         std::string_view allowed, std::string_view nearest)
    : std::runtime_error(front(place, key) + escape_all(problem) + brackets(value, allowed, nearest)) {}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::size_t limit = std::max<std::size_t>(2, name.size() / 3);
  std::string nearest;
  std::size_t smallest = limit + 1;
  for (const std::string& candidate : candidates) {
    if (size_difference(name, candidate) >= smallest) continue;  // avoids the table for names that cannot be near
    const std::size_t distance = edit_distance(name, candidate, smallest);
    if (distance >= smallest || distance >= std::max(name.size(), candidate.size())) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view kCut = "...";
  std::string fit;
  std::size_t cut_at = 0;  // length of the longest prefix of whole escapes that leaves room for kCut
  for (const char c : text) {
    fit += escape(c);
    if (fit.size() + kCut.size() <= most) cut_at = fit.size();
    if (fit.size() > most) return fit.substr(0, cut_at).append(kCut);
  }
  return fit;
}

}  // namespace ftlab
