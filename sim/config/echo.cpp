#include "sim/config/echo.h"

#include <nlohmann/json.hpp>

namespace ftlab {

namespace {

using Json = nlohmann::ordered_json;

Json integer(const Node& node) {
  if (node.negative) return static_cast<std::int64_t>(0 - node.magnitude);
  if (!node.physical) return node.magnitude;
  if (node.file != kCommandLineFile) return {{"value", node.magnitude}, {"from", "assumed"}, {"source", kBareSource}};
  return {{"value", node.magnitude}, {"from", "command_line"}, {"source", kCommandLineFile}};
}

Json array(const Node& node) {
  Json list = Json::array();
  for (const Node& item : node.items) list.push_back(to_json(item));
  return list;
}

Json object(const Node& node) {
  Json members = Json::object();
  for (const auto& [key, value] : node.members) members[key] = to_json(value);
  return members;
}

}  // namespace

Json to_json(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return nullptr;
    case Node::Kind::boolean: return node.boolean;
    case Node::Kind::integer: return integer(node);
    case Node::Kind::real: return node.real;
    case Node::Kind::text: return node.text;
    case Node::Kind::array: return array(node);
    case Node::Kind::object: return object(node);
  }
  return nullptr;
}

}  // namespace ftlab
