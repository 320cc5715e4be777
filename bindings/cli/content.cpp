// ftlab content: how far a compressing drive could reduce real data, as options of a job file.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "bindings/cli/commands.h"
#include "models/compression/compressibility.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "validation/run/options.h"

namespace ftlab {
namespace {

struct ContentOptions {
  std::vector<std::string> files;
  std::uint64_t block_bytes = 4096;
  bool json = false;
};

void read_blocks(const std::string& path, std::size_t block_bytes, ContentMeasure& measure, const Session& session) {
  if (!std::filesystem::is_regular_file(path)) throw ConfigError({path, 0}, "", "is not a regular file");
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(block_bytes);
  while (file) {
    if (session.interrupted->load()) throw Interrupted();
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto got = static_cast<std::size_t>(file.gcount());
    if (got > 0) measure.add({block.data(), got});
  }
  if (!file.eof()) throw ConfigError({path, 0}, "", "could not be read");
}

long percent(double share) { return std::lround(100 * share); }

void print_text(const ContentMeasure& measure, std::uint64_t block_bytes) {
  std::printf("%llu blocks of %llu bytes, each compressed separately (zstd, level 1)\n",
              static_cast<unsigned long long>(measure.blocks()), static_cast<unsigned long long>(block_bytes));
  std::printf("stored      %5.1f %% of the bytes\n", 100 * measure.stored_share());
  std::printf("repeated    %5.1f %% of the blocks are equal to one before\n", 100 * measure.repeated_share());
  for (std::size_t tenth = 0; tenth < measure.by_tenth().size(); ++tenth) {
    const double share = static_cast<double>(measure.by_tenth()[tenth]) / static_cast<double>(measure.blocks());
    std::printf("  %3zu to %3zu %% left  %5.1f %% of the blocks\n", 10 * tenth, 10 * tenth + 10, 100 * share);
  }
  std::printf("in a job file: refill_buffers=1, buffer_compress_percentage=%ld, dedupe_percentage=%ld\n",
              percent(1 - measure.stored_share()), percent(measure.repeated_share()));
}

void print_json(const ContentMeasure& measure, std::uint64_t block_bytes) {
  const nlohmann::ordered_json json = {{"block_bytes", block_bytes},
                                       {"blocks", measure.blocks()},
                                       {"bytes", measure.bytes()},
                                       {"stored_bytes", measure.stored_bytes()},
                                       {"repeated_blocks", measure.repeated_blocks()},
                                       {"blocks_by_tenth_left", measure.by_tenth()},
                                       {"buffer_compress_percentage", percent(1 - measure.stored_share())},
                                       {"dedupe_percentage", percent(measure.repeated_share())}};
  std::printf("%s\n", json.dump(2).c_str());
}

int run_content(const ContentOptions& options, const Session& session) {
  ContentMeasure measure(options.block_bytes);
  for (const std::string& file : options.files) read_blocks(file, options.block_bytes, measure, session);
  if (measure.blocks() == 0) throw ConfigError({options.files.front(), 0}, "", "holds no bytes to measure");
  (options.json ? print_json : print_text)(measure, options.block_bytes);
  return kDone;
}

}  // namespace

void add_content(CLI::App& app, Session& session) {
  auto options = std::make_shared<ContentOptions>();
  CLI::App& command =
      *app.add_subcommand("content", "measure how well files compress, block by block, and print job file options");
  command.add_option("FILE", options->files, "files to measure")->required();
  add_number(command, "--block", options->block_bytes, 512, 1 << 20, "bytes compressed together: the drive's mapping page");
  command.add_flag("--json", options->json, "print JSON");
  when_chosen(command, session, [options, &session] { return run_content(*options, session); }, true);
}

}  // namespace ftlab
