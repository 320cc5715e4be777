// How a read finds its data and brings them to the host, and what is read ahead with it: the map's pages first, then its
// pieces from flash and RAM, through the controller's memory, over the link in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ftl/drive/path/commands.h"
#include "ftl/drive/path/drive_parts.h"
#include "ftl/drive/path/fetches.h"
#include "ftl/drive/path/piece_finder.h"
#include "ftl/drive/path/pieces.h"
#include "ftl/drive/path/write_path.h"

namespace ftlab {

class ReadPath {
 public:
  // REQUIRES: all outlive it.
  ReadPath(DriveParts& drive, Commands& commands, WritePath& writes)
      : drive_(drive), commands_(commands), writes_(writes), finder_(drive) {}

  // The firmware has done its part: the read begins, unless it waits for a command that concerns the same pages.
  void understood(std::uint32_t id);
  // Its part of the map has come from the flash.
  void map_known(std::uint32_t id);
  // The flash, what rebuilds lost pages, or the controller's memory has a piece.
  void piece_read(const FlashEngine::HostRead& read);
  void piece_rebuilt(std::uint32_t id);
  void piece_ready(std::uint32_t id);
  // The firmware has the next page without data.
  void firmware_done(std::uint32_t id) {
    commands_[id].waits_for_firmware = false;
    deliver(id);
  }

  // Without a clock: all of the read at once.
  void execute_untimed(const Request& request, Completion& done);

  // The power is cut: no piece is left.
  void clear() {
    pieces_.clear();
    fetches_.clear();
  }

  // Read-ahead may be in flight when no command is.
  template <class A>
  void archive(A& archive) {
    pieces_.archive(archive);
    fetches_.archive(archive);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  class Sink;
  struct UntimedSink;
  static std::span<const Rule<ReadPath>> rules();

  void find_pieces(std::uint32_t id);
  template <class To>
  void read_ahead(const Request& request, To&& sink);
  void look_up(const Request& request, Signal& known);
  std::uint8_t crossings(bool flash, bool unmapped) const;
  void add_to_command(std::uint32_t id, Command& command);
  void await_pieces();
  void piece_there(std::uint32_t id);
  void deliver(std::uint32_t command);
  bool wait_for_firmware(std::uint32_t id, Command& command, Completion& done);

  DriveParts& drive_;
  Commands& commands_;
  WritePath& writes_;
  PieceFinder finder_;
  Pieces pieces_;
  Fetches fetches_;
  std::vector<std::uint32_t> rebuilding_;     // pieces that were just found and wait for a rebuild
  std::vector<std::uint32_t> ready_at_once_;  // pieces that were just found in RAM
  bool finding_ = false;
};

}  // namespace ftlab
