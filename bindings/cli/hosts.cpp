// ftlab hosts, ftlab hosts show NAME: the library of hosts.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "bindings/cli/commands.h"
#include "bindings/cli/numbers.h"
#include "validation/run/open_device.h"

namespace ftlab {
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
  show->callback([name, &session] {
    session.chosen = [name] {
      print_numbers(load_host(*name));
      return static_cast<int>(kDone);
    };
  });
}

}  // namespace ftlab
