import CLinux
import Glibc

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

  /// Waits, once, until all have ended.
  package func join() {
    for thread in running { pthread_join(thread, nil) }
  }
}

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
