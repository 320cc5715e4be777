#include <algorithm>

#include "sim/workload/options/kinds.h"

namespace ftlab {
namespace {

constexpr std::size_t kLongestPattern = 512;  // as in fio
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

}  // namespace ftlab
