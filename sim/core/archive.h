// The state of a drive as a file: aged once, loaded by many runs. Saving and loading walk through the same lines, so a
// component names its members once:
//
//   void Blocks::archive(Archive& file) {
//     file.section("blocks");
//     file.column(valid_);
//     file.value(open_count_);
//   }
//
// The file: "ftlab state" and a zero, format version (32 bits), length of the payload (64 bits), payload, checksum (64
// bits) over all before it. Numbers are little endian and as wide as their types. Nothing in the payload describes
// itself but sections and lengths: the configuration made the component, and the file must fit it. Whatever changes
// what any component writes raises kArchiveVersion.
//
// A file that does not fit is refused with one sentence, before memory is asked for on its word. The checksum finds
// damage, not malice: who computes it anew can give a component any values of the right number. So each has rules (rule.h),
// carried out behind what it loads, for numbers that lead to other places: indices, lengths, links. What contradicts itself
// otherwise is found by ftl/recovery/inspect.cpp, or by a check of the program when it is used.
#pragma once

#include <bit>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "sim/core/archivable.h"
#include "sim/core/archive_file.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/rule.h"
#include "sim/core/types.h"

namespace ftlab {

class Archive {
 public:
  // Collects bytes. `expected_bytes` spares the copies of a growing buffer; a wrong guess costs only those.
  static Archive saving(std::uint64_t expected_bytes = 0) { return Archive(ArchiveOutput::memory(expected_bytes)); }
  // Writes nothing and counts the bytes of the payload, payload_bytes(), which a streaming archive must know beforehand.
  static Archive measuring() { return Archive(ArchiveOutput::nowhere()); }
  // Hands the file to `sink` piece by piece while it is made, so that no copy of the state lies in memory. finish() hands
  // over the last piece and returns nothing.
  static Archive streaming(std::uint64_t payload_bytes, std::function<void(std::string_view)> sink) {
    return Archive(ArchiveOutput::sink(payload_bytes, std::move(sink)));
  }
  // Hands out the bytes of a file that finish() made; reads all of them once, for the checksum. Throws ArchiveError
  // when magic, version, length or checksum do not fit.
  static Archive loading(std::string file) { return Archive(ArchiveInput::owning(std::move(file))); }
  // The same from bytes that lie elsewhere. REQUIRES: they outlive the archive.
  static Archive viewing(std::string_view file) { return Archive(ArchiveInput::viewing(file)); }

  bool loading() const { return loading_; }
  std::uint64_t payload_bytes() const { return output_.payload_bytes(); }

  // Writes or expects a name of at most 255 characters, so that a mismatch is found where it happens. The messages of
  // all errors that follow name it. 30 ns.
  void section(const char* name);

  // A bool that is neither 0 nor 1 is refused. REQUIRES: structs that are loaded hold no bool.
  template <class T>
  void value(T& x);

  // A number of something of which there is room for `most`.
  template <class T>
  void count(T& x, T most);

  // The length is written too, and must be the column's own when loading. Both at the speed of memory.
  template <class T>
  void column(Column<T>& column);

  // A list whose length the component knows: it must be that when loading.
  template <class T>
  void exact(std::vector<T>& list);

  // Refuses what was loaded by the first of its rules that does not hold. Nothing when saving.
  template <class T, class... Given>
  void require(std::span<const Rule<T, Given...>> rules, const T& loaded, const Given&... given) const;

  // No moment or duration that is loaded is longer. Half of what 64 bits hold: durations can be added to it.
  static constexpr Nanoseconds kLatest{std::uint64_t{1} << 62};
  // A length of time: latest() does not mean it.
  void duration(Nanoseconds& length) {
    const Nanoseconds latest = latest_;
    value(length);
    latest_ = latest;
  }
  // The latest moment that was loaded; what lasts forever is none.
  Nanoseconds latest() const { return latest_; }

  // Up to `most` elements or characters. REQUIRES, when saving: not more than that.
  template <class T>
  void list(std::vector<T>& list, std::uint64_t most);
  void text(std::string& text, std::uint64_t most);

  // The whole file. REQUIRES: saving; nothing is called afterwards.
  std::string finish() {
    FTLAB_CHECK(!loading_, "an archive that loads cannot be finished");
    return output_.finish();
  }
  // Everything must have been consumed. REQUIRES: loading.
  void end();

 private:
  explicit Archive(ArchiveOutput output) : loading_(false), output_(std::move(output)) {}
  explicit Archive(ArchiveInput input) : loading_(true), output_(ArchiveOutput::nowhere()), input_(std::move(input)) {}

  // The next `size` bytes of the payload; refuses when fewer are left.
  const char* next(std::uint64_t size);
  // Reads a length of at most `most` elements, all of which the file must still hold.
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

template <class T, class... Given>
void Archive::require(std::span<const Rule<T, Given...>> rules, const T& loaded, const Given&... given) const {
  if (!loading_) return;
  for (const Rule<T, Given...>& rule : rules)
    if (!rule.holds(loaded, given...)) refuse(rule.otherwise);
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
