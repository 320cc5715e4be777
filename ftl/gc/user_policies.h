// Policies supplied by the calling program, such as Python. They are code, so drive files cannot name them, and they are not
// saved with a drive: supply them again after loading.
#pragma once

#include <memory>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// Empty members: as the drive file says.
struct UserPolicies {
  GcPolicyMaker collection;
  std::shared_ptr<PlacementPolicy> placement;  // ftl.placement.scheme "streams" only, which sets the number of classes
  std::shared_ptr<CachePolicy> map_cache;      // ftl.mapping.scheme "demand" only

  DriveConfig overridden_by(DriveConfig config) const {
    config.ftl.gc.own = collection;
    config.ftl.placement.own = placement;
    config.ftl.mapping.cache.own = map_cache;
    return config;
  }
};

}  // namespace ftlab
