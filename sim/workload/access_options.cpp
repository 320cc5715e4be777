#include <algorithm>
#include <array>

#include "sim/workload/option.h"
#include "sim/workload/pattern.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kLargestBlock = 1 << 30;

// "8k", "8k,32k", ",32k", "8k,,32k": read, write, trim. A part left out keeps what it was; the last one, when written,
// counts for the directions after it.
void set_block_sizes(Settings& s, const Setting& written) {
  std::string_view rest = written.value;
  for (std::size_t direction = 0; direction < kDirectionCount; ++direction) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const bool last = comma == rest.npos;
    if (!part.empty() || (last && direction == 0)) {
      const std::uint64_t bytes = parse_number(written, part, s.kilo, kSectorBytes, kLargestBlock);
      if (bytes % kSectorBytes != 0) refuse(written, std::to_string(bytes) + " bytes is not a multiple of 512");
      std::fill(s.block_bytes.begin() + direction, last ? s.block_bytes.end() : s.block_bytes.begin() + direction + 1, bytes);
    }
    if (last) return;
    rest.remove_prefix(comma + 1);
  }
  refuse(written, "too many block sizes", "up to three: read,write,trim");
}

void set_filename(Settings& s, const Setting& written) {
  if (written.value.empty()) refuse(written, "name missing");
  s.filename.clear();
  for (std::size_t i = 0; i < written.value.size(); ++i) {
    const bool escaped = written.value[i] == '\\' && i + 1 < written.value.size() && written.value[i + 1] == ':';
    if (written.value[i] == ':')
      refuse(written, "one simulated drive cannot stand for several files", "one name (write \\: for a colon in it)");
    s.filename += written.value[escaped ? ++i : i];
  }
}

void set_random_generator(Settings& s, const Setting& written) {
  constexpr std::array<const char*, 3> kNames = {"tausworthe", "lfsr", "tausworthe64"};
  const auto found = std::find(kNames.begin(), kNames.end(), written.value);
  if (found == kNames.end())
    refuse(written, "unknown generator", "tausworthe lfsr tausworthe64",
           nearest_name(written.value, {kNames.begin(), kNames.end()}));
  s.random_kind = static_cast<RandomKind>(found - kNames.begin());
}

std::uint64_t zero_as(std::uint64_t number, std::uint64_t otherwise) { return number == 0 ? otherwise : number; }

void set_filesize(Settings& s, const Setting& w) {
  if (w.value.find('-') != std::string::npos && w.value.front() != '-')
    refuse(w, "a range of file sizes is known to fio, but this version does not carry it out yet", "one size");
  s.file_bytes = number_between(s, w, kSectorBytes, kLargestNumber);
}

std::optional<Amount> amount_of(const Settings& s, const Setting& w) {
  const Amount amount = parse_amount(w, s.kilo);
  if (amount.number == 0) return std::nullopt;  // as in fio, zero is the same as nothing
  return amount;
}

void set_request_limit(Settings& s, const Setting& w) {
  const std::uint64_t limit = number_between(s, w, 0, kLargestNumber);
  s.request_limit = limit == 0 ? std::nullopt : std::optional(limit);
}

void set_seed(Settings& s, const Setting& w) {
  s.seed = parse_number(w, w.value, s.kilo);
  s.seed_given = true;
}

void set_read_percent(Settings& s, const Setting& w) {
  s.read_percent = static_cast<std::uint32_t>(number_between(s, w, 0, 100));
}
void set_write_percent(Settings& s, const Setting& w) {
  s.read_percent = static_cast<std::uint32_t>(100 - number_between(s, w, 0, 100));
}

void set_kilo(Settings& s, const Setting& w) {
  if (w.value != "1000" && w.value != "1024") refuse(w, "must be one of two numbers", "1000, 1024");
  s.kilo = w.value == "1000" ? 1000 : 1024;
}

constexpr Option kOptions[] = {
    {"kb_base", "", Form::value, set_kilo},
    {"rw", "readwrite", Form::value, [](Settings& s, const Setting& w) { s.pattern = parse_pattern(w, s.kilo); }},
    {"bs", "blocksize", Form::value, set_block_sizes},
    {"size", "", Form::value, [](Settings& s, const Setting& w) { s.size = amount_of(s, w); }},
    {"io_size", "io_limit", Form::value, [](Settings& s, const Setting& w) { s.io_size = amount_of(s, w); }},
    {"offset", "fileoffset", Form::value, [](Settings& s, const Setting& w) { s.offset = parse_amount(w, s.kilo); }},
    {"filesize", "", Form::value, set_filesize},
    {"number_ios", "", Form::value, set_request_limit},
    {"loops", "", Form::value,
     [](Settings& s, const Setting& w) { s.loops = zero_as(number_between(s, w, 0, 1u << 31), 1); }},
    {"filename", "", Form::text, set_filename},
    {"directory", "", Form::text, [](Settings&, const Setting& w) { text_of(w); }},
    {"rwmixread", "", Form::value, set_read_percent},
    {"rwmixwrite", "", Form::value, set_write_percent},
    {"norandommap", "", Form::flag, [](Settings& s, const Setting& w) { s.random_map = !parse_switch(w); }},
    {"randrepeat", "", Form::value, [](Settings& s, const Setting& w) { s.repeat_order = parse_switch(w); }},
    {"allrandrepeat", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"randseed", "", Form::value, set_seed},
    {"random_generator", "", Form::value, set_random_generator},
    {"refill_buffers", "", Form::flag, [](Settings&, const Setting& w) { parse_switch(w); }},
};

}  // namespace

std::span<const Option> access_options() { return kOptions; }

}  // namespace ftlab
