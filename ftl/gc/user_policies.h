// Policies that the program around a drive brings, Python for instance: code, not data, so that no drive file can name them.
// A drive that is saved does not keep them; whoever loads it gives them again.
#pragma once

#include <memory>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// What is empty is as the drive file says.
struct UserPolicies {
  GcPolicyMaker collection;
  std::shared_ptr<PlacementPolicy> placement;  // of a drive with ftl.placement.scheme "streams", which says how many classes
  std::shared_ptr<CachePolicy> map_cache;      // of a drive with ftl.mapping.scheme "demand"

  DriveConfig laid_over(DriveConfig config) const {
    config.ftl.gc.own = collection;
    config.ftl.placement.own = placement;
    config.ftl.mapping.cache.own = map_cache;
    return config;
  }
};

}  // namespace ftlab
