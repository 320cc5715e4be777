#include "bindings/nbd/served_drive.h"

#include <map>

#include "sim/traces/formats/fields.h"

namespace ftlab {
namespace {

const std::map<std::string, std::string ServeOptions::*>& texts() {
  static const std::map<std::string, std::string ServeOptions::*> all = {
      {"drive", &ServeOptions::drive},   {"host", &ServeOptions::host}, {"load", &ServeOptions::load},
      {"data", &ServeOptions::data},     {"save", &ServeOptions::save}, {"out", &ServeOptions::out},
      {"record", &ServeOptions::record}, {"time", &ServeOptions::time}};
  return all;
}

const std::map<std::string, std::vector<std::string> ServeOptions::*>& lists() {
  static const std::map<std::string, std::vector<std::string> ServeOptions::*> all = {{"set", &ServeOptions::settings},
                                                                                      {"inject", &ServeOptions::inject}};
  return all;
}

}  // namespace

std::vector<std::string> plugin_words(const ServeOptions& options) {
  std::vector<std::string> words;
  for (const auto& [key, member] : texts()) {
    if (!(options.*member).empty()) words.push_back(key + "=" + options.*member);
  }
  for (const auto& [key, member] : lists()) {
    for (const std::string& value : options.*member) words.push_back(key + "=" + value);
  }
  words.push_back("seed=" + std::to_string(options.seed));
  if (options.replace) words.push_back("replace=1");
  return words;
}

bool take_plugin_option(ServeOptions& options, const std::string& key, const std::string& value) {
  if (key == "seed") return read_number(value, options.seed);
  if (key == "replace") {
    options.replace = value == "1";
    return true;
  }
  if (const auto text = texts().find(key); text != texts().end()) {
    options.*(text->second) = value;
    return true;
  }
  const auto list = lists().find(key);
  if (list == lists().end()) return false;
  (options.*(list->second)).push_back(value);
  return true;
}

}  // namespace ftlab
