// Reads fio's JSON (json or json+), as written by fio 3 and by ftlab.
#pragma once

#include "validation/compare/reading/json_field.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

bool is_fio_result(const JsonField& root);

// Adds a point for each direction of each job, with `prefix` before its label. The clones of a job, listed separately
// without group_reporting, are added up; their percentiles are known only with the bins of json+. Jobs that ended with an
// error and directions without a request are noted. Returns the labels by job number, clones counted, as fio numbers its
// logs. Throws ConfigError.
std::vector<std::string> add_fio_points(const JsonField& root, const std::string& prefix, Measurement& measurement);

}  // namespace ftlab
