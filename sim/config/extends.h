// A document that builds on another one: a top-level "extends": "base.json" names a base, and this document is merged over
// it (see overlay). The base may extend another document.
#pragma once

#include <functional>
#include <string>

#include "sim/config/document.h"

namespace ftlab {

// Maximum number of documents in one chain, including the first one.
inline constexpr std::size_t kMaxExtends = 8;

// The document at `path` merged over everything it extends, with the key "extends" removed. The name of a base is relative
// to the folder of the file that names it and must not lead out of it. `read_file` returns the content of a path or throws
// ConfigError, like read_text_file(). Also throws ConfigError for cycles and for chains that are too long.
Node load_document(const std::string& path, const std::function<std::string(const std::string&)>& read_file);

}  // namespace ftlab
