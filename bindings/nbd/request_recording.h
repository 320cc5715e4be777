// What the clients of a served drive asked for, as a trace that `ftlab run` replays: lines as blkparse writes them, with the
// simulated time of each request in nanoseconds. It grows while the drive is served, so a killed server leaves a part.
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

  void add(const Request& request);
  // Throws OutputError.
  void flush();
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t lines_ = 0;
};

}  // namespace ftlab
