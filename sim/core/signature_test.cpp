#include "sim/core/signature.h"

#include "sim/testing/test.h"

namespace ftlab {
namespace {

Signature signature_of(std::initializer_list<std::uint64_t> words) {
  Signature signature;
  for (const std::uint64_t word : words) signature.add(word);
  return signature;
}

TEST_CASE("a_signature_is_the_same_for_the_same_words") {
  CHECK(signature_of({1, 2, 3}).value() == signature_of({1, 2, 3}).value());
}

TEST_CASE("a_signature_depends_on_order_and_length") {
  CHECK(signature_of({1, 2}).value() != signature_of({2, 1}).value());
  CHECK(signature_of({}).value() != signature_of({0}).value());
  CHECK(signature_of({0}).value() != signature_of({0, 0}).value());
}

TEST_CASE("every_bit_of_a_word_changes_the_signature") {
  const std::uint64_t without = signature_of({5, 0, 7}).value();
  for (int bit = 0; bit < 64; ++bit) CHECK(signature_of({5, std::uint64_t{1} << bit, 7}).value() != without);
}

TEST_CASE("a_signature_is_shown_as_16_hexadecimal_digits") {
  CHECK(Signature{}.text() == "243f6a8885a308d3");
  CHECK(signature_of({0x243f6a8885a308d3}).text() == "0000000000000000");
}

// Protects all signatures recorded in the history of the project: the arithmetic must never change by accident. Expected
// value: ((pi ^ 1) * odd) mod 2^64, then its upper half folded into the lower.
TEST_CASE("a_signature_has_not_changed_since_it_was_defined") {
  std::uint64_t expected = (0x243f6a8885a308d3 ^ 1) * 0x9fb21c651e98df25;
  expected ^= expected >> 32;
  CHECK(signature_of({1}).value() == expected);
}

}  // namespace
}  // namespace ftlab
