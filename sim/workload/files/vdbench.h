// Parameter files of vdbench are not read; they are known, so that the refusal can say how to write them for fio.
#pragma once

#include <string>
#include <string_view>

namespace ftlab {

bool is_vdbench_file(std::string_view text);
[[noreturn]] void refuse_vdbench(const std::string& file);

}  // namespace ftlab
