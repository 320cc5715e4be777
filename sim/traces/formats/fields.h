// Splits a line of a trace into fields and parses whole numbers and exact times.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/traces/formats/parsed_line.h"

namespace ftlab {

inline constexpr std::size_t kMostFields = 24;

// Units of the times in traces, in nanoseconds.
inline constexpr std::uint64_t kSecondNs = 1'000'000'000;
inline constexpr std::uint64_t kMillisecondNs = 1'000'000;
inline constexpr std::uint64_t kMicrosecondNs = 1'000;
inline constexpr std::uint64_t kFileTimeNs = 100;

struct Fields {
  std::array<std::string_view, kMostFields> text;
  std::size_t count = 0;  // all fields of the line; text beyond kMostFields is not kept

  std::string_view operator[](std::size_t i) const { return text[i]; }
  void add(std::string_view field) {
    if (count < kMostFields) text[count] = field;
    ++count;
  }
};

inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Splits at separators; blanks around a field are dropped.
inline void split_at(std::string_view line, char separator, Fields& fields) {
  fields.count = 0;
  const char* first = line.data();
  const char* const end = first + line.size();
  for (const char* at = first; at != end; ++at) {
    if (*at != separator) continue;
    fields.add(without_blanks({first, static_cast<std::size_t>(at - first)}));
    first = at + 1;
  }
  fields.add(without_blanks({first, static_cast<std::size_t>(end - first)}));
}

// Splits at blanks and tabs.
inline void split_at_blanks(std::string_view line, Fields& fields) {
  fields.count = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ' || line[at] == '\t') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != ' ' && line[end] != '\t') ++end;
    fields.add(line.substr(at, end - at));
    at = end;
  }
}

// Parses digits only, up to 64 bits.
inline bool read_number(std::string_view text, std::uint64_t& value, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && stop == end;
}

inline bool begins_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

// Like read_number(); also accepts hexadecimal digits after 0x.
inline bool read_any_number(std::string_view text, std::uint64_t& value) {
  return begins_hexadecimal(text) ? read_number(text.substr(2), value, 16) : read_number(text, value);
}

// Parses digits with an optional fraction, in units of `unit_ns`, a power of ten. Digits below a nanosecond are cut off.
inline bool read_time(std::string_view text, std::uint64_t unit_ns, std::uint64_t& ns) {
  const std::size_t point = text.find('.');
  std::uint64_t whole = 0;
  if (!read_number(text.substr(0, point), whole) || __builtin_mul_overflow(whole, unit_ns, &ns)) return false;
  if (point == text.npos) return true;
  if (point + 1 == text.size()) return false;
  for (const char digit : text.substr(point + 1)) {
    if (digit < '0' || digit > '9') return false;
    unit_ns /= 10;
    if (__builtin_add_overflow(ns, unit_ns * static_cast<std::uint64_t>(digit - '0'), &ns)) return false;
  }
  return true;
}

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

// Parses typed values from the fields of one line. Each function returns false on failure and then fills the fault.
class Taker {
 public:
  Taker(ParsedLine& line, LineFault& fault) : line_(line), fault_(fault) {}

  bool time(const char* key, std::string_view text, std::uint64_t unit_ns) {
    std::uint64_t units = 0;
    const bool hexadecimal =
        begins_hexadecimal(text) && read_any_number(text, units) && !__builtin_mul_overflow(units, unit_ns, &line_.time_ns);
    return hexadecimal || read_time(text, unit_ns, line_.time_ns) ||
           no(key, "is not a time", text, "digits, with or without a fraction, below 2^64 ns");
  }
  // Always true: an invalid response time counts as not recorded, and the request is still usable.
  bool response(std::string_view text, std::uint64_t unit_ns) {
    std::uint64_t ns = 0;
    if (read_time(text, unit_ns, ns)) line_.response_ns = ns;
    return true;
  }
  bool offset(const char* key, std::string_view text, std::uint64_t unit_bytes) {
    return bytes(key, text, unit_bytes, line_.offset_bytes);
  }
  bool length(const char* key, std::string_view text, std::uint64_t unit_bytes) {
    return bytes(key, text, unit_bytes, line_.length_bytes);
  }
  bool op(const char* key, std::string_view text, std::string_view read, std::string_view write) {
    if (!same_word(text, read) && !same_word(text, write)) {
      const bool bare = read.size() == 1;  // a letter or digit needs an explanation in the message
      return no(key, "is not an operation", text,
                std::string(read).append(bare ? " (read), " : ", ").append(write).append(bare ? " (write)" : ""));
    }
    line_.op = same_word(text, read) ? Op::read : Op::write;
    line_.op_text = text;
    return true;
  }
  bool volume(const char* key, std::string_view text) {
    line_.volume = text;
    return !text.empty() || no(key, "is missing", {}, "");
  }
  bool no(std::string_view key, std::string_view problem, std::string_view value, std::string_view allowed) {
    fault_ = {std::string(key), std::string(problem), std::string(value), std::string(allowed)};
    if (value.empty()) fault_.problem = "is missing";
    return false;
  }
  LineKind other(std::string_view event) {
    line_.event = event;
    return LineKind::other;
  }
  LineKind wrong_count(const Fields& fields, std::string_view line, std::string_view allowed) {
    fault_ = {"", "has " + std::to_string(fields.count) + (fields.count == 1 ? " field" : " fields"), std::string(line),
              std::string(allowed)};
    return LineKind::bad;
  }

 private:
  bool bytes(const char* key, std::string_view text, std::uint64_t unit, std::uint64_t& value) {
    if (!read_any_number(text, value))
      return no(key, "is not a number", text, "digits, or 0x and hexadecimal digits, below 2^64");
    if (__builtin_mul_overflow(value, unit, &value)) return no(key, "is beyond 64 bits of bytes", text, "");
    return true;
  }

  ParsedLine& line_;
  LineFault& fault_;
};

}  // namespace ftlab
