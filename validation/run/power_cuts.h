// The host's changes since the last barrier, by mapping page in order of submission: those that a power cut may undo. Stores
// no data.
//
// Predicts versions like the host's verifier (sim/content_log.h): each mapping page of a write counts one, in
// order of submission.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ftl/config.h"
#include "ftl/drive/drive.h"
#include "sim/host/power_switch.h"
#include "sim/host/request_tracker.h"
#include "sim/host/stack/passing_device.h"
#include "sim/request.h"

namespace ftlab {

// Properties of a drive that determine which changes become durable when.
struct ChangeRules {
  ChangeRules() = default;  // for devices that write through and have no TRIM
  explicit ChangeRules(const FtlConfig& ftl);

  // True for a flush, and for a write that completes only once it is in flash.
  bool is_barrier(Op op, bool fua) const { return op == Op::flush || (op == Op::write && (fua || writes_through)); }
  // The part of a trim that covers whole multiples of trim_bytes. May be empty.
  struct Range {
    std::uint64_t offset = 0, end = 0;
  };
  Range trimmed(std::uint64_t offset, std::uint64_t length) const;

  std::uint64_t page_bytes = kSectorBytes;  // the mapping page
  std::uint64_t trim_bytes = 0;             // granularity of trims; 0: the drive has no TRIM
  bool writes_through = true;
  bool may_lose = false;  // a power cut may undo changes that no barrier covers
};

class OpenChanges {
 public:
  struct Change {
    std::uint64_t page = 0;
    std::uint64_t version = 0;  // 0: trimmed
  };
  // Callback for a change that is now durable.
  using Each = std::function<void(const Change&)>;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // `newest`: the drive's current version.
  OpenChanges(const ChangeRules& rules, std::uint64_t newest) : rules_(rules), newest_(newest) {}

  void write_page(std::uint64_t page) { add({page, ++newest_}); }
  void write(std::uint64_t offset, std::uint64_t length);
  void trim(std::uint64_t offset, std::uint64_t length);
  std::size_t count() const { return changes_.size(); }
  // Index of the page's last change among the open ones, or kNone.
  std::uint64_t latest(std::uint64_t page) const;

  // Number of changes so far. A barrier submitted now makes them durable when it completes.
  std::uint64_t mark() const { return first_ + changes_.size(); }
  // Marks all changes before `mark` durable and reports them in order.
  void settle(std::uint64_t mark, const Each& durable = {});
  // After a power cut: compares each page's version on the drive with the open changes. `left` gets each change in order,
  // and whether its page holds it. Returns the number of pages that lost their last change. `newest`: the drive's version.
  using Left = std::function<void(const Change&, bool holds)>;
  std::uint64_t lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest,
                     const Left& left = {});
  // Restarts the version count after a write that the drive refused. REQUIRES: no request is outstanding.
  void recount(std::uint64_t newest) { newest_ = newest; }

 private:
  void add(const Change& change);

  ChangeRules rules_;
  std::uint64_t newest_;
  std::deque<Change> changes_;  // starting with number first_
  std::uint64_t first_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> latest_;  // number of a page's last change; never iterated
};

// Cuts the power of a simulated drive and records the damage. Used for served drives and for replayed recordings.
//
// A cut can interrupt flash operations if the flash is watched, that is, if its operations are journaled from a moment
// without outstanding requests on (models/nand/schedule/flash_journal.h). Otherwise, and with flash that wears out or has
// errors, a cut falls between operations. To start watching, the flash finishes its running operations, so watching
// affects the drive like a request does.
class PowerCuts {
 public:
  // `device`: the drive as the host sees it; its time 0 is the drive's `origin`. REQUIRES: both outlive it.
  PowerCuts(Drive& drive, Device& device, Nanoseconds origin) : drive_(drive), device_(device), origin_(origin) {}
  ~PowerCuts() { end_watch(); }
  PowerCuts(const PowerCuts&) = delete;
  PowerCuts& operator=(const PowerCuts&) = delete;

  bool watches() const { return journal_.has_value(); }
  // True if cuts can interrupt operations of this flash.
  bool can_watch() const { return !drive_.flash().health && !drive_.flash().errors; }
  // Watches until the next cut. No effect if can_watch() is false. REQUIRES: not watching, no request is outstanding.
  void watch_flash();
  void end_watch();

  // Cuts the power at `at`. Outstanding requests are never answered: the drive runs ahead to find the operations in progress
  // and settles them with `tracker`; `unanswered` gets each. Returns the time at which the drive takes requests again.
  // REQUIRES: everything that completes until `at` is settled.
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates,
                  const std::function<void(const Completion&)>& unanswered = {});
  std::uint64_t count() const { return cuts_.size(); }
  // Sets the number of pages lost by the last cut. REQUIRES: there was a cut.
  void lost(std::uint64_t pages) { cuts_.back().lost_pages = pages; }
  nlohmann::ordered_json report() const;

 private:
  struct Cut {
    Nanoseconds at{0};
    std::uint64_t unanswered = 0, lost_pages = 0;
    FlashJournal::Damage damage;
  };

  FlashJournal::Damage cut_flash(Nanoseconds at, std::uint64_t fates);

  Drive& drive_;
  Device& device_;
  Nanoseconds origin_;
  std::optional<FlashJournal> journal_;  // while watching
  std::vector<Cut> cuts_;
};

// The drive in a replay of a trace with power cuts. Performs the cuts and counts the changes lost by each, as the recording
// server does.
class CutDevice final : public PassingDevice, public PowerSwitch {
 public:
  // `device`: the drive as the host sees it; its time 0 is the drive's `origin`. REQUIRES: both outlive it; versions are
  // kept; no request is outstanding.
  CutDevice(Device& device, Drive& drive, Nanoseconds origin);

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  void watch_flash() override { cuts_.watch_flash(); }
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) override;
  void held_up() override { ++held_up_; }

  // Requests delayed by a cut or by watching the flash. 0 with the drive of the recording.
  std::uint64_t requests_held_up() const { return held_up_; }
  // Time at which the drive was ready after the last cut.
  Nanoseconds back() const { return back_; }
  nlohmann::ordered_json report() const;

 private:
  struct InFlight {
    bool writes = false;
    std::uint64_t mark = 0;  // barriers only: the changes before the mark become durable
  };

  void note(const Request& request);
  void note(const Completion& done);
  std::uint64_t newest() const { return number(drive_.ftl().pages().newest_version()); }

  Drive& drive_;
  ChangeRules rules_;
  PowerCuts cuts_;
  OpenChanges open_;
  std::vector<InFlight> in_flight_;  // by tag
  std::size_t outstanding_ = 0;
  bool uncounted_ = false;  // a write was refused: version counting restarts once idle
  Nanoseconds back_{0};
  std::uint64_t held_up_ = 0;
};

}  // namespace ftlab
