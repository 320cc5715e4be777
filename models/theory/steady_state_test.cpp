#include "models/theory/steady_state.h"

#include <cmath>
#include <vector>

#include "models/theory/testing/known_cases.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

using Frontiers = WaQuestion::Frontiers;
using Policy = WaQuestion::Policy;
using Workload = WaQuestion::Workload;

WaQuestion uniform(Policy policy, double op, std::uint32_t pages_per_block = 64) {
  WaQuestion question;
  question.policy = policy;
  question.op = op;
  question.pages_per_block = pages_per_block;
  return question;
}

WaQuestion hot_cold(Policy policy, double op, double hot_writes, double hot_pages, Frontiers frontiers = Frontiers::one) {
  WaQuestion question = uniform(policy, op);
  question.workload = Workload::hot_cold;
  question.hot_writes = hot_writes;
  question.hot_pages = hot_pages;
  question.frontiers = frontiers;
  return question;
}

double wa(const WaQuestion& question) {
  const auto answer = steady_state_wa(question);
  REQUIRE(answer);
  return answer->wa;
}

constexpr Policy kPolicies[] = {Policy::greedy,
                                Policy::random,
                                Policy::d_choices,
                                Policy::fifo,
                                Policy::windowed_greedy,
                                Policy::cost_benefit,
                                Policy::cost_benefit_kawaguchi};
constexpr Frontiers kSharedChoice[] = {Frontiers::one, Frontiers::host_gc, Frontiers::hot_cold, Frontiers::hot_cold_gc};

}  // namespace

TEST_CASE("formulas agree with the table of known answers") {
  int compared = 0;
  for (const auto& known : known_answers()) {
    INFO(known["id"]);
    const auto answer = steady_state_wa(question_of(known));
    REQUIRE(answer.has_value() == known["wa_theory"].is_number());
    if (!answer) continue;
    CHECK(answer->wa == Approx(known["wa_theory"].get<double>()).epsilon(1e-3));
    ++compared;
  }
  CHECK(compared >= 79);
}

TEST_CASE("the independent FTL is within the tolerance of the formulas") {
  for (const auto& known : known_answers()) {
    INFO(known["id"]);
    if (const auto answer = steady_state_wa(question_of(known))) {
      CHECK(known["wa_ref"].get<double>() == Approx(answer->wa).epsilon(answer->tolerance));
    }
  }
}

TEST_CASE("every question has either an answer with a source or a reason") {
  for (const auto& known : known_answers()) {
    INFO(known["id"]);
    const auto answer = steady_state_wa(question_of(known));
    CHECK(answer.has_value() == why_no_formula(question_of(known)).empty());
    if (!answer) continue;
    CHECK_FALSE(answer->source.empty());
    CHECK_FALSE(answer->validity.empty());
    CHECK(answer->tolerance > 0);
  }
}

TEST_CASE("FIFO matches the closed form with Lambert's function") {
  for (const double op : {0.005, 0.07, 0.28, 1.0, 3.0}) {
    // A = alpha / (alpha + w) where w exp(w) = -alpha exp(-alpha).
    const double alpha = 1 + op, w = alpha / wa(uniform(Policy::fifo, op)) - alpha;
    CHECK(w * std::exp(w) == Approx(-alpha * std::exp(-alpha)).epsilon(1e-9));
  }
}

TEST_CASE("d-choices with d = 1 is random, and with a large d it is greedy") {
  for (const double op : {0.02, 0.15, 1.0}) {
    WaQuestion question = uniform(Policy::d_choices, op);
    question.d = 1;
    CHECK(wa(question) == Approx(wa(uniform(Policy::random, op))).epsilon(1e-9));
    question.d = 1'000'000;
    CHECK(wa(question) == Approx(wa(uniform(Policy::greedy, op))).epsilon(1e-3));
  }
  WaQuestion many = hot_cold(Policy::d_choices, 0.15, 0.9, 0.1);
  many.d = 100'000;
  CHECK(wa(many) == Approx(wa(hot_cold(Policy::greedy, 0.15, 0.9, 0.1))).epsilon(1e-3));
}

TEST_CASE("windowed greedy is greedy with a window of all blocks and FIFO with an empty one") {
  for (const double op : {0.02, 0.15, 1.0}) {
    WaQuestion question = uniform(Policy::windowed_greedy, op);
    question.window = 1;
    CHECK(wa(question) == Approx(wa(uniform(Policy::greedy, op))).epsilon(1e-9));
    question.window = 1e-6;
    CHECK(wa(question) == Approx(wa(uniform(Policy::fifo, op))).epsilon(1e-4));
  }
}

TEST_CASE("greedy approaches FIFO from below as blocks grow") {
  const double fifo = wa(uniform(Policy::fifo, 0.15));
  double smaller = 0;
  for (const std::uint32_t b : {4u, 16u, 64u, 256u, 1024u, 4096u}) {
    const double greedy = wa(uniform(Policy::greedy, 0.15, b));
    CHECK(greedy > smaller);
    CHECK(greedy < fifo);
    smaller = greedy;
  }
  CHECK(smaller == Approx(fifo).epsilon(2e-3));
}

