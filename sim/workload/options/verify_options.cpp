#include <array>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

// Checksums differ only in the bytes that they add to a block; here versions stand for all of them.
void set_verify(Settings& s, const Setting& w) {
  static constexpr std::array kNames = {"0",        "null",     "md5",      "crc64",  "crc32c",  "crc32c-intel", "crc32",
                                        "crc16",    "crc7",     "xxhash",   "sha512", "sha256",  "sha1",         "sha3-224",
                                        "sha3-256", "sha3-384", "sha3-512", "meta",   "pattern", "pattern_hdr"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (w.value != kNames[i]) continue;
    s.verify.on = i >= 2;
    return;
  }
  refuse(w, "unknown way to verify",
         "md5 crc64 crc32c crc32c-intel crc32 crc16 crc7 xxhash sha512 sha256 sha1 sha3-224 sha3-256 "
         "sha3-384 sha3-512 meta "
         "pattern pattern_hdr null",
         nearest_name(w.value, {kNames.begin() + 1, kNames.end()}));
}

void set_interval(Settings& s, const Setting& w) {
  const std::uint64_t bytes = number_between(s, w, 1, std::uint64_t{1} << 30);
  if (bytes % kSectorBytes != 0) refuse(w, "versions are kept for whole sectors", "a multiple of 512");
}

constexpr std::uint64_t kMostBacklog = std::uint64_t{1} << 32;

constexpr Option kVerifyOptions[] = {
    {"verify", "", Form::value, set_verify},
    {"do_verify", "", Form::value, [](Settings& s, const Setting& w) { s.verify.read_back = parse_switch(w); }},
    {"verify_only", "", Form::flag, [](Settings& s, const Setting& w) { s.verify.only = parse_switch(w); }},
    {"verify_fatal", "", Form::value, [](Settings& s, const Setting& w) { s.verify.fatal = parse_switch(w); }},
    {"verify_backlog", "", Form::value,
     [](Settings& s, const Setting& w) { s.verify.backlog = number_between(s, w, 0, kMostBacklog); }},
    {"verify_backlog_batch", "", Form::value,
     [](Settings& s, const Setting& w) { s.verify.backlog_batch = number_between(s, w, 0, kMostBacklog); }},
    {"trim_percentage", "", Form::value,
     [](Settings& s, const Setting& w) {
       s.verify.trim_percent = static_cast<std::uint32_t>(number_between(s, w, 0, 100));
     }},
    {"trim_backlog", "", Form::value,
     [](Settings& s, const Setting& w) { s.verify.trim_backlog = number_between(s, w, 0, kMostBacklog); }},
    {"trim_backlog_batch", "", Form::value,
     [](Settings& s, const Setting& w) { s.verify.trim_batch = number_between(s, w, 0, kMostBacklog); }},
    {"trim_verify_zero", "", Form::value, [](Settings&, const Setting& w) {
       if (!parse_switch(w)) refuse(w, "would leave trimmed blocks out of what is read back", "1, as by default");
     }},
    {"verify_pattern", "", Form::text, [](Settings&, const Setting& w) { parse_byte_pattern(w, true); }},
    {"verify_interval", "", Form::value, set_interval},
    {"verify_offset", "", Form::value,
     [](Settings& s, const Setting& w) { number_between(s, w, 0, std::uint64_t{1} << 30); }},
    {"verify_dump", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"verify_async", "", Form::value, [](Settings& s, const Setting& w) { number_between(s, w, 0, 65536); }},
    {"verify_async_cpus", "", Form::text, [](Settings&, const Setting& w) { text_of(w); }},
    {"verify_state_save", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"verify_header_seed", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"verify_write_sequence", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
};

}  // namespace

std::span<const Option> verify_options() { return kVerifyOptions; }

}  // namespace ftlab
