// Reports to the host's log what reads return and which writes were refused (sim/content_log.h).
#pragma once

#include <cstdint>

#include "ftl/layer/ftl.h"
#include "sim/content_log.h"
#include "sim/request.h"

namespace ftlab {

class ContentReport {
 public:
  // Null disables the log.
  void set_log(ContentLog* log, Version newest) {
    log_ = log;
    reported_ = newest;
  }
  // The layer's versions continue from here, e.g. after a power cut.
  void restart(Version newest) { reported_ = newest; }

  void add_read(const Ftl& layer, std::uint64_t tag, std::uint32_t first_page, std::uint32_t pages) {
    if (log_ != nullptr) [[unlikely]]
      log_read(layer, tag, first_page, pages);
  }
  void add_refusal(const Request& request, std::uint64_t from_bytes) {
    if (log_ != nullptr) log_->refused.push_back({from_bytes, request.offset_bytes + request.length_bytes});
  }
  // Call when a request ends: records if the layer has renumbered all versions since the last call.
  void add_renumbering(const Ftl& layer) {
    if (log_ != nullptr) [[unlikely]]
      log_renumbering(layer);
  }

 private:
  [[gnu::noinline]] void log_read(const Ftl& layer, std::uint64_t tag, std::uint32_t first_page, std::uint32_t pages) {
    for (std::uint32_t l = first_page; l < first_page + pages; ++l)
      log_->returned.push_back({tag, l, number(layer.pages().version(Lpn{l}))});
  }
  [[gnu::noinline]] void log_renumbering(const Ftl& layer) {
    log_->renumbered = log_->renumbered || number(layer.pages().newest_version()) < number(reported_);
    reported_ = layer.pages().newest_version();
  }

  ContentLog* log_ = nullptr;
  Version reported_{0};  // newest version at the last report
};

}  // namespace ftlab
