// The rules by which a row of the scoreboard is worded and counted: rounding, levels, sets, one row a sentence, reasons not
// to count. configs/scoreboard/README.md states them.
#include <string>

#include "sim/config/refusal.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::string row_text(const std::string& keys, const std::string& quote = "q", const std::string& kind = "quantity",
                     const std::string& basis = "predicted") {
  return R"({"fact": "f1", "drive": "D", "says": "speed", "confidence": "high", "kind": ")" + kind + R"(", "basis": ")" +
         basis + R"(", "quote": ")" + quote + R"(", )" + keys + "}";
}

std::string review_text(const std::string& rows) {
  return R"({"review": "R", "runs": {"r": {"drives": ["d"],
    "steps": [{"step": "job", "name": "s", "keep": false, "lines": ["rw=write"]}]}}, "rows": [)" +
         rows + "]}";
}

Review review_of(const std::string& rows) { return read_review(parse_document(review_text(rows), "r.json"), "r"); }
std::string refused(const std::string& rows) {
  return refusal([&] { review_of(rows); });
}

// A figure named X has the value X; its curve over "x" is given by `curve`.
Verdict verdict_on(const std::string& keys, const std::vector<double>& curve = {}) {
  const std::vector<std::string> sizes = {"1k", "4k", "16k", "64k"};
  const Review review = review_of(row_text(keys));
  return judge(review.rows.front().claim, [&](const Measure& measure) -> Reading {
    if (measure.over.empty()) return {{{"", std::stod(measure.figure)}}};
    Reading reading;
    for (std::size_t i = 0; i < curve.size(); ++i) reading.points.emplace_back(sizes[i], curve[i]);
    return reading;
  });
}

std::string of(const std::string& figure) { return R"("of": "r@d / s / )" + figure + "\""; }
constexpr char kCurve[] = R"("r@d / s x=* / iops")";

TEST_CASE("a figure carries the rounding of its last digit beside its tolerance") {
  CHECK(verdict_on(R"("is": 0.01, )" + of("0.0159")).holds);  // 0.001 of tolerance, 0.005 of rounding
  CHECK(!verdict_on(R"("is": 0.01, )" + of("0.0161")).holds);
  CHECK(verdict_on(R"("is": 303, )" + of("333.7")).holds);
  CHECK(!verdict_on(R"("is": 303.0, )" + of("333.4")).holds);
  CHECK(verdict_on(R"("is": 2e1, )" + of("26.9")).holds);
  CHECK(!verdict_on(R"("is": 2e1, )" + of("27.1")).holds);
  CHECK(verdict_on(R"("is": -5, )" + of("-5.9")).holds);
  CHECK(!verdict_on(R"("is": -5, )" + of("-6.1")).holds);
}

TEST_CASE("the step to which a figure was published replaces that of its digits") {
  CHECK(verdict_on(R"("is": 860, "step": 10, )" + of("950.9")).holds);  // 0.86 ms in microseconds: 86 and 5
  CHECK(!verdict_on(R"("is": 860, "step": 10, )" + of("951.1")).holds);
  CHECK(has(refused(row_text(R"("is": 1, "step": 0, )" + of("1"))), "rows[0].step: must be above 0 (got 0)"));
  CHECK(has(refused(row_text(R"("above": 1, "why": "w", "step": 1, )" + of("1"))), "step: is for a row with `is` only"));
}

TEST_CASE("a published difference is claimed as two levels") {
  const std::string claim = R"("is": 7, "of": {"difference": ["r@d / s / LEVEL", "r@d / s / 100"]})";
  const auto with = [&claim](const std::string& level) {
    std::string text = claim;
    return verdict_on(text.replace(text.find("LEVEL"), 5, level));
  };
  CHECK(*with("96.3").error == Approx(-0.1));  // 107 was published
  CHECK(*with("96.3").simulated == Approx(-3.7));
  CHECK(with("95.9").holds);  // 10.7 of tolerance, 0.5 of rounding
  CHECK(!with("95.7").holds);
  CHECK(with("96.3").shown == "96.30 beside 100");
  CHECK(published_text(review_of(row_text(claim)).rows[0].claim) == "the other + 7");
  CHECK(has(refused(row_text(R"("is": 1, "of": {"max": {"difference": ["r@d / s / 1", "r@d / s / 2"]}})")),
            "difference: is within a measure of `is`: claim its two levels"));
}

