// Held-out fits of a family, on a board built here for two drives whose hidden number is known.
#include "validation/calibrate/held_out.h"

#include <map>

#include "sim/config/refusal.h"
#include "sim/testing/test.h"
#include "validation/calibrate/board_prediction.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

constexpr char kOne[] = "kingston-ssdnow-v-64", kOther[] = "crucial-m4-256";
constexpr char kKey[] = "controller.write_command_ns";

std::string run_named(const std::string& name) {
  return "\"" + name +
         R"(": {"scale": 32, "steps": [{"step": "job", "name": "s", "keep": false, "lines": ["rw=write", "bs=4k",
    "size=2m", "iodepth=1"]}], "drives": [")" +
         kOne + R"(", ")" + kOther + R"("]})";
}

std::string row_of(const std::string& fact, const std::string& run, const std::string& drive, double value,
                   const std::string& basis) {
  return R"({"fact": ")" + fact + R"(", "drive": "D", "kind": "quantity", "says": "mean", "unit": "us", "confidence": "high",
    "quote": ")" +
         run + "@" + drive + R"(", "basis": ")" + basis + R"(", "is": )" + std::to_string(value) + R"(, "of": ")" + run + "@" + drive + R"( / s / latency_us_mean"})";
}

// One figure for each drive and each of two procedures; `values` by drive.
std::vector<Review> reviews_of(const std::map<std::string, double>& values, const std::string& basis) {
  std::string rows;
  for (const char* const drive : {kOne, kOther}) {
    for (const char* const run : {"first", "second"})
      rows += (rows.empty() ? "" : ",") + row_of(std::string(run) + drive, run, drive, values.at(drive), basis);
  }
  return {read_review(parse_document(R"({"review": "R", "runs": {)" + run_named("first") + "," + run_named("second") +
                                         R"(}, "rows": [)" + rows + "]}",
                                     "r.json"),
                      "r")};
}

std::map<std::string, double> figures_with(const std::vector<std::string>& settings) {
  const std::vector<Review> reviews = reviews_of({{kOne, 1}, {kOther, 1}}, "fitted");
  std::map<std::string, double> figures;
  for (const char* const drive : {kOne, kOther}) {
    std::vector<std::string> notes;
    BoardPrediction prediction({drive}, fittable_rows(reviews, {{drive}, {}}, notes), {});
    figures[drive] = prediction.of({{load_drive(drive, settings)}}, 0).front().front();
  }
  return figures;
}

const StatedFit& family() {
  static const StatedFit fit{"family", "f", {kOne, kOther}, {"marked"}, {kKey}, {std::string(kKey) + "=15000"}};
  return fit;
}

}  // namespace

TEST_CASE("a drive of a family is predicted from the others, without its own figures") {
  std::map<std::string, double> published = figures_with({std::string(kKey) + "=40000"});
  published[kOther] *= 3;  // wrong figures of the other drive
  const std::vector<Review> reviews = reviews_of(published, "fitted");
  const std::vector<HeldOutCase> cases = hold_out(reviews, {family()}, {});
  REQUIRE(cases.size() == 4);  // two drives, two procedures
  CHECK(cases[1].left_out == kOther);
  CHECK(cases[1].figures_fitted_to == 2);
  REQUIRE(cases[1].rows.size() == 2);
  for (const HeldOutRow& row : cases[1].rows) {
    CHECK(*row.held_out.simulated == Approx(published[kOther] / 3).epsilon(0.05));
    CHECK(row.row.row->drive == "D");
  }
  CHECK(cases[2].left_out == "procedure first");
  CHECK(cases[2].rows.size() == 2);
  CHECK(held_out_table(cases).find("all drives") != std::string::npos);
  HeldOutOptions quick;
  quick.quick = true;
  for (const HeldOutCase& held : hold_out(reviews, {family()}, quick)) CHECK(held.rows.empty());  // no run is quick
  CHECK(held_out_csv(cases).find("family,crucial-m4-256,firstcrucial-m4-256,\"mean\"") != std::string::npos);
}

TEST_CASE("if no figure of a drive was fitted to, the library stands for the fit without it") {
  const std::vector<Review> reviews = reviews_of(figures_with({}), "fitted");
  StatedFit fit = family();
  fit.rows = {"firstkingston-ssdnow-v-64", "secondkingston-ssdnow-v-64"};
  const std::vector<HeldOutCase> cases = hold_out(reviews, {fit}, {});
  CHECK(cases[0].keys == std::vector<std::string>{std::string(kKey) + "=15000"});  // no rows are left to fit to
  CHECK(cases[1].keys.empty());
  for (const HeldOutRow& row : cases[1].rows) CHECK(*row.held_out.simulated == *row.fitted.simulated);
}

TEST_CASE("an unknown family is refused") {
  HeldOutOptions options;
  options.fit = "famili";
  CHECK(refusal([&] { hold_out({}, {family()}, options); }) ==
        "--family: is not a family of configs/scoreboard/fits.json (got famili; allowed: family; did you mean family?)");
}

}  // namespace ftlab
