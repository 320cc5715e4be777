// Exit status of the programs, and the check that their standard output was written.
#pragma once

#include <functional>
#include <string>

namespace ftlab {

// Exit status of the programs, part of their interface.
inline constexpr int kDone = 0;
inline constexpr int kOutputFailed = 1;   // standard output could not be written
inline constexpr int kRefused = 2;        // the input was refused
inline constexpr int kDriveFailed = 3;    // the simulated or real drive failed
inline constexpr int kResultFailed = 4;   // own checks or comparison tolerances failed, or the result could not be saved
inline constexpr int kInterrupted = 130;  // as shells report SIGINT

// Prints the message on stderr. Returns `status`.
int fail(int status, const std::string& message);

// Runs a command. An error is printed, with `unfinished` about the result if there was to be one. Returns the exit status.
int run_or_fail(const std::function<int()>& run, const std::string& unfinished);

// Flushes stdout. Returns `status`, or kOutputFailed with a sentence on stderr if any output could not be written: a full
// disk, a closed pipe.
int checked_output(int status);

}  // namespace ftlab
