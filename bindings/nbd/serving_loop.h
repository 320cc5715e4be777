// Brings the requests of many threads to a served drive, one after the other, and gives them their answers by the clock that
// the user chose. One thread of its own computes; those of the clients sleep meanwhile.
//
// Free: whoever is answered is given some time to ask again before time passes over to the next answer, for a client that
// keeps 32 requests outstanding must find 32 in the drive. So is whoever has asked for something, as far as requests have
// come in groups. How long is learnt: at most 200 and 20 us of the wall.
// Real and scaled: an answer is held until the wall reaches its moment. One later than 100 us is counted.
#pragma once

#include <array>
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
  int serve(const ServedRequest& request);
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
  struct Waiting : ServedRequest {
    explicit Waiting(const ServedRequest& request) : ServedRequest(request) {}
    Nanoseconds arrived{0};  // by the wall
    std::size_t place = 0;   // in served_
    std::atomic<std::uint32_t> done{0};
    int error = 0;
  };
  struct Question {
    const std::function<void()>& look;
    bool done = false, answered = false;
  };
  struct Lateness {
    std::uint64_t answers = 0, late = 0;
    Nanoseconds sum{0}, worst{0};
  };

  static Nanoseconds wall();
  void run();
  void work();
  void wait_for_work(std::unique_lock<std::mutex>& lock);
  void be_patient(std::unique_lock<std::mutex>& lock);
  bool something_to_do() const { return queue_.size() >= wake_at_ || stopping_ || !questions_.empty(); }
  std::size_t enough_missing() const;
  void submit_arrived();
  void pass_time();
  void hold_answers();
  void give(ServedRequest* request, int error);
  void give_all();
  void answer_all_with(int error);
  bool ask(const std::function<void()>& look);
  void answer_questions();
  void close_questions(bool answered);

  ServedDrive& drive_;
  ServingClock clock_;
  std::string time_;
  Nanoseconds began_;
  std::atomic<std::uint64_t> clients_{0}, connections_{0}, power_ons_{1};

  std::mutex mutex_;  // of what follows
  std::condition_variable work_, answered_;
  std::vector<Waiting*> queue_;
  std::size_t wake_at_ = 1;  // requests in the queue
  bool stopping_ = false, failed_ = false;
  std::vector<Question*> questions_;

  // Of the thread that computes.
  std::vector<Waiting*> arrived_, served_;  // not submitted yet; not answered yet
  std::vector<Answer> answers_;
  std::deque<Answer> held_;
  Nanoseconds woken_{0};  // by the wall: from here on it computes
  Nanoseconds last_arrival_{0};
  Nanoseconds last_given_{0};
  std::size_t awaited_ = 0;  // answers whose clients have not asked again
  Nanoseconds patience_;     // how long they are given
  bool in_groups_ = true;    // requests have come close to each other unasked
  Lateness lateness_;
  std::string failure_;
  std::thread thread_;
};

}  // namespace ftlab
