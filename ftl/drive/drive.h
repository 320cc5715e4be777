// A simulated SSD behind the seam: link, controller, translation layer and flash put together, one request at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/drive/command.h"
#include "ftl/drive/drive_config.h"
#include "ftl/drive/map_search.h"
#include "ftl/drive/page_conflicts.h"
#include "ftl/layer/ftl.h"
#include "ftl/read/scan_timer.h"
#include "models/controller/controller.h"
#include "models/controller/read_ahead.h"
#include "models/dram/dram.h"
#include "models/link/host_queues.h"
#include "models/link/link.h"
#include "models/nand/array/medium.h"
#include "models/nand/reliability/life_curve.h"
#include "models/nand/reliability/media_errors.h"
#include "models/nand/schedule/flash_engine.h"
#include "models/nand/schedule/flash_journal.h"
#include "models/nand/schedule/work_list.h"
#include "models/power/activity.h"
#include "sim/core/due_queue.h"
#include "sim/core/ring_buffer.h"
#include "sim/core/rule.h"
#include "sim/core/signature.h"
#include "sim/device.h"
#include "sim/host/completion_queue.h"

namespace ftlab {

class CountedWrites;
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

  // The whole state as bytes (sim/core/archive.h): aged once, continued by many. A drive made from the same configuration
  // and given the bytes goes on exactly as this one. REQUIRES: no request outstanding.
  std::string save();
  // The same, handed over piece by piece: takes no memory of the state's size. Walks the state twice.
  void save(const std::function<void(std::string_view)>& sink);
  // Takes up a saved state. Throws ArchiveError when the bytes are damaged or do not fit this drive; the drive is then of no
  // use any more. REQUIRES: no request outstanding.
  void load(std::string_view state);

  // Lets the flash finish all that is under way. Returns when it has: the moment at which a run begins that finds the drive
  // idle. REQUIRES: no request outstanding.
  Nanoseconds idle_from();
  // The latest moment that it knows of.
  Nanoseconds latest() const { return std::max(now_, last_completion_); }

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
  // As above, but at the moment `at`, amid what the flash was asked for: what runs then gets the fates that `choose` says,
  // what is queued never happens, and `journal` begins anew. With power-loss protection everything ends. REQUIRES: `at` is
  // not before the last completion; the journal was kept since nothing was under way; the flash neither wears out nor errs.
  FlashJournal::Damage power_cycle(FlashJournal& journal, Nanoseconds at, const ChooseFate& choose);

  const Ftl& ftl() const { return *ftl_; }
  const Medium& medium() const { return medium_; }
  const BadBlockTable* health() const { return health_.get(); }
  const MediaErrors* errors() const { return errors_.get(); }
  const FlashEngine& engine() const { return *engine_; }
  const WorkList& work() const { return work_; }
  Nanoseconds next_scan() const { return scans_.next(); }  // of the cells
  const Deduplication* deduplication() const { return deduplication_.get(); }
  void record_flash(std::vector<TimedOperation>* log) { engine_->record(log); }  // as FlashEngine::record()
  const DriveConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  // Over the medium, the mapping and the counters as they are now. REQUIRES: versions are kept.
  void add_to(Signature& signature) const;
  // The same but for the versions of the data.
  void add_slots_to(Signature& signature) const;

  // Ages the drive by `pages` uniform random writes without executing them (counted_writes.h). Valid pages per superblock,
  // free superblocks and erases are distributed as after real writes. Pages that are not written keep their order; stale
  // slots of filled superblocks are drawn. Up to one stripe more is written, so that no page is left in RAM. Of the media
  // counters, bytes and erases are maintained. REQUIRES: counted_aging_problem() is empty, versions are kept, no request
  // outstanding.
  void age_by_counting(std::uint64_t pages, std::uint64_t seed);
  // Empty, or why this drive cannot be aged so.
  std::string counted_aging_problem() const;

  // Before the first request: this run has no power cut, is not saved, becomes no other design and reports no contents. The
  // drive then takes 8 bytes a page instead of 12, unless its design needs the versions of its data.
  void forget_versions();

 private:
  void print(const CountedWrites& counted, std::uint64_t seed);  // into the medium (drive_aging.cpp)

