// Arithmetic of a shell, the text between $(( and )): whole numbers, + - * / % and brackets, with a shell's precedence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ftlab {

// Value of a variable, named with or without $. May throw.
using ArithmeticVariable = std::function<std::string(const std::string& name)>;

// nullopt for anything else, for a division by zero, and beyond 64 bits.
std::optional<std::int64_t> arithmetic_value(std::string_view expression, const ArithmeticVariable& variable);

}  // namespace ftlab
