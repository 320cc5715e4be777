// The compilers' 128-bit integer under one name; -Wpedantic asks for the mark.
#pragma once

namespace ftlab {

__extension__ using Uint128 = unsigned __int128;

}  // namespace ftlab
