// Requests of every kind, for a drive that came out of an input.
#pragma once

#include "ftl/drive/drive.h"

namespace ftlab::fuzz {

// So many, one at a time, from when the drive is idle on. Returns how long they took.
Nanoseconds use_drive(Drive& drive, int requests);

}  // namespace ftlab::fuzz
