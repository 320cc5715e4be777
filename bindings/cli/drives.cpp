// ftlab drives, ftlab drives show NAME: the library of drives.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <spdlog/fmt/fmt.h>

#include "bindings/cli/commands.h"
#include "bindings/cli/numbers.h"
#include "ftl/config.h"
#include "ftl/drive/config/zone_gaps.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

int list_drives() {
  for (const std::string& name : drive_names()) {
    const DeviceConfig config = read_device(load_drive(name, {}));
    if (config.disk) {
      std::printf("%-28s %-36s %6.1f GB  disk, %llu rpm\n", name.c_str(), config.name().c_str(),
                  static_cast<double>(config.user_bytes()) / 1e9,
                  static_cast<unsigned long long>(config.disk->platters.rpm));
      continue;
    }
    const DriveConfig drive = without_zone_gaps(*config.ssd);
    std::printf("%-28s %-36s %6.1f GB  over-provisioning %.1f %%\n", name.c_str(), drive.name.c_str(),
                static_cast<double>(drive.user_bytes) / 1e9, 100 * drive.over_provisioning());
  }
  return kDone;
}

// Prints the sector rate of each zone: under one head, and including the head and cylinder switches of a long read.
void show_disk(const DiskConfig& disk) {
  const PlattersConfig& platters = disk.platters;
  std::printf("\n%u cylinders, %llu sectors on the platters\n", platters.cylinders(),
              static_cast<unsigned long long>(platters.sectors()));
  for (const DiskZone& zone : platters.zones) {
    const double turn_s = 60.0 / static_cast<double>(platters.rpm);
    const double bytes = static_cast<double>(zone.sectors_per_track) * kSectorBytes;
    const double skews_s = (static_cast<double>(platters.head_skew.count()) * (platters.heads - 1) +
                            static_cast<double>(platters.cylinder_skew.count())) /
                           1e9;
    std::printf("  zone of %7u cylinders: %4u sectors a track, %6.1f MB/s under a head, %6.1f MB/s sustained\n",
                zone.cylinders, zone.sectors_per_track, bytes / turn_s / 1e6,
                platters.heads * bytes / (platters.heads * turn_s + skews_s) / 1e6);
  }
}

int show(const std::string& name, const std::vector<std::string>& settings, const std::string& host) {
  const Node document = load_drive(name, settings, host);
  const DeviceConfig config = read_device(document);
  print_numbers(document);
  if (!host.empty() && config.ssd) {
    const LinkConfig& link = config.ssd->link;
    std::printf("\ndrive and port agree on %s: %.1f MB/s; a command takes %lld ns (read), %lld ns (write) of the line\n",
                link.line.name(), static_cast<double>(link.bytes_per_s) / 1e6,
                static_cast<long long>(link.read_command.count()), static_cast<long long>(link.write_command.count()));
  }
  if (config.disk) return show_disk(*config.disk), kDone;
  const DriveConfig drive = without_zone_gaps(*config.ssd);
  const Layout layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes());
  std::printf("\n%u superblocks of %.1f MiB; %llu of them needed; over-provisioning (physical - user) / user = %.2f %%\n",
              layout.superblocks(), static_cast<double>(layout.pages_per_superblock()) * drive.ftl.slot_bytes() / (1 << 20),
              static_cast<unsigned long long>(superblocks_needed(drive.ftl, layout, drive.logical_pages())),
              100 * drive.over_provisioning());
  return kDone;
}

}  // namespace

void add_drives(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("drives", "list the library of drives");
  command->callback([&session] {
    if (!session.chosen) session.chosen = list_drives;
  });
  struct ShowOptions {
    std::string name;
    std::vector<std::string> settings;
    std::string host;
  };
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* scoreboard_run =
      command->add_subcommand("show", "print one drive, resolved, with the provenance of every number");
  scoreboard_run->add_option("name", options->name, "a drive of the library or the path of a drive file")->required();
  scoreboard_run->add_option(
      "--host", options->host,
      "a host of the library (see ftlab hosts) or a host file: its numbers, and what drive and port agree on");
  scoreboard_run->add_option("--set", options->settings, "KEY=VALUE, as for ftlab run; repeatable")->allow_extra_args(false);
  when_chosen(*scoreboard_run, session, [options] { return show(options->name, options->settings, options->host); });
}

// ftlab hosts, ftlab hosts show NAME: the library of hosts.

namespace {

int list_hosts() {
  for (const std::string& name : host_names()) {
    const Node document = load_host(name);
    const HostConfig host = read_host(Reader(document));
    std::printf("%-28s %-64s %s\n", name.c_str(), document.find("name")->text.c_str(),
                host.port.line ? host.port.line->name() : "any port");
  }
  return kDone;
}

}  // namespace

void add_hosts(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("hosts", "list the library of hosts: computers and their ports");
  command->callback([&session] {
    if (!session.chosen) session.chosen = list_hosts;
  });
  const auto name = std::make_shared<std::string>();
  CLI::App* show = command->add_subcommand("show", "print one host, resolved, with the provenance of every number");
  show->add_option("name", *name, "a host of the library or the path of a host file")->required();
  when_chosen(*show, session, [name] {
    print_numbers(load_host(*name));
    return kDone;
  });
}

}  // namespace ftlab
