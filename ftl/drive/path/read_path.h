// How a read finds its data and delivers them to the host, and read-ahead: first the map pages, then the pieces from flash
// and RAM, through the controller's memory, over the link in order.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/path/commands.h"
#include "ftl/drive/path/drive_parts.h"
#include "ftl/drive/path/fetches.h"
#include "ftl/drive/path/piece_finder.h"
#include "ftl/drive/path/pieces.h"
#include "ftl/drive/path/write_path.h"

namespace ftlab {

class ReadPath final : public HostReadSink {
 public:
  // REQUIRES: all arguments outlive it.
  ReadPath(DriveParts& drive, Commands& commands, WritePath& writes)
      : drive_(drive), commands_(commands), writes_(writes), finder_(drive) {
    restart();
  }

  // The firmware has finished its part: the read begins, unless it waits for a command on the same pages.
  void understood(std::uint32_t id);
  // The read's part of the map has been loaded.
  void map_known(std::uint32_t id);
  // A read of the flash has ended: now, or when the engine ran.
  Nanoseconds read_ended(const HostRead& read) override;
  void take(const HostRead& read);
  // A piece has been rebuilt, or has crossed the controller's memory.
  void piece_rebuilt(std::uint32_t id);
  void piece_ready(std::uint32_t id);
  // The firmware has produced the next unmapped page.
  void firmware_done(std::uint32_t id) {
    commands_[id].waits_for_firmware = false;
    deliver(id);
  }

  // Untimed: executes the whole read at once.
  void execute_untimed(const Request& request, Completion& done);

  // Starts without pieces, after a power cut or for another design.
  void restart();

  // Read-ahead may be in flight when no command is.
  template <class A>
  void archive(A& archive) {
    pieces_.archive(archive);
    fetches_.archive(archive);
  }

 private:
  class Sink;
  struct UntimedSink;

  void load_map(std::uint32_t id);
  void find_pieces(std::uint32_t id);
  template <class To>
  void read_ahead(const Request& request, To&& sink);
  void look_up(const Request& request, Signal& known);
  std::uint8_t crossings(bool flash, bool unmapped) const;
  void add_to_command(std::uint32_t id, Command& command);
  void await_pieces();
  void take_data(const HostRead& read);
  void take_piece(const HostRead& read, std::uint32_t id);
  void piece_there(std::uint32_t id);
  void make_ready(std::uint32_t id, Piece& piece);
  void end_fetch(std::uint32_t id);
  void send(Command& command, LatencyAccount& account, std::uint64_t bytes);
  void deliver_whole(std::uint32_t id, const HostRead::Times& read);
  void deliver(std::uint32_t command);
  bool wait_for_firmware(std::uint32_t id, Command& command, Completion& done);

  DriveParts& drive_;
  Commands& commands_;
  WritePath& writes_;
  PieceFinder finder_;
  Pieces pieces_;
  Fetches fetches_;
  std::vector<std::uint32_t> rebuilding_;     // pieces found last that wait for a rebuild
  std::vector<std::uint32_t> ready_at_once_;  // pieces found last that are in RAM
  bool finding_ = false;                      // nothing is delivered before all of a command's pieces are known
};

}  // namespace ftlab
