// The state of a drive as a file: aged once, loaded by many runs. Saving and loading execute the same code, so a component
// names its members once:
//
//   void Blocks::archive(Archive& file) {
//     file.section("blocks");
//     file.column(valid_);
//     file.value(open_count_);
//   }
//
// The file: "ftlab state" and a zero, format version (32 bits), length of the payload (64 bits), payload, checksum (64 bits)
// of everything before it. Numbers are little endian and as wide as their types. Nothing but sections and lengths is
// self-describing: the configuration creates the component, and the file must fit it. Any change to what a component
// writes requires a new kArchiveVersion.
//
// A file that does not fit is refused with one sentence, before memory is allocated on the basis of its contents. The
// checksum detects damage, not malice: numbers in a file that fits are trusted (docs/reliability.md, "Security"). After
// loading, ftl/recovery/inspect.cpp looks for contradictions between components.
#pragma once

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/core/archivable.h"
#include "sim/core/archive_file.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/types.h"

namespace ftlab {

class Archive {
 public:
  // Saves to memory. `expected_bytes` avoids the copies of a growing buffer; a wrong guess costs only those.
  static Archive saving(std::uint64_t expected_bytes = 0) { return Archive(ArchiveOutput::memory(expected_bytes)); }
  // Writes nothing, but counts payload_bytes(), which streaming() needs beforehand.
  static Archive measuring() { return Archive(ArchiveOutput::nowhere()); }
  // Passes the file to `sink` piece by piece while it is written, so that memory holds no copy of the state. finish() passes
  // the last piece and returns an empty string.
  static Archive streaming(std::uint64_t payload_bytes, std::function<void(std::string_view)> sink) {
    return Archive(ArchiveOutput::sink(payload_bytes, std::move(sink)));
  }
  // Loads a file written by finish(). Reads all of its bytes once to verify the checksum. Throws ArchiveError if magic,
  // version, length or checksum do not fit.
  static Archive loading(std::string file) { return Archive(ArchiveInput::owning(std::move(file))); }
  // Like loading(), from bytes owned by the caller. REQUIRES: they outlive the archive.
  static Archive viewing(std::string_view file) { return Archive(ArchiveInput::viewing(file)); }

  bool loading() const { return loading_; }
  std::uint64_t payload_bytes() const { return output_.payload_bytes(); }

  // Writes or expects a section name of at most 255 characters, so that a mismatch is found where it occurs. All later error
  // messages name the section. 30 ns.
  void section(const char* name);

  // Refuses a bool that is neither 0 nor 1. REQUIRES: structs that are loaded contain no bool.
  template <class T>
  void value(T& x);

  // A count; refused when loading if it exceeds `most`.
  template <class T>
  void count(T& x, T most);

  // Also writes the length, which must be the column's own when loading. Runs at memory speed both ways.
  template <class T>
  void column(Column<T>& column);

  // A list whose length the component knows: refused when loading if it differs.
  template <class T>
  void exact(std::vector<T>& list);

  // Upper limit of loaded moments and durations (146 years). Durations can be added to it without overflow.
  static constexpr Nanoseconds kLatest{std::uint64_t{1} << 62};
  // Like value() for a duration, which latest() ignores.
  void duration(Nanoseconds& length) {
    const Nanoseconds latest = latest_;
    value(length);
    latest_ = latest;
  }
  // Latest moment loaded so far; kNever is ignored.
  Nanoseconds latest() const { return latest_; }

  // Up to `most` elements or characters. REQUIRES, when saving: no more than that.
  template <class T>
  void list(std::vector<T>& list, std::uint64_t most);
  void text(std::string& text, std::uint64_t most);

  // Returns the whole file. REQUIRES: saving; no calls afterwards.
  std::string finish() {
    FTLAB_CHECK(!loading_, "an archive that loads cannot be finished");
    return output_.finish();
  }
  // Refuses the file if any bytes are left. REQUIRES: loading.
  void end();

 private:
  explicit Archive(ArchiveOutput output) : loading_(false), output_(std::move(output)) {}
  explicit Archive(ArchiveInput input) : loading_(true), output_(ArchiveOutput::nowhere()), input_(std::move(input)) {}

  // Returns the next `size` bytes of the payload; refuses if fewer are left.
  const char* next(std::uint64_t size);
  // Reads a length; refuses if it exceeds `most`, or the elements that the rest of the file can hold.
  std::uint64_t read_length(std::uint64_t most, std::size_t element_bytes);
  void write_length(std::uint64_t length, std::uint64_t most);
  void expect_length(std::uint64_t length);
  template <class T>
  void read(T* to, std::uint64_t count);
  void require_bools(const char* bytes, std::uint64_t count) const;
  void note_moments(const Nanoseconds* moments, std::uint64_t count);
  void expect_section(const std::string& name);
  [[noreturn]] void refuse(const std::string& problem) const;

  bool loading_;
  ArchiveOutput output_;
  ArchiveInput input_;
  std::string section_;
  Nanoseconds latest_{0};
};

template <class T>
void Archive::read(T* to, std::uint64_t count) {
  const char* from = next(count * sizeof(T));
  if constexpr (Archivable<T>::kBool) require_bools(from, count * sizeof(T));
  if (count > 0) std::memcpy(to, from, count * sizeof(T));
  if constexpr (std::is_same_v<T, Nanoseconds>) note_moments(to, count);
}

template <class T>
void Archive::value(T& x) {
  static_assert(Archivable<T>::value, "save each member separately: the type has padding, a pointer or no fixed width");
  static_assert(std::endian::native == std::endian::little, "a port to a big-endian machine swaps bytes here");
  loading_ ? read(&x, 1) : output_.write(&x, sizeof(T));
}

template <class T>
void Archive::count(T& x, T most) {
  value(x);
  if (loading_ && x > most) refuse("a count is " + std::to_string(x) + ", where at most " + std::to_string(most) + " fit.");
}

template <class T>
void Archive::column(Column<T>& column) {
  static_assert(Archivable<T>::value, "an element has padding, a pointer or no fixed width");
  if (loading_) {
    expect_length(column.size());
    read(column.data(), column.size());
  } else {
    write_length(column.size(), column.size());
    if (column.size() > 0) output_.write(column.data(), column.size() * sizeof(T));
  }
}

template <class T>
void Archive::exact(std::vector<T>& list) {
  const std::size_t length = list.size();
  this->list(list, length);
  if (list.size() != length) refuse("a list is shorter than this drive has it.");
}

template <class T>
void Archive::list(std::vector<T>& list, std::uint64_t most) {
  static_assert(Archivable<T>::value, "an element has padding, a pointer or no fixed width");
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements in memory");
  if (loading_) {
    list.resize(read_length(most, sizeof(T)));
    read(list.data(), list.size());
  } else {
    write_length(list.size(), most);
    if (!list.empty()) output_.write(list.data(), list.size() * sizeof(T));
  }
}

}  // namespace ftlab
