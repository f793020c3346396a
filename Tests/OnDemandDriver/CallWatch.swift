import Foundation
import OnDemand

/// Measures how long calls to a store wait for a lock, until `end()` is called.
///
/// The calls are made on a thread of their own, like the calls of a game's main thread.
final class CallWatch: @unchecked Sendable {
  private struct Longest {
    var time: UInt64 = 0
    var waited: UInt64 = 0
  }

  private let lock = NSLock()
  private var longest: [String: Longest] = [:]
  private var count = 0
  private var isOver = false
  private let finished = DispatchSemaphore(value: 0)

  init(_ store: PackStore, _ request: ResourceRequest) {
    let thread = Thread { [self] in
      while !lock.withLock({ isOver }) {
        measure("storedSize") { _ = store.storedSize }
        measure("tags") { _ = store.tags }
        measure("release") { _ = store.release }
        measure("url(for:)") { _ = try? store.url(for: "no file") }
        measure("request.url(for:)") { _ = try? request.url(for: "no file") }
        measure("request(for:)") { _ = store.request(for: ["no tag"]) }
        measure("isPaused") { _ = request.isPaused }
        measure("loadingPriority") { request.loadingPriority = 0.8 }
        measure("progress") { _ = request.progress }
        measure("events") { _ = store.events }
        usleep(1_000)
      }
      finished.signal()
    }
    thread.start()
  }

  /// Stops the calls, and prints the longest time of each call in microseconds.
  ///
  /// A call that waits for a lock gives up its processor, so the second number counts only calls that did.
  func end() {
    lock.withLock { isOver = true }
    finished.wait()
    let all = longest.mapValues { "\($0.time / 1_000) us, waiting \($0.waited / 1_000) us" }
    for (name, text) in all.sorted(by: { $0.key < $1.key }) { print("  \(name): \(text)") }
    let most = longest.values.reduce(0) { max($0, $1.waited) }
    print("longest wait of \(count) calls: \(most / 1_000) us")
  }

  private func measure(_ name: String, _ call: () -> Void) {
    let (switches, start) = (Self.switches, DispatchTime.now().uptimeNanoseconds)
    call()
    let time = DispatchTime.now().uptimeNanoseconds - start
    let waited = Self.switches > switches ? time : 0
    count += 1
    let before = longest[name] ?? Longest()
    longest[name] = Longest(time: max(before.time, time), waited: max(before.waited, waited))
  }

  /// How often this thread gave up its processor by itself.
  private static var switches: Int {
    var usage = rusage()
    // The value of RUSAGE_THREAD, which Foundation does not export.
    getrusage(1, &usage)
    return usage.ru_nvcsw
  }
}
