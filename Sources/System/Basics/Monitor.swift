#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// A shared value with a lock.
///
/// Threads can also wait for changes that other threads make to the value. It does not use `Mutex`, because
/// the thread sanitizer on Linux does not recognize the locks of `Mutex`. It would report a race at each use.
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: consuming State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    setMonotonicClock(&attributes)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` under the lock and wakes all waiting threads.
  package func change<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until the value is ready, then runs `body` under the same lock.
  package func wait<Result>(
    until isReady: (borrowing State) -> Bool, body: (inout State) -> Result
  ) -> Result {
    wait { state in isReady(state) ? .some(body(&state)) : nil }
  }

  /// Waits for a result.
  ///
  /// Runs `body` under the lock immediately and after each change, until `body` returns a value.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    wait(wakingAt: { _ in nil }, body: body)
  }

  /// Waits for a result like `wait(_:)`, but also runs `body` at the time that `next` returns.
  ///
  /// The time is in seconds of `ThisProcess.seconds`.
  package func wait<Result>(
    wakingAt next: (borrowing State) -> Double?, body: (inout State) -> Result?
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      guard let time = next(state) else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      waitForCondition(condition, mutex: mutex, until: time)
    }
  }
}

/// A value that is made only when a thread first requests it.
package final class Deferred<Value: Sendable>: Sendable {
  private let made = Monitor<Value?>(nil)
  private let make: @Sendable () -> Value

  /// Creates a deferred value, which the closure makes when it is needed.
  package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  /// The value.
  ///
  /// While one thread is making the value, other threads wait for it.
  package var value: Value {
    made.change { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}

#if canImport(Darwin)
  /// Does nothing on this system, because `waitForCondition` itself uses the clock of `ThisProcess.seconds`.
  private func setMonotonicClock(_ attributes: inout pthread_condattr_t) {}

  /// Waits for a condition until a time, in seconds of `ThisProcess.seconds`.
  private func waitForCondition(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, mutex: UnsafeMutablePointer<pthread_mutex_t>,
    until time: Double
  ) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    var rest = timespec(seconds: max(0, time - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9))
    pthread_cond_timedwait_relative_np(condition, mutex, &rest)
  }
#else
  /// Makes timed waits use the clock of `ThisProcess.seconds`, which nobody can set.
  private func setMonotonicClock(_ attributes: inout pthread_condattr_t) {
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
  }

  /// Waits for a condition until a time, in seconds of `ThisProcess.seconds`.
  private func waitForCondition(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, mutex: UnsafeMutablePointer<pthread_mutex_t>,
    until time: Double
  ) {
    var limit = timespec(seconds: time)
    pthread_cond_timedwait(condition, mutex, &limit)
  }
#endif

extension timespec {
  /// Creates a time from a number of seconds.
  package init(seconds: Double) {
    let whole = seconds.rounded(.down)
    self.init(tv_sec: time_t(whole), tv_nsec: Int((seconds - whole) * 1e9))
  }
}
