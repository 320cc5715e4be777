// What the clients of a served drive asked for, as a trace that `ftlab run` replays: lines as blkparse writes them, with the
// simulated time of each request in nanoseconds. Power cuts are messages among them (sim/power_event.h), which other readers
// of blkparse's text pass over. It grows while the drive is served, so a killed server leaves a part.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "sim/request.h"

namespace ftlab {

class RequestRecording {
 public:
  // Throws ConfigError when the file exists already or cannot be made.
  explicit RequestRecording(const std::string& path);

  // REQUIRES of all: times do not decrease.
  void add(const Request& request);
  // The flash is watched from now on, with nothing outstanding.
  void add_watch(Nanoseconds at);
  // The power fails; `fates` as in PowerEvent.
  void add_cut(Nanoseconds at, std::uint64_t fates);
  // Throws OutputError.
  void flush();
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void add_line(Nanoseconds at, const std::string& rest);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t lines_ = 0;
};

}  // namespace ftlab
