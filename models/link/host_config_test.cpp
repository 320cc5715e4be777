// Rates, queues and costs that drive and port agree on.
#include "models/link/host_config.h"

#include "sim/config/document.h"
#include "sim/core/error.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

LinkConfig drive(const std::string& text) { return read_link(Reader(parse_document(text, kCommandLineFile))); }

PortConfig port(const std::string& text) {
  return read_host(Reader(parse_document("{\"port\": " + text + "}", kCommandLineFile))).port;
}

const std::string kSata6 =
    R"({"kind": "sata-6", "data_permille": 930, "queue_depth": 32, "read_command_ns": 2200, "write_command_ns": 2600})";
const std::string kNvme = R"({"kind": "nvme", "generation": 4, "lanes": 4, "max_payload_bytes": 512, "queue_depth": 1024,
                              "queues": 8, "read_command_ns": 0, "write_command_ns": 0})";

}  // namespace

TEST_CASE("drive and port agree on the slower rate, times the drive's data_permille") {
  CHECK(behind_port(drive(kSata6), port(R"({"kind": "sata-3"})")).bytes_per_s == 279'000'000);
  CHECK(behind_port(drive(kSata6), port(R"({"kind": "sata-1.5"})")).bytes_per_s == 139'500'000);
  CHECK(behind_port(drive(kSata6), port(R"({"kind": "sata-6"})")).bytes_per_s == 558'000'000);
  const LinkConfig slow = drive(R"({"kind": "sata-3", "read_command_ns": 0, "write_command_ns": 0})");
  CHECK(behind_port(slow, port(R"({"kind": "sata-6"})")).bytes_per_s == 300'000'000);
  CHECK(behind_port(slow, PortConfig()).bytes_per_s == 300'000'000);
}

TEST_CASE("a SATA drive on a SAS port uses SATA, half duplex; a SAS drive uses SAS") {
  const LinkConfig sata = behind_port(drive(kSata6), port(R"({"kind": "sas-12"})"));
  CHECK(sata.bytes_per_s == 558'000'000);
  CHECK_FALSE(sata.full_duplex);
  const LinkConfig sas = drive(R"({"kind": "sas-12", "read_command_ns": 0, "write_command_ns": 0})");
  CHECK(behind_port(sas, port(R"({"kind": "sas-6"})")).bytes_per_s == 600'000'000);
  CHECK(behind_port(sas, port(R"({"kind": "sas-6"})")).full_duplex);
  CHECK(port_problem(sas, port(R"({"kind": "sata-6"})")) == "is a port of sata-6, and the drive's link is sas-12");
  CHECK(port_problem(drive(kNvme), port(R"({"kind": "sata-6"})")) == "is a port of sata-6, and the drive's link is nvme");
}

TEST_CASE("PCIe agrees on the older generation, the fewer lanes and the smaller payload") {
  const LinkConfig agreed =
      behind_port(drive(kNvme), port(R"({"kind": "nvme", "generation": 3, "lanes": 2, "max_payload_bytes": 128})"));
  CHECK(agreed.bytes_per_s == pcie_bytes_per_s(3, 2, 128, 24));
  CHECK(agreed.to_drive_bytes_per_s == pcie_bytes_per_s(3, 2, 128, 20));
}

TEST_CASE("the port's costs are added to the drive's, and the shorter queue applies") {
  const LinkConfig agreed = behind_port(drive(kSata6), port(R"({"read_command_ns": 100, "write_command_ns": 200,
                                                                "submit_ns": 300, "complete_ns": 400, "queue_depth": 31})"));
  CHECK(agreed.read_command == Nanoseconds{2300});
  CHECK(agreed.write_command == Nanoseconds{2800});
  CHECK(agreed.submit == Nanoseconds{300});
  CHECK(agreed.complete == Nanoseconds{400});
  CHECK(agreed.queue_depth == 31);
  CHECK(behind_port(drive(kSata6), port(R"({"queue_depth": 600})")).queue_depth == 32);
}
