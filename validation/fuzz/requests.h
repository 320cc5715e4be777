// Requests of every kind to a drive that was made from an input.
#pragma once

#include "ftl/drive/drive.h"

namespace ftlab::fuzz {

// Runs `requests` requests one at a time, starting when the drive is idle. Returns the simulated time that they took.
Nanoseconds use_drive(Drive& drive, int requests);

}  // namespace ftlab::fuzz
