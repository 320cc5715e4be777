// Sums the counters of a drive's parts; computes the signature of its state.
#pragma once

#include "ftl/drive/path/drive_parts.h"
#include "models/power/activity.h"
#include "sim/core/signature.h"
#include "sim/counters.h"

namespace ftlab {

class Drive;

// Counters of the layer, added to `past`.
Counters count_layer(const DriveParts& drive, const Counters& past);
// Adds the counters of read-ahead, which outlives a layer.
void count_read_ahead(const FrontEnd& front, Counters& all);
// All counters at `now`. `past`: counters of the layers before a power cut or redesign.
Counters count_drive(const DriveParts& drive, const Activity& activity, const Counters& past, Nanoseconds now);

// Adds the medium, the mapping and the counters as they are now. REQUIRES: versions are kept.
void sign(const Drive& drive, Signature& signature);
// Like sign(), without the versions of the data.
void sign_slots(const Drive& drive, Signature& signature);
void sign_slots(const Drive& drive, SignaturePair& signatures);

}  // namespace ftlab
