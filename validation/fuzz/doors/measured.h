// What is read of a measurement is also compared, with itself: nothing that was accepted may stop that.
#pragma once

#include <string_view>

namespace ftlab::fuzz {

void read_and_compare(std::string_view input);

}  // namespace ftlab::fuzz
