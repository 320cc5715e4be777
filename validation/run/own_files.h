// The kinds of files that this program writes or reads itself, and the command that takes each: for whoever is given one of
// another kind than it asked for.
#pragma once

#include <string>

namespace ftlab {

enum class OwnFile { unknown, job_file, drive, host, procedure, sweep, smart_table, result, saved_state };

// What a file is, by its beginning or its keys; unknown for all else, and for what cannot be read.
OwnFile kind_of_file(const std::string& path);

// Throw ConfigError that names the file for what it is, with the command that takes it. What is unknown is left to the
// reader that follows, which says what is wrong with it.
void refuse_unless_jobs(const std::string& path);
void refuse_unless_jobs_or_procedure(const std::string& path);
void refuse_unless_drive(const std::string& path);
void refuse_unless_host(const std::string& path);
void refuse_unless_state(const std::string& path);
void refuse_foreign_to_check(const std::string& path);  // ftlab check takes neither results nor sweeps

}  // namespace ftlab
