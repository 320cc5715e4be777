// A procedure and settings of its variables, rehearsed on a device that supports everything. The input is the document, a
// zero byte, and settings, one per line.
#include "sim/core/error.h"
#include "sim/procedures/execute.h"
#include "sim/procedures/procedure.h"
#include "sim/procedures/testing/device.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

constexpr std::uint64_t kProcedureBytes = 16u << 20;

void enter_procedure(std::string_view input) {
  const std::string_view text = next_part(input);
  JobContext context;
  context.capacity_bytes = kProcedureBytes;
  context.environment = [](const std::string&) { return nullptr; };
  context.include = [](const std::string&) { return std::string("[j]\nrw=write\n"); };
  context.folder = "/nowhere";
  std::vector<std::string> settings;
  while (!input.empty()) settings.emplace_back(next_part(input, '\n'));
  try {
    const Procedure procedure = read_procedure(parse_document(text, kInputName), settings);
    const ftlab::testing::ObedientDeviceUnderTest device(kProcedureBytes);
    rehearse(procedure, device, context);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> procedure_seeds() {
  std::vector<std::string> all =
      joined(texts_of("configs/jobs", "", ".json", 3000), bad_texts("procedure/procedure-", ".json", 3000));
  all.push_back(
      R"({"name":"p","variables":{"a":[1,2]},"steps":[{"step":"repeat","over":["a"],"steps":[{"step":"idle","seconds":"${a}"}]}]})" +
      std::string(1, '\0') + "a=1,2,3");
  return all;
}

}  // namespace

Door procedure() { return {"procedure", enter_procedure, procedure_seeds, 3000, 3}; }

}  // namespace ftlab::fuzz
