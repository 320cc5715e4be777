#include "sim/config/problems.h"

#include <algorithm>

#include "sim/config/keys.h"

namespace ftlab {
namespace {

bool is_in(std::string_view path, std::string_view object) {
  if (object.empty()) return true;
  return path.starts_with(object) &&
         (path.size() == object.size() || path[object.size()] == '.' || path[object.size()] == '[');
}

}  // namespace

void Problems::add(std::string_view path, const ConfigError& error) {
  if (std::find(messages_.begin(), messages_.end(), error.what()) != messages_.end()) return;
  paths_.emplace_back(path);
  messages_.emplace_back(error.what());
}

bool Problems::touch(std::string_view path) const {
  return std::any_of(paths_.begin(), paths_.end(),
                     [path](const std::string& found) { return is_in(found, path) || is_in(path, found); });
}

void Problems::explain(std::string_view object, std::string_view key, const void* member, std::string_view meaning) {
  if (keys_ != nullptr) keys_->add(object, key, member, meaning);
}

void Problems::refuse_if_any() const {
  if (messages_.empty()) return;
  std::string all;
  for (std::size_t i = 0; i < std::min(messages_.size(), kMost); ++i) all += (i > 0 ? "\n" : "") + messages_[i];
  if (messages_.size() > kMost)
    all += "\nand " + std::to_string(messages_.size() - kMost) + " more problems; only the first " + std::to_string(kMost) +
           " are shown";
  throw ConfigError(all);
}

}  // namespace ftlab
