// The minimum of the NBD protocol that reads an export once. `ftlab top` needs no NBD package.
#pragma once

#include <string>

namespace ftlab {

// Returns the whole export of the server at a Unix socket. Throws ConfigError if no server answers, or not in NBD.
std::string read_export(const std::string& socket, const std::string& name);

// True if a server listens on the socket.
bool somebody_listens(const std::string& socket);

}  // namespace ftlab
