import Foundation

/// Jobs: each brings one pack.
extension PackStore {
  /// Downloads a pack, makes its files and puts them in their place, until it is there, left or given up.
  func bring(_ number: Int, job: Int) async {
    while !Task.isCancelled, let plan = perform({ $0.plan(for: number, job: job) }) {
      let made = folder.newPlace
      defer { try? FileManager.default.removeItem(at: made) }
      do {
        // A purge that came before may still have to remove the download that this job resumes.
        await finishNames()
        if let volume = options.volume(folder.url) { await prepareRoom(for: plan, volume: volume) }
        try await fetch(plan, into: made)
        try folder.sync(made)
        try await publish(made, as: plan.pack.key)
        perform { $0.finish(plan) }
        folder.syncPacks()
        return
      } catch {
        if Task.isCancelled { return }
        if await shouldStop(after: error, plan: plan, made: made) { return }
      }
    }
  }

  /// Takes the volume's room into account, and waits for what is purged for a pack.
  private func prepareRoom(for plan: StoreState.Plan, volume: Volume) async {
    let isPurged = perform { storeState in
      storeState.setVolume(volume)
      storeState.prepareRoom(for: plan, free: volume.free)
      return !storeState.effects.isEmpty || !storeState.schedule.events.purged.isEmpty
    }
    if isPurged { await drain() }
  }

  /// Decides what follows from a failure; false if the job goes on.
  private func shouldStop(after error: any Error, plan: StoreState.Plan, made: URL) async -> Bool {
    try? FileManager.default.removeItem(at: made)
    switch perform({ $0.handle(error, plan: plan) }) {
    case .stop: return true
    case .tryAgain:
      // What was purged must be gone before.
      if Disk.isFull(error) { await drain() }
      return false
    case .askForRelease(let refusal):
      let isGone = await isReleaseGone(of: plan.number)
      let error = isGone ? .releaseGone(pack: plan.pack.id) : refusal
      _ = perform { $0.fail(error, plan: plan) }
      return true
    }
  }

  /// Makes a pack in a folder: of its patch if there is one, otherwise of its archive.
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
