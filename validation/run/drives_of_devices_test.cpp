// Which --drive stands for which device.
#include "validation/run/drives_of_devices.h"

#include "sim/core/error.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::string drives(const std::vector<std::string>& given, const std::vector<std::string>& devices) {
  std::string all;
  for (const DriveOfDevice& one : drives_of_devices(given, devices, "f.fio"))
    all += one.device + " is " + one.drive + " in " + one.folder + "; ";
  return all;
}

}  // namespace

TEST_CASE("drives stand for devices in order, but for those that name their device", "[run]") {
  CHECK(drives({"x", "y"}, {"/dev/sdc", "/dev/sdd"}) == "/dev/sdc is x in 01-sdc; /dev/sdd is y in 02-sdd; ");
  CHECK(drives({"/dev/sdd=x", "y"}, {"/dev/sdc", "/dev/sdd"}) == "/dev/sdc is y in 01-sdc; /dev/sdd is x in 02-sdd; ");
  CHECK(drives({"x", "trtype=PCIe traddr=2=y"}, {"trtype=PCIe traddr=1", "trtype=PCIe traddr=2"}) ==
        "trtype=PCIe traddr=1 is x in 01-trtype_PCIe_traddr_1; trtype=PCIe traddr=2 is y in 02-trtype_PCIe_traddr_2; ");
}

TEST_CASE("a drive alone may name its device", "[run]") {
  const std::vector<std::string> one{"/dev/sdc"}, two{"/dev/sdc", "/dev/sdd"};
  CHECK(drive_given_alone("x", two, "f.fio") == "x");
  CHECK(drive_given_alone("/dev/sdc=x", one, "f.fio") == "x");
  CHECK_THROWS_AS(drive_given_alone("/dev/sde=x", one, "f.fio"), ConfigError);
  CHECK_THROWS_AS(drive_given_alone("/dev/sdc=x", two, "f.fio"), ConfigError);
}

TEST_CASE("each device gets one drive, or the drives are refused", "[run]") {
  using Names = std::vector<std::string>;
  const Names two{"/dev/sdc", "/dev/sdd"};
  for (const Names& given : {Names{"x", "y", "z"}, Names{"x", "/dev/sdc=y", "/dev/sdc=z"}, Names{"/dev/sde=x", "y"}}) {
    INFO(given[1]);
    CHECK_THROWS_AS(drives(given, two), ConfigError);
  }
  CHECK_THROWS_AS(drives({"x", "y"}, {"/dev/sdc"}), ConfigError);
  CHECK_THROWS_AS(drives({"x", "y"}, {}), ConfigError);
  CHECK_THROWS_AS(drives({"/dev/sdc=x", "/dev/sdc=y"}, two), ConfigError);
}
