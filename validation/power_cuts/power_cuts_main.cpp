// ftlab-power-cuts: power cuts of random drives at random times, and of small drives at every time. Exit status: 0 nothing
// was lost, 1 something was lost or not enough was reached, 2 input refused.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "validation/power_cuts/campaign.h"
#include "validation/soak/swarm/figures.h"

namespace {

using namespace ftlab::power_cuts;

constexpr std::uint64_t kNone = ~std::uint64_t{0};

struct CutsAsked {
  Campaign campaign;
  std::uint64_t life = kNone;
  std::uint32_t exhaustive = 0;
  std::string json;
};

std::vector<ftlab::soak::Figure> execute(const CutsAsked& asked) {
  if (asked.life != kNone) return figures_of({}, relive(asked.life, asked.campaign.cuts_each));
  if (asked.exhaustive > 0) return exhaust_all(asked.exhaustive);
  return figures_of(asked.campaign, run(asked.campaign));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Power cuts during flash operations.");
  CutsAsked asked;
  app.add_option("--cuts", asked.campaign.cuts, "Power cuts in all, with those in recovery; no life begins after them");
  app.add_option("--seconds", asked.campaign.seconds, "Wall-clock limit; no life begins after it");
  app.add_option("--seed", asked.campaign.seed, "Which lives they are");
  app.add_option("--cuts-each", asked.campaign.cuts_each, "Power cuts of a life, without those in recovery");
  app.add_option("--life", asked.life, "This life alone, its plan and its cuts printed");
  app.add_option("--exhaustive", asked.exhaustive, "All sequences up to this many requests, all cuts, all fates")
      ->check(CLI::Range(1u, 8u));
  app.add_option("--json", asked.json, "Also write the figures to this file");
  try {
    app.parse(argc, argv);
    const std::vector<ftlab::soak::Figure> figures = execute(asked);
    print(figures);
    if (!asked.json.empty()) write_json(figures, asked.json);
    return passed(figures) ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
