// The compiler's 128-bit integer; __extension__ avoids a warning of -Wpedantic.
#pragma once

namespace ftlab {

__extension__ using Uint128 = unsigned __int128;

}  // namespace ftlab
