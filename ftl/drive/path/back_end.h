// The flash behind the layer: what it holds, how it wears out and errs, and the engine that executes what the layer orders.
#pragma once

#include <memory>
#include <optional>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/drive/config/drive_config.h"
#include "ftl/layer/ftl.h"
#include "ftl/mapping/deduplication.h"
#include "models/nand/array/medium.h"
#include "models/nand/reliability/life_curve.h"
#include "models/nand/reliability/media_errors.h"
#include "models/nand/schedule/flash_engine.h"
#include "models/nand/schedule/work_list.h"

namespace ftlab {

struct BackEnd {
  BackEnd(const DriveConfig& config, bool timed);

  // An idle engine as the configuration says. Counters continue.
  void make_engine(const DriveConfig& config, bool timed);
  // Another design on the same flash.
  void redesign(const DriveConfig& config, bool timed);
  // A layer on what the medium holds.
  std::unique_ptr<Ftl> new_layer(const DriveConfig& config, std::uint64_t seed);
  // With a clock, programs and reads go into the engine.
  void set_timed(bool timed) { work.set_engine(timed ? &*engine : nullptr); }

  Medium medium;
  std::optional<BadBlockTable> health;         // nothing: no block wears out or fails
  std::optional<MediaErrors> errors;           // nothing: no bit is ever wrong
  std::optional<LifeCurve> life_curve;         // nothing: writes may come as fast as they can
  std::optional<Deduplication> deduplication;  // nothing: every page has its own content
  WorkList work;
  std::optional<FlashEngine> engine;
};

}  // namespace ftlab
