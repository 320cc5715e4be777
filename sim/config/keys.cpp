#include "sim/config/keys.h"

#include "sim/core/check.h"

namespace ftlab {

void KeyLog::add(std::string_view object, std::string_view key, const void* member, std::string_view meaning) {
  std::string path;
  bool index = false;
  for (const char c : object) {
    index = index || c == '[';
    if (!index) path += c;
    index = index && c != ']';
  }
  path += (path.empty() ? "" : ".") + std::string(key);
  const std::string& stated = meanings_.emplace(path, meaning).first->second;
  FTLAB_CHECK(stated == meaning, path + " means " + stated + ", and " + std::string(meaning));
  const std::string& first = members_.emplace(std::pair(std::string(object), member), key).first->second;
  FTLAB_CHECK(first == key, path + " sets what " + first + " sets");
}

}  // namespace ftlab
