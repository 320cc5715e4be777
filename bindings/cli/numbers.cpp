#include "bindings/cli/numbers.h"

#include <cstdio>
#include <string>

#include "ftl/drive/config/drive_defaults.h"

namespace ftlab {
namespace {

// True for a physical number: {"value": .., "from": .., "source": ..}.
bool states_source(const Node& node) { return node.kind == Node::Kind::object && node.find("value") && node.find("from"); }

void show_node(const Node& node, const std::string& path) {
  if (states_source(node)) {
    std::printf("%-32s %-14s %-10s %s\n", path.c_str(), node.find("value")->shown().c_str(), node.find("from")->text.c_str(),
                node.find("source")->text.c_str());
  } else if (node.kind == Node::Kind::object) {
    for (const auto& [key, value] : node.members) show_node(value, path.empty() ? key : path + "." + key);
  } else if (node.kind == Node::Kind::array && !node.items.empty() && node.items[0].kind == Node::Kind::object) {
    for (std::size_t i = 0; i < node.items.size(); ++i) show_node(node.items[i], path + "[" + std::to_string(i) + "]");
  } else if (node.physical && node.file != kCommandLineFile) {
    std::printf("%-32s %-14s %-10s %s\n", path.c_str(), node.shown().c_str(), "assumed", kBareSource);
  } else {
    const char* const from = node.file == kDefaultFile ? " default" : "";
    std::printf("%-32s %s%s\n", path.c_str(), node.shown().c_str(), from);
  }
}

void list_unstated(const Node& node, const std::string& path, std::string& assumed, std::string& defaults) {
  std::string& list = node.file == kDefaultFile ? defaults : assumed;
  const bool bare = node.physical && node.file != kCommandLineFile;
  if (bare || (node.file == kDefaultFile && (states_source(node) || node.kind != Node::Kind::object))) {
    const Node* const value = node.find("value");
    list += (list.empty() ? "" : ", ") + path + " " + (value == nullptr ? node : *value).text;
    return;
  }
  const std::string front = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : node.members) list_unstated(value, front + key, assumed, defaults);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    list_unstated(node.items[i], path + "[" + std::to_string(i) + "]", assumed, defaults);
}

}  // namespace

std::string unstated(const Node& document) {
  std::string assumed, defaults;
  list_unstated(document, "", assumed, defaults);
  std::string text;
  if (!assumed.empty()) text += "\n  assumed, plain numbers of the file: " + assumed;
  if (!defaults.empty()) text += "\n  default: " + defaults;
  return text;
}

void print_numbers(const Node& document) { show_node(document, ""); }

}  // namespace ftlab
