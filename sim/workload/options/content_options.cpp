#include <algorithm>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::size_t kLongestPattern = 512;  // as in fio
constexpr std::size_t kMostHandles = 128;     // reclaim unit handles of NVMe
constexpr std::uint64_t kMostHandle = 127;

std::uint32_t percent_of(const Settings& s, const Setting& w) {
  return static_cast<std::uint32_t>(number_between(s, w, 0, 100));
}

int hexadecimal_digit(char c) {
  const std::size_t digit =
      std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

std::string hexadecimal_bytes(const Setting& w, std::string_view digits) {
  std::string bytes, padded(digits);
  if (digits.empty()) refuse(w, "hexadecimal digits missing", "as in 0xdeadface");
  if (padded.size() % 2 != 0) padded.insert(padded.begin(), '0');
  for (std::size_t i = 0; i < padded.size(); i += 2) {
    const int high = hexadecimal_digit(padded[i]), low = hexadecimal_digit(padded[i + 1]);
    if (high < 0 || low < 0) refuse(w, "not a hexadecimal number", "as in 0xdeadface");
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string decimal_bytes(const Setting& w, std::string_view digits) {
  std::uint64_t number = parse_number(w, digits, 1024, 0, 0xffffffff);
  std::string bytes;
  do {
    bytes += static_cast<char>(number & 0xff);
  } while ((number >>= 8) != 0);
  return bytes;
}

constexpr std::size_t kOffsetBytes = 8;  // of %o in fio

// Parses one of "abcd", 0xdeadface, 123: text, bytes from left to right, or a number with its low byte first.
std::string parse_piece(const Setting& w, std::string_view& rest, bool formats) {
  if (rest.front() == '\'') refuse(w, "a pattern from a file is not supported: write the bytes in the job file");
  if (formats && rest.starts_with("%o")) return rest.remove_prefix(2), std::string(kOffsetBytes, '\0');
  if (rest.front() == '%') refuse(w, "formats in a pattern are fio's, but not supported here");
  if (rest.front() == '"') {
    const std::size_t end = rest.find('"', 1);
    if (end == rest.npos) refuse(w, "closing quote missing");
    const std::string text(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return text;
  }
  const std::size_t end = std::min(rest.find_first_of("\"'%", 1), rest.size());
  const std::string_view number = rest.substr(0, end);
  rest.remove_prefix(end);
  return number.starts_with("0x") || number.starts_with("0X") ? hexadecimal_bytes(w, number.substr(2))
                                                              : decimal_bytes(w, number);
}

}  // namespace

std::string parse_byte_pattern(const Setting& w, bool formats) {
  std::string bytes;
  if (w.value.empty()) refuse(w, "pattern missing", "\"text\", 0xdeadface or a number");
  for (std::string_view rest = w.value; !rest.empty();) bytes += parse_piece(w, rest, formats);
  if (bytes.empty() || bytes.size() > kLongestPattern)
    refuse(w, "pattern of " + std::to_string(bytes.size()) + " bytes", "1 to 512 bytes");
  return bytes;
}

namespace {

void set_compression(Settings& s, const Setting& w) {
  s.content.compress_percent = percent_of(s, w);
  s.content.refill = true;  // as in fio
  s.content.asked_for = true;
}

void set_chunk(Settings& s, const Setting& w) {
  s.content.chunk_bytes = number_between(s, w, 1, std::uint64_t{1} << 30);
  s.content.asked_for = true;
}

void set_pattern(Settings& s, const Setting& w) {
  s.content.pattern = parse_byte_pattern(w);
  s.content.asked_for = true;
}

void set_zeros(Settings& s, const Setting& w) {
  s.content.pattern = parse_switch(w) ? std::optional(std::string(1, '\0')) : std::nullopt;
  s.content.asked_for = true;
}

void set_refill(Settings& s, const Setting& w) {
  s.content.refill = parse_switch(w);
  s.content.asked_for = true;
}

void set_scramble(Settings& s, const Setting& w) {
  s.content.scramble = parse_switch(w);
  s.content.asked_for = true;
}

void set_dedupe(Settings& s, const Setting& w) {
  s.content.dedupe_percent = percent_of(s, w);
  s.content.refill = true;  // as in fio
  s.content.asked_for = true;
}

void set_dedupe_mode(Settings& s, const Setting& w) {
  if (w.value != "repeat" && w.value != "working_set")
    refuse(w, "unknown way to repeat content", "repeat working_set", nearest_name(w.value, {"repeat", "working_set"}));
  s.content.dedupe = w.value == "repeat" ? ContentRules::Dedupe::repeat : ContentRules::Dedupe::working_set;
}

// Lifetimes as Linux passes them on. A drive with streams uses them as stream numbers; an unknown lifetime is 0.
void set_lifetime(Settings& s, const Setting& w) {
  s.stream = static_cast<std::uint8_t>(choice_of(w, "none short medium long extreme"));
}

// Parses "0,1,4": indices of placement identifiers (fdp), or stream numbers.
void set_handles(Settings& s, const Setting& w) {
  std::string_view rest = w.value;
  std::vector<std::uint8_t> streams;
  for (bool last = false; !last;) {
    const std::size_t comma = rest.find(',');
    last = comma == rest.npos;
    streams.push_back(static_cast<std::uint8_t>(parse_number(w, rest.substr(0, comma), s.kilo, 0, kMostHandle)));
    if (!last) rest.remove_prefix(comma + 1);
  }
  if (streams.size() > kMostHandles) refuse(w, "too many placement identifiers", "at most 128");
  s.placement.streams = std::move(streams);
}

void set_handle_choice(Settings& s, const Setting& w) {
  const std::size_t choice = choice_of(w, "roundrobin random scheme");
  s.placement.by_chance = choice == 1;
  s.placed_by_scheme = choice == 2;
}

constexpr Option kContentOptions[] = {
    {"fdp", "", Form::flag, [](Settings& s, const Setting& w) { s.placed = parse_switch(w); }},
    {"dataplacement", "", Form::value,
     [](Settings& s, const Setting& w) {
       const std::size_t choice = choice_of(w, "none fdp streams");
       s.placed = choice > 0;
       s.by_stream_ids = choice == 2;
     }},
    {"plids", "fdp_pli", Form::value, set_handles},
    {"plid_select", "fdp_pli_select", Form::value, set_handle_choice},
    {"dp_scheme", "", Form::text, [](Settings&, const Setting& w) { text_of(w); }},
    {"dedupe_global", "", Form::flag, [](Settings& s, const Setting& w) { s.content.shared = parse_switch(w); }},
    {"write_hint", "", Form::value, set_lifetime},
    {"zero_buffers", "", Form::flag, set_zeros},
    {"refill_buffers", "", Form::flag, set_refill},
    {"scramble_buffers", "", Form::value, set_scramble},
    {"buffer_compress_percentage", "", Form::value, set_compression},
    {"buffer_compress_chunk", "", Form::value, set_chunk},
    {"buffer_pattern", "", Form::text, set_pattern},
    {"dedupe_percentage", "", Form::value, set_dedupe},
    {"dedupe_mode", "", Form::value, set_dedupe_mode},
    {"dedupe_working_set_percentage", "", Form::value,
     [](Settings& s, const Setting& w) { s.content.working_set_percent = percent_of(s, w); }},
};

}  // namespace

std::span<const Option> content_options() { return kContentOptions; }

}  // namespace ftlab
