// A document that builds on another one: a top-level "extends": "base.json" names the file that is taken
// first; what this one says is laid over it (see overlay). The base may extend a further one.
#pragma once

#include <functional>
#include <string>

#include "sim/config/document.h"

namespace ftlab {

// Documents in one chain, the first one counted.
inline constexpr std::size_t kMaxExtends = 8;

// The document at `path` with everything it extends laid under it and the key "extends" removed. The name of
// a base is relative to the folder of the file that names it and must not lead out of it. `read_file` gives
// the content of a path or throws ConfigError; read_text_file does. Throws ConfigError for cycles and chains
// that are too long as well.
Node load_document(const std::string& path, const std::function<std::string(const std::string&)>& read_file);

}  // namespace ftlab
