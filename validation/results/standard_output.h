// Standard output as a result that may be lost.
#pragma once

namespace ftlab {

// Hands over what is buffered. `status`, or kOutputFailed with a sentence on stderr when something of it could not be
// written: a full disk, a closed pipe.
int checked_output(int status);

}  // namespace ftlab
