// The host of a drive: the port or adapter that the drive is attached to, and the operating system's path to it. A host has
// its own file (configs/hosts, docs/hosts.md), because it is the same for all drives; a drive's document contains its host
// as the object `host`. Without one the host costs no time.
//
// Drive and port agree on the slower rate and on the shorter queue. The port's costs are added to those of the drive's link:
// the time of a command on the line by direction, the time before the drive sees a command, and the time after its last
// byte.
#pragma once

#include <string>

#include "models/link/link.h"
#include "sim/config/reader.h"
#include "sim/host/stack/host_software.h"

namespace ftlab {

struct PortConfig {
  std::optional<LinkLine> line;   // empty: as fast as the drive
  Nanoseconds read_command{0};    // on the line, in addition to that of the drive's link
  Nanoseconds write_command{0};   // also for trim and flush
  Nanoseconds submit{0};          // doorbell and command fetch; occupies nothing
  Nanoseconds complete{0};        // completion entry and interrupt; occupies nothing
  std::uint32_t queue_depth = 0;  // limit of commands in the drive at a time; 0: no limit of its own
};

struct HostConfig {
  PortConfig port;
  HostSoftwareConfig software;
};

// Reads a host's file, or the object `host` of a document. Throws ConfigError.
HostConfig read_host(Reader reader);

// Error message if a drive with this link cannot be attached to the port, else empty.
std::string port_problem(const LinkConfig& drive, const PortConfig& port);
// The drive's link through the port. REQUIRES: port_problem() is empty.
LinkConfig behind_port(LinkConfig drive, const PortConfig& port);

}  // namespace ftlab
