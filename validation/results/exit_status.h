// Exit status of the programs, as the interface promises.
#pragma once

namespace ftlab {

inline constexpr int kDone = 0;
inline constexpr int kOutputFailed = 1;   // standard output could not be written
inline constexpr int kRefused = 2;        // the input
inline constexpr int kDriveFailed = 3;    // simulated or real
inline constexpr int kResultFailed = 4;   // its own checks, the tolerances of a comparison, or it could not be kept
inline constexpr int kInterrupted = 130;  // as shells report SIGINT

}  // namespace ftlab
