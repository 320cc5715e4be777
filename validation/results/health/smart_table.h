// A vendor's table of SMART attributes, as data: configs/smart/NAME.json. Each attribute names what of the health log
// (ftl/drive/smart_log.h) its raw value counts, in which unit, and how its normalised value is made.
//
//   {"id": 241, "name": "Host_Writes_32MiB", "flags": 50, "raw": "host_write_bytes", "unit": 33554432}
//
// `unit` (1): raw is the quantity divided by it, rounded down. `format`: "plain", or "hours-and-milliseconds" (of
// powered_ms: hours in the low 32 bits, the rest in milliseconds above them). `value`: a fixed number (100), or "life-left",
// "reserve-left": 100 less what is used up, at least `least` (1). `threshold` (0): at or below it the attribute has failed.
// `flags`: as the drive reports them, 1 pre-failure, 2 updated online, 4 performance, 8 error rate, 16 event count, 32 kept.
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
  std::uint32_t revision = 1;  // of the attribute data structure
  std::vector<SmartAttribute> attributes;
};

// Whether a document is meant as one.
inline bool is_smart_table(const Node& document) {
  return document.kind == Node::Kind::object && document.find("attributes") != nullptr;
}

// Throws ConfigError.
SmartTable read_smart_table(const Node& document);

// A table of the library by name, or a file by path (anything with a slash or ending in .json). Throws ConfigError.
SmartTable load_smart_table(const std::string& name_or_path);
std::vector<std::string> smart_table_names();  // of the library, sorted

}  // namespace ftlab
