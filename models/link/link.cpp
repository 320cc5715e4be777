#include "models/link/link.h"

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::size_t kSata6 = 2, kSas12 = 4;  // the last of their kind in read_link

// Sequence number, LCRC and framing of a packet are 8 bytes in every generation. A memory write to the host has a header of
// four words (64-bit address), a completion with data to the drive one of three.
constexpr std::uint32_t kToHostHeader = 16 + 8;
constexpr std::uint32_t kToDriveHeader = 12 + 8;

void read_pcie(Reader& reader, LinkConfig& link) {
  const auto generation = static_cast<std::uint32_t>(reader.sourced("generation", 1, 5).value);
  const std::uint64_t lanes = reader.sourced("lanes", 1, 16).value;
  if ((lanes & (lanes - 1)) != 0) reader.refuse("lanes", "must be a power of two", "1, 2, 4, 8, 16");
  const std::uint64_t payload = reader.sourced("max_payload_bytes", 128, 4096).value;
  if ((payload & (payload - 1)) != 0) reader.refuse("max_payload_bytes", "must be a power of two", "128, 256, ... 4096");
  const auto rate = [&](std::uint32_t header) {
    return pcie_bytes_per_s(generation, static_cast<std::uint32_t>(lanes), static_cast<std::uint32_t>(payload), header);
  };
  link.bytes_per_s = rate(kToHostHeader);
  link.to_drive_bytes_per_s = rate(kToDriveHeader);
}

// Of the line's rate, what data frames leave to their data.
std::uint64_t data_permille(Reader& reader) {
  return reader.has("data_permille") ? reader.sourced("data_permille", 500, 1000).value : 1000;
}

void read_queues(Reader& reader, LinkConfig& link) {
  link.queues = static_cast<std::uint32_t>(reader.sourced("queues", 1, 256).value);
  if (!reader.has("commands")) return;
  link.commands = static_cast<std::uint32_t>(reader.sourced("commands", 1, 1 << 20).value);
}

Nanoseconds time_or_none(Reader& reader, const char* key) {
  return Nanoseconds{reader.has(key) ? reader.sourced(key, 0, 1'000'000).value : 0};
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

LinkConfig read_link(Reader reader) {
  LinkConfig link;
  // Line rates of SATA revisions 1 to 3 and SAS 2 and 3; 8b/10b leaves a tenth of the bit rate as bytes.
  constexpr std::uint64_t kBytesPerSecond[] = {150'000'000, 300'000'000, 600'000'000, 600'000'000, 1'200'000'000};
  const std::size_t kind = reader.choice("kind", {"sata-1.5", "sata-3", "sata-6", "sas-6", "sas-12", "nvme"});
  link.full_duplex = kind > kSata6;
  if (kind <= kSas12) {
    link.bytes_per_s = kBytesPerSecond[kind] / 1000 * data_permille(reader);
  } else {
    read_pcie(reader, link);
  }
  link.read_command = Nanoseconds{reader.sourced("read_command_ns", 0, 1'000'000).value};
  link.write_command = Nanoseconds{reader.sourced("write_command_ns", 0, 1'000'000).value};
  if (kind > kSas12 || reader.has("queue_depth")) {
    link.queue_depth = static_cast<std::uint32_t>(reader.sourced("queue_depth", 1, kind <= kSata6 ? 32 : 65'535).value);
  }
  if (kind > kSas12) read_queues(reader, link);
  link.submit = time_or_none(reader, "submit_ns");
  link.complete = time_or_none(reader, "complete_ns");
  reader.finish();
  return link;
}

}  // namespace ftlab
