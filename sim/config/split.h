// Splits a text at a separator, joins texts, and reads numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// The parts between the separators, empty ones included; the whole text if none. REQUIRES: the text outlives the parts.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

// "a, b, c". Empty texts at the beginning get no separator.
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string all;
  for (const auto& text : texts) {
    if (!all.empty()) all += separator;
    all += text;
  }
  return all;
}

// The number that the whole text is, in the form of std::from_chars: without blanks and plus sign.
template <class Number, class... Form>
std::optional<Number> parsed(std::string_view text, Form... form) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, form...);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace ftlab
