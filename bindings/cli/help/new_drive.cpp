#include "bindings/cli/help/new_drive.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "bindings/cli/help/key_reference.h"
#include "ftl/drive/config/drive_defaults.h"
#include "sim/config/echo.h"
#include "sim/core/error.h"
#include "sim/core/types.h"
#include "validation/calibrate/priors.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::uint64_t value, const std::string& source) {
  return {{"value", value}, {"from", "assumed"}, {"source", source}};
}
Json number(const PriorNumber& prior) { return number(prior.value, prior.source); }

std::uint64_t up(std::uint64_t amount, std::uint64_t part) { return (amount + part - 1) / part; }

Json geometry_of(const NewDrive& answers, const NandClass& flash) {
  const std::uint64_t user = answers.user_sectors * kSectorBytes;
  const std::uint64_t physical = user / 1000 * (1000 + answers.over_provisioning_permille) + user % 1000;
  std::uint64_t dies = answers.dies;
  if (dies == 0) dies = std::min<std::uint64_t>(up(up(physical, flash.die_bytes), answers.channels), 64) * answers.channels;
  constexpr std::uint64_t kSuperblocks = 1024, kLeastPages = 32;
  std::uint64_t pages = flash.pages_per_block;
  const auto blocks = [&] { return up(physical, dies * flash.planes * pages * flash.page_bytes); };
  while (blocks() < kSuperblocks && pages % 2 == 0 && pages / 2 >= kLeastPages) pages /= 2;
  const std::string few =
      pages == flash.pages_per_block ? flash.source : "fewer than the flash has: a small drive, of many superblocks";
  Json geometry;
  geometry["channels"] = number(answers.channels, "answer at ftlab init");
  geometry["chips_per_channel"] = number(
      dies / answers.channels,
      fmt::format("one die a chip, of {} GiB unless given: {}", flash.die_bytes >> 30, flash.die_source));
  geometry["dies_per_chip"] = number(1, "one die a chip");
  geometry["planes_per_die"] = number(flash.planes, flash.source);
  geometry["blocks_per_plane"] = number(blocks(), "the capacity and its over-provisioning");
  geometry["pages_per_block"] = number(pages, few);
  geometry["page_bytes"] = number(flash.page_bytes, flash.source);
  return geometry;
}

Json nand_of(const NandClass& flash) {
  Json nand = {{"cell", flash.cell}};
  for (const auto& [key, value] : flash.times) nand[key] = number(value, flash.source);
  nand["bus"] = flash.bus;
  nand["cache_program"] = true;
  if (*flash.settings != 0) nand.update(Json::parse(flash.settings));
  return nand;
}

Json link_of(const std::string& interface) {
  if (!interface.starts_with("nvme")) return {{"kind", interface}};
  const auto digit = [&](std::size_t at) { return static_cast<std::uint64_t>(interface.at(at) - '0'); };
  return {{"kind", "nvme"},
          {"generation", number(digit(5), "answer at ftlab init")},
          {"lanes", number(digit(7), "answer at ftlab init")},
          {"max_payload_bytes", number(kPacketBytes)},
          {"read_command_ns", number(kLineNs)},
          {"write_command_ns", number(kLineNs.value, "see read_command_ns")},
          {"queue_depth", number(kQueueDepth)},
          {"queues", number(kQueues)},
          {"commands", number(kCommands)}};
}

Json controller_of(const std::string& interface) {
  const Json command = number(command_ns(interface.starts_with("nvme")));
  return {{"read_command_ns", command}, {"write_command_ns", command}};
}

Json pslc_mode_of(const NewDrive& answers, const NandClass& flash) {
  const PslcPrior prior = pslc_prior(flash, answers.channels);
  return {{"free_space_permille", number(prior.free_space_permille)},
          {"fold", "when-short"},
          {"fold_ns", number(prior.fold_ns)}};
}

Json idle_of(const NewDrive& answers, std::uint64_t superblocks) {
  const std::uint64_t spare = superblocks * answers.over_provisioning_permille / (1000 + answers.over_provisioning_permille);
  return {{"after_ns", number(kIdleFoldingAfterNs)},
          {"stop_free_superblocks", std::max<std::uint64_t>(8, spare / 4)}};
}

