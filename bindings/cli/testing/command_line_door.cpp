// Fuzz target: the command line, one word per input line. Words are parsed, but no command runs.
#include "bindings/cli/command_line.h"

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"

namespace ftlab::fuzz {
namespace {

void enter_command_line(std::string_view input) {
  static CommandLine line;  // constructing it takes a thousand times as long as parsing
  std::vector<std::string> words;
  while (!input.empty()) words.emplace_back(next_part(input, '\n'));
  try {
    line.parse(std::move(words));
  } catch (const ConfigError&) {
  } catch (const CLI::ParseError&) {
  }
}

std::vector<std::string> command_line_seeds() {
  return {"run\na.fio\n--drive\nd\n--out\no\n--set\nftl.gc.policy=fifo\n--seed\n2\n--untimed",
          "run\nt\n--trace-format\nmsr\n--closed-loop\n4\n--trace-speed=200\n--out\no\n--until-steady\n2",
          "run\n--drive\nd\n--out\no\n--\nfio\n--name=a\n--rw=write\n--bs\n4k",
          "check\na.json\nb.fio\n--drive\nx\n--json",
          "compare\na\nb\n--json",
          "calibrate\n--drive\nb\n--measured\nm\n--fit\nnand.read_ns\nlink.read_command_ns\n--out\nn.json",
          "wa\n--policy\nd-choices\n--d\n10\n--op\n0.07",
          "theory\n--workload\nhot-cold:0.8:0.2",
          "serve\nd\n--socket\ns\n--inject\npower-cut@time:1\n--time\nscaled:2",
          "top\ns\n--once",
          "serve\nd\n--socket\ns\n--inject\npower-cut@time:1\n--time\nscaled:2",
          "top\ns\n--once",
          "measure\nj.fio\n--device\nf\n--create\n--size\n1g\n--out\no",
          "validate\n--quick\n--review\nkingston",
          "smart\ns\n--table\nintel",
          "drives\nshow\nx",
          "content\nf",
          "report\na\n--out\nb",
          "sweep\ng.json\n--out\nd",
          "--version",
          "run\n--help",
          "rum"};
}

}  // namespace

Door command_line() { return {"command_line", enter_command_line, command_line_seeds, 512, 2}; }

}  // namespace ftlab::fuzz
