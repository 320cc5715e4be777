#include "models/theory/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/theory/fifo_classes.h"
#include "models/theory/hot_cold.h"
#include "models/theory/numerics/roots.h"
#include "models/theory/setting.h"
#include "models/theory/uniform.h"

namespace ftlab {

namespace {

// Pages that stay mapped if a request is a trim with probability `trims`, else a write. A write to an unmapped page
// invalidates nothing and a trim invalidates without writing; still, all mapped pages of a class die at one rate. So the
// drive behaves, exactly and under every policy, like one of the mapped pages only (Frankie, Hughes and Kreutz-Delgado,
// ACM-SE 2012 and arXiv:1210.5975, for trims of mapped pages).
struct MappedPages {
  double share = 1;     // mapped pages / logical pages
  PageClasses classes;  // mapped pages only
};

// Compressed items instead of pages: smaller items, more of them in a block, more spare space.
struct Packing {
  double items_per_block = 0;  // on average
  bool constant_size = true;   // else items_per_block is a mean, and the formulas are approximate
};

// Mapped share of all logical pages, by class: a page becomes mapped when it is written and unmapped when it is trimmed.
Eigen::ArrayXd mapped_by_class(const PageClasses& logical, double trims, double trims_per_page) {
  const Eigen::ArrayXd written = (1 - trims) * logical.writes / logical.pages;
  return logical.pages * written / (written + trims_per_page);
}

// Mapped share at equilibrium, if each trim picks one of the mapped pages.
double balanced_share(const PageClasses& logical, double trims) {
  return root_between(1e-12, 1.0,
                      [&](double share) { return mapped_by_class(logical, trims, trims / share).sum() / share - 1; });
}

// `any`: trims pick any logical page; else any mapped one, which leaves a vanishing share if trims >= 1/2: share is 0.
// REQUIRES: 0 <= trims < 1.
MappedPages mapped_pages(const PageClasses& logical, double trims, bool any) {
  if (trims <= 0) return {1, logical};
  if (!any && trims >= 0.5) return {0, logical};
  const double trims_per_page = any ? trims : trims / balanced_share(logical, trims);
  const Eigen::ArrayXd mapped = mapped_by_class(logical, trims, trims_per_page);
  const double share = mapped.sum();
  return {share, {logical.writes, mapped / share}};
}

// If A items are programmed per host item, media bytes over host bytes are A times the mean share of a page that an item
// takes (WaQuestion::stored_share): space left empty at the end of a block costs room, not bytes.
//
// Items are packed inside a block and never cross its end. When sizes s vary, the item that no longer fits leaves
// E[s(s-1)] / (2 E[s]) units empty on average: the remainder of a renewal process in a block of many items.
Packing packing(const WaQuestion& question) {
  const std::uint64_t units = static_cast<std::uint64_t>(question.pages_per_block) * question.units;
  if (question.stored_low == question.stored_high) return {static_cast<double>(units / question.stored_low), true};
  const double low = question.stored_low, high = question.stored_high;
  const double mean = 0.5 * (low + high), sizes = high - low + 1;
  const double square = mean * mean + (sizes * sizes - 1) / 12;
  const double waste = (square - mean) / (2 * mean);
  return {(static_cast<double>(units) - waste) / mean, false};
}

using Frontiers = WaQuestion::Frontiers;
using Kind = WaAnswer::Kind;
using Policy = WaQuestion::Policy;
using Workload = WaQuestion::Workload;

struct Formula {
  std::function<double(const WaSetting&)> wa = nullptr;  // empty: `why_not` gives the reason
  Kind kind = Kind::exact;
  double tolerance = 0.003;
  std::string source = "";
  std::string validity = "";
  std::string why_not = "";
};

Formula none(std::string why) {
  Formula formula;
  formula.why_not = std::move(why);
  return formula;
}

constexpr double kRandomTolerance = 0.005;  // random victims are many and noisy
constexpr const char* kManyBlocks = "Exact for infinitely many blocks; off by the order of 1/blocks.";

double no_relocation(const WaSetting&) { return 1; }
double random_of(const WaSetting& setting) { return random_wa(setting.utilisation); }
double fifo_of(const WaSetting& setting) { return fifo_wa(setting.classes, setting.utilisation); }

bool draws_blindly(const WaQuestion& question) {
  return question.policy == Policy::random || (question.policy == Policy::d_choices && question.d == 1);
}

bool by_age(const WaQuestion& question) {
  return question.policy == Policy::cost_benefit || question.policy == Policy::cost_benefit_kawaguchi;
}

const char* uniform_source(Policy policy) {
  switch (policy) {
    case Policy::greedy:
      return "W. Bux and I. Iliadis, Performance Evaluation 67 (2010), limit of many blocks; B. Van Houdt, SIGMETRICS 2013, "
             "d to infinity";
    case Policy::random: return "B. Van Houdt, SIGMETRICS 2013 (d = 1)";
    case Policy::d_choices: return "B. Van Houdt, SIGMETRICS 2013; Y. Li, P. Lee and J. Lui, SIGMETRICS 2013";
    case Policy::fifo: return "J. Menon, VLDB 1995; P. Desnoyers, SYSTOR 2012, eq. 4; L. Xiang and B. Kurkoski, ICNC 2012";
    case Policy::windowed_greedy:
      return "the policy: X.-Y. Hu et al., SYSTOR 2009; levels of the window as in B. Van Houdt, SIGMETRICS 2013";
    case Policy::cost_benefit:
    case Policy::cost_benefit_kawaguchi:
    case Policy::other: break;
  }
  return "the score: M. Rosenblum and J. Ousterhout, TOCS 1992, or A. Kawaguchi et al., USENIX 1995; age thresholds derived "
         "here (cost_benefit.h)";
}

Formula random_formula() {
  return {random_of,
          Kind::exact,
          kRandomTolerance,
          "B. Van Houdt, Performance Evaluation 70 (2013): a blind choice is insensitive to the workload",
          "Exact for any workload and infinitely many blocks.",
          ""};
}

Formula sequential_formula(const WaQuestion& question) {
  if (draws_blindly(question)) {
    if (question.trim > 0) return none("How many pages trims leave mapped under sequential writes is not known.");
    return random_formula();
  }
  if (question.policy == Policy::d_choices)
    return none("No formula is known for the emptiest of d blocks under sequential writes.");
  return {no_relocation,
          Kind::exact,
          0.003,
          "the block written longest ago holds no valid page",
          "Exact when the spare space is some blocks or more and all writes are in order.",
          ""};
}

Formula pools_formula(const WaQuestion& question) {
  if (question.workload != Workload::hot_cold) {
    return none("Pools are for hot and cold pages; this workload has no such classes.");
  }
  return {pools_wa,
          Kind::exact,
          0.003,
          "P. Desnoyers, SYSTOR 2012, eq. 20-22; R. Stoica and A. Ailamaki, VLDB 2013; each pool as under uniform writes",
          kManyBlocks,
          ""};
}

Formula fifo_formula(const WaQuestion& question) {
  const bool one = question.workload == Workload::uniform;
  const char* source = one ? uniform_source(Policy::fifo) : "P. Desnoyers, SYSTOR 2012, eq. 14, for each class";
  return {fifo_of, Kind::exact, 0.003, source, kManyBlocks, ""};
}

Formula mixed_hot_cold_formula(const WaQuestion& question) {
  if (by_age(question)) {
    return {hot_cold_wa,
            Kind::approximate,
            0.003,
            "age thresholds derived here (cost_benefit.h), pages dying in two kinds as in B. Van Houdt, Performance "
            "Evaluation 70 (2013)",
            "For infinitely many blocks, age counted from closing; within 0.2 % where it was compared.",
            ""};
  }
  return {hot_cold_wa,
          Kind::exact,
          0.003,
          "B. Van Houdt, Performance Evaluation 70 (2013)",
          "Exact for infinitely many blocks and random choice among equals; other choices differ by up to 0.15 %.",
          ""};
}

Formula host_gc_formula(const WaQuestion&) {
  return {hot_cold_wa,
          Kind::approximate,
          0.04,
          "B. Van Houdt, Performance Evaluation 82 (2014), with relocated pages taken in a row, not independently",
          "Within 0.15 % when each victim's pages are relocated in random order; relocation in page order gives 0.3 to "
          "0.6 % less, up to 4 % less at little spare space.",
          ""};
}

Formula pure_hot_cold_formula(const WaQuestion& question) {
  constexpr const char* kSource = "B. Van Houdt, Performance Evaluation 82 (2014): pure blocks, one choice of victims";
  if (question.policy == Policy::greedy) {
    return {hot_cold_wa,
            Kind::finite_blocks,
            0.01,
            kSource,
            "Approached as 1/blocks; the choice among equally empty blocks moves it by up to 0.9 %.",
            ""};
  }
  if (by_age(question)) {
    return {hot_cold_wa,
            Kind::approximate,
            0.01,
            "age thresholds derived here (cost_benefit.h) for hot and cold blocks",
            "For infinitely many blocks, age counted from closing; not compared with published figures.",
            ""};
  }
  return {hot_cold_wa, Kind::exact, 0.003, kSource, kManyBlocks, ""};
}

Formula hot_cold_formula(const WaQuestion& question) {
  if (question.policy == Policy::windowed_greedy)
    return none("No formula is known for windowed greedy under hot and cold writes.");
  switch (question.frontiers) {
    case Frontiers::one: return mixed_hot_cold_formula(question);
    case Frontiers::host_gc: return host_gc_formula(question);
    case Frontiers::hot_cold:
    case Frontiers::hot_cold_gc:
    case Frontiers::pools: break;
  }
  return pure_hot_cold_formula(question);
}

Formula formula_for(const WaQuestion& question) {
  if (question.frontiers == Frontiers::pools) return pools_formula(question);
  if (question.workload == Workload::sequential) return sequential_formula(question);
  if (draws_blindly(question)) return random_formula();
  if (question.policy == Policy::fifo) return fifo_formula(question);
  if (question.workload == Workload::hot_cold) return hot_cold_formula(question);
  if (question.workload == Workload::zipf)
    return none("Under Zipf's law a formula is known for random victims and for FIFO only.");
  return {uniform_wa, Kind::exact, 0.003, uniform_source(question.policy), kManyBlocks, ""};
}

// Formula of a user policy: for uniform writes only, where one frontier and two give the same result.
Formula formula_of(const WaQuestion::OtherPolicy& other, const WaQuestion& question) {
  if (!other.uniform_wa) return none("No formula is known here for the policy " + other.name + ".");
  const bool alike = question.frontiers == Frontiers::one || question.frontiers == Frontiers::host_gc;
  if (question.workload != Workload::uniform || !alike)
    return none("For the policy " + other.name + " a formula is known for uniform writes only.");
  const auto wa = [formula = other.uniform_wa](const WaSetting& s) { return formula(s.utilisation, s.block_pages); };
  return {wa, Kind::approximate, 0.01, other.source, "As the policy's own file says.", ""};
}

bool is_share(double x) { return x > 0 && x < 1; }

// Says what is wrong with a meaningless question; empty if nothing is.
const char* senseless(const WaQuestion& question) {
  if (!(question.op >= 0) || !std::isfinite(question.op)) return "The spare space must not be negative.";
  if (question.pages_per_block < 2 || question.blocks < 1) return "A block must hold two pages or more.";
  if (question.policy == Policy::d_choices && question.d < 1) return "One block or more must be drawn.";
  if (question.policy == Policy::windowed_greedy && !(question.window > 0 && question.window <= 1))
    return "The window must be in (0, 1].";
  if (question.workload == Workload::hot_cold && !(is_share(question.hot_writes) && is_share(question.hot_pages)))
    return "There must be hot and cold pages, and both must be written.";
  if (question.workload == Workload::zipf && !(question.zipf >= 0 && std::isfinite(question.zipf)))
    return "Zipf's exponent must not be negative.";
  if (question.frontiers == Frontiers::pools && !(question.hot_spare >= 0 && question.hot_spare <= 1))
    return "The hot pool's share of the spare pages must be in [0, 1].";
  if (!(question.trim >= 0 && question.trim < 1)) return "Some requests must be writes.";
  if (question.stored_low < 1 || question.stored_low > question.stored_high || question.stored_high > question.units)
    return "An item must take one unit or more and no more than a page.";
  return "";
}

PageClasses logical_classes(const WaQuestion& question) {
  if (question.workload == Workload::hot_cold) return hot_and_cold(question.hot_writes, question.hot_pages);
  const std::uint64_t pages = std::max<std::uint64_t>(1, question.logical_pages());
  if (question.workload == Workload::zipf) return zipf_classes(question.zipf, pages);
  return one_class();
}

WaSetting setting_of(const WaQuestion& question) {
  const double items = packing(question).items_per_block;
  const MappedPages mapped = mapped_pages(logical_classes(question), question.trim, question.trim_any);
  WaSetting setting;
  setting.policy = question.policy;
  setting.d = question.d;
  setting.window = question.window;
  setting.frontiers = question.frontiers;
  setting.utilisation = mapped.share * question.pages_per_block / items / (1 + question.op);
  setting.block_pages = static_cast<int>(std::lround(items));
  setting.classes = mapped.classes;
  setting.hot_blocks = (question.hot_pages + question.hot_spare * question.op) / (1 + question.op);
  return setting;
}

// A of the items. Infinite if the data do not fit, NaN if the equations were not solved.
double evaluate(const Formula& formula, const WaSetting& setting) {
  // Trims leave next to nothing mapped: every victim is empty.
  if (setting.utilisation < 1e-9) return 1;
  if (!(setting.utilisation < 1)) return std::numeric_limits<double>::infinity();
  return formula.wa(setting);
}

void note_compression(WaAnswer& answer) {
  answer.kind = Kind::approximate;
  answer.tolerance = std::max(answer.tolerance, 0.005);
  answer.validity +=
      " Items of varying size are taken as items of their mean size with the mean loss at the end of a "
      "block: some 0.2 % off.";
}

void note_large_block(WaAnswer& answer) {
  answer.kind = Kind::approximate;
  answer.tolerance = std::max(answer.tolerance, 0.01);
  answer.validity += " For blocks of this size continued from smaller ones in 1 / pages per block.";
}

struct Outcome {
  std::optional<WaAnswer> answer;
  std::string why_not;
};

Outcome outcome(const WaQuestion& question) {
  if (const std::string wrong = senseless(question); !wrong.empty()) return {{}, wrong};
  const Formula formula = question.policy == Policy::other ? formula_of(question.other, question) : formula_for(question);
  if (formula.wa == nullptr) return {{}, formula.why_not};
  const WaSetting setting = setting_of(question);
  const double items_wa = evaluate(formula, setting);
  if (question.policy == Policy::other && std::isnan(items_wa))
    return {{}, "The formula of the policy " + question.other.name + " does not hold in this setting."};
  if (std::isinf(items_wa)) return {{}, "The data leave no spare space, so there is no steady state."};
  if (!(items_wa >= 1 - 1e-9)) return {{}, "The equations could not be solved at so extreme a setting."};
  const Packing packed = packing(question);
  WaAnswer answer{items_wa * question.stored_share(), formula.kind, formula.source, formula.validity, formula.tolerance};
  if (!packed.constant_size) note_compression(answer);
  const auto* const plain = formula.wa.target<double (*)(const WaSetting&)>();
  if (plain != nullptr && *plain == hot_cold_wa && setting.block_pages > largest_solved_block(setting))
    note_large_block(answer);
  return {answer, ""};
}

}  // namespace

std::optional<WaAnswer> steady_state_wa(const WaQuestion& question) { return outcome(question).answer; }

std::string why_no_formula(const WaQuestion& question) { return outcome(question).why_not; }

double best_hot_spare(const WaQuestion& question) {
  WaQuestion pools = question;
  pools.workload = Workload::hot_cold;
  pools.frontiers = Frontiers::pools;
  return minimum_between(0.0, 1.0, [&](double hot_spare) {
    pools.hot_spare = hot_spare;
    return evaluate(pools_formula(pools), setting_of(pools));
  });
}

}  // namespace ftlab
