// Where the threads of clients leave requests and questions for the one thread that computes, and sleep until they are
// answered.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "bindings/nbd/served_drive.h"

namespace ftlab {

// Of a sleeping client.
struct WaitingRequest : ServedRequest {
  WaitingRequest(const ServedRequest& request, Nanoseconds at) : ServedRequest(request), arrived(at) {}
  Nanoseconds arrived;    // by the wall
  std::size_t place = 0;  // among those that are not answered yet
  std::atomic<std::uint32_t> done{0};
  int error = 0;
};

// By the wall.
Nanoseconds wall_now();
// Wakes the client. The request is gone then.
void give_answer(WaitingRequest& waiting, int error);

class ServingInbox {
 public:
  // From any thread. Returns when it is answered: 0 or an errno.
  int serve(const ServedRequest& request);
  // The thread that computes looks at the drive between two moments. False: it has ended.
  bool ask(const std::function<void()>& look);
  void stop();

  // Of the thread that computes.
  struct Taken {
    bool came = false;      // what was waited for, before `until`
    bool stopping = false;  // nothing more will come
    Nanoseconds woken{0};   // by the wall
  };
  // Waits until there are so many requests, a question or the wish to stop, at most until the wall is at `until` (0: not
  // at all); answers the questions and swaps the requests into `arrived`. REQUIRES: `arrived` is empty.
  Taken take(std::size_t requests, Nanoseconds until, std::vector<WaitingRequest*>& arrived);
  // Nothing is taken any more: what comes is answered with EIO. Adds what is there to `arrived`.
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
  std::size_t wake_at_ = 1;  // requests in the queue
  bool stopping_ = false, failed_ = false;
  std::vector<Question*> questions_;
};

}  // namespace ftlab
