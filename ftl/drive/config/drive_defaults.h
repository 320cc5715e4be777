// What a drive file may leave out because nearly all drives have it alike. A drive is simulated, shown and echoed with these
// values in their places, and "default" as where they come from.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// The "file" of values that nobody stated.
inline constexpr char kDefaultFile[] = "default";

struct DriveDefault {
  std::string key;     // dotted path
  std::string value;   // as a drive file states it: digits, or a name
  std::string source;  // why this is the default
};

// Of an SSD's document: the defaults of the keys that it has not, as its other values ask for them.
std::vector<DriveDefault> missing_defaults(const Node& document);
// The document with them.
Node with_defaults(Node document);

}  // namespace ftlab
