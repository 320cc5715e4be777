// Converts the options of `ftlab serve` to parameters of the nbdkit plugin, KEY=VALUE, and back.
#pragma once

#include <string>
#include <vector>

#include "bindings/nbd/served_drive.h"

namespace ftlab {

std::vector<std::string> plugin_words(const ServeOptions& options);
// Returns false for an unknown key or an invalid value.
bool take_plugin_option(ServeOptions& options, const std::string& key, const std::string& value);

}  // namespace ftlab