  // --- time (drive_events.cpp) ---
  // What is due at a moment; with the number of a command, or of a piece of a read.
  enum class Due : std::uint32_t {
    understood,
    sent,
    stored,
    fingerprinted,
    crossed,
    deliver,
    programmed,
    mapped,
    rebuilt,
    trimmed,
    freed,
    allowed
  };
  static constexpr std::uint32_t kDueBits = 26;
  static constexpr std::uint64_t kMostPieces = 1u << kDueBits;
  static std::uint32_t due(Due what, std::uint32_t id) { return static_cast<std::uint32_t>(what) << kDueBits | id; }
  void schedule(Nanoseconds at, Due what, std::uint32_t id);
  void next_event(Nanoseconds until);
  Nanoseconds next_moment() const { return std::min({engine_->next(), due_.earliest(), next_place_}); }
  void step(Nanoseconds until);
  void happen(std::uint32_t due);
  void collect();
  bool may_admit() const;
  void run_until(Nanoseconds moment);
  void pass_time_until(Nanoseconds moment);
  // The layer and the flash are asked for something now.
  void set_date() {
    if (errors_) errors_->set_date(now_);
    engine_->set_now(now_);
  }
  // The engine takes what the layer has asked for.
  void hand_over() {
    if (!work_.records().empty()) engine_->accept(work_.records(), now_);
    work_.clear();
    if (config_.ftl.mapping.host_memory_bytes > 0) [[unlikely]]
      use_host_memory();
  }
  void use_host_memory();

  // --- silence (drive_idle.cpp) ---
  template <class NextStep>
  void work_ahead(Nanoseconds until, NextStep&& next_step);
  void use_idle_time(Nanoseconds until);
  void scan(Nanoseconds until);
  void skip_scans(Nanoseconds until);
  void scrub_cells();

  // --- commands (drive_commands.cpp) ---
  bool at_rest() const;
  bool is_valid(const Request& request) const;
  void execute_untimed(const Request& request);
  void read_untimed(std::uint32_t command, Completion& done);
  void begin(const Request& request);
  void begin_waiting();
  void hold_back_or_start(std::uint32_t command);
  void start(std::uint32_t command);
  Nanoseconds firmware(const Request& request, Command& command, Completion& done, Nanoseconds from);
  Nanoseconds search_map(const Request& request);
  std::uint64_t unmapped_pages(const Request& request) const;
  Nanoseconds look_up_contents(const Request& request) const;
  void understood(std::uint32_t command);
  void begin_trim(std::uint32_t command);
  void finish_trim(std::uint32_t command);
  std::uint32_t trim_pages(const Request& request, std::uint32_t& first) const;
  void begin_flush(std::uint32_t command);
  void finish_flush(std::uint32_t command);
  void finish(std::uint32_t command, Nanoseconds at);
  void end_trim_barrier();
  bool outlives_power() const;
  void wait_over(std::uint32_t command);
  void find_pages(Command& command) const;
  void took_effect(std::uint32_t command, bool changes);

  // --- writes (drive_writes.cpp) ---
  void admit();
  bool held_by_life_curve();
  void take_room(std::uint64_t before);
  enum class PageStep : std::uint32_t { sent, stored, known, count };
  Nanoseconds in_order(PageStep step, Nanoseconds at);
  void send_page(std::uint32_t command);
  void page_sent(std::uint32_t command);
  void page_stored(std::uint32_t command);
  void page_known(std::uint32_t command);
  void write_ready_pages();
  bool write_page(const Command& command, Completion& done, Lpn lpn, std::uint64_t offset, std::uint32_t bytes);
  void end_write(std::uint32_t command);
  void force_to_flash(std::uint32_t command);
  std::uint32_t page_bytes(const Command& command, std::uint32_t page, std::uint64_t& offset) const;
  WriteHints hints_of(const Request& request, std::uint64_t offset, std::uint32_t bytes) const;

  // --- reads (drive_reads.cpp) ---
  struct ReadFor;  // whom a read is for
  struct Found;    // neighbouring pages in one stripe of the flash, or one page that is not in the flash
  void begin_read(std::uint32_t command);
  void map_known(std::uint32_t command);
  void find_pieces(std::uint32_t command);
  void find_page_pieces(const Request& request, const ReadFor& whom);
  void find_packed_pieces(const Request& request, const ReadFor& whom);
  Found next_found(PageWalk& walk) const;
  void gather_parts(const Request& request);
  void gather_flash_parts(Ppn ppn);
  void add_flash_piece(const FlashRead& read, std::uint64_t bytes, const ReadFor& whom);
  void add_ram_piece(const PackedPart& part, std::uint32_t command);
  std::uint32_t new_fetch();
  bool is_fetching(std::uint32_t fetch) const;
  std::uint32_t new_piece();
  void add_piece(std::uint32_t piece);
  void read_ahead(const Request& request);
  void await_pieces();
  void piece_read(const FlashEngine::HostRead& read);
  void piece_there(std::uint32_t piece);
  void piece_ready(std::uint32_t piece);
  void piece_rebuilt(std::uint32_t piece);
  void fetch_piece_ready(std::uint32_t piece);
  void fetched(std::uint32_t fetch);
  void deliver(std::uint32_t command);
  void account(const Piece& piece, Command& command, Completion& done) const;
  std::uint8_t crossings(bool flash, bool unmapped) const;
  void note_read(std::uint64_t tag, std::uint32_t first_page, std::uint32_t pages);

