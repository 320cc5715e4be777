#include "validation/measure/device/device_contents.h"

#include "validation/measure/device/stamps.h"

namespace ftlab {

// Generates contents given by the job in full. For unknown contents, which are random, reuses the bytes of a buffer that was
// not read into.
void DeviceContents::make_bytes(std::size_t buffer, std::span<std::byte> memory, const Request& write) {
  ++writes_;
  const bool reported = write.content.id != 0 || write.content.stored_thousandths != 1000;
  if (!reported && memory.size() <= random_bytes_[buffer]) return bytes_.freshen(memory, writes_);
  bytes_.fill(memory, write, writes_);
  random_bytes_[buffer] = reported ? 0 : memory.size();
}

void DeviceContents::fill(std::size_t place, const Request& write, std::uint64_t version) {
  const std::size_t buffer = buffer_of(place, Op::write);
  const std::span<std::byte> memory(buffers_.at(buffer), write.length_bytes);
  make_bytes(buffer, memory, write);
  if (!stamps_) return;
  Stamp stamp{0, version, run_, static_cast<std::uint32_t>(write.length_bytes)};
  for (std::size_t at = 0; at + kSectorBytes <= memory.size(); at += kSectorBytes) {
    stamp.offset_bytes = first_byte_ + write.offset_bytes + at;
    ++stamp.version;
    write_stamp(memory.subspan(at).first<kSectorBytes>(), stamp);
  }
}

// The log numbers sectors as the host sees the device; stamps hold positions on the device itself.
void DeviceContents::report_read(std::size_t place, const Request& read) {
  if (log_ == nullptr) return;
  const std::span<const std::byte> memory(this->memory(place, Op::read), read.length_bytes);
  for (std::size_t at = 0; at + kSectorBytes <= memory.size(); at += kSectorBytes) {
    const std::uint64_t offset = read.offset_bytes + at;
    const SectorRead sector = read_stamp(memory.subspan(at).first<kSectorBytes>(), first_byte_ + offset, run_);
    log_->returned.push_back({read.tag, offset / kSectorBytes, sector.stamp.version, sector.found});
  }
}

}  // namespace ftlab
