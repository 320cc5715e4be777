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
#include "ftl/map_search.h"
#include "ftl/reserved_work.h"
#include "ftl/scan_timer.h"
#include "models/controller/controller.h"
#include "models/controller/read_ahead.h"
#include "models/dram/dram.h"
#include "models/link/host_queues.h"
#include "models/link/link.h"
#include "models/nand/backend.h"
#include "models/nand/flash_journal.h"
#include "models/nand/media_errors.h"
#include "models/nand/medium.h"
#include "models/power/activity.h"
#include "sim/device.h"
#include "sim/outstanding.h"
#include "sim/signature.h"

namespace ftlab {

class PageWalk;  // a request cut at the edges of logical pages

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
  // As of the moment when the last request is answered.
  Counters counters() const override { return counters_at(last_completion_); }
  Counters counters_at(Nanoseconds now) const override;
  // By mapping pages.
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
  // a power cut. Timings may differ; counters and time go on.
  // REQUIRES: no request outstanding, redesign_problem() is empty. Throws std::runtime_error when the scan finds that the
  // medium is too full for the new layer; the drive is then of no use any more.
  void redesign(const DriveConfig& design);

  // Cuts the power: everything in RAM is lost (with power-loss protection it is programmed first), and the translation
  // layer starts again from the medium. REQUIRES: no request outstanding. Simulated time goes on; the scan itself takes
  // none.
  void power_cycle();

  // Everything that the flash does is told to `journal` from now on; null: to nobody. REQUIRES: it lives on.
  void keep_journal(FlashJournal* journal);
  // As above, but at the moment `at`, which may lie before the end of what the flash was asked for: that gets the fates that
  // `choose` says, and `journal` begins anew. With power-loss protection everything ends. The power is off until the flash
  // would have been done. REQUIRES: the journal was kept since nothing was under way; the flash neither wears out nor errs.
  FlashJournal::Damage power_cycle(FlashJournal& journal, Nanoseconds at, const ChooseFate& choose);

  const Ftl& ftl() const { return *ftl_; }
  const Medium& medium() const { return medium_; }
  const FlashHealth* health() const { return health_.get(); }
  const MediaErrors* errors() const { return errors_.get(); }
  const Backend& backend() const { return backend_; }
  const WorkList& work() const { return work_list_; }
  Nanoseconds next_scan() const { return scans_.next(); }  // of the cells
  const Deduplication* deduplication() const { return deduplication_.get(); }
  void record_flash(std::vector<TimedOperation>* log) { backend_.record(log); }  // as Backend::record()
  const DriveConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  // Over the medium, the mapping and the counters as they are now. REQUIRES: versions are kept.
  void add_to(Signature& signature) const;
  // The same but for the versions of the data.
  void add_places_to(Signature& signature) const;

  // Ages a new drive by counting (counting_layer.h), which is faster than by requests (ftlab-bench): it is then as if all
  // its pages had been written in order once, and `overwrites` of them after that, each drawn from all alike. In which
  // superblock each page lies, and how often each was erased, is as a layer gives with one frontier that collects at the
  // last moment; where in the superblock is drawn, as is what stale pages held. What the flash did for it is not counted but
  // in bytes and erases. REQUIRES: counted_aging_problem() is empty.
  void age_by_counting(std::uint64_t overwrites, std::uint64_t seed);
  // Empty, or why this drive cannot be aged so.
  std::string counted_aging_problem() const;

  // Before the first request: this run has no power cut, is not saved, becomes no other design and reports no contents. The
  // drive then takes 8 bytes a page instead of 12, unless its design needs the versions of its data.
  void forget_versions();

