#include "sim/core/archive.h"

#include <algorithm>

#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kSectionMark = 0x5ec71017;

std::string quoted(const std::string& name) { return '"' + printable(name) + '"'; }

}  // namespace

void Archive::section(const char* name) {
  section_ = name;
  FTLAB_CHECK(section_.size() < 256, "a section's name of " + std::to_string(section_.size()) + " characters");
  if (loading_) return expect_section(section_);
  const auto length = static_cast<std::uint8_t>(section_.size());
  output_.write(&kSectionMark, sizeof kSectionMark);
  output_.write(&length, sizeof length);
  output_.write(section_.data(), section_.size());
}

void Archive::expect_section(const std::string& name) {
  const std::size_t start = input_.at();
  std::uint32_t mark = 0;
  std::uint8_t length = 0;
  if (input_.left() == 0) refuse("the file ends before it.");
  if (input_.left() >= sizeof mark) value(mark);
  if (mark != kSectionMark) {
    refuse("it should begin at byte " + std::to_string(start) + ", where the file holds something else.");
  }
  value(length);
  const std::string found(next(length), length);
  if (found != name) refuse("the file holds section " + quoted(found) + " in its place.");
}

void Archive::text(std::string& text, std::uint64_t most) {
  if (loading_) {
    const std::uint64_t length = read_length(most, 1);
    text.assign(next(length), length);
  } else {
    write_length(text.size(), most);
    output_.write(text.data(), text.size());
  }
}

void Archive::end() {
  FTLAB_CHECK(loading_, "only an archive that loads has an end");
  if (input_.left() > 0) refuse("after it " + std::to_string(input_.left()) + " bytes are left over.");
}

const char* Archive::next(std::uint64_t size) {
  if (size > input_.left())
    refuse("the file ends within it (" + std::to_string(size) + " bytes are needed, " + std::to_string(input_.left()) +
           " are left).");
  return input_.take(size);
}

void Archive::write_length(std::uint64_t length, std::uint64_t most) {
  FTLAB_CHECK(length <= most, section_ + ": " + std::to_string(length) + " elements, at most " + std::to_string(most));
  output_.write(&length, sizeof length);
}

std::uint64_t Archive::read_length(std::uint64_t most, std::size_t element_bytes) {
  std::uint64_t length;
  read(&length, 1);
  if (length > most) {
    refuse("a list has " + std::to_string(length) + " entries where at most " + std::to_string(most) + " can be.");
  }
  if (length > input_.left() / element_bytes) {
    refuse("a list has " + std::to_string(length) + " entries, more than the file holds.");
  }
  return length;
}

void Archive::expect_length(std::uint64_t length) {
  std::uint64_t found;
  read(&found, 1);
  if (found == length) return;
  refuse("a column has " + std::to_string(found) + " entries where this drive has " + std::to_string(length) +
         "; the state was saved with another configuration.");
}

void Archive::require_bools(const char* bytes, std::uint64_t count) const {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (static_cast<unsigned char>(bytes[i]) > 1) refuse("a value that is yes or no is neither.");
  }
}

void Archive::note_moments(const Nanoseconds* moments, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (moments[i] == kNever) continue;
    if (moments[i] > kLatest) refuse("a moment or a duration is longer than a century.");
    latest_ = std::max(latest_, moments[i]);
  }
}

void Archive::refuse(const std::string& problem) const {
  const std::string place = section_.empty() ? "before the first section: " : "section " + quoted(section_) + ": ";
  throw ArchiveError("the state does not fit: " + place + problem);
}

}  // namespace ftlab
