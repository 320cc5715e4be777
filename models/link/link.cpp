#include "models/link/link.h"

namespace ftlab {

LinkConfig read_link(Reader reader) {
  LinkConfig link;
  // Line rates of SATA revisions 1 to 3; 8b/10b leaves a tenth of the bit rate as bytes.
  constexpr std::uint64_t kBytesPerSecond[] = {150'000'000, 300'000'000, 600'000'000};
  link.bytes_per_s = kBytesPerSecond[reader.choice("kind", {"sata-1.5", "sata-3", "sata-6"})];
  link.read_command = Nanoseconds{reader.sourced("read_command_ns", 0, 1'000'000).value};
  link.write_command = Nanoseconds{reader.sourced("write_command_ns", 0, 1'000'000).value};
  reader.finish();
  return link;
}

}  // namespace ftlab
