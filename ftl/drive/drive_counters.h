// What the parts of a drive have counted, put together, and the signature of a drive's state.
#pragma once

#include "ftl/drive/drive_parts.h"
#include "models/power/activity.h"
#include "sim/core/signature.h"
#include "sim/stats/counters.h"

namespace ftlab {

class Drive;

// Of the layer alone, on top of `past`.
Counters count_layer(const DriveParts& drive, const Counters& past);
// As of `now`. `past`: of layers before a power cut or another design.
Counters count_drive(const DriveParts& drive, const Activity& activity, const Counters& past, Nanoseconds now);

// Adds the medium, the mapping and the counters as they are now. REQUIRES: versions are kept.
void sign(const Drive& drive, Signature& signature);
// The same without the versions of the data.
void sign_slots(const Drive& drive, Signature& signature);

}  // namespace ftlab
