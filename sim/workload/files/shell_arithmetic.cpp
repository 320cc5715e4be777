#include "sim/workload/files/shell_arithmetic.h"

#include <algorithm>
#include <charconv>

namespace ftlab {
namespace {

constexpr std::size_t kDeepestBracket = 64;  // brackets and signs within each other
constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

using Value = std::optional<std::int64_t>;

Value combined(char operation, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  const bool divides = operation == '/' || operation == '%';
  if (divides && (right == 0 || right == -1))
    return right == 0 || left == INT64_MIN ? std::nullopt : Value(operation == '/' ? -left : 0);
  bool beyond = false;
  if (operation == '+') beyond = __builtin_add_overflow(left, right, &result);
  if (operation == '-') beyond = __builtin_sub_overflow(left, right, &result);
  if (operation == '*') beyond = __builtin_mul_overflow(left, right, &result);
  if (divides) result = operation == '/' ? left / right : left % right;
  return beyond ? std::nullopt : Value(result);
}

// Removes a number from the front of `text`.
Value taken_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? Value(number) : std::nullopt;
}

class Expression {
 public:
  Expression(std::string_view text, const ArithmeticVariable& variable) : rest_(text), variable_(variable) {}

  Value value() {
    const Value sum = chain("+-");
    return next() == '\0' ? sum : std::nullopt;
  }

 private:
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  // Operands joined by operators of one precedence, from left to right.
  Value chain(std::string_view operators) {
    const bool sums = operators.front() == '+';
    Value left = sums ? chain("*/%") : operand();
    while (left && next() != '\0' && operators.find(next()) != operators.npos) {
      const char operation = next();
      rest_.remove_prefix(1);
      const Value right = sums ? chain("*/%") : operand();
      left = right ? combined(operation, *left, *right) : std::nullopt;
    }
    return left;
  }

  Value operand() {
    if (++depth_ > kDeepestBracket) return std::nullopt;
    const char c = next();
    Value found;
    if (c == '-' || c == '+') {
      rest_.remove_prefix(1);
      const Value signless = operand();
      found = signless ? combined(c, 0, *signless) : std::nullopt;
    } else if (c == '(') {
      rest_.remove_prefix(1);
      found = chain("+-");
      if (next() != ')') return std::nullopt;
      rest_.remove_prefix(1);
    } else {
      found = c >= '0' && c <= '9' ? taken_number(rest_) : named();
    }
    --depth_;
    return found;
  }

  // NAME, $NAME or ${NAME}, a variable that holds a number.
  Value named() {
    if (rest_.starts_with('$')) rest_.remove_prefix(1);
    const bool braces = rest_.starts_with('{');
    if (braces) rest_.remove_prefix(1);
    const std::size_t length = std::min(rest_.find_first_not_of(kNameCharacters), rest_.size());
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (braces && !rest_.starts_with('}')) return std::nullopt;
    if (braces) rest_.remove_prefix(1);
    if (name.empty()) return std::nullopt;
    const std::string text = variable_(name);
    std::string_view left = text;
    const Value value = taken_number(left);
    return left.empty() ? value : std::nullopt;
  }

  std::string_view rest_;
  const ArithmeticVariable& variable_;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::int64_t> arithmetic_value(std::string_view expression, const ArithmeticVariable& variable) {
  return Expression(expression, variable).value();
}

}  // namespace ftlab
