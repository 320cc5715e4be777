// The scoreboard: claims against readings made by hand, refused files, and a board filled by real simulations.
#include "validation/scoreboard/scoreboard.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "sim/config/refusal.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

constexpr char kRuns[] =
    R"("runs": {"r": {"steps": [{"step": "job", "name": "w", "keep": false, "lines": ["rw=write"]}], "drives": ["d"]}})";

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// A review with one row that makes this claim.
Review review_of(const std::string& claim, const std::string& kind = "quantity") {
  const std::string row = R"({"fact": "f1", "drive": "D", "kind": ")" + kind +
                          R"(", "says": "speed", "quote": "q", "confidence": "high", "basis": "predicted", )" +
                          claim + "}";
  return read_review(parse_document(R"({"review": "R", )" + std::string(kRuns) + R"(, "rows": [)" + row + "]}", "r.json"),
                     "r");
}

// A figure named X has the value X; its curve over "x" is X, 4 X, 2 X at 1k, 4k, 16k.
Reading watchdog(const Measure& measure) {
  if (measure.over.empty()) return {{{"", std::stod(measure.figure)}}};
  const double factor = std::stod(measure.figure);
  return {{{"1k", factor}, {"4k", 4 * factor}, {"16k", 2 * factor}}};
}

Verdict verdict_on(const std::string& claim) { return judge(review_of(claim, "ordering").rows.front().claim, watchdog); }

std::string number(double x) { return "\"r@d / s / " + std::to_string(x) + "\""; }
std::string curve(double x) { return "\"r@d / s x=* / " + std::to_string(x) + "\""; }

const std::string kWhy = R"("why": "published", )";

TEST_CASE("a figure holds within its tolerance and not beyond") {
  CHECK(verdict_on(R"("is": 200.000, "of": )" + number(219.9)).holds);
  CHECK(!verdict_on(R"("is": 200.000, "of": )" + number(220.1)).holds);
  CHECK(verdict_on(R"("is": 200.000, "of": )" + number(180.1)).holds);
  CHECK(!verdict_on(R"("is": 200.000, "of": )" + number(179.9)).holds);
  CHECK(*verdict_on(R"("is": 200, "of": )" + number(190)).error == Approx(-0.05));
  CHECK(*verdict_on(R"("is": -5, "of": )" + number(-4)).error == Approx(0.2));
  CHECK(!verdict_on(R"("is": 0, "of": )" + number(3)).error);
  CHECK(verdict_on(R"("is": 0, "of": )" + number(0)).holds);
  CHECK(!verdict_on(R"("is": 0.00, "of": )" + number(0.01)).holds);
}

TEST_CASE("bounds are inclusive") {
  CHECK(verdict_on(kWhy + R"("above": 5, "of": )" + number(5)).holds);
  CHECK(!verdict_on(kWhy + R"("above": 5, "of": )" + number(4.99)).holds);
  CHECK(verdict_on(kWhy + R"("below": 5, "of": )" + number(5)).holds);
  CHECK(!verdict_on(kWhy + R"("below": 5, "of": )" + number(5.01)).holds);
  CHECK(verdict_on(kWhy + R"("between": [2, 3], "of": )" + number(3)).holds);
  CHECK(!verdict_on(kWhy + R"("between": [2, 3], "of": )" + number(3.01)).holds);
}

TEST_CASE("words for limits stand for tolerances of the row's confidence") {
  CHECK(verdict_on(R"("above": "clearly", "of": )" + number(1.11)).holds);
  CHECK(!verdict_on(R"("above": "clearly", "of": )" + number(1.09)).holds);
  CHECK(verdict_on(R"("above": "much", "of": )" + number(1.26)).holds);
  CHECK(!verdict_on(R"("above": "much", "of": )" + number(1.24)).holds);
  CHECK(verdict_on(R"("above": "level", "of": )" + number(0.91)).holds);
  CHECK(!verdict_on(R"("above": "level", "of": )" + number(0.90)).holds);
}

TEST_CASE("groups fall if the least of each is above the greatest of the next") {
  const std::string groups = R"("falls": [[)" + number(9) + "," + number(5) + "],[" + number(4) + "," + number(1) + "]]";
  CHECK(verdict_on(groups).holds);
  CHECK(verdict_on(kWhy + R"("by": 1.25, )" + groups).holds);
  CHECK(!verdict_on(kWhy + R"("by": 1.26, )" + groups).holds);
  CHECK(!verdict_on(R"("falls": [)" + number(4) + "," + number(5) + "]").holds);
}

TEST_CASE("equal is not higher, and slightly behind is level") {
  CHECK(!verdict_on(R"("falls": [)" + number(4) + "," + number(4) + "]").holds);
  CHECK(verdict_on(R"("by": "level", "falls": [)" + number(4) + "," + number(4.3) + "]").holds);
  CHECK(!verdict_on(R"("by": "level", "falls": [)" + number(4) + "," + number(4.5) + "]").holds);
}