 private:
  std::uint32_t superblocks_left_free() const;
  template <class Entry>
  void age_by_counting_in(std::uint64_t overwrites, std::uint64_t seed);
  struct Piece;  // what of a read comes with one operation
  // One page of a compressed read.
  struct PackedPage {
    std::uint32_t lpn;
    Ppn ppn;
    bool from_flash;    // it is not in RAM, and not read ahead
    Nanoseconds ready;  // of a page that is read ahead: when the last of its parts is there
  };
  // What of a compressed read comes with one operation: places of one stripe, the pages that have a part in them, and the
  // bytes of those that are complete with it. Or one page that is not read from the flash.
  struct PackedPart {
    Ftl::Found::Where where;
    BlockId block;
    std::uint32_t stripe;
    std::uint32_t first_page, end_page;  // of those that are read
    std::uint32_t flash_bytes = 0;
    std::uint64_t host_bytes = 0;
    const Nanoseconds* ahead = nullptr;  // from when on it is in RAM, of a page that was read ahead
    bool lost = false;                   // it is in RAM, but was made of a lost copy
  };
  bool at_rest() const;
  void begin(const Request& request, Nanoseconds entered);
  void begin_waiting(Nanoseconds now);
  void let_in(Nanoseconds until);
  void carry_out(const Request& request, Nanoseconds entered, Completion& done);
  // `worked`: until when the firmware is at the request, where that is later than the moment returned.
  Nanoseconds accept(const Request& request, Nanoseconds now, Completion& done, Nanoseconds& worked);
  Nanoseconds accept_in_detail(const Request& request, Nanoseconds now, Completion& done, Nanoseconds& worked);
  Nanoseconds work_beside_data(Nanoseconds now, Nanoseconds length, Completion& done, Nanoseconds& worked);
  Nanoseconds search_map(const Request& request);
  std::uint64_t unmapped_pages(const Request& request) const;
  Nanoseconds work(Nanoseconds now, Nanoseconds length, Completion& done);
  void read(const Request& request, Nanoseconds now, Completion& done);
  void write(const Request& request, Nanoseconds now, Completion& done);
  void trim(const Request& request, Nanoseconds now, Completion& done);
  template <class A>
  void archive(A& archive);
  void count_lost_pages();
  void start_again();
  std::unique_ptr<Ftl> new_layer();  // on what the medium holds
  static std::unique_ptr<ReadAhead> read_ahead_of(const DriveConfig& config);
  void replace_read_ahead(const DriveConfig& design);
  bool outlives_power() const;
  void force_to_flash(Completion& done);
  void notice_idle_time(Nanoseconds now);
  Nanoseconds wake(Nanoseconds now, Completion& done) const;
  Nanoseconds look_up(const Request& request, Nanoseconds now);
  void flush(Nanoseconds now, Completion& done);
  VersionRules version_rules() const;
  void tell_renumbering();
  void tell_refusal(const Request& request, std::uint64_t from_bytes);
  Piece next_piece(PageWalk& walk) const;
  std::uint32_t read_crossings(Ftl::Found::Where where) const;
  static bool reads_plainly(const DriveConfig& config);
  void read_page(const PageWalk& walk, Nanoseconds now, Completion& done);
  void read_pieces(const Request& request, Nanoseconds now, Completion& done);
  void gather_parts(const Request& request);
  void gather_flash_parts(Ppn ppn);
  // Of a read of the flash: its times; how much of the array's time went into reading again; `done`: when the data are
  // there, also what had to be rebuilt.
  struct TimedRead {
    Backend::ReadTimes times;
    Nanoseconds retries{0};
    Nanoseconds done{0};
    bool lost = false;
  };
  // Carries out what the layer asked for at `now`; data of the host that came with it are there at `arrival`.
  void execute(Nanoseconds now, Nanoseconds arrival);
  void execute(Nanoseconds now) { execute(now, now); }
  TimedRead execute_read(const PageStore::FlashRead& read, Nanoseconds now);
  template <class NextStep>
  void work_ahead(Nanoseconds from, Nanoseconds until, NextStep&& next_step);
  void look_after_cells(Nanoseconds now);
  void set_date(Nanoseconds now) {
    if (errors_) errors_->set_date(now);
  }
  TimedRead read_part(const PackedPart& part, Nanoseconds now);
  void note_packed_read(std::uint64_t tag);
  void read_packed(const Request& request, Nanoseconds now, Completion& done);
  Nanoseconds store(Nanoseconds now, std::uint64_t bytes);
  Nanoseconds make_fingerprint(const Request& request, const PageWalk& walk, Nanoseconds ready, WriteHints& hints,
                               Controller::Times& made);
  static void wait_for_fingerprints(const Controller::Times& made, Completion& done);
  Nanoseconds look_up_contents(const Request& request) const;
  void note_read(const Piece& piece, std::uint64_t tag);
  void read_ahead(const Request& request, Nanoseconds now);
  TimedRead fetch_ahead(const Piece& piece, Nanoseconds now);
  void fetch_packed_ahead(const Request& ahead, Nanoseconds now);
  TimedRead read_flash(const Piece& piece, std::uint32_t stripe, std::uint32_t bytes, Nanoseconds now);
  Nanoseconds deliver(const TimedRead& read, Nanoseconds from, std::uint64_t bytes, std::uint32_t crossings,
                      Nanoseconds command, Completion& done);
  void answer(Completion& done);

  DriveConfig config_;
  std::uint64_t seed_;
  bool timed_;
  Medium medium_;
  std::unique_ptr<FlashHealth> health_;           // null: nothing wears out or fails
  std::unique_ptr<MediaErrors> errors_;           // null: no bit is ever wrong
  std::unique_ptr<Deduplication> deduplication_;  // null: every page has its own content
  Backend backend_;
  WorkList work_list_;
  std::unique_ptr<ReservedWork> executor_;
  ScanTimer scans_;
  std::uint64_t host_places_ = 0;  // of the layer, at the last execution
  Link link_;
  bool details_;      // what DriveConfig::details() says
  bool plain_reads_;  // what reads_plainly() says
  HostQueues queues_;
  Controller controller_;
  Dram dram_;
  MapSearch map_search_;
  Timeline fingerprinting_;                // the engine that makes the hashes of deduplication
  std::unique_ptr<ReadAhead> read_ahead_;  // null: nothing is read ahead
  std::unique_ptr<Ftl> ftl_;
  Outstanding outstanding_;
  ContentLog* contents_ = nullptr;
  std::vector<PackedPage> packed_pages_;  // of one request; kept for their memory, as the parts
  std::vector<PackedPart> packed_parts_;
  Version told_version_{0};               // the newest when it was last told
  std::vector<std::uint32_t> positions_;  // of the pages of a piece, for a flash that errs

  Activity activity_;               // of a drive with a power model
  Nanoseconds last_completion_{0};  // of all requests so far: when the drive falls silent
  Nanoseconds not_before_{0};       // a trim that is not queued holds the others back until then

  // Pages of announced requests, for the second step of prefetching.
  static constexpr std::uint32_t kExpected = 16;
  Lpn expected_[kExpected] = {};
  std::uint32_t expected_count_ = 0;

  void add_map_and_counters_to(Signature& signature) const;
  Counters layer_counters() const;
  void add_failures(Counters& all) const;
  void add_flash_work(Counters& all) const;
  void add_energy(Counters& all, Nanoseconds now) const;
  void add_errors(Counters& all) const;
  void add_deduplication(Counters& all) const;
  Counters host_;  // what the host asked for
  Counters past_;  // of translation layers before a power cut
};

}  // namespace ftlab
