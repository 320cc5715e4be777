// Kinds of options, for the tables: number<0, 100, &Draft::verify, &VerifyRules::trim_percent> is a number from 0 to 100
// that sets draft.verify.trim_percent. Without members the value is only checked. All throw ConfigError for other values.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "sim/config/split.h"
#include "sim/workload/options/options.h"

namespace ftlab {

// Limits that fio does not have; they prevent that a typing error causes a run of years or a gigabyte of jobs.
inline constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 62;

// Parses a number with fio's suffixes; refuses anything else, and numbers outside [least, most].
std::uint64_t number_between(const Draft& draft, const Setting& written, std::uint64_t least, std::uint64_t most);
// Index of `word`, a part of the value, in the list `choices`, for example "none sync dsync".
std::size_t choice_of(const Setting& written, std::string_view word, std::string_view choices,
                      const char* problem = "not one of the choices");
std::size_t choice_of(const Setting& written, std::string_view choices);
// Refuses an empty value.
std::string text_of(const Setting& written);
// Parses names: "a:b" are two, "\\:" is a colon in a name.
std::vector<std::string> names_of(const Setting& written);
// "abcd", 0xdeadface, 123 or several of them: the bytes of buffer_pattern and verify_pattern. `formats`: also %o, eight
// bytes with the offset of the block, here zeros.
std::string parse_byte_pattern(const Setting& written, bool formats = false);
// fio's `rw`: "randrw", "randread:8", "write:-8k".
Pattern parse_pattern(const Setting& setting, std::uint64_t kilo);
// "zipf", "zipf:1.2" or "zipf:1.2:0.25", the same for pareto and normal; nullopt for another name.
std::optional<Spread> parse_skew(const Setting& written);
// A decimal number of any size.
double parse_fraction(const Setting& written, std::string_view text, const char* what);

// Parses `text`, "read,write,trim": sets out[d] = parse(part) for each direction that is given. As in fio, the last value
// also applies to the directions after it. `gaps`: an omitted part leaves its direction unchanged.
template <class T, class Parse>
void set_by_direction(const Setting& written, std::string_view text, PerDirection<T>& out, const char* many, Parse parse,
                      bool gaps = true) {
  const std::vector<std::string_view> parts = split(text, ',');
  for (std::size_t d = 0; d < std::min(parts.size(), kDirectionCount); ++d) {
    const bool last = d + 1 == parts.size();
    if (gaps && parts[d].empty() && !(last && d == 0)) continue;
    std::fill(out.begin() + d, last ? out.end() : out.begin() + d + 1, parse(parts[d]));
  }
  if (parts.size() > kDirectionCount) refuse(written, std::string("too many ") + many, "up to three: read,write,trim");
}

template <auto... members, class T>
void assign(Draft& draft, T value) {
  if constexpr (sizeof...(members) > 0) {
    auto& member = (draft.*....*members);
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
  }
}

template <auto... members>
void on_off(Draft& draft, const Setting& written) {
  assign<members...>(draft, parse_switch(written));
}

template <std::uint64_t least, std::uint64_t most, auto... members>
void number(Draft& draft, const Setting& written) {
  assign<members...>(draft, number_between(draft, written, least, most));
}

// A number of bytes in whole sectors.
template <std::uint64_t least, auto... members>
void sectors(Draft& draft, const Setting& written) {
  const std::uint64_t bytes = number_between(draft, written, least, kLargestNumber);
  check_whole_sectors(written, bytes, draft.kilo);
  assign<members...>(draft, bytes);
}

template <int least, int most, auto... members>
void decimal(Draft& draft, const Setting& written) {
  assign<members...>(draft, parse_decimal(written, written.value, least, most));
}

template <auto... members>
void seconds(Draft& draft, const Setting& written) {
  assign<members...>(draft, parse_time(written));
}

template <auto... members>
void microseconds(Draft& draft, const Setting& written) {
  assign<members...>(draft, parse_time(written, written.value, "us"));
}

template <std::uint64_t least, auto... members>
void milliseconds(Draft& draft, const Setting& written) {
  assign<members...>(draft, Nanoseconds{number_between(draft, written, least, 1u << 31) * 1'000'000});
}

template <auto... members>
void text(Draft& draft, const Setting& written) {
  assign<members...>(draft, text_of(written));
}

inline void any_value(Draft&, const Setting&) {}

// One of several words; sets the index of the word, or the enumerator of that value.
template <std::size_t length>
struct Words {
  char letters[length]{};
  constexpr Words(const char (&words)[length]) { std::copy_n(words, length, letters); }
};
template <Words words, auto... members>
void choice(Draft& draft, const Setting& written) {
  assign<members...>(draft, choice_of(written, words.letters));
}

// Values of several parts.
void set_block_sizes(Draft& draft, const Setting& written);
void set_block_range(Draft& draft, const Setting& written);
void set_block_split(Draft& draft, const Setting& written);
void set_alignment(Draft& draft, const Setting& written);
void set_spread(Draft& draft, const Setting& written);
void set_random_percent(Draft& draft, const Setting& written);
void set_engine(Draft& draft, const Setting& written);

}  // namespace ftlab
