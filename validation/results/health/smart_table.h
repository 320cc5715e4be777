// A vendor's table of SMART attributes, as data: configs/smart/NAME.json. Each attribute names the quantity of the health
// log (ftl/drive/smart_log.h) that its raw value counts, the unit, and how its normalised value is computed.
//
//   {"id": 241, "name": "Host_Writes_32MiB", "flags": 50, "raw": "host_write_bytes", "unit": 33554432}
//
// `unit` (1): raw is the quantity divided by it, rounded down. `format`: "plain", or "hours-and-milliseconds" (powered_ms
// only: hours in the low 32 bits, remaining milliseconds above). `fixed` (100): the normalised value, unless `value` is
// "life-left" or "reserve-left": 100 less the percentage used, at least `least` (1). `threshold` (0): the attribute has
// failed at or below it. `flags`: 1 pre-failure, 2 updated online, 4 performance, 8 error rate, 16 event count, 32 kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ftl/drive/smart_log.h"
#include "sim/config/document.h"

namespace ftlab {

struct SmartAttribute {
  enum class Format : std::uint8_t { plain, hours_and_milliseconds };
  enum class Value : std::uint8_t { fixed, life_left, reserve_left };

  std::uint32_t id = 0;
  std::string name;
  std::uint32_t flags = 0;
  std::uint64_t SmartLog::*quantity = nullptr;
  std::uint64_t unit = 1;
  Format format = Format::plain;
  Value value = Value::fixed;
  std::uint32_t fixed = 100;
  std::uint32_t least = 1;
  std::uint32_t threshold = 0;

  std::uint64_t raw(const SmartLog& log) const;
  std::string raw_text(const SmartLog& log) const;
  std::uint32_t normalised(const SmartLog& log) const;
  bool prefailure() const { return (flags & 1) != 0; }
  bool failed(const SmartLog& log) const { return threshold > 0 && normalised(log) <= threshold; }
};

struct SmartTable {
  std::string name;
  std::uint32_t revision = 1;  // revision of the attribute data structure
  std::vector<SmartAttribute> attributes;
};

// True if the document is meant as a SMART table.
inline bool is_smart_table(const Node& document) {
  return document.kind == Node::Kind::object && document.find("attributes") != nullptr;
}

// Throws ConfigError.
SmartTable read_smart_table(const Node& document);

// Loads a table of the library by name, or a file by path (contains a slash or ends in .json). Throws ConfigError.
SmartTable load_smart_table(const std::string& name_or_path);

}  // namespace ftlab