TEST_CASE("a curve peaks wherever it is within a hundredth of its highest value") {
  const std::string claim = R"("is": 16384, "of": {"peak_at": )" + std::string(kCurve) + "}";
  CHECK(verdict_on(claim, {50, 100, 99, 98}).holds);
  CHECK(verdict_on(claim, {50, 100, 99, 98}).shown == "4096, 16384");
  CHECK(!verdict_on(claim, {50, 100, 98.9, 99.5}).holds);
  CHECK(*verdict_on(claim, {50, 100, 98.9, 50}).error == Approx(-0.75));
  CHECK(has(refused(row_text(R"("above": 1, "why": "w", "of": {"peak_at": )" + std::string(kCurve) + "}")), "is a set"));
  CHECK(has(refused(row_text(R"("is": 1, "of": {"sum": {"peak_at": )" + std::string(kCurve) + "}}")), "is a set"));
}

TEST_CASE("a published extreme lies in the range of the simulated ones") {
  const std::string claim = R"("is": 50, "of": {"range": [)" + std::string(kCurve) + R"(, "r@d / s / 70"]})";
  CHECK(verdict_on(claim, {40, 45}).holds);
  CHECK(*verdict_on(claim, {40, 45}).error == 0);
  CHECK(verdict_on(claim, {40, 45}).shown == "40 to 70");
  CHECK(*verdict_on(claim, {55, 60}).error == Approx(0.1));
  CHECK(verdict_on(claim, {55.4, 60}).holds);
  CHECK(!verdict_on(claim, {55.6, 60}).holds);
}

TEST_CASE("a row quotes its sentence, and a sentence counts once") {
  const std::string claim = R"("is": 1, )" + of("1"), grouped = R"("group": "g", )" + claim;
  CHECK(has(refused(R"({"fact": "f1", "drive": "D", "kind": "shape", "says": "s", "confidence": "high", "basis": "fitted")" +
                    ("," + claim) + "}"),
            "rows[0].quote: is missing"));
  CHECK(has(refused(row_text(claim) + "," + row_text(claim)),
            "rows[1].quote: is the sentence of row 0, with no common group"));
  CHECK(has(refused(row_text(claim) + "," + row_text(grouped)), "rows[1].quote"));
  CHECK(has(refused(row_text(claim, "q", "shape") + "," + row_text(claim, "q", "ordering")), "rows[1].quote"));
  CHECK(review_of(row_text(grouped) + "," + row_text(grouped)).rows.size() == 2);
  CHECK(review_of(row_text(claim) + "," + row_text(claim, "q", "shape")).rows.size() == 2);
  CHECK(review_of(row_text(claim) + "," + row_text(claim, "q", "quantity", "fitted")).rows.size() == 2);
  CHECK(review_of(row_text(claim) + "," + row_text(R"("guess": "why", )" + claim)).rows.size() == 2);
}

TEST_CASE("a row has at most one reason not to count") {
  const BoardRow row = review_of(row_text(R"("not_simulated": "a queue", "is": 1, )" + of("1"))).rows.front();
  CHECK(!row.counts());
  CHECK(row.not_counted == "not_simulated");
  CHECK(row.why_not_counted == "a queue");
  CHECK(has(refused(row_text(R"("vacuous": "v", "guess": "g", "is": 1, )" + of("1"))),
            "rows[0].guess: is a second reason not to count the row"));
}

TEST_CASE("an explanation does not count, and what contradicts a row is a known fact") {
  const TestFolder folder;
  folder.write("facts.json", R"({"R": [{"id": "f1", "kind": "mechanism"}]})");
  const auto loaded = [&folder](const std::string& reason) {
    folder.write("r.json", review_text(row_text(reason + R"("is": 1, )" + of("1"))));
    return refusal([&] { load_reviews(folder.path().string()); });
  };
  CHECK(has(loaded(""), "guess: is missing: its fact is an explanation in "));
  CHECK(loaded(R"("guess": "an explanation", )") == "accepted");
  CHECK(loaded(R"("contradicted": "f1: says otherwise", )") == "accepted");
  CHECK(has(loaded(R"("contradicted": "f2: says otherwise", )"), "contradicted: is not in "));
}

}  // namespace
}  // namespace ftlab