  friend struct LoadedStates;
  static std::span<const Rule<Drive>> rules();
  template <class A>
  void archive(A& archive);
  void count_lost_pages();
  void start_again();
  void make_engine();
  void forget_what_waits();
  void forget_times();
  std::int64_t free_room() const;
  std::unique_ptr<Ftl> new_layer();  // on what the medium holds
  static std::unique_ptr<ReadAhead> read_ahead_of(const DriveConfig& config);
  void replace_read_ahead(const DriveConfig& design);
  VersionRules version_rules() const;
  void report_renumbering();
  void report_refusal(const Request& request, std::uint64_t from_bytes);

  DriveConfig config_;
  std::uint64_t seed_;
  bool timed_;
  Medium medium_;
  std::unique_ptr<BadBlockTable> health_;         // null: nothing wears out or fails
  std::unique_ptr<MediaErrors> errors_;           // null: no bit is ever wrong
  std::unique_ptr<LifeCurve> life_curve_;         // null: writes may come as fast as they can
  std::unique_ptr<Deduplication> deduplication_;  // null: every page has its own content
  WorkList work_;
  std::unique_ptr<FlashEngine> engine_;
  Nanoseconds now_{0};
  ScanTimer scans_;
  Link link_;
  HostQueues queues_;
  Controller controller_;
  Dram dram_;
  MapSearch map_search_;
  Timeline fingerprinting_;                // the engine that makes the hashes of deduplication
  std::unique_ptr<ReadAhead> read_ahead_;  // null: nothing is read ahead
  std::unique_ptr<Ftl> ftl_;
  CompletionQueue outstanding_;
  std::vector<Command> commands_;  // by slot in outstanding_
  std::vector<Piece> pieces_ = std::vector<Piece>(1);
  std::vector<std::uint32_t> free_pieces_;
  std::vector<std::uint32_t> rebuilding_;     // pieces that were just found: whose rebuilding is to be awaited ...
  std::vector<std::uint32_t> ready_at_once_;  // ... and that are in RAM
  bool finding_ = false;
  bool untimed_lost_ = false;
  DueQueue due_;
  Nanoseconds next_place_ = kNever;        // when a command that waits in the host gets a place
  RingBuffer<std::uint32_t> changes_;      // writes with pages to send, trims and flushes, in order of arrival
  RingBuffer<std::uint32_t> ready_pages_;  // commands, one for each page that the layer may have next
  // What the oldest of them waits for, so that it is not looked at before: its own command, room, or collection.
  enum class Held : std::uint8_t { by_nothing, by_itself, for_room, for_collection, for_life };
  Held held_ = Held::by_nothing;
  std::int64_t held_room_ = 0;      // there was then
  Nanoseconds held_until_{0};       // by the life curve
  std::int64_t room_;               // of the write buffer, in slots
  std::uint32_t most_moved_pages_;  // by collection at a time, while the host is let in
  Nanoseconds last_page_[static_cast<std::size_t>(PageStep::count)] = {};  // when a page was or will be so far
  std::uint32_t pages_on_their_way_ = 0;                                   // of writes, let in but not with the layer
  Nanoseconds map_there_{0};  // when what the layer asked of the host's memory last has come
  PageConflicts conflicts_;
  std::vector<std::uint32_t> blocked_;    // commands that wait for others that concern the same pages
  std::vector<std::uint32_t> held_back_;  // commands behind a trim that is not queued
  std::uint32_t lone_trim_ = kNobody;     // it
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  std::uint32_t in_work_ = 0;  // commands whose end is not known
  std::uint64_t arrivals_ = 0;
  // Fetches of pages that are read ahead are numbered; of each, how many of its pieces are under way.
  RingBuffer<std::uint32_t> fetches_;
  std::uint32_t first_fetch_ = 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fetch_waiters_;  // fetch, piece
  ContentLog* contents_ = nullptr;
  FlashJournal* journal_ = nullptr;
  std::vector<PackedPage> packed_pages_;  // of one request; kept for their memory, as the parts
  std::vector<PackedPart> packed_parts_;
  Version told_version_{0};               // the newest when it was last told
  std::vector<std::uint32_t> positions_;  // of the pages of a piece

  Activity activity_;               // of a drive with a power model
  Nanoseconds last_completion_{0};  // of all requests so far: when the drive falls silent
  Nanoseconds awake_from_{0};       // of a drive that sleeps
  bool used_idle_time_ = false;     // of the present silence

  // Pages of announced requests, for the second step of prefetching: far enough behind the first that its result is there,
  // and before the host hands them over, which it announces sixteen at a time. Untimed writes a second, by number: 4: 0.97,
  // 8: 1, 16: 0.95.
  static constexpr std::uint32_t kExpected = 8;
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
