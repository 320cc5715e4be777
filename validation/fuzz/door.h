// A fuzz target: an entry point for external input, as a function of bytes. For any input it must return: either the input
// was read, or it was refused with the documented exception. Everything else is a finding: another exception, a failed
// check, a sanitizer report, more than a second, or an allocation of a size taken from the input.
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
  std::vector<std::string> (*seeds)();  // initial corpus: files of the repository, and generated ones
  std::size_t longest;                  // limit of an input in bytes; longer ones take time and find nothing more
  unsigned share;                       // share of a campaign's time
};

// Each is defined in doors/, beside others of the same kind of file.
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

}  // namespace ftlab::fuzz
