// A mistake in a drive file is reported once, at its own key: checks that depend on the wrong value are skipped, and all
// others run.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

bool is_object(const Node& node) { return node.kind == Node::Kind::object && node.find("value") == nullptr; }

// Visits each key of the object and of its nested objects.
template <class Visit>
void each_key(const Node& object, const std::string& path, Visit&& visit) {
  for (const Node::Member& member : object.members) {
    const std::string key = path + member.first;
    visit(key, member.second);
    if (is_object(member.second)) each_key(member.second, key + ".", visit);
  }
}

std::string refusal_of(const Node& changed) {
  try {
    read_drive(changed);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

}  // namespace

TEST_CASE("a value of the wrong type is one problem, reported at its key") {
  for (const auto& each : designs()) {
    const std::string& design = each.first;  // clang 14 captures no structured binding
    each_key(document(design), "", [&](const std::string& key, const Node& value) {
      const std::string said = refusal(design, {key + (value.kind == Node::Kind::array ? "=true" : "=[1]")});
      CAPTURE(design, key, said);
      CHECK(lines(said).size() == 1);
      CHECK((has(said, " " + key + ": must be ") || has(said, " " + key + ".value: must be ")));
    });
  }
}

// A scheme or kind decides which keys its object has, so a missing one may cause several problems.
TEST_CASE("a missing key is at most one problem, unless it is a scheme or kind") {
  for (const auto& each : designs()) {
    const std::string& design = each.first;  // clang 14 captures no structured binding
    const Node whole = document(design);
    each_key(whole, "", [&](const std::string& key, const Node&) {
      Node changed = whole;
      Node* object = &changed;
      std::size_t from = 0;
      for (std::size_t dot; (dot = key.find('.', from)) != key.npos; from = dot + 1)
        object = object->find(key.substr(from, dot - from));
      std::erase_if(object->members, [&](const auto& member) { return member.first == key.substr(from); });
      const std::string said = refusal_of(changed);
      CAPTURE(design, key, said);
      if (lines(said).size() <= 1) return;
      CHECK((key.ends_with(".scheme") || key.ends_with(".kind")));
      for (const std::string& line : lines(said)) CHECK(has(line, " " + key.substr(0, from)));
    });
  }
}

// Objects measured in units of another object are checked only if that one is valid.
TEST_CASE("objects that do not depend on a wrong object are still checked") {
  const std::map<std::string, std::vector<std::string>> waits = {
      {"user_sectors", {"ftl.superblock", "ftl.compression", "ftl.placement"}},
      {"geometry", {"ftl.superblock", "ftl.compression", "ftl.placement", "cells"}},
      {"nand", {"ftl.slc_cache", "ftl.pslc_mode", "cells", "power"}},
      {"ftl.mapping", {"ftl.superblock", "ftl.compression", "ftl.placement"}}};
  const auto waits_for = [&waits](const std::string& object, const std::string& other) {
    const auto those = waits.find(other);
    return those != waits.end() && std::find(those->second.begin(), those->second.end(), object) != those->second.end();
  };
  for (const auto& each : designs()) {
    const std::string& design = each.first;  // clang 14 captures no structured binding
    std::vector<std::string> objects;
    each_key(document(design), "", [&](const std::string& key, const Node& value) {
      const std::size_t dots = static_cast<std::size_t>(std::count(key.begin(), key.end(), '.'));
      if (is_object(value) && key != "ftl" && dots == key.starts_with("ftl.")) objects.push_back(key);
    });
    std::vector<std::string> wrong = objects;
    wrong.push_back("user_sectors");
    for (const std::string& key : wrong) {
      for (const std::string& object : objects) {
        if (object == key || waits_for(key, object)) continue;
        const std::string said = refusal(design, {key + "=[1]", object + ".nonsense=1"});
        CAPTURE(design, key, object, said);
        CHECK(has(said, key));
        const auto those = waits.find(key);
        const bool waiting =
            those != waits.end() && std::find(those->second.begin(), those->second.end(), object) != those->second.end();
        CHECK(has(said, " " + object + ".nonsense: is not a known key") == !waiting);
        CHECK(lines(said).size() == (waiting ? 1 : 2));
      }
    }
  }
}
