// Passes the requests of many threads to a served drive in sequence, and answers them by the clock that the user chose. A
// thread of its own computes while the threads of the clients sleep.
//
// free: answered clients get some wall time to send their next request before time skips to the next answer. Otherwise a
// client that keeps 32 requests outstanding would not keep 32 in the drive (ClientPatience).
// real, scaled: an answer is held until the wall clock reaches its time. Answers more than 100 us late are counted.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bindings/nbd/served_drive.h"
#include "bindings/nbd/serving_clock.h"
#include "sim/core/types.h"

namespace ftlab {

// Client threads leave requests and queries here for the one thread that computes, and sleep until they are answered.

// The request of a sleeping client.
struct WaitingRequest : ServedRequest {
  WaitingRequest(const ServedRequest& request, Nanoseconds at) : ServedRequest(request), arrived(at) {}
  Nanoseconds arrived;    // wall time
  std::size_t place = 0;  // index in the list of unanswered requests
  std::atomic<std::uint32_t> done{0};
  int error = 0;
};

// Current wall time.
Nanoseconds wall_now();
// Wakes the client. `waiting` is invalid afterwards.
void give_answer(WaitingRequest& waiting, int error);

class ServingInbox {
 public:
  // Callable from any thread. Returns 0 or an errno when the request is answered.
  int serve(const ServedRequest& request);
  // Runs `look` in the computing thread between two steps of the drive. Returns false if that thread has ended.
  bool ask(const std::function<void()>& look);
  void stop();

  // The members from here on are for the computing thread.
  struct Taken {
    bool came = false;      // woken by an event before `until`
    bool stopping = false;  // no more requests will come
    Nanoseconds woken{0};   // wall time
  };
  // Waits for `requests` requests, a query or stop(), at most until wall time `until` (0: does not wait). Answers the
  // queries and swaps the requests into `arrived`. REQUIRES: `arrived` is empty.
  Taken take(std::size_t requests, Nanoseconds until, std::vector<WaitingRequest*>& arrived);
  // Adds the queued requests to `arrived`. Later requests fail with EIO.
  void fail(std::vector<WaitingRequest*>& arrived);

 private:
  struct Question {
    const std::function<void()>& look;
    bool done = false, answered = false;
  };
  void close_questions(bool answered);

  std::mutex mutex_;
  std::condition_variable work_, answered_;
  std::vector<WaitingRequest*> queue_;
  std::size_t wake_at_ = 1;  // wake up at this queue length
  bool stopping_ = false, failed_ = false;
  std::vector<Question*> questions_;
};

// How long simulated time pauses for clients with --time free: until answered clients have sent their next requests, and
// until a group of requests that arrive together is complete. Learnt from arrivals; at most 200 us and 20 us of wall time.
class ClientPatience {
 public:
  struct Wait {
    std::size_t requests = 1;  // number of arrivals that end the wait
    Nanoseconds until{0};      // wall time; 0: do not wait
    bool for_answered = false;
  };
  // Wait until all answered clients except `enough` have sent their next request, or until a group is complete.
  // REQUIRES: requests are outstanding.
  Wait next_wait(std::size_t enough) const {
    if (awaited_ > enough) return {awaited_ - enough, last_given_ + patience_, true};
    return in_groups_ ? Wait{1, last_arrival_ + kGroup, false} : Wait{};
  }
  // The wait timed out after only `requests` arrivals, so the other clients are assumed to think longer.
  void waited_in_vain(const Wait& wait, std::size_t requests) {
    if (!wait.for_answered)
      in_groups_ = false;
    else if (requests == 0)
      patience_ = std::max(patience_ / 2, kLeast);
    awaited_ = requests;
  }

  void arrived(std::size_t requests, Nanoseconds first, Nanoseconds last) {
    if (requests > awaited_ && first < last_arrival_ + kGroup) in_groups_ = true;  // without being awaited
    if (awaited_ > 0) patience_ = kMost;
    awaited_ -= std::min(awaited_, requests);
    last_arrival_ = last;
  }
  void answered(std::size_t requests, Nanoseconds at) {
    awaited_ += requests;
    if (requests > 0) last_given_ = at;
  }
  void await_nobody() { awaited_ = 0; }

  // Number of answers whose clients have not sent their next request.
  std::size_t awaited() const { return awaited_; }
  // True if requests arrive in groups.
  bool in_groups() const { return in_groups_; }

 private:
  static constexpr Nanoseconds kMost{200'000}, kLeast{20'000};
  static constexpr Nanoseconds kGroup{20'000};  // requests closer together than this belong to one group

  std::size_t awaited_ = 0;
  Nanoseconds patience_ = kMost;
  bool in_groups_ = true;
  Nanoseconds last_arrival_{0};
  Nanoseconds last_given_{0};
};

class ServingLoop {
 public:
  // REQUIRES: the drive outlives the loop and is used only by it.
  ServingLoop(ServedDrive& drive, const std::string& time);
  ~ServingLoop();
  ServingLoop(const ServingLoop&) = delete;
  ServingLoop& operator=(const ServingLoop&) = delete;

  // Callable from any thread. Returns the current power cycle; the client is served until the power fails.
  std::uint64_t connect();
  void disconnect() { --clients_; }
  // Returns 0 or an errno when the request is answered.
  int serve(const ServedRequest& request) { return inbox_.serve(request); }
  // Queries. They are not drive requests: no simulated time passes, and nothing is recorded.
  std::string figures();
  // The parts of a range that may hold non-zero bytes, in order. Returns 0 or an errno.
  int written(std::uint64_t power_on, StoredRange range, std::vector<StoredRange>& found);

  // Serves the requests that have arrived and ends the thread.
  void stop();
  // The error that ended the thread early; empty if none.
  const std::string& failure() const { return failure_; }
  double wall_s() const;
  // Facts about the serving for the report.
  nlohmann::ordered_json report() const;

 private:
  struct Lateness {
    std::uint64_t answers = 0, late = 0;
    Nanoseconds sum{0}, worst{0};
  };

  void run();
  void work();
  ServingInbox::Taken take_arrived();
  std::size_t enough_missing() const;
  void submit_arrived();
  void pass_time(Nanoseconds woken);
  void hold_answers();
  void give(ServedRequest* request, int error);
  void answer_all_with(int error);

  ServedDrive& drive_;
  ServingClock clock_;
  Nanoseconds began_;
  std::atomic<std::uint64_t> clients_{0}, connections_{0}, power_ons_{1};
  ServingInbox inbox_;

  // The members from here on are for the computing thread.
  std::vector<WaitingRequest*> arrived_, served_;  // not submitted yet; not answered yet
  std::vector<Answer> answers_;
  std::deque<Answer> held_;
  ClientPatience patience_;
  Lateness lateness_;
  std::string failure_;
  std::thread thread_;
};

}  // namespace ftlab
