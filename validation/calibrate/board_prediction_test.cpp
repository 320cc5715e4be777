// Fits to rows of scoreboards built here, for drives whose hidden numbers are known.
#include "validation/calibrate/board_prediction.h"

#include "sim/config/refusal.h"
#include "sim/testing/test.h"
#include "validation/calibrate/calibration.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/run/open_device.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {
namespace {

constexpr char kSsd[] = "kingston-ssdnow-v-64", kOther[] = "crucial-m4-256", kDisk[] = "wd-5000bpkt";

std::string run(const std::string& name, const std::string& lines, const std::string& drives) {
  return "\"" + name + R"(": {"scale": 32, "steps": [{"step": "job", "name": "s", "keep": false, "lines": [)" + lines +
         R"(]}], "drives": [)" + drives + "]}";
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string board_of(const std::string& rows) {
  const std::string both = quoted(kSsd) + ", " + quoted(kOther);
  return R"({"review": "R", "runs": {)" + run("write", R"("rw=write", "bs=128k", "size=16m", "iodepth=1")", both) + ", " +
         run("small", R"("rw=write", "bs=4k", "size=2m", "iodepth=1")", both) + ", " +
         run("seek", R"("rw=randread", "bs=4k", "size=512m", "iodepth=1", "number_ios=200")", quoted(kDisk)) +
         R"(}, "rows": [)" + rows + "]}";
}

std::string row(const std::string& fact, const std::string& kind, const std::string& claim) {
  return R"({"fact": ")" + fact + R"(", "drive": "D", "kind": ")" + kind + R"(", "says": "says )" + fact +
         R"(", "quote": ")" + fact + kind + R"(", "confidence": "high", "basis": ")" + (fact == "a" ? "fitted" : "predicted") + R"(", )" + claim + "}";
}

std::string figure(const std::string& run, const std::string& drive, const std::string& name) {
  return quoted(run + "@" + drive + " / s / " + name);
}

std::string is(double value, const std::string& of) { return R"("is": )" + std::to_string(value) + R"(, "of": )" + of; }

std::vector<Review> reviews_of(const std::string& rows) {
  return {read_review(parse_document(board_of(rows), "r.json"), "r")};
}

Node drive_with(const std::string& name, const std::vector<std::string>& settings) { return load_drive(name, settings); }

// Figures that the rows show for drives with these documents.
std::vector<double> figures_of(const std::vector<Review>& reviews, const std::vector<std::string>& names,
                               const DriveSet& drives) {
  std::vector<std::string> notes;
  BoardPrediction prediction(names, fittable_rows(reviews, {names, {}}, notes), {});
  return prediction.of({drives}, 0).front();
}

CalibrationOptions as_for_boards() {
  CalibrationOptions options;
  options.far_start = options.tighten = false;
  options.far_off = 2;
  options.replicates = 2;
  return options;
}

Calibration fit(const std::vector<Review>& reviews, const std::vector<std::string>& names, const DriveSet& bases,
                const std::vector<std::string>& keys) {
  std::vector<std::string> notes;
  BoardPrediction prediction(names, fittable_rows(reviews, {names, {}}, notes), {});
  return calibrate(bases, parse_fit_keys(keys, bases, Reach::all), prediction, targets_of(prediction.rows(), {}),
                   as_for_boards());
}

const std::string kLarge = figure("write", kSsd, "latency_us_mean"), kSmall = figure("small", kSsd, "latency_us_mean");

}  // namespace

TEST_CASE("two hidden numbers of a drive are recovered from rows of a board, and a fit from there changes nothing") {
  const std::vector<std::string> hidden = {"controller.write_page_ns=18000", "controller.write_command_ns=30000"};
  const Node base = drive_with(kSsd, {});
  Node truth = base;
  for (const std::string& setting : hidden) set_by_path(truth, setting);
  const auto rows = [](double large, double small) {
    return row("a", "quantity", is(large, kLarge)) + "," + row("b", "quantity", is(small, kSmall));
  };
  const std::vector<double> published = figures_of(reviews_of(rows(1, 1)), {kSsd}, {truth});
  const std::vector<Review> board = reviews_of(rows(published[0], published[1]));
  const std::vector<std::string> keys = {"controller.write_page_ns", "controller.write_command_ns"};
  const Calibration found = fit(board, {kSsd}, {base}, keys);
  REQUIRE(found.keys[0].determined);
  REQUIRE(found.keys[1].determined);
  CHECK(found.keys[0].value == Approx(18000).margin(2 * found.keys[0].deviation));
  CHECK(found.keys[1].value == Approx(30000).margin(2 * found.keys[1].deviation));

  Node stored = base;
  for (const FittedKey& key : found.keys) set_by_path(stored, key.key.path + "=" + std::to_string(key.value));
  const Calibration again = fit(board, {kSsd}, {stored}, keys);
  for (std::size_t k = 0; k < keys.size(); ++k)
    CHECK(static_cast<double>(again.keys[k].value) ==
          Approx(static_cast<double>(found.keys[k].value)).margin(again.keys[k].deviation));
}

TEST_CASE("a number of a disk is fitted to a row") {
  const std::string seek = figure("seek", kDisk, "iops");
  Node truth = drive_with(kDisk, {"seek.short_root_ns=200000"});
  const double published = figures_of(reviews_of(row("d", "quantity", is(1, seek))), {kDisk}, {truth}).front();
  std::string rows;  // the same figure four times, to outweigh the key's prior
  for (const char* const fact : {"d", "e", "f", "g"})
    rows += (rows.empty() ? "" : ",") + row(fact, "quantity", is(published, seek));
  const Calibration found = fit(reviews_of(rows), {kDisk}, {drive_with(kDisk, {})}, {"seek.short_root_ns:100000:345001"});
  CHECK(found.keys[0].value < 300000);
  CHECK(std::abs(found.after[0] / published - 1) < std::abs(found.before[0] / published - 1) / 2);
}

TEST_CASE("one key of two drives is fitted to the rows of both") {
  const std::vector<std::string> one = {"controller.write_page_ns=20000"};
  const std::string other = figure("write", kOther, "latency_us_mean");
  const auto rows = [&](double a, double b) {
    return row("a", "quantity", is(a, kLarge)) + "," + row("b", "quantity", is(b, other));
  };
  const DriveSet truth = {drive_with(kSsd, one), drive_with(kOther, one)};
  const std::vector<double> published = figures_of(reviews_of(rows(1, 1)), {kSsd, kOther}, truth);
  const std::vector<std::string> start = {"controller.write_page_ns=16000"};
  const DriveSet bases = {drive_with(kSsd, start), drive_with(kOther, start)};
  const Calibration found =
      fit(reviews_of(rows(published[0], published[1])), {kSsd, kOther}, bases, {"controller.write_page_ns"});
  CHECK(found.keys[0].value == Approx(20000).epsilon(0.02));
  CHECK(refusal([&] {
          parse_fit_keys({"controller.write_page_ns"}, {bases[0], drive_with(kOther, one)}, Reach::all);
        }) ==
        "--fit: controller.write_page_ns: is not the same in the drives that are fitted together (got 16000 and 20000)");
}

TEST_CASE("a row that the model cannot show hardly affects the fit") {
  const Node base = drive_with(kSsd, {});
  const std::string page = "controller.write_page_ns";
  const double right = figures_of(reviews_of(row("a", "quantity", is(1, kLarge))), {kSsd}, {base}).front();
  const std::string good = row("a", "quantity", is(right, kLarge)) + "," +
                           row("b", "quantity", is(right, figure("write", kSsd, "latency_us_p50")));
  const std::string absurd = "," + row("c", "quantity", is(10 * right, figure("write", kSsd, "latency_us_p40")));
  const Calibration bent = fit(reviews_of(good + absurd), {kSsd}, {base}, {page});
  CHECK(std::abs(bent.after[0] / right - 1) < 0.05);
  std::vector<std::string> notes;
  const std::vector<Review> board = reviews_of(good + absurd);
  BoardPrediction prediction({kSsd}, fittable_rows(board, {{kSsd}, {}}, notes), {});
  CalibrationOptions plain = as_for_boards();
  plain.far_off = 0;
  const Calibration torn =
      calibrate({base}, parse_fit_keys({page}, {base}, Reach::all), prediction, targets_of(prediction.rows(), {}), plain);
  CHECK(std::abs(torn.after[0] / right - 1) > 0.1);
}

TEST_CASE("bounds, orderings and rows about other drives are not targets, and are counted") {
  const std::string both = R"({"ratio": [)" + kLarge + ", " + figure("write", kOther, "latency_us_mean") + "]}";
  const std::vector<Review> board = reviews_of(
      row("a", "quantity", is(500, kLarge)) + "," + row("b", "quantity", R"("above": 5, "why": "w", "of": )" + kLarge) +
      "," + row("c", "quantity", is(1, both)) + "," + row("d", "ordering", R"("falls": [)" + kLarge + "," + kSmall + "]") +
      "," + row("e", "quantity", is(9, kSmall)));
  std::vector<std::string> notes;
  const std::vector<ReviewedRow> rows = fittable_rows(board, {{kSsd}, {}}, notes);
  REQUIRE(rows.size() == 2);
  CHECK(notes == std::vector<std::string>{"left out 1 row: are orderings or shapes",
                                          "left out 1 row: look at other drives too",
                                          "left out 1 row: publish a bound, or no figure above 0"});
  const std::vector<Target> targets = targets_of(rows, {"e"});
  CHECK(targets[0].tolerance == 0.05);
  CHECK(targets[1].tolerance == 0.05);
  CHECK_FALSE(targets[0].held_back);
  CHECK(targets[1].held_back);
  CHECK(fittable_rows(board, {{kSsd}, {kMarkedRows}}, notes).size() == 1);
  CHECK(fittable_rows(board, {{kSsd}, {"e"}}, notes).front().row->fact == "e");
  CHECK(fittable_rows(board, {{kSsd, kOther}, {}}, notes).size() == 3);
  CHECK(refusal([&] {
          fittable_rows(board, {{kSsd}, {"ee"}}, notes);
        }) == "--rows: is not a fact with a figure to fit these drives to (got ee; allowed: a, e; did you mean e?)");
  CHECK(refusal([&] { targets_of(rows, {"b"}); }).find("--hold-back: is not a fact") == 0);
  CHECK(refusal([&] {
          fittable_rows(board, {{kDisk}, {}}, notes);
        }) == "--drive: has no figure on the scoreboard to fit to (got wd-5000bpkt)");
}

TEST_CASE("an ordering that a fit reverses is reported") {
  const std::string claim = R"("falls": [)" + figure("write", kOther, "latency_us_mean") + "," + kLarge + "]";
  const std::vector<Review> board = reviews_of(row("d", "ordering", claim));
  const DriveSet fast = {drive_with(kSsd, {"controller.write_page_ns=1000"})};
  const DriveSet slow = {drive_with(kSsd, {"controller.write_page_ns=90000"})};
  const std::vector<ChangedClaim> changed = changed_claims(board, {kSsd}, fast, slow, {});
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].before.holds);
  CHECK_FALSE(changed[0].after.holds);
  CHECK(claims_table(changed).find("d says d: misses now") == 0);
  CHECK(changed_claims(board, {kSsd}, fast, fast, {}).empty());
}

TEST_CASE("a fit to a board accepts any number as a key, except small counts and numbers in lists") {
  const Node ssd = drive_with(kSsd, {}), disk = drive_with(kDisk, {});
  CHECK(parse_fit_key("ftl.mapping.ram_bytes", ssd, Reach::all).value == 491520);
  CHECK(parse_fit_key("lost_revolutions.read_per_million", disk, Reach::all).value > 0);
  CHECK(refusal([&] { parse_fit_key("ftl.mapping.ram_bytes", ssd); }).find("changes where data lie") != std::string::npos);
  CHECK(refusal([&] { parse_fit_key("write_cache.candidates", disk, Reach::all); }) ==
        "--fit: write_cache.candidates: counts too few to be fitted by small steps (got 16; allowed: values of 25 or more)");
  CHECK(refusal([&] { parse_fit_key("geometry.zones", disk, Reach::all); }).find("is not a number") != std::string::npos);
}

}  // namespace ftlab
