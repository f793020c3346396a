import Foundation
import System
package import Testing

/// The number of seconds that a test waits for an event that must happen.
///
/// The number is so large that only a fault can exceed it.
///
/// `PACKTOOL_TEST_PATIENCE` sets another number. With a lower number, such a fault is found sooner.
let patience =
  ProcessInfo.processInfo.environment["PACKTOOL_TEST_PATIENCE"].flatMap { Double($0) }
  ?? Double(minutesOfHanging * 60)

/// The number of additional seconds that a test has after it was cancelled.
private let grace = 60.0

/// The queue of the timers that end whatever hangs.
///
/// A queue with a name gets a thread of its own. On Linux, tests run on the threads of the default global queue,
/// and endless loops could occupy all of them.
let watchQueue = DispatchQueue(label: "watch")

/// The error that is thrown if an event for which a test waited did not happen.
package struct Overdue: Error, CustomStringConvertible {
  package let description: String
}

/// Waits until a condition is true, and throws `Overdue` if that takes too long.
///
/// `event` is a clause such as "the file is gone".
package func waitUntil(_ event: String, _ condition: () async throws -> Bool) async throws {
  let end = ThisProcess.seconds + patience
  while try await !condition() {
    if ThisProcess.seconds > end {
      throw Overdue(description: "after \(patience) seconds, not yet: \(event)")
    }
    // `Task.yield()` is not used, because it would keep a processor busy. The awaited event may need this
    // processor.
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// Waits like `waitUntil`, but blocks the thread.
package func blockUntil(_ event: String, _ condition: () throws -> Bool) throws {
  let end = ThisProcess.seconds + patience
  while try !condition() {
    if ThisProcess.seconds > end {
      throw Overdue(description: "after \(patience) seconds, not yet: \(event)")
    }
    ThisProcess.sleep(seconds: 0.005)
  }
}

/// Ends a test that hangs.
///
/// Asynchronous code is cancelled. If this has no effect, the process is ended.
///
/// `.timeLimit` would wait for code that does not notice its cancellation, for example an endless loop.
package struct NoHang: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let name = test.name
    let watch = DispatchWorkItem {
      let sentence = "\(name) has not ended after \(patience) seconds, nor when it was cancelled\n"
      FileHandle.standardError.write(Data(sentence.utf8))
      _exit(1)
    }
    watchQueue.asyncAfter(deadline: .now() + patience + grace, execute: watch)
    defer { watch.cancel() }
    try await withoutActuallyEscaping(function) { function in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await function() }
        group.addTask {
          try await Task.sleep(for: .seconds(patience))
          Issue.record("\(name) has not ended after \(patience) seconds")
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
}

extension Trait where Self == NoHang {
  /// Ends a test that hangs, even in an endless loop.
  package static var noHang: Self { NoHang() }
}

/// Runs a test that mostly waits, for example for a server or another process, while other tests compute.
///
/// All tests of a run start together. Without this trait, each step after an `await` comes after all tests
/// that have not started yet. The tests that wait would then do most of their work together, at the end of
/// the run.
package struct MostlyWaits: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  /// The number of such tests that run at the same time.
  private static let places = Places(8)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await withThrowingTaskGroup(of: Void.self) { group in
        // Tasks with a high priority have their own queue.
        group.addTask(priority: .high) {
          await Self.places.take()
          defer { Self.places.leave() }
          try await function()
        }
        try await group.waitForAll()
      }
    }
  }
}

extension Trait where Self == MostlyWaits {
  /// Runs a test that mostly waits while other tests compute.
  package static var mostlyWaits: Self { MostlyWaits() }
}

/// A number of places that tasks take and leave.
private final class Places: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Monitor<State>

  init(_ count: Int) { state = Monitor(State(free: count)) }

  /// Takes a place as soon as one is free.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.change { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Leaves a place to the task that has waited for it for the longest time.
  func leave() {
    let next = state.change { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
