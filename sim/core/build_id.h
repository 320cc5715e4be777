// Identifies the sources of this build. A state kept by one build is not loaded by another, whose simulation may differ.
#pragma once

namespace ftlab {

// 16 hexadecimal digits: a hash over all sources of the simulator, made by build_id.cmake.
const char* build_id();

}  // namespace ftlab
