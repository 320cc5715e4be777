// What a data sheet leaves open: numbers of each class of flash, and of the drives that are built with it. The one place of
// such numbers, each with its source.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ftlab {

struct NandClass {
  const char* name;  // as --flash takes it
  const char* cell;
  std::uint32_t planes, pages_per_block, page_bytes;
  std::uint64_t die_bytes;
  const char* die_source;  // why dies have this size
  const char* source;
  std::vector<std::pair<const char*, std::uint64_t>> times;  // of `nand`
  const char* bus;
  const char* settings;  // JSON object: more of `nand`; empty: none

  std::uint64_t program_ns() const;  // of a page; pages of all kinds take about as long
  std::uint64_t bits() const;        // of a cell
};

// Typical orders of magnitude; the data sheet of the actual part is better.
const std::vector<NandClass>& flash_classes();
// REQUIRES: the name is that of a class.
const NandClass& flash_class(const std::string& name);
std::vector<std::string> flash_class_names();

}  // namespace ftlab