TEST_CASE("curves are compared point by point, and a number with each point") {
  CHECK(verdict_on(R"("falls": [)" + curve(2) + "," + curve(1) + "]").holds);
  CHECK(!verdict_on(kWhy + R"("by": 2.1, "falls": [)" + curve(2) + "," + curve(1) + "]").holds);
  CHECK(verdict_on(R"("alike": [)" + curve(1.09) + "," + curve(1) + "]").holds);
  CHECK(!verdict_on(R"("alike": [)" + curve(1.11) + "," + curve(1) + "]").holds);
  CHECK(!verdict_on(R"("alike": [)" + curve(1) + "]").holds);
  CHECK(verdict_on(R"("is": 8, "of": {"max": {"ratio": [)" + curve(4) + "," + number(2) + "]}}").holds);
}

TEST_CASE("measures combine other measures") {
  CHECK(*verdict_on(R"("is": 1, "of": {"ratio": [)" + number(6) + "," + number(3) + "]}").simulated == 2);
  CHECK(*verdict_on(R"("is": 1, "of": {"difference": [)" + number(6) + "," + number(3) + "]}").simulated == 3);
  CHECK(*verdict_on(R"("is": 1, "of": {"sum": [)" + number(6) + "," + number(3) + "]}").simulated == 9);
  CHECK(*verdict_on(R"("is": 1, "of": {"mean": )" + curve(3) + "}").simulated == 7);
  CHECK(*verdict_on(R"("is": 1, "of": {"min": )" + curve(3) + "}").simulated == 3);
  CHECK(*verdict_on(R"("is": 1, "of": {"peak_at": )" + curve(3) + "}").simulated == 4096);
  CHECK(verdict_on(R"("is": 1, "of": {"range": )" + curve(3) + "}").shown == "3 to 12");
}

TEST_CASE("an invalid row is refused with its place") {
  const auto refused = [](const std::string& claim) { return refusal([&] { verdict_on(claim); }); };
  CHECK(has(refused(R"("above": 1, "of": "r@d / s / 1")"), "why: is missing: where does the limit come from?"));
  CHECK(has(refused(R"("above": "clear", "of": "r@d / s / 1")"), "did you mean clearly?"));
  CHECK(has(refused(R"("is": 1, "within": 0.3, "of": "r@d / s / 1")"), "within"));
  CHECK(has(refused(R"("is": 1, "above": 1, "of": "r@d / s / 1")"), "r.json:1"));
  CHECK(has(refused(R"("is": 1, "above": 1, "of": "r@d / s / 1")"), "a second claim"));
  CHECK(has(refused(R"("of": "r@d / s / 1")"), "claims nothing"));
  CHECK(has(refused(R"("is": 1)"), "of: is missing"));
  CHECK(has(refused(R"("is": 1, "of": "r@d / s")"), "is not a measure"));
  CHECK(has(refused(R"("is": 1, "of": "d / s / 1")"), "RUN@DRIVE"));
  CHECK(has(refused(R"("is": 1, "of": "r@e / s / 1")"), "is of a run that is not there"));
  CHECK(has(refused(R"("is": 1, "of": "r@e / s / 1")"), "r@d"));
  CHECK(has(refused(R"("is": 1, "of": "r@d / s x=* y=* / 1")"), "goes over two variables"));
  CHECK(has(refused(R"("is": 1, "of": {"median": "r@d / s / 1"})"), "peak_at"));
  CHECK(has(refused(R"("is": 1, "of": )" + curve(1)), "is a curve where a number is needed"));
  CHECK(has(refused(R"("falls": [)" + curve(1) + "," + number(1) + "]"), "not as many points"));
}

constexpr char kSmall[] = R"("scale": 8, "quick": true)";

std::string board_text(const std::string& given) {
  return R"({"review": "R", "runs": {"r": {"steps": [
    {"step": "repeat", "over": ["bs"], "steps": [{"step": "job", "name": "read",
     "lines": ["rw=read", "bs=${bs}", "size=8m", "iodepth=1"]}]}], "procedure_variables": {"bs": ["4k", "64k"]},
     "drives": ["kingston-ssdnow-v-64"], )" +
         std::string(kSmall) + R"(}}, "rows": [
    {"fact": "a", "drive": "K", "kind": "ordering", "says": "large blocks are faster", "confidence": "high",
     "basis": "predicted", "quote": "1",
     "falls": ["r@kingston-ssdnow-v-64 / read bs=64k / MB_per_s", "r@kingston-ssdnow-v-64 / read bs=4k / MB_per_s"]},
    {"fact": "b", "drive": "K", "kind": "quantity", "says": "user space", "unit": "GiB", "confidence": "high",
     "basis": "restated", "quote": "2", "is": 59.6, "of": "drive kingston-ssdnow-v-64 / user_GiB"},
    {"fact": "b", "drive": "K", "kind": "quantity", "says": "far too much", "confidence": "high",
     "basis": "predicted", "quote": "3", "believed": "nobody | writes as fast",
     "is": 1e9, "of": "r@kingston-ssdnow-v-64 / read bs=4k / GiB_read"}], )" +
         given + "}";
}

