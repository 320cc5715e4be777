// For tests: the keys of drive files, obtained from the drive file reader.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "validation/checks/reference/design_documents.h"

namespace ftlab {

// A key is a dotted path; items of a list share theirs.
struct DriveKeys {
  struct About {
    std::set<std::string> allowed;  // range or names, as stated in the reader's refusal; designs may differ
    bool seen = false;              // in some design's document
    bool may_be_left = false;       // a design that has it is accepted without it
    bool missed = false;            // a design has its object, but not the key
  };
  std::set<std::string> objects;  // present in some design; includes lists of objects
  std::set<std::string> allowed;
  std::map<std::string, About> about;  // all keys except objects
};

namespace drive_keys_detail {

// Message of the refusal; empty if the document is accepted.
inline std::string refused(const Node& root) {
  try {
    read_drive(root);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

inline std::vector<std::string> allowed_keys(const Node& root, Node& object) {
  object.members.emplace_back("9999", Node{});
  const std::string message = refused(root);
  object.members.pop_back();
  const std::string before = "allowed: ";
  const std::size_t start = message.find(before);
  FTLAB_CHECK(message.find("9999: is not a known key") != std::string::npos && start != std::string::npos, message);
  std::vector<std::string> keys;
  for (std::size_t at = start + before.size(); at < message.size();) {
    const std::size_t end = message.find_first_of(",)", at);
    keys.push_back(message.substr(at, end - at));
    at = message[end] == ')' ? message.size() : end + 2;
  }
  return keys;
}

inline std::string with(Node& root, Node& object, const std::string& key, Node value) {
  const std::vector<Node::Member> members = object.members;
  if (Node* const there = object.find(key)) {
    *there = std::move(value);
  } else {
    object.members.emplace_back(key, std::move(value));
  }
  const std::string message = refused(root);
  object.members = members;
  return message;
}

// Allowed values of the key; empty for objects and if another refusal comes first.
inline std::string values_of(Node& root, Node& object, const std::string& path, const std::string& key) {
  Node probe;
  probe.file = kCommandLineFile;
  probe.kind = Node::Kind::integer;
  probe.magnitude = std::numeric_limits<std::uint64_t>::max();
  probe.text = std::to_string(probe.magnitude);
  std::string message = with(root, object, key, probe);
  if (message.empty()) return "0 or more";
  if (message.find(": " + path + ": must be a text") != std::string::npos) {
    probe.kind = Node::Kind::text;
    probe.text = "9999";
    message = with(root, object, key, probe);
    if (message.empty()) return "text";
  }
  const std::size_t start = message.find(": " + path + ": ");
  if (start == std::string::npos) return {};
  const std::string words = message.substr(start + path.size() + 4);
  if (words.starts_with("must be true or false")) return "true, false";
  if (words.starts_with("must be a list")) return "list";
  const std::size_t allowed = words.find("allowed: ");
  if (allowed == std::string::npos) return probe.kind == Node::Kind::text ? "text" : "";
  const std::string values = words.substr(allowed + 9, words.find_first_of(";)", allowed) - allowed - 9);
  return values == "one of the two" ? "" : values;  // conflicts with another key of the object
}

inline void find(Node& root, Node& node, const std::string& key_path, const std::string& path, DriveKeys& keys) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    find(root, node.items[i], key_path, path + "[" + std::to_string(i) + "]", keys);
  }
  if (node.kind != Node::Kind::object) {
    if (node.kind == Node::Kind::array) keys.objects.insert(key_path);
    return;
  }
  keys.objects.insert(key_path);
  const auto below = [](const std::string& of, const std::string& key) { return of.empty() ? key : of + "." + key; };
  for (const std::string& key : allowed_keys(root, node)) {
    const std::string full = below(key_path, key);
    keys.allowed.insert(full);
    DriveKeys::About& about = keys.about[full];
    const std::string values = values_of(root, node, below(path, key), key);
    if (!values.empty()) about.allowed.insert(values);
    if (node.find(key) == nullptr) {
      about.missed = true;
      continue;
    }
    about.seen = true;
    const std::vector<Node::Member> members = node.members;
    std::erase_if(node.members, [&key](const Node::Member& member) { return member.first == key; });
    if (refused(root).empty()) about.may_be_left = true;
    node.members = members;
  }
  for (auto& [key, member] : node.members) find(root, member, below(key_path, key), below(path, key), keys);
}

}  // namespace drive_keys_detail

// Union over all designs.
inline DriveKeys drive_keys() {
  DriveKeys keys;
  for (const auto& [name, text] : designs()) {
    Node root = document(name);
    drive_keys_detail::find(root, root, "", "", keys);
  }
  Node zoned = document("zoned");
  drive_keys_detail::find(zoned, zoned, "", "", keys);
  for (const std::string& object : keys.objects) keys.about.erase(object);
  return keys;
}

}  // namespace ftlab
