import Foundation
import OnDemand

/// An open store, and the strings that functions returned for it.
final class OpenStore: Sendable {
  let store: PackStore
  let strings = StringPool()

  init(_ store: PackStore) { self.store = store }
}

/// A task that a program polls: a request, an install, a check or an update.
final class OpenTask: Sendable {
  /// The progress of a task, and its result after the task has ended.
  struct Progress {
    var bytes: Int64 = 0
    var total: Int64 = 0
    var outcome: Result<Void, any Error>?
  }

  /// The request that uses the packs; nil for tasks without a request.
  let request: ResourceRequest?
  let strings = StringPool()
  private let state = Locked(Progress())
  private let work = Locked<Task<Void, Never>?>(nil)

  /// Requests the packs of some tags.
  convenience init(_ request: ResourceRequest) {
    self.init(request: request)
    let steps = request.progress
    start { [weak self] in
      let watch = Task { for await step in steps { self?.record(step) } }
      try await request.beginAccessing()
      // This waits until the last progress value is stored. The value is then available when the task is
      // done.
      await watch.value
    }
  }

  /// Starts and watches a download that needs no request.
  convenience init(downloading download: @escaping @Sendable () async throws -> Download) {
    self.init(request: nil)
    start { [weak self] in
      let download = try await download()
      for await step in download { self?.record(step) }
      try await download.wait()
    }
  }

  /// Downloads the missing packs of an update, and makes it the current release.
  convenience init(applying update: PackStore.Update) {
    self.init(request: nil)
    start { [weak self] in
      for await step in update.download() { self?.record(step) }
      try await update.apply()
    }
  }

  /// Runs work that has no progress.
  convenience init(doing work: @escaping @Sendable () async throws -> Void) {
    self.init(request: nil)
    start(work)
  }

  private init(request: ResourceRequest?) { self.request = request }

  private func start(_ body: @escaping @Sendable () async throws -> Void) {
    let task = Task { [weak self] in
      let outcome: Result<Void, any Error>
      do {
        try await body()
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      self?.state.withLock { $0.outcome = $0.outcome ?? outcome }
    }
    work.withLock { $0 = task }
  }

  private func record(_ step: ResourceProgress) {
    state.withLock { ($0.bytes, $0.total) = (step.bytes, step.total) }
  }

  var progress: Progress { state.withLock { $0 } }

  /// Whether the task ended without an error.
  var isDone: Bool { if case .success? = progress.outcome { true } else { false } }

  func end() {
    state.withLock { $0.outcome = $0.outcome ?? .failure(CancellationError()) }
    work.withLock { $0?.cancel() }
    request?.endAccessing()
  }
}

/// Blocks the calling thread until asynchronous work has ended.
@discardableResult
func waiting<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
  let (done, result) = (DispatchSemaphore(value: 0), Locked<Value?>(nil))
  Task.detached {
    let value = await work()
    result.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  guard let value = result.withLock({ $0 }) else { preconditionFailure("the signal came before the value") }
  return value
}
