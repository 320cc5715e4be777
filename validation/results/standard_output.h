// Detects output that could not be written to stdout.
#pragma once

namespace ftlab {

// Flushes stdout. Returns `status`, or kOutputFailed with a sentence on stderr if any output could not be written: a full
// disk, a closed pipe.
int checked_output(int status);

}  // namespace ftlab
