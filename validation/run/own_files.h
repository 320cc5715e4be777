// Kinds of files that this program reads or writes and the command for each. Used to explain a file of the wrong kind.
#pragma once

#include <string>

#include "sim/config/document.h"

namespace ftlab {

// Throw ConfigError that names the file's actual kind and the command for it. Unknown files pass; the reader that follows
// reports their errors.
void refuse_unless_jobs(const std::string& path);
void refuse_unless_jobs_or_procedure(const std::string& path);
void refuse_unless_state(const std::string& path);
void refuse_foreign_to_check(const std::string& path);  // `ftlab check` takes neither results nor sweeps

// The document of a drive or a host, with everything it extends; the file is parsed once. Throw ConfigError, also for files
// of another kind.
Node drive_document(const std::string& path);
Node host_document(const std::string& path);

}  // namespace ftlab
