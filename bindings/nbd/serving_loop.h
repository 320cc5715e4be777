// Brings the requests of many threads to a served drive, one after the other, and gives them their answers by the clock that
// the user chose. One thread of its own computes; those of the clients sleep meanwhile.
//
// Free: whoever is answered is given some time to ask again before time passes over to the next answer, for a client that
// keeps 32 requests outstanding must find 32 in the drive (client_patience.h).
// Real and scaled: an answer is held until the wall reaches its moment. One later than 100 us is counted.
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
  // REQUIRES: the drive outlives it and is used by nobody else.
  ServingLoop(ServedDrive& drive, const std::string& time);
  ~ServingLoop();
  ServingLoop(const ServingLoop&) = delete;
  ServingLoop& operator=(const ServingLoop&) = delete;

  // From any thread. A client is connected since a power-on, and served until the power fails.
  std::uint64_t connect();
  void disconnect() { --clients_; }
  // Returns when it is answered: 0 or an errno.
  int serve(const ServedRequest& request) { return inbox_.serve(request); }
  // Questions: no requests of the drive, so no simulated time passes and nothing is recorded.
  std::string figures();
  // What may hold other bytes than zeros in a range, in order; returns 0 or an errno.
  int written(std::uint64_t power_on, StoredRange range, std::vector<StoredRange>& found);

  // Serves what is there and ends the thread. `end` is called once, when no client is served any more.
  void stop();
  // What stopped it before its time; empty: nothing.
  const std::string& failure() const { return failure_; }
  double wall_s() const;
  // Of the serving, for the report.
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

  // Of the thread that computes.
  std::vector<WaitingRequest*> arrived_, served_;  // not submitted yet; not answered yet
  std::vector<Answer> answers_;
  std::deque<Answer> held_;
  ClientPatience patience_;
  Lateness lateness_;
  std::string failure_;
  std::thread thread_;
};

}  // namespace ftlab
