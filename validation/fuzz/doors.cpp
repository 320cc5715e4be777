#include "validation/fuzz/door.h"

namespace ftlab::fuzz {

const std::vector<Door>& doors() {
  static const std::vector<Door> all = {
      calibration_words(), column_map(), command_line(), drive_file(),  durability_log(), figure_file(),
      fio_log(),           fio_result(), smart_log(),    job_file(),    kernel_tables(),  packed_trace(),
      policy_answers(),    procedure(),  review(),       saved_state(), series_file(),    small_drive(),
      smart_table(),       smartctl(),   trace()};
  return all;
}

}  // namespace ftlab::fuzz
