#include "sim/config/extends.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/core/error.h"

namespace ftlab {

namespace {

namespace fs = std::filesystem;

constexpr char kKey[] = "extends";

// Removes the key from the document and returns its value.
std::optional<Node> take_base(Node& document) {
  const auto is_base = [](const auto& member) { return member.first == kKey; };
  const auto found = std::find_if(document.members.begin(), document.members.end(), is_base);
  if (found == document.members.end()) return std::nullopt;
  Node base = std::move(found->second);
  document.members.erase(found);
  return base;
}

[[noreturn]] void refuse(const Node& base, std::string_view problem, std::string_view allowed = {}) {
  throw ConfigError({base.file, base.line}, kKey, problem, base.shown(), allowed);
}

std::string base_path(const Node& base, const std::string& path) {
  constexpr char kAllowed[] = "a file name relative to the folder of this file, within that folder";
  if (base.kind != Node::Kind::text || base.text.empty()) refuse(base, "must name a file", kAllowed);
  const fs::path relative = fs::path(base.text).lexically_normal();
  if (relative.is_absolute() || *relative.begin() == "..") refuse(base, "leads out of the folder", kAllowed);
  return (fs::path(path).parent_path() / relative).lexically_normal().string();
}

using ReadFile = std::function<std::string(const std::string&)>;

Node parse_base(const Node& base, const std::string& path, const ReadFile& read_file) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const ConfigError& error) {
    throw ConfigError({base.file, base.line}, kKey, error.what());
  }
  Node document = parse_document(text, path);
  if (document.kind != Node::Kind::object) {  // overlay() would discard it without an error
    throw ConfigError({path, document.line}, "", "must be an object to be extended", document.shown());
  }
  return document;
}

}  // namespace

Node load_document(const std::string& path, const ReadFile& read_file) {
  std::vector<Node> chain{parse_document(read_file(path), path)};
  std::vector<std::string> paths{fs::path(path).lexically_normal().string()};
  while (const std::optional<Node> base = take_base(chain.back())) {
    const std::string next = base_path(*base, paths.back());
    if (std::find(paths.begin(), paths.end(), next) != paths.end()) refuse(*base, "extends itself in a circle");
    if (chain.size() == kMaxExtends) {
      refuse(*base, "makes the chain too long", "at most " + std::to_string(kMaxExtends) + " files");
    }
    chain.push_back(parse_base(*base, next, read_file));
    paths.push_back(next);
  }
  Node whole = std::move(chain.back());
  for (auto over = chain.rbegin() + 1; over != chain.rend(); ++over) overlay(whole, *over);
  return whole;
}

}  // namespace ftlab
