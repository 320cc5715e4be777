// Records the requests of a served drive's clients as a trace that `ftlab run` replays: lines in blkparse's format with the
// simulated time of each request in nanoseconds. Power cuts are message lines (sim/power_event.h), which other readers of
// blkparse text skip. Written while the drive is served, so a killed server leaves a partial trace.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "sim/request.h"

namespace ftlab {

class RequestRecording {
 public:
  // Throws ConfigError if the file exists or cannot be created.
  explicit RequestRecording(const std::string& path);

  // REQUIRES for all functions: times do not decrease.
  void add(const Request& request);
  // Watching the flash starts now. REQUIRES: nothing is outstanding.
  void add_watch(Nanoseconds at);
  // The power fails. `fates`: see PowerEvent.
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
