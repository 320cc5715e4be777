#include "bindings/nbd/request_recording.h"

#include <cerrno>
#include <cstring>

#include "sim/config/error.h"
#include "validation/results/result_folder.h"

namespace ftlab {
namespace {

// Letters of blkparse: an F behind W is forced unit access.
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
  constexpr unsigned long long kSecond = 1'000'000'000;
  const unsigned long long at = request.issued.count();
  std::fprintf(file_.get(), "0,0 0 %llu %llu.%09llu 0 D %s %llu + %llu [ftlab]\n", static_cast<unsigned long long>(++lines_),
               at / kSecond, at % kSecond, letters_of(request),
               static_cast<unsigned long long>(request.offset_bytes / kSectorBytes),
               static_cast<unsigned long long>(request.length_bytes / kSectorBytes));
}

void RequestRecording::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) throw OutputError(path_ + ": " + std::strerror(errno));
}

}  // namespace ftlab
