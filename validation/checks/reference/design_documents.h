// For tests: small drives of every design, as documents.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ftl/drive/config/drive_config.h"
#include "sim/config/document.h"
#include "sim/core/error.h"

namespace ftlab {

// Settings of each design beyond the common ones, by name. All have 12 MiB of flash: 48 superblocks of 64 pages of 4 KiB.
// The user space is 28 superblocks.
const std::map<std::string, const char*>& designs();

// Parsed as if set on the command line: numbers need no source. "zoned" is a design beside those above, as its host must
// write in order.
Node document(const std::string& design);

// Reason why the design with these assignments is refused; empty if accepted.
std::string refusal(const std::string& design, const std::vector<std::string>& assignments);

}  // namespace ftlab
