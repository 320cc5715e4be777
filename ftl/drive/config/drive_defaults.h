// Keys that a drive file may omit because nearly all drives have the same value. A drive is simulated, shown and echoed with
// these values, with "default" as their origin.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// Origin of values that are not in the drive file.
inline constexpr char kDefaultFile[] = "default";

struct DriveDefault {
  std::string key;     // dotted path
  std::string value;   // as a drive file states it: digits, or a name
  std::string source;  // why this is the default
};

// Defaults of the keys that are missing in an SSD's document. They depend on its other values.
std::vector<DriveDefault> missing_defaults(const Node& document);
// Returns the document completed with them.
Node with_defaults(Node document);

}  // namespace ftlab
