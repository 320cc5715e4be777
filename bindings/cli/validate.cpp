// ftlab validate: the scoreboard.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "bindings/cli/commands.h"
#include "sim/core/error.h"
#include "validation/calibrate/held_out.h"
#include "validation/results/progress_line.h"
#include "validation/results/result_folder.h"
#include "validation/run/open_device.h"
#include "validation/run/options.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {
namespace {

struct ValidateOptions {
  ScoreboardOptions board;
  std::string folder;
  bool json = false;
  bool markdown = false;
  bool held_out = false;
  std::string family;
  std::string out;
  std::string scoreboard() const {
    return folder.empty() ? (std::filesystem::path(config_folder()) / "scoreboard").string() : folder;
  }
};

// Leave-one-out fits: each family without each of its drives and procedures. Runs instead of the scoreboard.
int hold_out_families(const ValidateOptions& options, const std::vector<Review>& reviews, const Session& session) {
  std::optional<ResultFolder> out;
  if (!options.out.empty()) out.emplace(options.out, false);
  HeldOutOptions how{options.family, options.board.choice.quick, options.board.scoreboard_run, {}};
  how.scoreboard_run.interrupted = session.interrupted;
  ProgressLine line;
  how.progress = [&line](const std::string& what, double done) { line.draw(what, ProgressShare{done}); };
  const StatedFits fits = load_stated_fits((std::filesystem::path(options.scoreboard()) / "fits.json").string());
  const std::vector<HeldOutCase> cases = hold_out(reviews, fits.fits, how);
  line.wipe();
  if (out) {
    out->write("held_out.csv", held_out_csv(cases));
    out->commit();
  }
  std::fputs(held_out_table(cases).c_str(), stdout);
  return kDone;
}

int validate(const ValidateOptions& options, const Session& session) {
  const std::vector<Review> reviews = load_reviews(options.scoreboard());
  if (options.held_out) return hold_out_families(options, reviews, session);
  ScoreboardOptions how = options.board;
  how.scoreboard_run.interrupted = session.interrupted;
  ProgressLine line;
  how.scoreboard_run.progress = [&line](std::size_t done, std::size_t of) {
    line.draw(fmt::format("{} of {} runs", done, of), ProgressShare{static_cast<double>(done) / static_cast<double>(of)});
  };
  const Scoreboard board = fill_scoreboard(reviews, how);
  line.wipe();
  const std::string text = options.json       ? scoreboard_json(board).dump(2) + "\n"
                           : options.markdown ? scoreboard_markdown(board, reviews)
                                              : scoreboard_text(board);
  std::fputs(text.c_str(), stdout);
  for (const auto& [run, count] : board.failed)
    std::fprintf(stderr, "%s: %llu requests failed\n", run.c_str(), static_cast<unsigned long long>(count));
  return board.failed.empty() ? kDone : kDriveFailed;
}

}  // namespace

void add_validate(CLI::App& app, Session& session) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App* command =
      app.add_subcommand("validate", "print the scoreboard: published figures of drives against simulated ones");
  command->add_option("--drive", options->board.choice.drive, "only rows about this drive of the library");
  command->add_option("--review", options->board.choice.review, "only rows of this review: the name of a file of the board");
  command->add_flag("--quick", options->board.choice.quick, "only rows of quick runs, as in the tests");
  command->add_option("--host", options->board.scoreboard_run.host,
                      "a host of the library (see ftlab hosts) or a host file that every run is made on [the review's own]");
  command->add_option("--board", options->folder, "a folder of reviews [configs/scoreboard]");
  add_number(*command, "--seed", options->board.scoreboard_run.seed, 0, std::uint64_t{1} << 53,
             "seed of all random numbers");
  add_number(*command, "--threads", options->board.scoreboard_run.threads, 0u, 1024u,
             "number of threads; 0: one for each core. It does not change results");
  CLI::Option* json = command->add_flag("--json", options->json, "for scripts");
  CLI::Option* markdown = command->add_flag("--markdown", options->markdown, "for a README")->excludes(json);
  CLI::Option* held_out =
      command
          ->add_flag(
              "--held-out", options->held_out,
              "fit each family of drives (fits.json) without each of its drives, and without each procedure, in turn, and "
              "predict what was left out; some minutes a family")
          ->excludes(json)
          ->excludes(markdown);
  command->add_option("--family", options->family, "with --held-out: only this one, a name of fits.json")->needs(held_out);
  command->add_option("--out", options->out, "with --held-out: a new folder for held_out.csv, row by row")->needs(held_out);
  command->footer(
      "A quantity holds within 10 % (high confidence), 20 % (medium) or 40 % (low) of the published figure; what is called\n"
      "alike lies no further apart. Rows that tell one figure count once, rows that any outcome satisfies do not count.\n"
      "predicted: nothing was set by the figure; fitted: a number was; restated: an input is read back.\n"
      "A row that misses is not an error; rows that miss are printed first, with their presumed reason.");
  when_chosen(*command, session, [options, &session] { return validate(*options, session); }, true);
}

}  // namespace ftlab
