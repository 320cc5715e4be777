// The options of `ftlab serve` as parameters of nbdkit's plugin, KEY=VALUE, and back.
#pragma once

#include <string>
#include <vector>

#include "bindings/nbd/served_drive.h"

namespace ftlab {

std::vector<std::string> plugin_words(const ServeOptions& options);
// False for a key that is none, or a value that it cannot have.
bool take_plugin_option(ServeOptions& options, const std::string& key, const std::string& value);

}  // namespace ftlab