constexpr char kFacts[] = R"({"R": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "Q": [{"id": "z"}]})";
constexpr char kGiven[] = R"("given": [{"fact": "c", "drive": "K", "says": "a name", "why": "is not a result"}])";

TEST_CASE("a board lists its misses first, and does not depend on the number of threads") {
  const TestFolder folder;
  folder.write("facts.json", kFacts);
  folder.write("r.json", board_text(kGiven));
  const std::vector<Review> reviews = load_reviews(folder.path().string());
  ScoreboardOptions options;
  options.scoreboard_run.threads = 1;
  const Scoreboard one = fill_scoreboard(reviews, options);
  options.scoreboard_run.threads = 2;
  const std::string text = scoreboard_text(fill_scoreboard(reviews, options));
  CHECK(text == scoreboard_text(one));
  const bool all_hold = std::all_of(one.rows.begin(), one.rows.end(), [](const ScoredRow& scored) {
    return scored.verdict.holds || !scored.row->counts();
  });
  CHECK(text.starts_with(all_hold ? "all " : "FAR OFF: "));
  CHECK(text.find(" rows that count ") < text.find('\n'));
  const BoardColumn predicted = one.column(Basis::predicted), restated = one.column(Basis::restated);
  CHECK(predicted.claims().rows == 1);
  CHECK(predicted.claims().hold == 1);
  CHECK(predicted.quantities.hold == 0);
  CHECK(predicted.errors.size() == 1);
  CHECK(restated.quantities.hold == 1);
  CHECK(one.column(Basis::fitted).quantities.rows == 0);
  CHECK(*one.rows[2].verdict.simulated == 8.0 / 1024);
  CHECK(text.find("far too much") < text.find("large blocks"));
  CHECK(has(text, "believed: nobody | writes as fast"));
  CHECK(has(scoreboard_markdown(one, reviews), "nobody \\| writes"));
  CHECK(has(scoreboard_markdown(one, reviews), "| c | K | a name | is not a result |"));
  CHECK(scoreboard_json(one)["predicted"]["orderings_and_shapes"]["share"] == 1.0);
}

// A row for a verdict that the test sets.
BoardRow judged_row(Basis basis, const std::string& group, const std::string& not_counted = "") {
  BoardRow row;
  row.basis = basis;
  row.group = group;
  row.not_counted = not_counted;
  return row;
}

TEST_CASE("rows of one group count once, with the worst of them, and rows with a reason not to do not count") {
  const Review review;
  const std::vector<BoardRow> rows = {judged_row(Basis::predicted, "g"), judged_row(Basis::predicted, "g"),
                                      judged_row(Basis::predicted, ""), judged_row(Basis::predicted, "", "guess"),
                                      judged_row(Basis::fitted, "")};
  const std::vector<double> errors = {0.01, -0.2, 0.05, 0.9, 0.3};
  Scoreboard board;
  for (std::size_t r = 0; r < rows.size(); ++r)
    board.rows.push_back({&review, &rows[r], {std::abs(errors[r]) <= 0.1, {}, errors[r], ""}});
  const BoardColumn predicted = board.column(Basis::predicted);
  CHECK(predicted.quantities.rows == 2);
  CHECK(predicted.quantities.hold == 1);
  CHECK(predicted.errors == std::vector<double>{-0.2, 0.05});
  CHECK(board.column(Basis::fitted).errors == std::vector<double>{0.3});
  CHECK(board.not_counted() == std::map<std::string, std::size_t>{{"guess", 1}});
}

TEST_CASE("rows of one group must have one basis, and be all quantities or none") {
  const auto refused = [](const std::string& kind, const std::string& basis) {
    const std::string one = R"({"fact": "f", "drive": "D", "kind": "quantity", "says": "s", "confidence": "high",
      "basis": "predicted", "quote": "1", "group": "g", "is": 1, "of": "r@d / s / iops"})";
    const std::string other = R"({"fact": "f", "drive": "D", "kind": ")" + kind + R"(", "says": "s", "confidence": "high",
      "basis": ")" + basis + R"(", "quote": "2", "group": "g", "is": 1, "of": "r@d / s / iops"})";
    return refusal([&] {
      read_review(
          parse_document(R"({"review": "R", )" + std::string(kRuns) + R"(, "rows": [)" + one + "," + other + "]}", "r.json"),
          "r");
    });
  };
  CHECK(has(refused("quantity", "fitted"), "rows[1].group: is of a row with another basis (got g)"));
  CHECK(has(refused("shape", "predicted"), "rows[1].group: is of a row of another kind (got g)"));
}

