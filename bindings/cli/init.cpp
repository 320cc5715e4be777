// ftlab init FILE: makes a complete, commented drive file from answers or from a drive of the library.
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "bindings/cli/commands.h"
#include "bindings/cli/help/new_drive.h"
#include "sim/config/echo.h"
#include "sim/config/names.h"
#include "sim/config/share.h"
#include "sim/config/unit_value.h"
#include "sim/core/error.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/priors.h"
#include "validation/calibrate/rated_drive.h"
#include "validation/results/progress_line.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
namespace {

struct InitOptions {
  std::string file, like, name, capacity, flash, interface, over_provisioning;
  std::string channels, dies, use, rated;
  std::vector<std::string> settings;
  std::uint64_t block_scale = 1;

  bool answered() const {
    return !(capacity + flash + interface + over_provisioning + channels + dies + use + rated).empty();
  }
};

// On a terminal, repeats the question until the answer is accepted; an empty line or the end of the input takes the default
// in brackets. Elsewhere the default is taken at once.
template <class Accept>
auto answer(const std::string& given, const std::string& question, const std::string& otherwise, Accept&& accept) {
  if (!given.empty() || !(::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO)))
    return accept(given.empty() ? otherwise : given);
  for (std::string line;;) {
    std::printf("%s [%s]: ", question.c_str(), otherwise.c_str());
    std::fflush(stdout);
    if (!std::getline(std::cin, line) || line.empty()) return accept(otherwise);
    try {
      return accept(line);
    } catch (const ConfigError& refused) {
      std::printf("%s\n", refused.what());
    }
  }
}

std::uint64_t whole(const char* option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  const bool digits = !text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == text.npos;
  const std::uint64_t value = digits ? std::stoull(text) : 0;
  if (digits && value >= least && value <= most) return value;
  throw ConfigError({option, 0}, "", "is not a whole number of the range", text,
                    std::to_string(least) + " to " + std::to_string(most));
}

std::string one_of(const char* option, const std::string& text, const std::vector<std::string>& names) {
  return names[index_of_name({option, 0}, "", "is not a known name", text, names)];
}

std::uint64_t capacity_sectors(const std::string& text) {
  const auto sectors = value_with_unit({"--capacity", 0}, "user_sectors", text);
  if (!sectors || *sectors == 0)
    throw ConfigError({"--capacity", 0}, "", "is not a size with its unit", text, "256GB, 1TB, 64GiB, ...");
  return *sectors / 8 * 8;  // whole mapping pages
}

std::uint32_t spare_permille(const std::string& text) {
  const ConfigError::Place place{"--over-provisioning", 0};
  const double permille = 1000 * share_of(place, "", text, over_provisioning_range(0.01, 5));
  if (std::abs(permille - std::round(permille)) < 1e-9) return static_cast<std::uint32_t>(std::lround(permille));
  throw ConfigError(place, "", "is not a whole number of tenths of a per cent", text, "as 7% or 7.5%");
}

std::uint32_t dies_for(std::uint32_t channels, const std::string& text) {
  const std::uint64_t dies = whole("--dies", text, 0, 4096);
  if (dies % channels == 0) return static_cast<std::uint32_t>(dies);
  throw ConfigError({"--dies", 0}, "", "do not divide among the channels", text, "multiples of " + std::to_string(channels));
}

NewDrive answered(const InitOptions& options) {
  NewDrive drive;
  if (!options.name.empty()) drive.name = options.name;
  drive.user_sectors = answer(options.capacity, "Capacity", "256GB", capacity_sectors);
  drive.flash = answer(options.flash, "Flash (" + flash_class_list() + ")", "tlc",
                       [](const std::string& text) { return one_of("--flash", text, flash_class_names()); });
  drive.channels = answer(options.channels, "Channels", "8", [](const std::string& text) {
    return static_cast<std::uint32_t>(whole("--channels", text, 1, 64));
  });
  drive.dies = answer(options.dies, "Dies in all, 0 for the usual", "0",
                      [&](const std::string& text) { return dies_for(drive.channels, text); });
  drive.interface = answer(options.interface, "Interface", "sata-6",
                           [](const std::string& text) { return one_of("--interface", text, interface_names()); });
  drive.over_provisioning_permille =
      answer(options.over_provisioning, "Over-provisioning, (physical - user) / user", "7%", spare_permille);
  drive.enterprise = answer(options.use, "Use (client, enterprise)", "client", [](const std::string& text) {
                       return one_of("--use", text, {"client", "enterprise"});
                     }) == "enterprise";
  return drive;
}

