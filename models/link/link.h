// The link between host and drive: payload at the line rate less coding and packet overhead, and the protocol's cost for
// each command (command, set-up and status frames with their turnarounds). SATA is half duplex. SAS and PCIe move data to
// the host and to the drive at the same time; a command's cost occupies the direction of its data.
//
// Sources: Serial ATA Revision 3.0 (line rates, 8b/10b), SAS-3 (6 and 12 Gb/s, 8b/10b), PCI Express Base 5.0 (line rates,
// 8b/10b up to 5 GT/s and 128b/130b above, packet overheads as in pcie_bytes_per_s), NVM Express Base 1.4 (queues).
// Framing and handshakes of the 8 KiB data frames of SATA and SAS take a share of the rate, if the drive file states one
// (data_permille). Not modelled: acknowledgements and credits of PCIe, connections of SAS, link power states.
#pragma once

#include <array>
#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/check.h"
#include "sim/core/timeline.h"

namespace ftlab {

// Type and speed of the line between drive and port.
struct LinkLine {
  enum class Kind : std::uint8_t { sata_1_5, sata_3, sata_6, sas_6, sas_12, nvme };
  enum class Family : std::uint8_t { sata, sas, nvme };
  Kind kind = Kind::sata_3;
  std::uint32_t data_permille = 1000;  // SATA and SAS: share of the line rate that is left for data in data frames
  std::uint32_t generation = 0, lanes = 0, max_payload_bytes = 0;  // PCIe only

  Family family() const { return kind <= Kind::sata_6 ? Family::sata : kind <= Kind::sas_12 ? Family::sas : Family::nvme; }
  const char* name() const;
  std::uint64_t sata_bytes_per_s() const;  // before data_permille. REQUIRES: SATA or SAS
  // The slower of the two; a SATA drive on a SAS port uses SATA. REQUIRES: they are compatible.
  LinkLine agreed_with(const LinkLine& port) const;
};

struct LinkConfig {
  std::uint64_t bytes_per_s = 300'000'000;  // payload to the host; also to the drive if to_drive_bytes_per_s is 0
  Nanoseconds read_command{0};
  Nanoseconds write_command{0};  // also for trim and flush, which carry (almost) no data
  std::uint64_t to_drive_bytes_per_s = 0;
  bool full_duplex = false;
  std::uint32_t queue_depth = 0;         // commands per queue in the drive; more wait in the host. 0: no limit
  std::uint32_t queues = 1;              // submission queues; a job uses its number modulo this
  std::uint32_t commands = 0xffff'ffff;  // commands of all queues that the drive processes at a time
  // Costs of the port, not of the drive (host_config.h).
  Nanoseconds submit{0};    // doorbell and command fetch: before the drive sees the command, occupies nothing
  Nanoseconds complete{0};  // completion entry and interrupt: after the last byte, occupies nothing

  LinkLine line{};
  // Sets rates and duplex from the line.
  void set_rates();
};

// Reads `kind` and the keys that belong to it; only a drive may state data_permille. Throws ConfigError.
LinkLine read_line(Reader& reader, bool of_drive);

// Reads the object `link` of a drive file. Throws ConfigError.
LinkConfig read_link(Reader reader);

// Payload rate of PCIe lanes in one direction, with `header_bytes` for each packet of `payload_bytes`. REQUIRES: generation
// 1 to 5.
std::uint64_t pcie_bytes_per_s(std::uint32_t generation, std::uint32_t lanes, std::uint32_t payload_bytes,
                               std::uint32_t header_bytes);

class Link {
 public:
  Link(const LinkConfig& config, bool timed)
      : config_(config),
        timed_(timed),
        to_drive_bytes_per_s_(config.to_drive_bytes_per_s > 0 ? config.to_drive_bytes_per_s : config.bytes_per_s) {}

  struct Times {
    Nanoseconds start, done;
  };
  // Moves `bytes` of a command from `ready` on; the first piece carries `command`, the command's own cost.
  Times to_host(Nanoseconds ready, Nanoseconds command, std::uint64_t bytes) {
    return move(lines_[0], ready, command, bytes, config_.bytes_per_s);
  }
  Times to_drive(Nanoseconds ready, Nanoseconds command, std::uint64_t bytes) {
    return move(lines_[config_.full_duplex], ready, command, bytes, to_drive_bytes_per_s_);
  }
  // True if all that is moved to the drive from `ready` on crosses after all moved before, back to back.
  bool to_drive_in_order(Nanoseconds ready) const { return lines_[config_.full_duplex].in_order(ready); }
  // Moves several pieces of `bytes` each to the drive, back to back. `each` receives the time of one. REQUIRES: that.
  Times to_drive(Nanoseconds ready, Nanoseconds command, std::uint64_t bytes, std::uint32_t pieces, Nanoseconds& each) {
    FTLAB_DCHECK(timed_ && to_drive_in_order(ready), "pieces would not cross the link back to back");
    each = time_of(bytes, to_drive_bytes_per_s_);
    const Nanoseconds length = command + each * std::uint64_t{pieces};
    const Nanoseconds start = lines_[config_.full_duplex].reserve(ready, length);
    return {start, start + length};
  }
  void set_timed(bool timed) { timed_ = timed; }
  const LinkConfig& config() const { return config_; }
  Nanoseconds idle_from() const { return lines_[0].end() > lines_[1].end() ? lines_[0].end() : lines_[1].end(); }

  template <class A>
  void archive(A& archive) {
    archive.section("link");
    lines_[0].archive(archive);
    if (config_.full_duplex) lines_[1].archive(archive);
  }

 private:
  Times move(Timeline& line, Nanoseconds ready, Nanoseconds command, std::uint64_t bytes, std::uint64_t bytes_per_s) {
    if (!timed_) return {ready, ready};
    const Nanoseconds length = command + time_of(bytes, bytes_per_s);
    const Nanoseconds start = line.reserve(ready, length);
    return {start, start + length};
  }
  // Most pieces have the same size and direction: reuses the latest result instead of dividing.
  Nanoseconds time_of(std::uint64_t bytes, std::uint64_t bytes_per_s) {
    if (bytes != latest_bytes_ || bytes_per_s != latest_bytes_per_s_) {
      latest_bytes_ = bytes;
      latest_bytes_per_s_ = bytes_per_s;
      latest_time_ = transfer_time(bytes, bytes_per_s);
    }
    return latest_time_;
  }

  LinkConfig config_;
  bool timed_;
  std::uint64_t to_drive_bytes_per_s_;
  std::array<Timeline, 2> lines_;                            // to the host, or both directions; to the drive
  std::uint64_t latest_bytes_ = 0, latest_bytes_per_s_ = 0;  // latest transfer
  Nanoseconds latest_time_{0};                               // its duration
};

}  // namespace ftlab
