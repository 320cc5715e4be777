// Keeps nbdkit alive when a client disconnects while several of its requests are being answered. nbdkit 1.32 then ends the
// whole server: one thread closes the connection's socket, and the next thread with an answer fails an assertion in
// raw_send_socket(). Later versions drop the answer instead. This guard does the same by ending the thread. The connection
// ends with its other threads. Effective only if the plugin is preloaded, as `ftlab serve` does. Any other failed assertion
// still ends the server.
#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace {

// Mutexes that the thread holds: the lock for the connection's answers, and others briefly. nbdkit never holds more than
// kMostHeld; further ones would not be tracked.
constexpr std::size_t kMostHeld = 8;
thread_local std::array<pthread_mutex_t*, kMostHeld> held{};
thread_local std::size_t held_count = 0;

void note_locked(pthread_mutex_t* mutex) {
  if (held_count < kMostHeld) held[held_count++] = mutex;
}

void note_unlocked(const pthread_mutex_t* mutex) {
  for (std::size_t i = held_count; i-- > 0;) {
    if (held[i] != mutex) continue;
    for (--held_count; i < held_count; ++i) held[i] = held[i + 1];
    return;
  }
}

using OfMutex = int(pthread_mutex_t*);

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static OfMutex* real = nullptr;
  if (real == nullptr) real = next<OfMutex>("pthread_mutex_lock");
  const int error = real(mutex);
  if (error == 0) note_locked(mutex);
  return error;
}

__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  static OfMutex* real = nullptr;
  if (real == nullptr) real = next<OfMutex>("pthread_mutex_unlock");
  note_unlocked(mutex);
  return real(mutex);
}

// Not noexcept, unlike <cassert>, because ending the thread unwinds its stack.
[[noreturn]] __attribute__((visibility("default"))) void __assert_fail(const char* assertion, const char* file,
                                                                       unsigned line, const char* function);

void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) {
  if (std::strcmp(function, "raw_send_socket") == 0 && std::strcmp(assertion, "sock >= 0") == 0) {
    while (held_count > 0) ::pthread_mutex_unlock(held[held_count - 1]);
    ::pthread_exit(nullptr);
  }
  next<void(const char*, const char*, unsigned, const char*)>("__assert_fail")(assertion, file, line, function);
  __builtin_unreachable();
}
}
