import CLinux
import Glibc
import Synchronization

/// Runs `body` on `count` threads at once, numbered from 0, and returns when all have ended.
///
/// Not Swift's cooperative pool nor Dispatch: the workers wait for files and for one another, and
/// `--jobs` must give the number of threads that it says.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let others = Threads(1..<max(count, 1), body)
  body(0)
  others.join()
}

/// Threads that run beside the one that started them.
package struct Threads: Sendable {
  private let running: [pthread_t]

  /// Runs `body` on a thread for each number; on fewer where the system gives no more.
  package init(_ numbers: Range<Int>, _ body: @escaping @Sendable (Int) -> Void) {
    running = numbers.compactMap { start(Work(index: $0, body: body)) }
  }

  /// Whether there are any.
  var areRunning: Bool { !running.isEmpty }

  /// Waits, once, until all have ended.
  package func join() {
    for thread in running { pthread_join(thread, nil) }
  }
}

/// Shares items out to up to `count` threads, which take them in their order.
///
/// - Returns: what `body` made of each.
/// - Throws: the first failure; once there is one, no further item is begun.
@discardableResult
package func onThreads<Item: Sendable, Value: Sendable, Failure: Error>(
  _ count: Int, each items: [Item], _ body: @escaping @Sendable (Item) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let next = Atomic(0)
  let outcome = Monitor(Outcome<Value, Failure>(values: Array(repeating: nil, count: items.count)))
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

/// What several threads have made of their items.
private struct Outcome<Value: Sendable, Failure: Error>: Sendable {
  /// By the number of the item; nil for those that are not done.
  var values: [Value?]
  var failure: Failure?
}

/// One thread's part of what is run on several.
private final class Work: Sendable {
  let index: Int
  let body: @Sendable (Int) -> Void

  init(index: Int, body: @escaping @Sendable (Int) -> Void) {
    self.index = index
    self.body = body
  }
}

/// Starts one thread; nil where the system gives no more, which costs only time.
private func start(_ work: Work) -> pthread_t? {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(work)
  let code = pthread_create(
    &thread, nil,
    { context in
      let work = Unmanaged<Work>.fromOpaque(context!).takeRetainedValue()
      work.body(work.index)
      return nil
    }, context.toOpaque())
  if code == 0 { return thread }
  context.release()
  return nil
}

/// How many processors this process may use.
package func availableProcessors() -> Int {
  // Fewer than the machine has, where a container or `taskset` says so. A bit for each of 8,192 processors.
  var allowed = [UInt64](repeating: 0, count: 128)
  let isKnown = sched_getaffinity(0, allowed.count * 8, &allowed) >= 0
  let count = isKnown ? allowed.reduce(0) { $0 + $1.nonzeroBitCount } : 0
  return max(1, count > 0 ? count : sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
