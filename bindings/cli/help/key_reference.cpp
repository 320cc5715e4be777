#include "bindings/cli/help/key_reference.h"

#include <algorithm>

#include "bindings/cli/key_documents.h"  // made by CMake from docs/
#include "sim/config/split.h"

namespace ftlab {
namespace {

std::string_view cell(std::string_view& row) {
  constexpr std::string_view kBar = " | ";
  const std::size_t end = std::min(row.find(kBar), row.size());
  const std::string_view text = row.substr(0, end);
  row.remove_prefix(std::min(end + kBar.size(), row.size()));
  return text;
}

// Parses "| `KEY` * | ALLOWED | MEANING |".
KeyMeaning read_row(std::string_view row) {
  row.remove_prefix(3);
  row.remove_suffix(row.ends_with(" |") ? 2 : 0);
  const std::string_view name = cell(row);
  KeyMeaning read;
  const std::size_t end = std::min(name.find('`'), name.size());
  read.key = name.substr(0, end);
  if (name.ends_with("*")) read.needed = KeyMeaning::Needed::always;
  if (name.ends_with("+")) read.needed = KeyMeaning::Needed::by_some_designs;
  read.allowed = cell(row);
  read.meaning = row;
  return read;
}

void read_document(std::string_view text, bool of_host, std::vector<KeyMeaning>& keys) {
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with("| `host.") || (!of_host && line.starts_with("| `"))) keys.push_back(read_row(line));
}

}  // namespace

const std::vector<KeyMeaning>& key_reference() {
  static const std::vector<KeyMeaning> keys = [] {
    std::vector<KeyMeaning> all;
    read_document(kDriveKeysDocument, false, all);
    read_document(kHostsDocument, true, all);
    return all;
  }();
  return keys;
}

const KeyMeaning* meaning_of(std::string_view key) {
  const std::vector<KeyMeaning>& keys = key_reference();
  const auto found = std::find_if(keys.begin(), keys.end(), [key](const KeyMeaning& one) { return one.key == key; });
  return found == keys.end() ? nullptr : &*found;
}

std::string unit_of_key(std::string_view key) {
  struct Unit {
    std::string_view ending;
    const char* name;
  };
  static constexpr Unit kUnits[] = {
      {"bytes_per_s", "bytes/s; --set takes kB/s, MB/s, GB/s, MiB/s and so on"},
      {"pj_per_byte", "picojoules for a byte"},
      {"per_pbit", "errors in 10^15 bits"},
      {"_bytes", "bytes; --set takes kB, MB, KiB, MiB and so on"},
      {".bytes", "bytes; --set takes kB, MB, KiB, MiB and so on"},
      {"user_sectors.value", "sectors of 512 bytes; --set user_sectors takes 256GB, 1TB and so on"},
      {"permille", "thousandths"},
      {"per_million", "in a million"},
      {"per_billion", "in 10^9"},
      {"_ns", "nanoseconds; --set takes ns, us, ms, s"},
      {"_ms", "milliseconds"},
      {"_s", "seconds"},
      {"_mw", "milliwatts"},
      {"_nj", "nanojoules"}};
  for (const Unit& unit : kUnits)
    if (key.ends_with(unit.ending)) return unit.name;
  return {};
}

}  // namespace ftlab
