#include "models/link/link.h"

#include <algorithm>
#include <string>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

using Kind = LinkLine::Kind;

// Sequence number, LCRC and framing of a packet are 8 bytes in every generation. A memory write to the host has a header of
// four words (64-bit address), a completion with data to the drive one of three.
constexpr std::uint32_t kToHostHeader = 16 + 8;
constexpr std::uint32_t kToDriveHeader = 12 + 8;

void read_pcie(Reader& reader, LinkLine& line) {
  read_sourced(reader, "generation", line.generation, 1, 5, "PCIe generation");
  read_sourced(reader, "lanes", line.lanes, 1, 16, "PCIe lanes");
  if ((line.lanes & (line.lanes - 1)) != 0) reader.refuse("lanes", "must be a power of two", "1, 2, 4, 8, 16");
  read_sourced(reader, "max_payload_bytes", line.max_payload_bytes, 128, 4096, "PCIe payload of a packet");
  if ((line.max_payload_bytes & (line.max_payload_bytes - 1)) != 0)
    reader.refuse("max_payload_bytes", "must be a power of two", "128, 256, ... 4096");
}

}  // namespace

std::uint64_t pcie_bytes_per_s(std::uint32_t generation, std::uint32_t lanes, std::uint32_t payload_bytes,
                               std::uint32_t header_bytes) {
  FTLAB_CHECK(generation >= 1 && generation <= 5, "PCIe generation " + std::to_string(generation));
  struct Line {
    std::uint64_t bits_per_s, coded, plain;
  };
  constexpr Line kLines[] = {{2'500'000'000, 10, 8},
                             {5'000'000'000, 10, 8},
                             {8'000'000'000, 130, 128},
                             {16'000'000'000, 130, 128},
                             {32'000'000'000, 130, 128}};
  const Line& line = kLines[generation - 1];
  return line.bits_per_s / 8 * lanes * line.plain * payload_bytes / (line.coded * (payload_bytes + header_bytes));
}

const char* LinkLine::name() const {
  constexpr const char* kNames[] = {"sata-1.5", "sata-3", "sata-6", "sas-6", "sas-12", "nvme"};
  return kNames[static_cast<std::size_t>(kind)];
}

// Line rates of SATA revisions 1 to 3 and SAS 2 and 3; 8b/10b leaves a tenth of the bit rate as bytes.
std::uint64_t LinkLine::sata_bytes_per_s() const {
  constexpr std::uint64_t kBytesPerSecond[] = {150'000'000, 300'000'000, 600'000'000, 600'000'000, 1'200'000'000};
  FTLAB_CHECK(kind != Kind::nvme, "PCIe has another rate");
  return kBytesPerSecond[static_cast<std::size_t>(kind)];
}

LinkLine LinkLine::agreed_with(const LinkLine& port) const {
  LinkLine agreed = *this;
  if (family() == Family::nvme) {
    agreed.generation = std::min(generation, port.generation);
    agreed.lanes = std::min(lanes, port.lanes);
    agreed.max_payload_bytes = std::min(max_payload_bytes, port.max_payload_bytes);
  } else if (port.sata_bytes_per_s() < sata_bytes_per_s()) {
    agreed.kind = port.kind;  // same family: every SAS port is at least as fast as SATA
  }
  return agreed;
}

void LinkConfig::set_rates() {
  full_duplex = line.family() != LinkLine::Family::sata;
  if (line.family() != LinkLine::Family::nvme) {
    bytes_per_s = line.sata_bytes_per_s() / 1000 * line.data_permille;
    return;
  }
  bytes_per_s = pcie_bytes_per_s(line.generation, line.lanes, line.max_payload_bytes, kToHostHeader);
  to_drive_bytes_per_s = pcie_bytes_per_s(line.generation, line.lanes, line.max_payload_bytes, kToDriveHeader);
}

LinkLine read_line(Reader& reader, bool of_drive) {
  LinkLine line;
  read_choice(reader, "kind", line.kind, {"sata-1.5", "sata-3", "sata-6", "sas-6", "sas-12", "nvme"},
              of_drive ? "kind of link" : "fastest line of the port");
  if (line.kind == Kind::nvme) {
    read_pcie(reader, line);
  } else if (of_drive) {
    read_sourced_or(reader, "data_permille", line.data_permille, 500, 1000, "SATA, SAS: what framing leaves of the rate");
  }
  return line;
}

LinkConfig read_link(Reader reader) {
  LinkConfig link;
  link.line = read_line(reader, true);
  link.set_rates();
  const bool nvme = link.line.kind == Kind::nvme;
  read_sourced(reader, "read_command_ns", link.read_command, 0, 1'000'000, "cost of a read command on the line");
  read_sourced(reader, "write_command_ns", link.write_command, 0, 1'000'000, "cost of a write command on the line");
  if (nvme || reader.has("queue_depth")) {
    const bool ncq = link.line.family() == LinkLine::Family::sata;
    read_sourced(reader, "queue_depth", link.queue_depth, 1, ncq ? 32 : 65'535,
                 "commands that the drive holds; of each queue with NVMe and SAS");
  }
  if (nvme) read_sourced(reader, "queues", link.queues, 1, 256, "NVMe submission queues");
  if (nvme) read_sourced_or(reader, "commands", link.commands, 1, 1 << 20, "NVMe: commands in work at once");
  reader.renamed("submit_ns", "port.submit_ns of a host file");
  reader.renamed("complete_ns", "port.complete_ns of a host file");
  reader.finish();
  return link;
}

}  // namespace ftlab