TEST_CASE("a number fitted to a held-out fact is refused") {
  const TestFolder folder;
  folder.write("facts.json", R"({"R": [{"id": "a"}, {"id": "b", "held_out": true}, {"id": "c"}]})");
  folder.write("r.json", board_text(kGiven));
  CHECK(load_reviews(folder.path().string()).front().rows[2].held_out);
  std::string text = board_text(kGiven);
  text.replace(text.find("restated"), 8, "fitted");
  folder.write("r.json", text);
  CHECK(has(refusal([&] { load_reviews(folder.path().string()); }), "basis: is fitted, and its fact is held out in "));
}

// Facts with a common figure form one statement, named after the first of them.
std::map<std::string, std::vector<const BoardRow*>> statements_of(const Review& review) {
  std::map<std::string, std::string> first;  // by group
  std::map<std::string, std::string> statement;
  for (const BoardRow& row : review.rows) {
    if (!row.counts() || row.basis == Basis::restated) continue;
    std::string name = statement.emplace(row.fact, row.fact).first->second;
    if (row.group.empty()) continue;
    const std::string of_group = first.emplace(row.group, name).first->second;
    for (auto& [fact, to] : statement) {
      if (to == name) to = of_group;
    }
    for (auto& [group, to] : first) {
      if (to == name) to = of_group;
    }
  }
  std::map<std::string, std::vector<const BoardRow*>> rows;
  for (const BoardRow& row : review.rows) {
    if (statement.count(row.fact) > 0 && row.counts()) rows[statement.at(row.fact)].push_back(&row);
  }
  return rows;
}

TEST_CASE("at least a third of the statements of each review is held out of all fits") {
  for (const Review& review : load_reviews((std::filesystem::path(config_folder()) / "scoreboard").string())) {
    const auto statements = statements_of(review);
    const auto held_out = std::count_if(statements.begin(), statements.end(), [](const auto& statement) {
      return std::all_of(statement.second.begin(), statement.second.end(),
                         [](const BoardRow* row) { return row->held_out; });
    });
    INFO(review.name << ": " << held_out << " of " << statements.size());
    CHECK(3 * static_cast<std::size_t>(held_out) >= statements.size());
  }
}

TEST_CASE("a fact without a row, a row with an unknown fact and an empty choice are refused") {
  const TestFolder folder;
  folder.write("facts.json", kFacts);
  folder.write("r.json", board_text(R"("given": [])"));
  CHECK(has(refusal([&] { load_reviews(folder.path().string()); }), "c: is on no row of the scoreboard, and not given"));
  folder.write("r.json", board_text(R"("given": [{"fact": "cc", "drive": "K", "says": "s", "why": "w"}])"));
  CHECK(has(refusal([&] { load_reviews(folder.path().string()); }), "got cc"));
  CHECK(has(refusal([&] { load_reviews(folder.path().string()); }), "did you mean c?"));
  folder.write("r.json", board_text(kGiven));
  const std::vector<Review> reviews = load_reviews(folder.path().string());
  const auto refused = [&](const ScoreboardChoice& choice) {
    ScoreboardOptions options;
    options.choice = choice;
    return refusal([&] { fill_scoreboard(reviews, options); });
  };
  CHECK(has(refused({"rr", "", false}), "--review"));
  CHECK(has(refused({"rr", "", false}), "did you mean r?"));
  CHECK(has(refused({"", "kingston-ssdnow-v-46", false}), "did you mean kingston-ssdnow-v-64?"));
}

TEST_CASE("a measure that fits no step, or several, is refused after the run") {
  const TestFolder folder;
  folder.write("facts.json", kFacts);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = board_text(kGiven);
    text.replace(text.find(from), from.size(), to);
    folder.write("r.json", text);
    const std::vector<Review> reviews = load_reviews(folder.path().string());
    return refusal([&] { fill_scoreboard(reviews, {}); });
  };
  CHECK(has(refused("read bs=64k /", "read /"), "fits 2 steps of the run"));
  CHECK(has(refused("read bs=64k /", "read bs=8k /"), "fits no measured step"));
  CHECK(has(refused("bs=64k / MB_per_s", "bs=64k / MB"), "allowed: iops, MB_per_s"));
  CHECK(has(refused("drive kingston-ssdnow-v-64 / user_GiB", "drive kingston-ssdnow-v-64 / rpm"), "allowed: user_GiB"));
}

}  // namespace
}  // namespace ftlab
