// The computer that a drive is in: the port or adapter that the drive hangs on, and the operating system's path to it. A
// host is a file of its own (configs/hosts, docs/hosts.md), since it is the same for all drives; a drive's document carries
// the host that it is run with as its object `host`. Without one the host costs nothing.
//
// Drive and port agree on the slower rate, and on the shorter queue. What the port costs comes on top of what the drive's
// own link costs: the time of a command on the line by direction, and the time before the drive knows of a command and after
// its last byte.
#pragma once

#include <string>

#include "models/link/link.h"
#include "sim/config/reader.h"
#include "sim/host/stack/host_software.h"

namespace ftlab {

struct PortConfig {
  std::optional<LinkLine> line;   // nothing: as fast as the drive
  Nanoseconds read_command{0};    // on the line, besides what the drive's link states
  Nanoseconds write_command{0};   // also of trim and flush
  Nanoseconds submit{0};          // doorbell and fetching of a command; occupies nothing
  Nanoseconds complete{0};        // completion entry and interrupt; occupies nothing
  std::uint32_t queue_depth = 0;  // commands that the port hands to the drive at a time; 0: no limit of its own
};

struct HostConfig {
  PortConfig port;
  HostSoftwareConfig software;
};

// Reads a host's file, or the object `host` of a document. Throws ConfigError.
HostConfig read_host(Reader reader);

// Why a drive with this link cannot hang on the port; empty: it can.
std::string port_problem(const LinkConfig& drive, const PortConfig& port);
// The drive's link behind the port. REQUIRES: no port_problem.
LinkConfig behind_port(LinkConfig drive, const PortConfig& port);

}  // namespace ftlab
