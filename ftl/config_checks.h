// Checks of a configuration after all its parts have been read. Each throws ConfigError.
#pragma once

#include <cstdint>
#include <string>

#include "ftl/config.h"

namespace ftlab {

// Features that cannot be combined.
void check_combinations(const Reader& reader, const FtlConfig& config);
// The same for zones, whose sizes are settled.
void check_zones(const Reader& reader, const FtlConfig& config, const Layout& layout);
// Superblocks for the data, the frontiers and the reserve, with the arithmetic in the message.
void check_space(const Reader& reader, const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages);

inline std::string text(std::uint64_t value) { return std::to_string(value); }

}  // namespace ftlab
