#include "bindings/nbd/request_recording.h"

#include <cerrno>
#include <cstring>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"
#include "sim/power_event.h"
#include "validation/results/result_folder.h"

namespace ftlab {
namespace {

// blkparse's letters; an F after W means forced unit access.
const char* letters_of(const Request& request) {
  switch (request.op) {
    case Op::read: return "R";
    case Op::write: return request.fua ? "WF" : "W";
    case Op::trim: return "D";
    case Op::flush: return "F";
  }
  return "N";
}

}  // namespace

RequestRecording::RequestRecording(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wxe")) {
  if (file_ == nullptr)
    throw ConfigError({"--record", 0}, "", path + " cannot be made: " + std::strerror(errno), {}, "a new file");
}

void RequestRecording::add(const Request& request) {
  add_line(request.issued, fmt::format("D {} {} + {} [ftlab]", letters_of(request), request.offset_bytes / kSectorBytes,
                                       request.length_bytes / kSectorBytes));
}

void RequestRecording::add_watch(Nanoseconds at) { add_line(at, fmt::format("m N {} {}", kPowerMessage, kWatchFlash)); }

void RequestRecording::add_cut(Nanoseconds at, std::uint64_t fates) {
  add_line(at, fmt::format("m N {} {} {}{}", kPowerMessage, kPowerCut, kFates, fates));
}

// Writes blkparse's columns: device, CPU, sequence number, time, process, and then the action.
void RequestRecording::add_line(Nanoseconds at, const std::string& rest) {
  constexpr unsigned long long kSecond = 1'000'000'000;
  const unsigned long long ns = at.count();
  std::fprintf(file_.get(), "0,0 0 %llu %llu.%09llu 0 %s\n", static_cast<unsigned long long>(++lines_), ns / kSecond,
               ns % kSecond, rest.c_str());
}

void RequestRecording::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) throw OutputError(path_ + ": " + std::strerror(errno));
}

}  // namespace ftlab