bool sets(const InitOptions& options, std::string_view key) {
  return std::any_of(options.settings.begin(), options.settings.end(),
                     [key](const std::string& setting) { return setting.starts_with(key); });
}

// A drive has one kind of cache, so the user's replaces the one that init would choose. False if it has no other.
bool make_way_for_own_cache(const InitOptions& options, Node& document) {
  Node* const ftl = document.find("ftl");
  if (ftl == nullptr || !sets(options, "ftl.slc_cache.") || sets(options, "ftl.pslc_mode.")) return false;
  const auto is_cache = [](const auto& member) { return member.first == "pslc_mode"; };
  return std::erase_if(ftl->members, is_cache) > 0;
}

// The drive of the answers with the user's settings.
Node designed(const NewDrive& answers, const InitOptions& options) {
  Node document = document_of(answers);
  make_way_for_own_cache(options, document);
  set_by_paths(document, options.settings);
  return document;
}

std::string text_at(const Node& document, const std::string& path) {
  const Node* const node = node_at(document, path);
  return node == nullptr ? "" : to_json(*node).dump();
}

void refuse_determined_settings(const NewDrive& answers, const InitOptions& options, const Ratings& ratings) {
  if (options.settings.empty()) return;
  const Node usual = document_of(answers), set = designed(answers, options);
  for (const DeterminedKey& determined : determined_keys(set, ratings, answers.enterprise)) {
    if (text_at(usual, determined.key) == text_at(set, determined.key)) continue;
    throw ConfigError({"--set", 0}, determined.key, "is determined by a rating", name_of(determined.rating),
                      "the setting or the rating, not both");
  }
}

std::string determined_text(const SolvedRating& one) {
  std::string text = fmt::format("{} = {}", one.key, one.value);
  if (one.key == kOverProvisioning) text = fmt::format("{} = {:.1f} %", one.key, static_cast<double>(one.value) / 10);
  if (one.expected != one.rated)
    text += fmt::format("; expected in the steady state: {:.2f} times the rating", one.expected / one.rated);
  if (!one.met()) text += one.better() ? "; exceeded" : "; not reached";
  if (!one.met()) text += ": something else of the drive is the limit";
  return text;
}

// Prints what each rating determined; a rating that the class of the drive does not reach is named.
void print_solved(const RatedDrive& rated) {
  std::printf("%-14s %12s %12s   %s\n", "rating", "rated", "simulated", "determines");
  for (const SolvedRating& one : rated.solved)
    std::printf("%-14s %12s %12s   %s\n", name_of(one.rating), rating_text(one.rating, one.rated).c_str(),
                rating_text(one.rating, one.simulated).c_str(), determined_text(one).c_str());
}

// The drive whose simulation has the ratings of the data sheet.
Node rated_document(const NewDrive& answers, const InitOptions& options) {
  const Ratings ratings(options.rated);
  refuse_determined_settings(answers, options, ratings);
  NewDrive same_dies = answers;
  same_dies.dies = static_cast<std::uint32_t>(read_device(document_of(answers)).ssd->geometry.dies());
  const DesignOf design = [&](std::uint32_t over_provisioning_permille) {
    NewDrive drive = same_dies;
    drive.over_provisioning_permille = over_provisioning_permille;
    return designed(drive, options);
  };
  ProgressLine line;
  RatedOptions how;
  how.over_provisioning_permille = answers.over_provisioning_permille;
  how.steady = answers.enterprise;
  how.progress = [&line](const std::string& text, double done) { line.draw(text, ProgressShare{done, true}); };
  const RatedDrive rated = solve_ratings(design, ratings, how);
  line.wipe();
  print_solved(rated);
  return rated.document;
}

Node with_block_scale(const Node& document, std::uint64_t scale) {
  const DeviceConfig device = read_device(Node(document));
  if (scale > 1 && (!device.ssd || device.ssd->geometry.pages_per_block % scale != 0))
    throw ConfigError({"--block-scale", 0}, "", "does not divide the pages of a block", std::to_string(scale),
                      device.ssd ? "divisors of " + std::to_string(device.ssd->geometry.pages_per_block) : "SSDs only");
  return with_smaller_blocks(document, scale);
}

