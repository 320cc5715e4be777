// Passes the requests of many threads to a served drive in sequence, and answers them by the clock that the user chose. A
// thread of its own computes while the threads of the clients sleep.
//
// free: answered clients get some wall time to send their next request before time skips to the next answer. Otherwise a
// client that keeps 32 requests outstanding would not keep 32 in the drive (client_patience.h).
// real, scaled: an answer is held until the wall clock reaches its time. Answers more than 100 us late are counted.
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "bindings/nbd/client_patience.h"
#include "bindings/nbd/serving_clock.h"
#include "bindings/nbd/serving_inbox.h"

namespace ftlab {

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
