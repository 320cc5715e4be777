#include "bindings/nbd/live_figures.h"

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::array<const char*, kOpCount> kOpNames = {"read", "write", "trim", "flush"};

using Json = nlohmann::ordered_json;

}  // namespace

std::string figures_json(const LiveFigures& figures) {
  Json json = {{"drive", figures.drive},
               {"simulated_s", figures.simulated_s},
               {"wall_s", figures.wall_s},
               {"clients", figures.clients},
               {"outstanding", figures.outstanding},
               {"wa", figures.write_amplification},
               {"free_superblocks", figures.free_superblocks},
               {"block_erases", figures.block_erases},
               {"power_cuts", figures.power_cuts},
               {"late", figures.late}};
  for (std::size_t op = 0; op < kOpCount; ++op)
    json[kOpNames[op]] = {{"requests", figures.requests[op]}, {"bytes", figures.bytes[op]}};
  const LiveFigures::Second& last = figures.last;
  json["last_second"] = {{"read_mb", last.read_mb}, {"write_mb", last.write_mb},       {"reads", last.reads},
                         {"writes", last.writes},   {"read_p99_us", last.read_p99_us}, {"write_p99_us", last.write_p99_us}};
  return json.dump(2) + "\n";
}

LiveFigures figures_of(const std::string& text, const std::string& where) {
  LiveFigures figures;
  try {
    const Json json = Json::parse(text);
    figures.drive = json.at("drive").get<std::string>();
    figures.simulated_s = json.at("simulated_s");
    figures.wall_s = json.at("wall_s");
    figures.clients = json.at("clients");
    figures.outstanding = json.at("outstanding");
    figures.write_amplification = json.at("wa");
    figures.free_superblocks = json.at("free_superblocks");
    figures.block_erases = json.at("block_erases");
    figures.power_cuts = json.at("power_cuts");
    figures.late = json.at("late");
    for (std::size_t op = 0; op < kOpCount; ++op) {
      figures.requests[op] = json.at(kOpNames[op]).at("requests");
      figures.bytes[op] = json.at(kOpNames[op]).at("bytes");
    }
    const Json& last = json.at("last_second");
    figures.last = {last.at("read_mb"), last.at("write_mb"),    last.at("reads"),
                    last.at("writes"),  last.at("read_p99_us"), last.at("write_p99_us")};
  } catch (const Json::exception& wrong) {
    throw ConfigError({where, 0}, "", std::string("does not tell the figures of a served drive: ") + wrong.what());
  }
  return figures;
}

std::string figures_text(const LiveFigures& figures) {
  const auto requests = [&](Op op) { return figures.requests[static_cast<std::size_t>(op)]; };
  const auto mb = [&](Op op) { return static_cast<double>(figures.bytes[static_cast<std::size_t>(op)]) / 1e6; };
  const LiveFigures::Second& last = figures.last;
  std::string text = fmt::format("{}   simulated {:.3f} s   served for {:.1f} s   clients {}   outstanding {}\n",
                                 figures.drive, figures.simulated_s, figures.wall_s, figures.clients, figures.outstanding);
  text += fmt::format("last second   read  {:9.2f} MB/s {:9} IOPS   p99 {:10.1f} us\n", last.read_mb, last.reads,
                      last.read_p99_us);
  text += fmt::format("              write {:9.2f} MB/s {:9} IOPS   p99 {:10.1f} us\n", last.write_mb, last.writes,
                      last.write_p99_us);
  text += fmt::format("in all        read  {:9.1f} MB   write {:9.1f} MB   trim {:9.1f} MB   flushes {}\n", mb(Op::read),
                      mb(Op::write), mb(Op::trim), requests(Op::flush));
  text += fmt::format("write amplification since the beginning {:.3f}   free superblocks {}   blocks erased {}\n",
                      figures.write_amplification, figures.free_superblocks, figures.block_erases);
  text += fmt::format("power cuts {}   late answers {}\n", figures.power_cuts, figures.late);
  return text;
}

}  // namespace ftlab
