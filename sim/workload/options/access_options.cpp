#include <algorithm>
#include <array>

#include "sim/workload/options/option.h"
#include "sim/workload/options/pattern.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostFiles = 4096;

// Parses names: "a:b" are two files; "\\:" is a colon in a name.
void set_filename(Settings& s, const Setting& written) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < written.value.size(); ++i) {
    const bool escaped = written.value[i] == '\\' && i + 1 < written.value.size() && written.value[i + 1] == ':';
    if (escaped || written.value[i] != ':')
      names.back() += written.value[escaped ? ++i : i];
    else
      names.emplace_back();
  }
  if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); }))
    refuse(written, "name missing");
  if (names.size() > kMostFiles) refuse(written, "too many files", "at most 4096");
  s.filename = names.front();
  s.filenames = std::move(names);
}

// Parses "roundrobin", "random:8" or "zipf:1.2".
void set_file_service(Settings& s, const Setting& w) {
  const std::string_view value = w.value;
  const std::size_t colon = value.find(':');
  const std::string_view name = value.substr(0, colon);
  s.file_service = {FileService::Kind::roundrobin, {}, 1, s.file_service.open};
  if (const std::optional<Spread> skew = parse_skew(w)) {
    s.file_service.kind = FileService::Kind::skewed;
    s.file_service.spread = *skew;
    s.file_service.spread.scattered = false;
    return;
  }
  if (name == "random") s.file_service.kind = FileService::Kind::random;
  if (name == "sequential") s.file_service.kind = FileService::Kind::sequential;
  if (name != "roundrobin" && name != "random" && name != "sequential")
    refuse(w, "unknown way to choose a file", "roundrobin sequential random zipf pareto normal",
           nearest_name(name, {"roundrobin", "sequential", "random", "zipf", "pareto", "normal"}));
  if (colon != value.npos)
    s.file_service.requests = parse_number(w, value.substr(colon + 1), s.kilo, 1, std::uint64_t{1} << 40);
}

std::uint64_t zero_as(std::uint64_t number, std::uint64_t otherwise) { return number == 0 ? otherwise : number; }

// Parses "64m", or "64m-128m", which is a random size for each file.
void set_filesize(Settings& s, const Setting& w) {
  const std::string_view value = w.value;
  const std::size_t dash = value.find('-', 1);
  const std::uint64_t least = parse_number(w, value.substr(0, dash), s.kilo, kSectorBytes, kLargestNumber);
  std::uint64_t most = 0;
  if (dash != value.npos) most = parse_number(w, value.substr(dash + 1), s.kilo, kSectorBytes, kLargestNumber);
  if (dash != value.npos && most < least) refuse(w, "the range ends before it begins", "LEAST-MOST");
  s.file_bytes = least;
  s.most_file_bytes = most == least ? 0 : most;
}

void set_offset_align(Settings& s, const Setting& w) {
  s.offset_align = number_between(s, w, 0, kLargestNumber);
  check_whole_sectors(w, s.offset_align, s.kilo);
}

std::optional<Amount> amount_of(const Settings& s, const Setting& w) {
  const Amount amount = parse_amount(w, s.kilo);
  if (amount.number == 0) return std::nullopt;  // as in fio, 0 means not given
  return amount;
}

void set_request_limit(Settings& s, const Setting& w) {
  const std::uint64_t limit = number_between(s, w, 0, kLargestNumber);
  s.request_limit = limit == 0 ? std::nullopt : std::optional(limit);
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

void set_zone_mode(Settings& s, const Setting& w) {
  const std::size_t mode = choice_of(w, "none strided zbd");
  s.zoned = mode == 1;
  s.zbd.on = mode == 2;
}

std::uint64_t zone_bytes(const Settings& s, const Setting& w, std::uint64_t least) {
  const std::uint64_t bytes = number_between(s, w, least, kLargestNumber);
  check_whole_sectors(w, bytes, s.kilo);
  return bytes;
}

constexpr Option kAccessOptions[] = {
    {"kb_base", "", Form::value, set_kilo},
    {"rw", "readwrite", Form::value, [](Settings& s, const Setting& w) { s.pattern = parse_pattern(w, s.kilo); }},
    {"size", "", Form::value, [](Settings& s, const Setting& w) { s.size = amount_of(s, w); }},
    {"io_size", "io_limit", Form::value, [](Settings& s, const Setting& w) { s.io_size = amount_of(s, w); }},
    {"offset", "fileoffset", Form::value, [](Settings& s, const Setting& w) { s.offset = parse_amount(w, s.kilo); }},
    {"offset_increment", "", Form::value,
     [](Settings& s, const Setting& w) { s.offset_increment = parse_amount(w, s.kilo); }},
    {"offset_align", "", Form::value, set_offset_align},
    {"filesize", "", Form::value, set_filesize},
    {"fill_device", "fill_fs", Form::flag, [](Settings& s, const Setting& w) { s.fill_device = parse_switch(w); }},
    {"nrfiles", "nr_files", Form::value,
     [](Settings& s, const Setting& w) { s.file_count = number_between(s, w, 1, kMostFiles); }},
    {"openfiles", "", Form::value,
     [](Settings& s, const Setting& w) { s.file_service.open = number_between(s, w, 1, kMostFiles); }},
    {"file_service_type", "", Form::value, set_file_service},
    {"zonemode", "", Form::value, set_zone_mode},
    {"zonesize", "", Form::value, [](Settings& s, const Setting& w) { s.zones.bytes = zone_bytes(s, w, kSectorBytes); }},
    {"zonerange", "", Form::value,
     [](Settings& s, const Setting& w) { s.zones.range_bytes = zone_bytes(s, w, kSectorBytes); }},
    {"zoneskip", "", Form::value, [](Settings& s, const Setting& w) { s.zones.skip_bytes = zone_bytes(s, w, 0); }},
    {"number_ios", "", Form::value, set_request_limit},
    {"loops", "", Form::value,
     [](Settings& s, const Setting& w) { s.loops = zero_as(number_between(s, w, 0, 1u << 31), 1); }},
    {"filename", "", Form::text, set_filename},
    {"directory", "", Form::text, [](Settings&, const Setting& w) { text_of(w); }},
    {"rwmixread", "", Form::value, set_read_percent},
    {"rwmixwrite", "", Form::value, set_write_percent},
};

}  // namespace

std::span<const Option> access_options() { return kAccessOptions; }

}  // namespace ftlab