Node alike(const InitOptions& options) {
  if (options.answered())
    throw ConfigError({"--like", 0}, "", "and answers do not go together: the drive has a capacity, flash and so on",
                      options.like, "--set to change it");
  Node document = load_drive(options.like, {});
  document.find("name")->text = options.name.empty() ? "My drive, like " + document.find("name")->text : options.name;
  document = with_block_scale(document, options.block_scale);
  set_keys_of_new_drive(document, options.settings);
  return document;
}

// The mapping page size, if init chose a larger one than usual.
const Node* large_unit(const Node& document) {
  const Node* const unit = node_at(document, "ftl.mapping.page_bytes");
  const bool chosen = unit != nullptr && is_sourced(*unit) && unit->find("from")->text == "assumed";
  return chosen && unit->find("value")->magnitude > 4096 ? unit : nullptr;
}

Node document_from(const InitOptions& options) {
  const NewDrive answers = answered(options);
  if (Node usual = document_of(answers); make_way_for_own_cache(options, usual))
    std::printf("ftl.pslc_mode is left out: ftl.slc_cache, which is set, is there instead\n");
  return options.rated.empty() ? designed(answers, options) : rated_document(answers, options);
}

// An answer gives the spare space of a new drive, so that its capacity is the one that was asked for.
void refuse_spare_as_setting(const InitOptions& options) {
  if (options.like.empty() && sets(options, "over_provisioning="))
    throw ConfigError({"--set", 0}, "over_provisioning", "is an answer about a new drive", "", "--over-provisioning 28%");
}

int init(const InitOptions& options) {
  refuse_spare_as_setting(options);
  NewFile file(options.file, "FILE");
  const Node document = options.like.empty() ? document_from(options) : alike(options);
  read_device(document);
  const std::string heading = options.like.empty()
                                  ? "Written by ftlab init. Numbers are those of the drive's class; replace those you know."
                                  : "Written by ftlab init --like " + options.like + ".";
  file.commit(commented(document, heading));
  if (const Node* const unit = large_unit(document))
    std::printf("ftl.mapping.page_bytes is %s (assumed: %s); smaller writes are read-modify-writes\n",
                unit->find("value")->text.c_str(), unit->find("source")->text.c_str());
  std::printf("%s: written; next: ftlab check %s\n", options.file.c_str(), options.file.c_str());
  return kDone;
}

}  // namespace

void add_init(CLI::App& app, Session& session) {
  const auto options = std::make_shared<InitOptions>();
  CLI::App* command = app.add_subcommand("init", "write a drive file of your own, with comments; asks on a terminal");
  command->add_option("file", options->file, "the new drive file; existing files are not overwritten")->required();
  CLI::Option* const like =
      command->add_option("--like", options->like, "a drive of the library, or the path of a drive file, to begin with");
  command
      ->add_option("--block-scale", options->block_scale,
                   "with --like: divide pages of blocks, erase time and capacity by this: same rates, aged so much sooner")
      ->check(CLI::Range(1, 4096))
      ->needs(like);
  command->add_option("--name", options->name, "name in reports");
  command->add_option("--capacity", options->capacity, "user capacity, for example 256GB, 1TB, 64GiB");
  command->add_option("--flash", options->flash, flash_class_list());
  command->add_option("--channels", options->channels, "channels, 1 to 64");
  command->add_option("--dies", options->dies, "dies of the whole drive; 0: derived from the capacity");
  command->add_option("--interface", options->interface, "for example sata-6, sas-12, nvme-4x4 (generation x lanes)");
  command->add_option("--over-provisioning", options->over_provisioning, "(physical - user) / user: 7% or 0.07");
  command->add_option("--use", options->use,
                      "client: with a pSLC cache where usual; or enterprise: without, with parity over the dies");
  command->add_option("--rated", options->rated,
                      "NAME=VALUE,NAME=VALUE: ratings of the data sheet, which the simulated drive will have; names: "
                      "seq_read, seq_write (as 6.8GB/s), rand_read, rand_write (85k), read_latency, write_latency (80us), "
                      "tbw (1700TB), slc_cache (113GB until a new drive slows down)");
  command->add_option("--set", options->settings, "KEY=VALUE, as for ftlab run; repeatable")->allow_extra_args(false);
  when_chosen(*command, session, [options] { return init(*options); });
}

}  // namespace ftlab
