import CLibrary

/// A value that is made when it is first asked for, once for all threads.
package final class Deferred<Value: Sendable>: @unchecked Sendable {
  private var made: Value?
  private let make: @Sendable () -> Value
  // As `Monitor` of System, no `Mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// A value that the closure will make.
  package init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The value; others who ask for it meanwhile wait.
  package var value: Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let value = made ?? make()
    made = value
    return value
  }
}