TEST_CASE("cost-benefit lies between greedy and FIFO under uniform writes") {
  for (const Policy policy : {Policy::cost_benefit, Policy::cost_benefit_kawaguchi}) {
    for (const double op : {0.07, 0.28, 1.0}) {
      CHECK(wa(uniform(policy, op)) > wa(uniform(Policy::greedy, op)));
      CHECK(wa(uniform(policy, op)) < wa(uniform(Policy::fifo, op)));
    }
  }
}

TEST_CASE("hot pages written no more often than others give the result of uniform writes") {
  for (const Policy policy : kPolicies) {
    if (policy == Policy::windowed_greedy) continue;
    for (const Frontiers frontiers : kSharedChoice) {
      INFO(static_cast<int>(policy) << ' ' << static_cast<int>(frontiers));
      CHECK(wa(hot_cold(policy, 0.15, 0.3, 0.3, frontiers)) == Approx(wa(uniform(policy, 0.15))).epsilon(1e-5));
    }
  }
}

TEST_CASE("pools whose spare is proportional to their pages give the result of uniform writes") {
  for (const Policy policy : kPolicies) {
    WaQuestion question = hot_cold(policy, 0.15, 0.8, 0.2, Frontiers::pools);
    question.hot_spare = 0.2;
    CHECK(wa(question) == Approx(wa(uniform(policy, 0.15))).epsilon(1e-9));
  }
}

TEST_CASE("the best split of the spare is no worse than its neighbours") {
  WaQuestion question = hot_cold(Policy::greedy, 0.15, 0.8, 0.2, Frontiers::pools);
  const double best = best_hot_spare(question);
  CHECK(best == Approx(0.52).epsilon(0.02));
  question.hot_spare = best;
  const double least = wa(question);
  for (const double aside : {-0.1, -0.01, 0.01, 0.1}) {
    question.hot_spare = best + aside;
    CHECK(wa(question) >= least);
  }
}

TEST_CASE("the best split for random victims follows the square-root rule") {
  const double hot = std::sqrt(0.9 * 0.3), cold = std::sqrt(0.1 * 0.7);
  CHECK(best_hot_spare(hot_cold(Policy::random, 0.15, 0.9, 0.3)) == Approx(hot / (hot + cold)).epsilon(1e-4));
}

TEST_CASE("trims act as additional spare space") {
  for (const bool any : {false, true}) {
    WaQuestion question = uniform(Policy::greedy, 0.07);
    question.trim_any = any;
    CHECK(wa(question) == Approx(wa(uniform(Policy::greedy, 0.07))));
    question.trim = 0.1;
    const double mapped = any ? 0.9 : 0.8 / 0.9;
    CHECK(wa(question) == Approx(wa(uniform(Policy::greedy, 1.07 / mapped - 1))).epsilon(1e-9));
  }
}

TEST_CASE("nothing is relocated if trims of mapped pages outnumber writes") {
  WaQuestion question = uniform(Policy::greedy, 0.07);
  question.trim = 0.6;
  CHECK(wa(question) == 1);
}

TEST_CASE("compression gives spare space to a drive that has none") {
  WaQuestion question = uniform(Policy::greedy, 0);
  CHECK_FALSE(steady_state_wa(question));
  CHECK_FALSE(why_no_formula(question).empty());
  question.units = 2;
  CHECK(wa(question) == Approx(0.5 * wa(uniform(Policy::greedy, 1.0, 128))).epsilon(1e-9));
}

TEST_CASE("a flat Zipf distribution is uniform and a steep one is not") {
  WaQuestion question = uniform(Policy::fifo, 0.15);
  question.workload = Workload::zipf;
  question.zipf = 0;
  CHECK(wa(question) == Approx(wa(uniform(Policy::fifo, 0.15))).epsilon(1e-6));
  question.zipf = 1;
  CHECK(wa(question) > 1.2 * wa(uniform(Policy::fifo, 0.15)));
}

TEST_CASE("more spare space means less write amplification") {
  const auto falls = [](WaQuestion question) {
    double less = 1e9;
    for (const double op : {0.005, 0.02, 0.07, 0.15, 0.4, 1.0, 3.0}) {
      question.op = op;
      if (const auto answer = steady_state_wa(question)) {
        INFO(op << ' ' << static_cast<int>(question.policy) << ' ' << static_cast<int>(question.frontiers));
        CHECK(answer->wa <= less);
        CHECK(answer->wa >= 1 - 1e-9);
        less = answer->wa;
      }
    }
  };
  for (const Policy policy : kPolicies) {
    for (const std::uint32_t b : {4u, 64u, 512u}) falls(uniform(policy, 0.07, b));
    for (const Frontiers frontiers : kSharedChoice) falls(hot_cold(policy, 0.07, 0.8, 0.2, frontiers));
  }
}

TEST_CASE("a setting without a formula has a reason instead of an answer") {
  WaQuestion question = uniform(Policy::greedy, 0.15);
  question.workload = Workload::zipf;
  CHECK_FALSE(steady_state_wa(question));
  CHECK_FALSE(why_no_formula(question).empty());
  CHECK_FALSE(steady_state_wa(hot_cold(Policy::windowed_greedy, 0.15, 0.8, 0.2)));
  CHECK_FALSE(steady_state_wa(hot_cold(Policy::greedy, 0.15, 1.0, 0.2)));
}

}  // namespace ftlab
