import Foundation

/// The download jobs. Each job downloads and stores one pack.
extension PackStore {
  /// Downloads a pack, makes its files and moves them into place, retrying until the pack is stored or the
  /// job is stopped.
  func downloadAndStore(_ number: Int, job: Int) async {
    while !Task.isCancelled, let plan = perform({ $0.plan(for: number, job: job) }) {
      let made = folder.newPlace
      defer { try? FileManager.default.removeItem(at: made) }
      do {
        // An earlier purge may still be removing files. This job waits for the purge, because the job may
        // resume one of the purged downloads.
        await names.finish()
        if let volume = options.volume(folder.url) { await prepareRoom(for: plan, volume: volume) }
        try await fetch(plan, into: made)
        try folder.sync(made)
        try await publish(made, as: plan.pack.key)
        perform { $0.finish(plan) }
        folder.syncPacks()
        note { $0.endTask(of: plan) }
        return
      } catch {
        if Task.isCancelled { return }
        if await shouldStop(after: error, plan: plan, made: made) { return }
      }
    }
  }

  /// Adjusts the store's limit to the free space of the volume, purges packs if necessary, and waits until
  /// they are deleted.
  private func prepareRoom(for plan: StoreState.Plan, volume: Volume) async {
    let isPurged = perform { storeState in
      storeState.setVolume(volume)
      storeState.prepareRoom(for: plan, free: volume.free)
      return !storeState.effects.isEmpty || !storeState.schedule.events.purged.isEmpty
    }
    if isPurged { await drain() }
  }

  /// Decides what to do after a failure; returns false if the job must try again.
  private func shouldStop(after error: any Error, plan: StoreState.Plan, made: URL) async -> Bool {
    try? FileManager.default.removeItem(at: made)
    switch perform({ $0.handle(error, plan: plan) }) {
    case .stop: return true
    case .tryAgain:
      // Wait until the purged files are deleted.
      if Disk.isFull(error) { await drain() }
      return false
    case .askForRelease(let refusal):
      let isGone = await isReleaseGone(of: plan.number)
      let error = isGone ? .releaseGone(pack: plan.pack.id) : refusal
      _ = perform { $0.fail(error, plan: plan) }
      return true
    }
  }

  /// Makes a pack in a folder, from its patch if there is one, and otherwise from its archive.
  private func fetch(_ plan: StoreState.Plan, into made: URL) async throws {
    let file = plan.file
    let ending = URL(fileURLWithPath: file.path).pathExtension
    if ending != "zip" {
      let container = file.path.contains(".tar.") ? "tar.\(ending)" : "folder"
      throw OnDemandError.unsupportedContainer(pack: plan.pack.id, container: container)
    }
    let place = folder.download(file.digest.hex)
    do {
      try await download(plan, to: place)
      #if Patches
        if let patch = plan.patch {
          return try applyPatch(place, pack: plan.pack, into: made) { [folder] digests in
            folder.files(withDigests: digests, likeliest: [patch.base])
          }
        }
      #endif
      if !options.keepsArchives { return try PackMaker.unpack(place, pack: plan.pack, into: made) }
      try PackMaker.unpack(place, pack: plan.pack, into: made, purpose: .check)
      try FileManager.default.moveItem(at: place, to: made.appendingPathComponent("archive.zip"))
    } catch OnDemandError.damaged(_, let reason) {
      folder.remove(download: file.digest.hex)
      throw wrong(reason)
    }
  }
}
