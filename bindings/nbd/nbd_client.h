// As much of the NBD protocol as it takes to read an export once: `ftlab top` needs no package for it.
#pragma once

#include <string>

namespace ftlab {

// All of an export of the server behind a Unix socket. Throws ConfigError when there is none, or it speaks otherwise.
std::string read_export(const std::string& socket, const std::string& name);

// Whether somebody listens there.
bool somebody_listens(const std::string& socket);

}  // namespace ftlab
