// For tests: small drives of every design, as documents.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ftl/drive/config/drive_config.h"
#include "sim/config/document.h"
#include "sim/core/error.h"

namespace ftlab {

// What each drive has beyond the common part, by name. 12 MiB of flash: 48 superblocks of 64 pages of 4 KiB, of them 28 for
// the user's data.
const std::map<std::string, const char*>& designs();

// Read as if set on the command line: numbers need not say where they come from.
Node document(const std::string& design);

// Why the design with these assignments is refused; empty: it is taken.
std::string refusal(const std::string& design, const std::vector<std::string>& assignments);

}  // namespace ftlab
