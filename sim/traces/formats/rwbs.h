// Parses rwbs, the letters by which traces of Linux's block layer describe a request.
#pragma once

#include "sim/traces/formats/fields.h"

namespace ftlab {

// An F before the operation's letter is a flush before the request, one after it is FUA; S, M and A (synchronous, metadata,
// read-ahead) do not matter to the drive. N is a command that transfers no blocks. `sectors` is empty if the line has none;
// `sector` is the field that should precede them.
inline LineKind take_rwbs(Taker& take, ParsedLine& parsed, std::string_view rwbs, std::string_view sector,
                          std::string_view sectors) {
  const std::size_t letter = rwbs.find_first_of("RWDN");
  const bool flush_first = rwbs.starts_with('F');
  if (letter == rwbs.npos && !flush_first)
    return kind_of(take.no("rwbs", "names no operation", rwbs, "R, W, D (discard), F (flush) or N, and further letters"));
  if (letter != rwbs.npos && rwbs[letter] == 'N') return take.other("rwbs N");
  if (flush_first && (letter == rwbs.npos || sectors.empty() || sectors == "0")) {
    parsed.op = Op::flush;
    return LineKind::request;
  }
  if (sectors.empty())
    return kind_of(take.no("sector", "is not followed by + and a number of sectors", sector, "SECTOR + SECTORS"));
  parsed.op = rwbs[letter] == 'R' ? Op::read : rwbs[letter] == 'W' ? Op::write : Op::trim;
  parsed.flush_before = flush_first;
  parsed.fua = parsed.op == Op::write && rwbs.find('F', letter) != rwbs.npos;
  return kind_of(take.offset("sector", sector, kSectorBytes) && take.length("sectors", sectors, kSectorBytes));
}

// True for MAJOR,MINOR in digits.
inline bool is_device_number(std::string_view text) {
  std::uint64_t number = 0;
  const std::size_t comma = text.find(',');
  return comma != text.npos && read_number(text.substr(0, comma), number) && read_number(text.substr(comma + 1), number);
}

// True if `action` is the chosen one; without a choice (0), Q, D and C are all picked.
inline bool is_picked(char chosen, char action) {
  return chosen == 0 ? action == 'Q' || action == 'D' || action == 'C' : action == chosen;
}

}  // namespace ftlab
