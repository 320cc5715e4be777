// Rounds over two variables as a matrix of means.
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/procedures/procedure.h"
#include "sim/procedures/procedure_report.h"
#include "sim/procedures/testing/device.h"
#include "sim/testing/test.h"

using namespace ftlab;

using testing::PlainDeviceUnderTest;

namespace {

Procedure procedure_of(const std::string& steps) {
  const std::string text =
      R"({"name": "t", "variables": {"read_percent": [100, 0], "bs": ["64k", "8k", "512"]}, "steps": [)" + steps + "]}";
  return read_procedure(parse_document(text, "test.json"), {});
}

// The latency is the service time of the device, which grows by 1000 ns with each round.
ProcedureRecord execute_on(PlainDeviceUnderTest& tested, const Procedure& procedure) {
  JobContext context;
  context.capacity_bytes = 8 << 20;
  ProcedureOptions options;
  std::size_t steps = 0;
  options.ran = [&](const StepRecord&, const JobFile&, const RunStats&) {
    if (++steps % 6 == 0) tested.plain.service += Nanoseconds{1'000};
  };
  return execute(procedure, tested, context, options);
}

constexpr char kRounds[] =
    R"({"step": "rounds", "track": {"figure": "latency_mean", "where": {"read_percent": 0, "bs": "8k"}},
  "steps": [{"step": "repeat", "over": ["read_percent", "bs"], "steps": [{"step": "job", "name": "cell",
  "lines": ["rw=randrw", "rwmixread=${read_percent}", "bs=${bs}", "size=64k"]}]}]})";

}  // namespace

TEST_CASE("rounds over two variables form a matrix of means over the window, block sizes ascending") {
  PlainDeviceUnderTest tested(8 << 20);
  tested.plain.service = Nanoseconds{100'000};
  const Procedure procedure = procedure_of(kRounds);
  const ProcedureRecord record = execute_on(tested, procedure);
  REQUIRE((record.rounds.size() == 1 && record.rounds[0].judged.reached && record.rounds[0].judged.rounds == 5));
  const auto matrix = matrix_of(record.rounds[0], procedure, record.steps);
  REQUIRE(matrix);
  CHECK((matrix->column_variable == "read_percent" && matrix->columns == std::vector<std::string>{"100", "0"}));
  CHECK((matrix->row_variable == "bs" && matrix->rows == std::vector<std::string>{"512", "8k", "64k"}));
  CHECK((matrix->first_round == 1 && matrix->last_round == 5));
  for (const std::vector<double>& row : matrix->means)
    for (const double mean : row) CHECK(mean == Approx(102'000));  // mean of 100 to 104 us
  const auto json = procedure_json(procedure, record, tested.plain.info());
  CHECK(json["rounds"][0]["matrix"]["means"].size() == 3);
  CHECK(json["rounds"][0]["matrix"]["rows"]["values"][0] == "512");
}

TEST_CASE("rounds without a repeat have no matrix") {
  PlainDeviceUnderTest tested(8 << 20);
  const Procedure procedure = procedure_of(
      R"({"step": "rounds", "track": {"figure": "iops"}, "steps": [{"step": "job", "name": "w", "lines": ["rw=read", "bs=4k", "size=64k"]}]})");
  const ProcedureRecord record = execute_on(tested, procedure);
  CHECK_FALSE(matrix_of(record.rounds[0], procedure, record.steps));
  CHECK_FALSE(procedure_json(procedure, record, tested.plain.info())["rounds"][0].contains("matrix"));
}

namespace {
SteadyRounds judge(const std::vector<double>& rounds) { return judge_rounds(rounds, {}); }
}  // namespace

TEST_CASE("fewer rounds than the window are never steady") {
  CHECK_FALSE(judge({100, 100, 100, 100}).reached);
  CHECK(judge({100, 100, 100, 100, 100}).reached);
}

TEST_CASE("the range may be a fifth of the average, not more") {
  CHECK(judge({100, 90, 110, 90, 110}).range == Approx(20));
  CHECK(judge({110, 100, 90, 100, 110}).reached);       // average 102, range 20
  CHECK_FALSE(judge({111, 100, 89, 95, 106}).reached);  // average 100.2, range 22
}

TEST_CASE("the fitted line may rise or fall by a tenth over the window, not more") {
  const SteadyRounds rising = judge({96, 98, 100, 102, 104});
  CHECK(rising.slope == Approx(2));
  CHECK(rising.at_first_round == Approx(96));
  CHECK(rising.slope_excursion == Approx(8));
  CHECK(rising.reached);
  const SteadyRounds falling = judge({106, 103, 100, 97, 94});
  CHECK(falling.slope == Approx(-3));
  CHECK(falling.slope_excursion == Approx(12));
  CHECK_FALSE(falling.reached);  // the range, 12 %, would pass
}

TEST_CASE("only the last window counts, and its rounds are reported") {
  const SteadyRounds judged = judge({1000, 500, 100, 101, 99, 100, 100});
  CHECK(judged.reached);
  CHECK(judged.first_round == 3);
  CHECK(judged.rounds == 7);
}

TEST_CASE("rounds of zeros are not steady") { CHECK_FALSE(judge({0, 0, 0, 0, 0}).reached); }