// An enterprise drive: no pSLC cache, parity over its dies if they are many, a buffer that survives a power cut, and
// collection that is spread evenly over the host's writes.
void add_enterprise(Json& drive) {
  const auto dies = drive["geometry"]["channels"]["value"].get<std::uint64_t>() *
                    drive["geometry"]["chips_per_channel"]["value"].get<std::uint64_t>();
  if (dies >= kLeastDiesOfParity) drive["ftl"]["superblock"] = {{"parity", true}};
  drive["ftl"]["gc"]["pace"] = "even";
  drive["ftl"]["gc"]["pages_per_host_write"] = kPagesPerHostWrite;
  drive["ftl"]["write_buffer"]["power_loss_protected"] = true;
}

// The smallest usual mapping page for which 4-byte entries can address every physical page.
std::uint64_t indirection_unit(const Json& geometry) {
  std::uint64_t bytes = 1;
  for (const char* const key : {"channels", "chips_per_channel", "dies_per_chip", "planes_per_die", "blocks_per_plane",
                                "pages_per_block", "page_bytes"})
    bytes *= geometry[key]["value"].get<std::uint64_t>();
  for (const std::uint64_t unit : {4096u, 16384u, 32768u})
    if (bytes / unit < 0xffff'ff00u) return unit;
  return 65536;
}

// JSON text; the outermost object has a space after each colon and comma.
std::string on_one_line(const Node& node) {
  const Json json = to_json(node);
  if (!json.is_object()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) text += (text.empty() ? "" : ", ") + Json(key).dump() + ": " + value.dump();
  return "{" + text + "}";
}

void write_object(const Node& node, const std::string& path, const std::string& indent, std::string& text) {
  text += "{";
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    const auto& [key, value] = node.members[i];
    const std::string full = path.empty() ? key : path + "." + key;
    const KeyMeaning* meaning = meaning_of(full);
    if (meaning == nullptr) meaning = meaning_of(full + ".value");
    text += "\n";
    if (meaning != nullptr) text += indent + "// " + meaning->meaning + "; allowed: " + meaning->allowed + "\n";
    text += indent + Json(key).dump() + ": ";
    if (value.kind == Node::Kind::object && !is_sourced(value))
      write_object(value, full, indent + "  ", text);
    else
      text += on_one_line(value);
    if (i + 1 < node.members.size()) text += ",";
  }
  text += "\n" + indent.substr(2) + "}";
}

}  // namespace

const std::vector<std::string>& interface_names() {
  static const std::vector<std::string> names = {"sata-1.5", "sata-3",   "sata-6",   "sas-6",    "sas-12",
                                                 "nvme-3x2", "nvme-3x4", "nvme-4x2", "nvme-4x4", "nvme-5x4"};
  return names;
}

Node document_of(const NewDrive& answers) {
  const NandClass& flash = flash_class(answers.flash);
  Json drive = {{"name", answers.name}, {"user_sectors", number(answers.user_sectors, "answer at ftlab init")}};
  drive["geometry"] = geometry_of(answers, flash);
  drive["nand"] = nand_of(flash);
  drive["link"] = link_of(answers.interface);
  drive["controller"] = controller_of(answers.interface);
  if (const std::uint64_t unit = indirection_unit(drive["geometry"]); unit > 4096)
    drive["ftl"]["mapping"]["page_bytes"] =
        number(unit, "4-byte map entries name 2^32 pages; drives of such capacity map 16 KiB or more (Solidigm D5-P5336)");
  if (answers.enterprise) add_enterprise(drive);
  if (flash.bits > 2 && !answers.enterprise) {
    drive["ftl"]["pslc_mode"] = pslc_mode_of(answers, flash);
    drive["ftl"]["gc"]["idle"] = idle_of(answers, drive["geometry"]["blocks_per_plane"]["value"].get<std::uint64_t>());
  }
  return with_defaults(parse_document(drive.dump(), "ftlab init"));
}

std::string commented(const Node& document, const std::string& heading) {
  std::string text = "// " + heading + "\n";
  write_object(document, "", "  ", text);
  return text + "\n";
}

}  // namespace ftlab
