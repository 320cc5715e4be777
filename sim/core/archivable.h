// Types that a saved state may hold as raw memory.
#pragma once

#include <array>
#include <type_traits>

namespace ftlab {

// True for types that can be written as they lie in memory: integers, floating point, enumerations with a stated width,
// durations, flat structs of integers without padding, and arrays of these. False for pointers and for structs with padding,
// whose bytes would differ from run to run. A struct with a double saves its members separately.
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

}  // namespace ftlab
