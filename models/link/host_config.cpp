#include "models/link/host_config.h"

#include <algorithm>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

PortConfig read_port(Reader reader) {
  PortConfig port;
  if (reader.has("kind")) port.line = read_line(reader, false);
  read_sourced_or(reader, "read_command_ns", port.read_command, 0, 1'000'000, "line time per read, besides the drive's");
  read_sourced_or(reader, "write_command_ns", port.write_command, 0, 1'000'000, "line time per write");
  read_sourced_or(reader, "submit_ns", port.submit, 0, 1'000'000, "latency before the drive sees a command");
  read_sourced_or(reader, "complete_ns", port.complete, 0, 1'000'000, "latency after the last byte");
  read_sourced_or(reader, "queue_depth", port.queue_depth, 1, 65'535, "commands in the drive at once");
  reader.finish();
  return port;
}

// 0: no limit.
std::uint32_t shorter(std::uint32_t a, std::uint32_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

}  // namespace

HostConfig read_host(Reader reader) {
  HostConfig host;
  reader.choice_or("kind", {"host"}, 0);
  reader.text_or("name", "");
  reader.text_or("about", "");
  if (auto port = reader.object_if_present("port")) host.port = read_port(std::move(*port));
  host.software = read_host_software(reader);
  reader.finish();
  return host;
}

std::string port_problem(const LinkConfig& drive, const PortConfig& port) {
  if (!port.line) return {};
  const LinkLine::Family own = drive.line.family(), offered = port.line->family();
  const bool fits = own == offered || (own == LinkLine::Family::sata && offered == LinkLine::Family::sas);
  return fits ? "" : std::string("is a port of ") + port.line->name() + ", and the drive's link is " + drive.line.name();
}

LinkConfig behind_port(LinkConfig drive, const PortConfig& port) {
  FTLAB_CHECK(port_problem(drive, port).empty(), "a drive that does not fit its port");
  if (port.line) {
    drive.line = drive.line.agreed_with(*port.line);
    drive.set_rates();
  }
  drive.read_command += port.read_command;
  drive.write_command += port.write_command;
  drive.submit += port.submit;
  drive.complete += port.complete;
  drive.queue_depth = shorter(drive.queue_depth, port.queue_depth);
  return drive;
}

}  // namespace ftlab
