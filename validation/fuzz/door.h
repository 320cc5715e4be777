// A door through which input comes in from outside, as a function of bytes. Whatever the bytes are, it returns: what is
// read was understood, all else was refused with the exception that the door promises. Anything else is a finding: another
// exception, a check of the program that fails, a sanitizer's report, more time than a second, memory by a number's word.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::fuzz {

struct Door {
  const char* name;
  void (*read)(std::string_view input);
  std::vector<std::string> (*seeds)();  // what to begin with: files of the repository, and made ones
  std::size_t longest;                  // bytes of an input; longer ones find nothing else and take time
  unsigned share;                       // of a campaign's time
};

// Each in the file of its name.
Door calibration_words();
Door column_map();
Door command_line();
Door drive_file();
Door durability_log();
Door figure_file();
Door fio_log();
Door fio_result();
Door smart_log();
Door job_file();
Door kernel_tables();
Door packed_trace();
Door policy_answers();
Door procedure();
Door review();
Door saved_state();
Door series_file();
Door small_drive();
Door smart_table();
Door smartctl();
Door trace();

// All of them.
const std::vector<Door>& doors();

}  // namespace ftlab::fuzz
