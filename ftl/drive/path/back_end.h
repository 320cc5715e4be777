// The flash below the layer: its content, wear and errors, and the engine that executes the layer's operations.
#pragma once

#include <memory>
#include <optional>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/drive/config/drive_config.h"
#include "ftl/drive/path/buffer_waits.h"
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

  // Makes an idle engine from the configuration. Counters continue.
  void make_engine(const DriveConfig& config, bool timed);
  // Changes the design on the same flash.
  void redesign(const DriveConfig& config, bool timed);
  // Makes a layer from the content of the medium.
  std::unique_ptr<Ftl> new_layer(const DriveConfig& config, std::uint64_t seed);
  // Programs and reads go into the engine only if timed.
  void set_timed(bool timed) { work.set_engine(timed ? &*engine : nullptr); }

  Medium medium;
  std::optional<BadBlockTable> health;         // empty: no block wears out or fails
  std::optional<MediaErrors> errors;           // empty: no bit errors
  std::optional<LifeCurve> life_curve;         // empty: writes are not throttled
  std::optional<Deduplication> deduplication;  // empty: every page has its own content
  WorkList work;
  std::optional<FlashEngine> engine;
  BufferWaits waits;  // of writes since forget_buffer_waits(); not saved with the drive
};

}  // namespace ftlab
