// ftlab-measure: runs the job files and procedures of `ftlab run` on a real device or file.
#include <csignal>
#include <cstdio>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include "sim/core/error.h"
#include "sim/workload/jobs/units.h"
#include "validation/measure/measure.h"
#include "validation/measure/target/identity.h"
#include "validation/results/standard_output.h"
#include "validation/run/options.h"

namespace {

std::atomic<bool> leave{false};

// A second signal ends the program at once.
void on_signal(int number) {
  leave.store(true);
  std::signal(number, SIG_DFL);
}

void set_up_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than the user's limit becomes a failed write
}

void set_up_log() {
  const auto log = spdlog::stderr_color_mt("ftlab-measure");
  log->set_pattern("%v");
  log->set_level(spdlog::level::warn);
  spdlog::set_default_logger(log);
}

// 512, 4k, 256m, 1g, as in job files.
std::uint64_t bytes_of(const std::string& option, const std::string& text) {
  return ftlab::parse_number({option, text, true, false, {"ftlab-measure", 0}}, text, 1024);
}

struct Texts {
  std::string engine = "best";
  std::string offset, size;
  std::string check;  // state file
};

void add_options(CLI::App& app, ftlab::MeasureOptions& options, Texts& texts) {
  app.add_option("work", options.work.file, "a job file, as fio reads it, or a procedure (.json)");
  app.add_option("--device", options.device, "a block device, or a file; its data are only read unless you say --destroy")
      ->required();
  app.add_option("--out", options.out, "a new folder for the results");
  app.add_flag(
      "--create", options.create,
      "--device is a new file, of --size bytes, which is filled first and removed at the end unless a job wrote to it");
  app.add_flag("--keep", options.keep, "the file of --create is not removed");
  app.add_option("--offset", texts.offset, "where what is measured begins (4k, 1g)");
  app.add_option("--size", texts.size, "how much of the device is measured; jobs see a device of this size");
  ftlab::add_seed(app, options.seed, "seed of all random numbers of the run");
  // A transformer would show the names' numbers, as bytes, in the help.
  app.add_option("--engine", texts.engine, "engine that submits the requests")
      ->check(CLI::IsMember({"best", "io_uring", "threads"}))
      ->capture_default_str();
  app.add_option("--state", options.state,
                 "a new file on another disk that keeps what the drive has promised by flushes; every sector is stamped");
  app.add_option("--check", texts.check,
                 "after a power cut: a --state file that --device is held against; reads and nothing more");
  ftlab::add_number(app, "--patience", options.patience_s, 1, 86'400,
             "seconds after which a request is late, and the measurement ends");
  app.add_option("--destroy", options.destroy, "the serial number of the device, whose data may be overwritten");
  app.add_flag("--allow-discard,--discard", options.allow_discard, "the data of the device may be discarded (trims)");
  app.add_flag("--dry-run", options.dry_run, "only say what would be done, and whether it would be refused");
  ftlab::add_job_options(app, options.work.jobs);
  ftlab::add_repeated(app, "--variable", options.work.variables, "NAME=VALUE or NAME=A,B,C: a variable of the procedure");
  app.add_flag("--json", options.json, "print result.json instead of the summary");
}

int measured(ftlab::MeasureOptions& options, const Texts& texts) {
  options.engine = texts.engine == "io_uring"  ? ftlab::EngineKind::uring
                   : texts.engine == "threads" ? ftlab::EngineKind::threads
                                               : ftlab::EngineKind::best;
  if (!texts.offset.empty()) options.offset_bytes = bytes_of("--offset", texts.offset);
  if (!texts.size.empty()) options.size_bytes = bytes_of("--size", texts.size);
  if (!texts.check.empty()) return ftlab::check_promises(texts.check, options.device);
  return ftlab::measure(options, leave);
}

int run(ftlab::MeasureOptions& options, const Texts& texts) {
  try {
    return ftlab::run_or_fail([&] { return measured(options, texts); }, "the result is incomplete");
  } catch (const ftlab::TargetError& error) {
    return ftlab::fail(ftlab::kRefused, error.what());
  } catch (const ftlab::EngineError& error) {
    return ftlab::fail(ftlab::kRefused, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  set_up_signals();
  set_up_log();
  CLI::App app{"ftlab-measure: the job files and procedures of ftlab on a real device", "ftlab-measure"};
  app.set_version_flag("--version", std::string("ftlab-measure ") + FTLAB_VERSION);
  app.footer(
      "Reads need no consent. Writes need --destroy=SERIAL unless the file is made by --create, trims --allow-discard too.\n"
      "Exit status: 0 done, 2 the input or the device was refused, 3 the device failed, 4 the result could not be written,\n"
      "130 interrupted.");
  ftlab::MeasureOptions options;
  Texts texts;
  add_options(app, options, texts);
  if (argc < 2) return ftlab::fail(ftlab::kRefused, app.help());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return ftlab::checked_output(app.exit(error));  // --help, --version
    const auto refuse = [&] {
      ftlab::refuse_left_over(app, app.get_name(), app.remaining());
      return ftlab::fail(ftlab::kRefused, std::string("ftlab-measure: ") + error.what() + " (see ftlab-measure --help)");
    };
    return ftlab::run_or_fail(refuse, "");
  }
  return ftlab::checked_output(run(options, texts));
}
