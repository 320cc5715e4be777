#include "ftl/drive_config.h"

namespace ftlab {
namespace {

ControllerConfig read_controller(Reader reader) {
  ControllerConfig controller;
  controller.read_command = Nanoseconds{reader.sourced("read_command_ns", 0, 1'000'000'000).value};
  controller.write_command = Nanoseconds{reader.sourced("write_command_ns", 0, 1'000'000'000).value};
  if (reader.has("trim_page_ns")) controller.trim_page = Nanoseconds{reader.sourced("trim_page_ns", 0, 1'000'000).value};
  reader.finish();
  return controller;
}

}  // namespace

DriveConfig read_drive(const Node& document) {
  Reader reader(document);
  DriveConfig drive;
  drive.name = reader.text("name");
  reader.text_or("about", "");
  drive.geometry = read_geometry(reader.object("geometry"));
  drive.nand = read_nand_timing(reader.object("nand"));
  drive.link = read_link(reader.object("link"));
  drive.controller = read_controller(reader.object("controller"));
  const std::uint64_t physical = drive.geometry.bytes();
  const std::uint64_t sectors = reader.sourced("user_sectors", 1, std::uint64_t{1} << 40).value;
  drive.user_bytes = sectors * kSectorBytes;
  if (drive.user_bytes > physical) {
    reader.refuse("user_sectors",
                  std::to_string(drive.user_bytes) + " bytes of user space do not fit into " +
                      std::to_string(physical) + " bytes of flash",
                  "at most " + std::to_string(physical / kSectorBytes) + " sectors, less the spare space");
  }
  drive.ftl = read_ftl(reader.object("ftl"), drive.geometry, drive.nand, drive.user_bytes);
  reader.finish();
  return drive;
}

}  // namespace ftlab
