// A simulated SSD behind the seam: link, controller, translation layer and flash put together, one request at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ftl/drive_config.h"
#include "ftl/flash_health.h"
#include "ftl/ftl.h"
#include "models/link/link.h"
#include "models/nand/backend.h"
#include "models/nand/media_errors.h"
#include "models/nand/medium.h"
#include "sim/device.h"
#include "sim/event_queue.h"
#include "sim/signature.h"
#include "sim/timeline.h"

namespace ftlab {

enum class Clock : std::uint8_t {
  timed,
  untimed  // everything is done at once: to age a drive, to find its write amplification
};

class Drive final : public Device {
 public:
  // `seed`: of all chance inside the drive.
  Drive(const DriveConfig& config, Clock clock, std::uint64_t seed = 1);

  DeviceInfo info() const override;
  void expect(const Request& request) override;
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  Counters counters() const override;
  // By mapping pages. Takes the place of record_reads().
  std::optional<VersionRules> report_contents(ContentLog* log) override;

  // Goes on with the other clock, from the same state: a drive is aged untimed and then measured timed. REQUIRES: no
  // request outstanding.
  void set_clock(Clock clock);

  // The whole state as bytes (sim/archive.h): aged once, continued by many. A drive made from the same configuration and
  // given the bytes goes on exactly as this one. REQUIRES: no request outstanding.
  std::string save();
  // The same, handed over piece by piece: takes no memory of the state's size. Walks the state twice.
  void save(const std::function<void(std::string_view)>& sink);
  // Takes up a saved state. Throws ArchiveError when the bytes are damaged or do not fit this drive; the drive is then of no
  // use any more. REQUIRES: no request outstanding.
  void load(std::string_view state);

  // From when on nothing is under way: the moment at which a run begins that finds the drive idle.
  Nanoseconds idle_from() const;

  // Empty, or why the medium of this drive cannot be taken over by another design: other flash, another mapping page,
  // another user capacity, or a layer that could not read what this one has written.
  std::string redesign_problem(const DriveConfig& design) const;
  // Goes on as another design: what waits in RAM is programmed, then the new layer is made by its power-on scan, as after
  // a power cut. Timings may differ; counters and time go on. Trims are not on the medium: see ftl/recover.cpp.
  // REQUIRES: no request outstanding, redesign_problem() is empty. Throws std::runtime_error when the scan finds that the
  // medium is too full for the new layer; the drive is then of no use any more.
  void redesign(const DriveConfig& design);

  // Cuts the power: everything in RAM is lost (with power-loss protection it is programmed first), and the translation
  // layer starts again from the medium. REQUIRES: no request outstanding. Simulated time goes on; the scan itself takes
  // none.
  void power_cycle();

  // What a read of each page returned, for a shadow that knows what it should be.
  struct SeenRead {
    std::uint64_t tag;
    Lpn lpn;
    Version version;
  };
  void record_reads(std::vector<SeenRead>* log) { seen_reads_ = log; }

  const Ftl& ftl() const { return *ftl_; }
  const Medium& medium() const { return medium_; }
  const FlashHealth* health() const { return health_.get(); }
  const MediaErrors* errors() const { return errors_.get(); }
  const Backend& backend() const { return backend_; }
  const DriveConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  // Over the medium, the mapping and the counters as they are now.
  void add_to(Signature& signature) const;

 private:
  struct PageWalk;  // a request cut at the edges of logical pages
  struct Piece;     // what of a read comes with one operation
  std::uint32_t take_completion();
  std::size_t take_at_once(std::span<Completion> out);
  void carry_out(const Request& request, Completion& done);
  void read(const Request& request, Nanoseconds now, Completion& done);
  void write(const Request& request, Nanoseconds now, Completion& done);
  void trim(const Request& request, Nanoseconds now, Completion& done);
  template <class A>
  void archive(A& archive);
  void count_lost_pages();
  bool outlives_power() const;
  void force_to_flash(Completion& done);
  void notice_idle_time(Nanoseconds now);
  Nanoseconds look_up(const Request& request, Nanoseconds now, Completion& done);
  void flush(Nanoseconds now, Completion& done);
  VersionRules version_rules() const;
  void tell_contents();
  void tell_refusal(const Request& request, std::uint64_t from_bytes);
  Piece next_piece(PageWalk& walk, std::uint64_t tag);
  PageStore::FlashRead read_flash(const Piece& piece, std::uint32_t stripe, std::uint32_t bytes, Nanoseconds now);
  Nanoseconds deliver(const PageStore::FlashRead& read, Nanoseconds from, std::uint64_t bytes, Nanoseconds command,
                      Completion& done);

  DriveConfig config_;
  std::uint64_t seed_;
  bool timed_;
  Medium medium_;
  std::unique_ptr<FlashHealth> health_;  // null: nothing wears out or fails
  std::unique_ptr<MediaErrors> errors_;  // null: no bit is ever wrong
  Backend backend_;
  Link link_;
  Timeline firmware_;
  std::unique_ptr<Ftl> ftl_;
  // The queue orders small numbers; the completions themselves lie still in `completions_`.
  EventQueue<std::uint32_t> outstanding_;
  std::vector<Completion> completions_;
  std::vector<std::uint32_t> at_once_;  // of an untimed drive: all are done at the same instant, in order
  std::size_t at_once_taken_ = 0;
  std::vector<std::uint32_t> free_completions_;
  std::vector<SeenRead>* seen_reads_ = nullptr;
  ContentLog* contents_ = nullptr;
  std::vector<SeenRead> untold_reads_;     // that contents_ does not know yet
  Version told_version_{0};                // the newest when it was last told
  std::vector<std::uint32_t> positions_;   // of the pages of a piece, for a flash that errs

  Nanoseconds last_completion_{0};  // of all requests so far: when the drive falls silent
  Nanoseconds not_before_{0};       // a trim that is not queued holds the others back until then

  // Pages of announced requests, for the second step of prefetching.
  static constexpr std::uint32_t kExpected = 16;
  Lpn expected_[kExpected] = {};
  std::uint32_t expected_count_ = 0;

  Counters layer_counters() const;
  void add_failures(Counters& all) const;
  void add_errors(Counters& all) const;
  Counters host_;  // what the host asked for
  Counters past_;  // of translation layers before a power cut
};

}  // namespace ftlab
