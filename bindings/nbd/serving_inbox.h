// Client threads leave requests and queries here for the one thread that computes, and sleep until they are answered.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "bindings/nbd/served_drive.h"

namespace ftlab {

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

}  // namespace ftlab
