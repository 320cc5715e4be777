#include "bindings/cli/numbers.h"

#include <cstdio>
#include <string>

namespace ftlab {
namespace {

// A physical number: {"value": .., "from": .., "source": ..}.
bool is_sourced(const Node& node) { return node.kind == Node::Kind::object && node.find("value") && node.find("from"); }

void show_node(const Node& node, const std::string& path) {
  if (is_sourced(node)) {
    std::printf("%-32s %-14s %-10s %s\n", path.c_str(), node.find("value")->shown().c_str(), node.find("from")->text.c_str(),
                node.find("source")->text.c_str());
  } else if (node.kind == Node::Kind::object) {
    for (const auto& [key, value] : node.members) show_node(value, path.empty() ? key : path + "." + key);
  } else if (node.kind == Node::Kind::array && !node.items.empty() && node.items[0].kind == Node::Kind::object) {
    for (std::size_t i = 0; i < node.items.size(); ++i) show_node(node.items[i], path + "[" + std::to_string(i) + "]");
  } else {
    std::printf("%-32s %s\n", path.c_str(), node.shown().c_str());
  }
}

}  // namespace

void print_numbers(const Node& document) { show_node(document, ""); }

}  // namespace ftlab
