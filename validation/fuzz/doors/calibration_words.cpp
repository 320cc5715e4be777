// Words of the command line with their own syntax, each read by its real parser. The first byte chooses the word.
#include "sim/core/error.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/observation.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"
#include "validation/run/traces/block_recording.h"

namespace ftlab::fuzz {
namespace {

void read_words(std::uint8_t which, const std::string& words) {
  static const Node drive = tiny_drive();
  if (which % 4 == 0) parse_fit_key(words, drive, which % 8 == 0 ? Reach::times : Reach::all);
  if (which % 4 == 1) PointFilter(words, "--only");
  if (which % 4 == 2) parse_figures(words);
  if (which % 4 == 3) read_recording_plan(words);
}

void enter_calibration_words(std::string_view input) {
  const std::uint8_t which = next_byte(input);
  try {
    read_words(which, std::string(input));
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> calibration_words_seeds() {
  return {std::string(1, '\0') + "nand.read_ns:20000:90000",
          "\4geometry.channels:1:4",
          "\1rw=randread,depth=1+2+4,bs=4k",
          "\2iops,mean,p99.9@rw=randread,jobs=1",
          "\3"
          "0:120s:500ms",
          "\3"
          "1:2:1"};
}

}  // namespace

Door calibration_words() { return {"calibration_words", enter_calibration_words, calibration_words_seeds, 128, 6}; }

}  // namespace ftlab::fuzz
