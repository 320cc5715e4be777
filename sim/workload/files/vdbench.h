// vdbench parameter files are not supported. They are recognized, so that the refusal can explain how to write them for fio.
#pragma once

#include <string>
#include <string_view>

namespace ftlab {

bool is_vdbench_file(std::string_view text);
[[noreturn]] void refuse_vdbench(const std::string& file);

}  // namespace ftlab
