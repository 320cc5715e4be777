// Compiled into the mutated copy of the tree before anything else (-include): the switch that turns one mutant on at run
// time, and the operators that mutate.py writes in the place of the program's own. Nothing in the program includes it.
//
// An operator is replaced without knowing where its operands end: `a < b` becomes `a < Less<17>{} > b`, which C++ parses as
// `(a < Less<17>{}) > b` because all comparisons have one precedence. The first half keeps `a`, the second half compares.
//
// FTLAB_MUTANT=N turns mutant N on; FTLAB_MUTANTS_REACHED=FILE has one byte for each mutant, 1 when its place was evaluated.
// Constant expressions are never mutated: the compiler has evaluated them before.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>
#include <utility>

namespace mutation {

inline constexpr unsigned kMost = 1 << 16;
inline unsigned char own_marks[kMost];
inline constinit unsigned char* marks = own_marks;
inline constinit unsigned chosen = 0;  // mutants are numbered from 1

// Before main(), and before the objects of the program are made.
[[gnu::constructor(101)]] inline void read_environment() {
  if (const char* const text = std::getenv("FTLAB_MUTANT")) chosen = static_cast<unsigned>(std::atoi(text));
  const char* const path = std::getenv("FTLAB_MUTANTS_REACHED");
  if (path == nullptr) return;
  const int file = ::open(path, O_RDWR | O_CREAT, 0644);  // shared: what a forked child reaches counts as well
  if (file < 0 || ::ftruncate(file, kMost) != 0) std::abort();
  void* const memory = ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) std::abort();
  marks = static_cast<unsigned char*>(memory);
  ::close(file);
}

constexpr bool on(unsigned mutant) {
  if (std::is_constant_evaluated()) return false;
  marks[mutant] = 1;
  return chosen == mutant;
}

// The first operand of a replaced operator, on its way to the second one.
template <class T, class Operator>
struct Left {
  const T& value;
};

#define FTLAB_MUTATED_COMPARISON(Name, first, second, original, changed, negated) \
  template <unsigned mutant>                                                      \
  struct Name {};                                                                 \
  template <class T, unsigned mutant>                                             \
  constexpr Left<T, Name<mutant>> operator first(const T& value, Name<mutant>) {  \
    return {value};                                                               \
  }                                                                               \
  template <class T, unsigned mutant, class U>                                    \
  constexpr bool operator second(Left<T, Name<mutant>> left, const U& right) {    \
    if (on(mutant)) return left.value changed right;                              \
    if (on(mutant + 1)) return left.value negated right;                          \
    return left.value original right;                                             \
  }
FTLAB_MUTATED_COMPARISON(Less, <, >, <, <=, >=)
FTLAB_MUTATED_COMPARISON(LessEqual, <, >, <=, <, >)
FTLAB_MUTATED_COMPARISON(Greater, <, >, >, >=, <=)
FTLAB_MUTATED_COMPARISON(GreaterEqual, <, >, >=, >, <)
#undef FTLAB_MUTATED_COMPARISON

#define FTLAB_MUTATED_OPERATOR(Name, op, changed)                             \
  template <unsigned mutant>                                                  \
  struct Name {};                                                             \
  template <class T, unsigned mutant>                                         \
  constexpr Left<T, Name<mutant>> operator op(const T& value, Name<mutant>) { \
    return {value};                                                           \
  }                                                                           \
  template <class T, unsigned mutant, class U>                                \
  constexpr auto operator op(Left<T, Name<mutant>> left, const U& right) {    \
    using Result = decltype(left.value op right);                             \
    if (on(mutant)) return static_cast<Result>(left.value changed right);     \
    return static_cast<Result>(left.value op right);                          \
  }
FTLAB_MUTATED_OPERATOR(Equal, ==, !=)
FTLAB_MUTATED_OPERATOR(Unequal, !=, ==)
FTLAB_MUTATED_OPERATOR(Plus, +, -)
FTLAB_MUTATED_OPERATOR(Minus, -, +)
FTLAB_MUTATED_OPERATOR(Times, *, /)
FTLAB_MUTATED_OPERATOR(Over, /, *)
FTLAB_MUTATED_OPERATOR(Modulo, %, /)
FTLAB_MUTATED_OPERATOR(And, &, |)
#undef FTLAB_MUTATED_OPERATOR

// `a += b` is `a += (AddTo<17>{} += b)`: the right side is evaluated first.
template <class U, class Operator>
struct Right {
  const U& value;
};

#define FTLAB_MUTATED_ASSIGNMENT(Name, op, changed)                            \
  template <unsigned mutant>                                                   \
  struct Name {};                                                              \
  template <unsigned mutant, class U>                                          \
  constexpr Right<U, Name<mutant>> operator op(Name<mutant>, const U& value) { \
    return {value};                                                            \
  }                                                                            \
  template <class T, class U, unsigned mutant>                                 \
  constexpr T& operator op(T& left, Right<U, Name<mutant>> right) {            \
    if (on(mutant)) {                                                          \
      left changed right.value;                                                \
    } else {                                                                   \
      left op right.value;                                                     \
    }                                                                          \
    return left;                                                               \
  }
FTLAB_MUTATED_ASSIGNMENT(AddTo, +=, -=)
FTLAB_MUTATED_ASSIGNMENT(TakeFrom, -=, +=)
#undef FTLAB_MUTATED_ASSIGNMENT

// A whole number: one more, one less.
template <unsigned mutant, class T>
constexpr T one_off(T value) {
  if (on(mutant)) return static_cast<T>(value + 1);
  if (on(mutant + 1)) return static_cast<T>(value - 1);
  return value;
}

}  // namespace mutation
