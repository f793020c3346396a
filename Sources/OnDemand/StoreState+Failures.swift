import Foundation

/// Handles failed downloads.
///
/// This code decides which downloads are retried, when, and from which server.
extension StoreState {
  /// Decides what to do after a job failed.
  mutating func handle(_ error: any Error, plan: Plan) -> Next {
    if jobs[plan.number]?.id != plan.job || isClosed { return .stop }
    let known = OnDemandError(error, pack: plan.pack.id)
    if Disk.isFull(error) { return makeRoom(for: plan) }
    if let patch = plan.patch, !isUnreachable(error) {
      brokenPatches.insert(patch.file.digest.hex)
      effects.append(.removeDownload(digest: patch.file.digest.hex))
      schedule.receive(0, pack: plan.number)
      choosePatch(plan.number)
      report(.patchFailed(pack: plan.pack.id, error: known))
      return .tryAgain
    }
    var retryState = retryStates[plan.number] ?? RetryState(since: schedule.now)
    defer { if jobs[plan.number]?.id == plan.job { retryStates[plan.number] = retryState } }
    switch error {
    case OnDemandError.damaged where !retryState.wasDamaged:
      retryState.wasDamaged = true
      schedule.receive(0, pack: plan.number)
      return .tryAgain
    case OnDemandError.refused(_, let status):
      if tryNextServer(&retryState) { return .tryAgain }
      return [403, 404, 410].contains(status) ? .askForRelease(known) : fail(known, plan: plan)
    case is OnDemandError, is CocoaError, is POSIXError: return fail(known, plan: plan)
    case let error as URLError where [.unsupportedURL, .badURL].contains(error.code):
      return fail(known, plan: plan)
    default:
      if tryNextServer(&retryState) { return .tryAgain }
      return postpone(plan, retryState: &retryState, failure: error)
    }
  }

  /// Gives up a pack.
  ///
  /// The requests that wait for the pack fail.
  mutating func fail(_ error: OnDemandError, plan: Plan) -> Next {
    if jobs[plan.number]?.id != plan.job { return .stop }
    jobs[plan.number] = nil
    retryStates[plan.number] = nil
    schedule.fail(error, pack: plan.number)
    report(.failed(pack: plan.pack.id, error: error))
    return .stop
  }

  private mutating func tryNextServer(_ retryState: inout RetryState) -> Bool {
    if servers.count == 1 { return false }
    serverOffset += 1
    retryState.servers += 1
    return retryState.servers % servers.count != 0
  }

  /// Suspends a pack to retry its download later.
  ///
  /// If the time for retries has run out, gives up the pack.
  private mutating func postpone(_ plan: Plan, retryState: inout RetryState, failure: any Error) -> Next {
    let error = OnDemandError(failure, pack: plan.pack.id)
    let isAwaited = schedule.isAwaited(plan.number)
    let patience = options.patience - Double(schedule.now - retryState.since) / 1_000_000
    if isAwaited && (patience <= 0 || isUnreachable(failure) && !isServerKnown) {
      schedule.failRequests(error, pack: plan.number)
      report(.failed(pack: plan.pack.id, error: error))
      if !schedule.prefetch.contains(plan.number) {
        // This gives the next request for the pack the full time for retries.
        (jobs[plan.number], retryStates[plan.number]) = (nil, nil)
        return .stop
      }
    }
    var pause = min(60, Double(1 << min(retryState.pauses, 6))) * options.jitter()
    if let wanted = (failure as? BusyServer)?.retryAfter { pause = max(pause, min(wanted, options.patience)) }
    if isAwaited && patience > 0 { pause = min(pause, patience) }
    retryState.pauses += 1
    if !isAwaited || patience <= 0 { retryState.since = schedule.now }
    schedule.suspend(plan.number)
    pauses.append(Pause(number: plan.number, seconds: pause))
    report(.retry(pack: plan.pack.id, error: error, seconds: pause))
    return .stop
  }

  /// Whether an error means that the server cannot be reached.
  private func isUnreachable(_ error: any Error) -> Bool {
    guard let code = (error as? URLError)?.code else { return false }
    return unreachableCodes.contains(code)
  }
}
