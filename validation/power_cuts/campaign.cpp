#include "validation/power_cuts/campaign.h"

#include <chrono>
#include <cstdio>
#include <ctime>

#include "models/nand/timing/policy.h"
#include "validation/soak/swarm/swarm.h"

namespace ftlab::power_cuts {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void report(std::uint64_t life, const LifeOutcome& outcome) {
  const char* const what = outcome.lost > 0            ? "LOST"
                           : outcome.resurrected > 0   ? "RESURRECTED"
                           : outcome.failed_starts > 0 ? "FAILED START"
                           : outcome.out_of_room > 0   ? "out of room"
                                                       : "WRONG";
  std::fprintf(stderr, "%s: ftlab-power-cuts --life %llu, after %llu cuts and %llu requests: %s\n", what,
               static_cast<unsigned long long>(life), static_cast<unsigned long long>(outcome.cuts),
               static_cast<unsigned long long>(outcome.requests), outcome.failure.c_str());
}

void count(CutsReached& reached, std::uint64_t life, const LifeOutcome& outcome) {
  ++reached.lives;
  reached.all.add(outcome);
  reached.failures += !outcome.sound();
  if (!outcome.failure.empty()) report(life, outcome);
}

}  // namespace

CutsReached run(const Campaign& campaign) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = cpu_seconds();
  CutsReached reached;
  for (std::uint64_t life = 0;; ++life) {
    if (campaign.cuts > 0 && reached.all.cuts >= campaign.cuts) break;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (campaign.seconds > 0 && passed.count() >= static_cast<double>(campaign.seconds)) break;
    if (reached.failures >= campaign.most_failures) break;
    const std::uint64_t number = life_number(campaign.seed, life);
    count(reached, number, live({number, campaign.cuts_each, Deceit::none, false}));
  }
  reached.cpu_seconds = cpu_seconds() - cpu_begin;
  return reached;
}

CutsReached relive(std::uint64_t life, std::uint32_t cuts_each) {
  std::printf("life %llu\n", static_cast<unsigned long long>(life));
  soak::print_plan(drawn_life(life));
  CutsReached reached;
  count(reached, life, live({life, cuts_each, Deceit::none, true}));
  return reached;
}

std::vector<soak::Figure> figures_of(const Campaign& campaign, const CutsReached& reached) {
  const LifeOutcome& all = reached.all;
  std::vector<soak::Figure> figures = {{"power cuts", campaign.cuts, all.cuts, reached.failures},
                                       {"power cuts: before the host was served again", 0, all.nested, 0},
                                       {"power cuts: during the flash operations of recovery", 0, all.amid_recovery, 0},
                                       {"power cuts: pages lost", 0, all.lost, all.lost},
                                       {"power cuts: pages resurrected", 0, all.resurrected, all.resurrected},
                                       {"power cuts: failed starts", 0, all.failed_starts, all.failed_starts},
                                       {"power cuts: otherwise wrong", 0, all.wrong, all.wrong},
                                       {"power cuts: drives out of room", 0, all.out_of_room, 0},
                                       {"power cuts: lives of drives", 0, reached.lives, 0},
                                       {"power cuts: requests between them", 0, all.requests, 0},
                                       {"power cuts: pages compared after them", 0, all.pages_compared, 0},
                                       {"power cuts: places torn", 0, all.torn_slots, 0},
                                       {"power cuts: places of lower pages destroyed", 0, all.destroyed_lower_slots, 0},
                                       {"power cuts: superblocks half erased", 0, all.half_erased, 0},
                                       {"power cuts: trims lost before they were durable", 0, all.lost_trims, 0}};
  for (std::size_t w = 0; w < kWindows; ++w) {
    figures.push_back({std::string("power cuts: ") + kWindowNames[w], 0, all.windows[w], 0});
  }
  figures.push_back({"power cuts: while flash operations ran", 0, all.with_running, 0});
  figures.push_back({"power cuts: while others waited", 0, all.with_waiting, 0});
  figures.push_back({"power cuts: while a read had suspended one", 0, all.with_suspended, 0});
  for (std::size_t p = 0; p < all.by_scheduling_policy.size(); ++p) {
    const std::string& name = scheduling_policy_kinds()[p].name;
    figures.push_back({"power cuts: of drives that schedule by " + name, 0, all.by_scheduling_policy[p], 0});
  }
  if (reached.cpu_seconds > 0) {
    const double speed = static_cast<double>(all.cuts) / reached.cpu_seconds;
    figures.push_back({"power cuts: per CPU second", 0, static_cast<std::uint64_t>(speed), 0});
  }
  return figures;
}

std::vector<soak::Figure> exhaust_all(std::uint32_t length) {
  ExhaustiveOutcome all;
  for (const bool separate : {false, true}) {
    for (const bool two_bits : {false, true}) {
      const ExhaustiveOutcome outcome = exhaust({length, separate, two_bits, false});
      all.sequences += outcome.sequences;
      all.moments += outcome.moments;
      all.cuts += outcome.cuts;
      all.lost += outcome.lost;
      all.resurrected += outcome.resurrected;
      all.wrong += outcome.wrong;
      if (!outcome.failure.empty()) {
        std::fprintf(stderr, "FAILED: %s, %s: %s\n", separate ? "two frontiers" : "one frontier",
                     two_bits ? "two bits a cell" : "one bit a cell", outcome.failure.c_str());
      }
    }
  }
  return {{"small drives: all sequences", 0, all.sequences, 0},
          {"small drives: moments of a cut", 0, all.moments, 0},
          {"small drives: power cuts", 0, all.cuts, 0},
          {"small drives: pages lost", 0, all.lost, all.lost},
          {"small drives: pages resurrected", 0, all.resurrected, all.resurrected},
          {"small drives: otherwise wrong", 0, all.wrong, all.wrong}};
}

}  // namespace ftlab::power_cuts
