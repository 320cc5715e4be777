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
// what any component writes raises kVersion.
//
// A file that does not fit is refused with one sentence, before memory is asked for on its word. The checksum finds
// damage, not malice: who computes it anew can give a component any values of the right number. So each has rules (rule.h),
// carried out behind what it loads, for numbers that lead to other places: indices, lengths, links. What contradicts itself
// otherwise is found by ftl/recovery/inspect.cpp, or by a check of the program when it is used.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/rule.h"
#include "sim/core/signature.h"
#include "sim/core/types.h"

namespace ftlab {

// The user's file is at fault. After it, the components that were being loaded hold a mixture: discard them.
struct ArchiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What may be written as it lies in memory: integers, floating point, enumerations with a stated width, durations, flat
// structs of integers without padding, and arrays of these. Pointers are not, nor is a struct with padding, whose bytes
// would differ from run to run; a struct with a double saves its members one by one.
template <class T>
struct Archivable {
  static constexpr bool kPlain = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;
  static constexpr bool kScalar = std::is_same_v<T, float> || std::is_same_v<T, double> || kPlain;
  static constexpr bool kPointer = std::is_pointer_v<T> || std::is_member_pointer_v<T>;
  static constexpr bool value = kScalar && !kPointer;
  static constexpr bool kBool = std::is_same_v<T, bool>;
};
template <class T>
requires std::is_enum_v<T>
struct Archivable<T> {
  static constexpr bool value = requires { T{std::underlying_type_t<T>{}}; };
  static constexpr bool kBool = std::is_same_v<std::underlying_type_t<T>, bool>;
};
template <class T, std::size_t N>
struct Archivable<T[N]> : Archivable<T> {};
template <class T, std::size_t N>
struct Archivable<std::array<T, N>> : Archivable<T> {};

// Over the bytes of a file, in pieces of any length. Four chains of the signature's mixing, because one would wait for its
// multiplier. Each step is a bijection of the chain's state and of the word, so damage that lies within one aligned word is
// always found; other damage escapes once in 2^64.
class ArchiveChecksum {
 public:
  void add(const char* bytes, std::size_t size);
  std::uint64_t value() const;

 private:
  void add_group(const char* bytes);

  Signature chains_[4];
  char rest_[32] = {};  // that do not make a group yet
  std::size_t rest_bytes_ = 0;
  std::uint64_t size_ = 0;
};

class Archive {
 public:
  static constexpr std::uint32_t kVersion = 13;

  // Collects bytes. `expected_bytes` spares the copies of a growing buffer; a wrong guess costs only those.
  static Archive saving(std::uint64_t expected_bytes = 0);
  // Writes nothing and counts the bytes of the payload, payload_bytes(), which a streaming archive must know beforehand.
  static Archive measuring();
  // Hands the file to `sink` piece by piece while it is made, so that no copy of the state lies in memory. finish() hands
  // over the last piece and returns nothing.
  static Archive streaming(std::uint64_t payload_bytes, std::function<void(std::string_view)> sink);
  // Hands out the bytes of a file that finish() made; reads all of them once, for the checksum. Throws ArchiveError
  // when magic, version, length or checksum do not fit.
  static Archive loading(std::string file);
  // The same from bytes that lie elsewhere. REQUIRES: they outlive the archive.
  static Archive viewing(std::string_view file);

  bool loading() const { return loading_; }
  std::uint64_t payload_bytes() const { return payload_bytes_; }

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
  std::string finish();
  // Everything must have been consumed. REQUIRES: loading.
  void end();

 private:
  explicit Archive(bool loading) : loading_(loading) {}

  void write(const void* from, std::size_t size) {
    payload_bytes_ += size;
    if (to_ != To::memory) return hand_over(static_cast<const char*>(from), size);
    if (bytes_.capacity() - bytes_.size() < size + sizeof(std::uint64_t)) grow(size);
    bytes_.append(static_cast<const char*>(from), size);
  }
  // To the sink, small pieces together; or nowhere.
  void hand_over(const char* from, std::size_t size);
  void hand_over_buffer();
  void write_header(std::uint64_t length);
  // Doubles the buffer, or more, so that `size` bytes and the checksum fit.
  void grow(std::size_t size);
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
  void open_file();
  void expect_section(const std::string& name);
  [[noreturn]] void refuse(const std::string& problem) const;

  enum class To : std::uint8_t { memory, nowhere, sink };

  const char* data() const { return view_ != nullptr ? view_ : bytes_.data(); }

  bool loading_;
  To to_ = To::memory;
  std::function<void(std::string_view)> sink_;
  ArchiveChecksum checksum_;          // of what the sink has got
  std::uint64_t payload_bytes_ = 0;   // written so far
  std::uint64_t promised_bytes_ = 0;  // to the sink
  const char* view_ = nullptr;        // loading: the file, when it is not in bytes_
  std::size_t size_ = 0;              // loading: of the file
  std::string bytes_;                 // the file; when saving, what there is of it
  std::size_t at_ = 0;                // loading: of the next byte, and of the end of the payload
  std::size_t end_ = 0;
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
  static_assert(Archivable<T>::value, "save its members one by one: it has padding, a pointer or no fixed width");
  static_assert(std::endian::native == std::endian::little, "a port to a big-endian machine swaps bytes here");
  loading_ ? read(&x, 1) : write(&x, sizeof(T));
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
    if (column.size() > 0) write(column.data(), column.size() * sizeof(T));
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
    if (!list.empty()) write(list.data(), list.size() * sizeof(T));
  }
}

}  // namespace ftlab
