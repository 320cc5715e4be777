// Also compares the measurement that was read with itself: an accepted measurement must not make that fail.
#pragma once

#include <string_view>

namespace ftlab::fuzz {

void read_and_compare(std::string_view input);

}  // namespace ftlab::fuzz
