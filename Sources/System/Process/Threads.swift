#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// Runs `body` on `count` threads, numbered from 0, and returns after all threads have ended.
///
/// The function uses neither Swift's cooperative pool nor Dispatch, because workers wait for files and for
/// one another, and because `--jobs` must be the exact number of threads.
package func onThreads(_ count: Int, body: @escaping @Sendable (Int) -> Void) {
  let others = Threads(numbered: 1..<max(count, 1), body: body)
  body(0)
  others.join()
}

/// Threads that run in the background.
package struct Threads: @unchecked Sendable {
  private let running: [pthread_t]

  /// Runs `body` on one thread for each number.
  ///
  /// If the system cannot start that number of threads, there are fewer threads.
  package init(numbered numbers: Range<Int>, body: @escaping @Sendable (Int) -> Void) {
    let scope = RunScope.current
    running = numbers.compactMap { number in
      start(Work { RunScope.$current.withValue(scope) { body(number) } })
    }
  }

  /// Waits until all threads have ended.
  ///
  /// Call this function exactly once.
  package func join() {
    for thread in running { pthread_join(thread, nil) }
  }
}

/// Returns the result of `body` for each item, computed on up to `count` threads.
///
/// The threads process the items in order. If `body` throws an error, no further items are started, and the
/// first error is thrown.
@discardableResult
package func onThreads<Item: Sendable, Value: Sendable, Failure: Error>(
  _ count: Int, each items: [Item], body: @escaping @Sendable (Item) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let next = Atomic(0)
  // The values, by the index of the item; nil for items that are not done yet.
  let outcome = Monitor<(values: [Value?], failure: Failure?)>(
    (Array(repeating: nil, count: items.count), nil))
  onThreads(min(count, items.count)) { _ in
    while true {
      let number = next.add(1, ordering: .relaxed).oldValue
      if number >= items.count { return }
      do throws(Failure) {
        let value = try body(items[number])
        outcome.change { $0.values[number] = value }
      } catch {
        next.store(items.count, ordering: .relaxed)
        outcome.change { $0.failure = $0.failure ?? error }
      }
    }
  }
  let result = outcome.change { $0 }
  if let failure = result.failure { throw failure }
  return result.values.compactMap { $0 }
}

/// The work of one thread.
private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread.
///
/// Returns nil if the system cannot start more threads. It is not an error if fewer threads run, because this
/// only costs time.
private func start(_ work: Work) -> pthread_t? {
  var thread = noThread
  let context = Unmanaged.passRetained(work)
  let code = pthread_create(
    &thread, nil,
    { context in
      let context: UnsafeMutableRawPointer? = context
      Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  if code == 0 { return thread }
  context.release()
  return nil
}

/// Returns how many processors this process can use.
package func availableProcessors() -> Int {
  let allowed = Platform.allowedProcessors
  return max(1, allowed > 0 ? allowed : sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

/// Returns the number of threads that is used if the user does not specify a number.
///
/// As in ninja, the number is slightly higher than the number of processors. Other threads can then work
/// while one thread waits for the disk. On two processors, packing 200,000 files that were not in the page
/// cache took 10 s with four threads and 14 s with two threads. If the files were in the page cache, two and
/// four threads took equally long.
package func defaultWorkerCount() -> Int {
  let processors = availableProcessors()
  return min(2 * processors, processors + 4)
}
