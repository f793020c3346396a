import Foundation

extension PackStore {
  /// A release that is newer than the current release.
  ///
  /// The release has been checked but not applied yet.
  public struct Update: Sendable {
    let store: PackStore
    /// The number and digest of the new release.
    public let release: Release
    /// The tags that are only in the new release, sorted.
    public let addedTags: [String]
    /// The tags that are in both releases but whose packs differ, sorted.
    public let changedTags: [String]
    /// The tags of the current release that the new release does not have, sorted.
    public let removedTags: [String]

    /// The time at which `apply` makes the release the current release.
    public enum Timing: Sendable, Hashable {
      /// After the device has downloaded the new packs of every stored tag.
      ///
      /// With this value, no tag becomes unavailable.
      case whenDownloaded
      /// Immediately.
      ///
      /// Afterwards, packs are missing if they were not downloaded before.
      case immediately
    }

    /// The number of bytes that `download()` still has to download.
    ///
    /// If a patch exists for a pack, the size of the patch counts. Bytes that have already arrived do not
    /// count.
    public var downloadSize: Int64 {
      store.view { storeState in
        storeState.staged?.indexDigest == release.digest
          ? storeState.downloadSize(of: Set(storeState.stagedPacks)) : 0
      }
    }

    /// Downloads the new packs of all stored tags.
    ///
    /// Packs that requests wait for are downloaded first. In the meantime, your app can use the old packs,
    /// even without a network connection. If the process is killed, the next process resumes the download:
    /// call `checkForUpdate()` or use `stagedUpdate`, then call `download()`.
    public func download() -> Download {
      let state = RequestState()
      let download = store.makeDownload(state)
      store.perform { storeState in
        do throws(OnDemandError) {
          try storeState.download(state, digest: release.digest)
        } catch {
          state.settle(.failure(error))
        }
      }
      return download
    }

    /// Makes the release the current release.
    ///
    /// The change is atomic: if the process is killed, the store has either the old or the new release.
    ///
    /// Open requests keep their release until they end. By default, missing packs are downloaded first.
    ///
    /// - Throws: the same errors as `ResourceRequest.beginAccessing()`, and `updateReplaced` if another
    ///   update was found in the meantime.
    public func apply(_ timing: Timing = .whenDownloaded) async throws {
      if timing == .whenDownloaded { try await download().wait() }
      try await store.apply(release.digest)
    }
  }

  /// A newer release that has been checked but not applied yet; nil if there is none.
  ///
  /// This process or an earlier process checked it. Reading the property does not need a network.
  public var stagedUpdate: Update? {
    view { storeState in storeState.staged.map { makeUpdate($0, storeState: storeState) } }
  }

  private func makeUpdate(_ next: Catalog, storeState: StoreState) -> Update {
    func packs(_ catalog: Catalog?) -> [String: Set<String>] {
      var packs: [String: Set<String>] = [:]
      for pack in catalog?.packs ?? [] { for tag in pack.tags { packs[tag, default: []].insert(pack.key) } }
      return packs
    }
    let (old, new) = (packs(storeState.catalog), packs(next))
    return Update(
      store: self, release: next.release, addedTags: new.keys.filter { old[$0] == nil }.sorted(),
      changedTags: new.keys.filter { old[$0] != nil && old[$0] != new[$0] }.sorted(),
      removedTags: old.keys.filter { new[$0] == nil }.sorted())
  }

  /// Asks the server for a newer release; returns nil if the current release is the newest.
  ///
  /// The current release stays in use until `Update.apply` replaces it.
  ///
  /// - Throws: `offline`, `unreachable`, `refused`, `damaged`, `untrusted`, `storage`, `closed`, or
  ///   `CancellationError`.
  public func checkForUpdate() async throws -> Update? {
    do {
      if view(\.isClosed) { throw OnDemandError.closed }
      guard let next = try await fetchIndex() else {
        // The server may offer the current release again, after it offered another release.
        if view({ $0.indexTag?.digest != $0.catalog?.indexDigest }) { return stagedUpdate }
        try await changeFiles { [self] in removeStaged() }
        return nil
      }
      let stored = next.catalog.stored
      return try await changeFiles(writing: next.data.count + stored.count) { [self] () -> Update? in
        if next.catalog.indexDigest == release?.digest {
          removeStaged()
          return nil
        }
        try folder.write(next.data, to: "staged.index")
        try folder.write(stored, to: "staged")
        return try perform { storeState throws(OnDemandError) in
          if storeState.isClosed { throw .closed }
          if storeState.staged?.indexDigest != next.catalog.indexDigest { storeState.stage(next.catalog) }
          return makeUpdate(next.catalog, storeState: storeState)
        }
      }
    } catch {
      if let cancelled = error as? CancellationError { throw cancelled }
      let known = OnDemandError(error)
      perform { $0.report(.indexFailed(error: known)) }
      throw known
    }
  }

  /// Removes the staged release from the state and from the disk.
  private func removeStaged() {
    perform { $0.unstage() }
    for name in ["staged", "staged.index"] { folder.remove(file: name) }
  }

  /// Downloads and applies the server's release if the store does not have a release.
  func applyFirstRelease() async throws {
    guard let update = try await checkForUpdate() else { return }
    try await update.apply(.immediately)
  }

  /// An index that was checked, with the bytes as the server sent them.
  private struct CheckedIndex {
    let catalog: Catalog
    let data: Data
  }

  /// Downloads and checks the server's index; returns nil if the index has not changed.
  private func fetchIndex() async throws -> CheckedIndex? {
    var answer = try await index()
    guard var data = answer.data else { return nil }
    if !keys.isEmpty {
      let first = try await signature()
      do {
        try keys.check(data, signature: first)
      } catch {
        // The index is requested again, because a new release may have been published between the two
        // requests.
        answer = try await self.data("index.json", atMost: Catalog.maxIndexSize)
        data = answer.data ?? data
        try await keys.check(data, signature: signature())
      }
    }
    var catalog = try Catalog(index: data)
    try perform { [catalog] storeState throws(OnDemandError) in
      try storeState.check(catalog, signature: keys.isEmpty ? .none : .verified)
      if !keys.isEmpty {
        storeState.trust.highestRelease = max(storeState.trust.highestRelease ?? 0, catalog.number ?? 0)
        let digests = [storeState.catalog?.indexDigest, catalog.indexDigest].compactMap(\.self)
        storeState.trust.signed = digests.filter {
          storeState.trust.signed.contains($0) || $0 == catalog.indexDigest
        }
      }
      storeState.schedule.events.isChanged = true
      storeState.indexTag = answer.tag.map {
        SavedState.IndexTag(tag: $0, server: answer.server.absoluteString, digest: catalog.indexDigest)
      }
    }
    try await changeFiles(writing: TrustRecord.estimatedFileSize) { [self] in
      try folder.write(JSONEncoder().encode(view(\.trust)), to: "trust")
    }
    #if Patches
      await addPatches(to: &catalog)
    #endif
    return CheckedIndex(catalog: catalog, data: data)
  }

  private func signature() async throws -> Data {
    try await data("index.json.minisig", atMost: 4096).data ?? Data()
  }

  /// Downloads the server's index; the result has no data if the index has not changed.
  private func index() async throws -> FetchedData {
    let tag = view { storeState -> SavedState.IndexTag? in
      let known = [storeState.catalog?.indexDigest, storeState.staged?.indexDigest]
      return storeState.indexTag.flatMap { known.contains($0.digest) ? $0 : nil }
    }
    return try await data("index.json", atMost: Catalog.maxIndexSize, unless: tag)
  }

  /// Whether the server no longer offers any release that contains a pack.
  func isReleaseGone(of pack: Int) async -> Bool {
    let owners = view { storeState -> [String] in
      let state = storeState.schedule.packs[pack]
      return [
        state.isCurrent ? storeState.catalog?.indexDigest : nil,
        state.isStaged ? storeState.staged?.indexDigest : nil,
      ].compactMap(\.self)
    }
    if owners.isEmpty { return true }
    guard let answer = try? await index() else { return false }
    let offered = answer.data.map { SHA256Digest.hex(of: $0) } ?? view { $0.indexTag?.digest }
    return offered.map(owners.contains) == false
  }

  /// Writes the staged release to the disk as the current release, and then makes it the current release in
  /// memory.
  fileprivate func apply(_ digest: String) async throws {
    do {
      let size = view { $0.staged?.stored.count ?? 0 }
      try await changeFiles(writing: size) { [self] in
        let found = try perform { storeState throws(OnDemandError) in try storeState.applied(digest: digest) }
        guard let applied = found else { return }
        try folder.write(JSONEncoder().encode(applied.trust), to: "trust")
        try folder.write(applied.history.stored, to: "history")
        // After this write, the new release is the current release, even if the process is killed.
        try folder.write(applied.catalog.stored, to: "catalog")
        try folder.promoteIndex()
        try folder.syncFiles()
        folder.remove(file: "staged")
        let current = try perform { storeState throws(OnDemandError) in
          try storeState.apply(applied)
          return storeState.currentNumbers
        }
        files.setCurrent(current)
      }
    } catch {
      throw OnDemandError(error)
    }
  }
}

#if Patches
  /// The structure of the file that lists the patches from one earlier release.
  private struct PatchList: Decodable {
    struct Pack: Decodable { let id: String, digest: PublishedDigest, patch: ServerFile }
    let formatVersion: Int, packs: [Pack]
  }

  extension PackStore {
    /// Adds patches to the packs of a release.
    ///
    /// The function adds only patches that start from a release that this device has or had.
    ///
    /// A pack without such a patch is downloaded as an archive.
    private func addPatches(to next: inout Catalog) async {
      if options.keepsArchives { return }
      let (bases, present) = view { ($0.patchBases, $0.present) }
      let current = view { $0.catalog?.indexDigest }
      var places: [String: Int] = [:]
      for (number, pack) in next.packs.enumerated() { places[pack.id] = number }
      for file in next.patchLists {
        // If no pack of an earlier release is on the disk, the store cannot apply patches from that release.
        // So it does not download the list of these patches. Packs of the current release can still arrive
        // until the update is applied, for example during the prefetch.
        guard let base = file.from.flatMap({ bases[$0.hex] }),
          file.from?.hex == current || base.values.contains(where: present.contains),
          let list = await patchList(file)
        else { continue }
        for entry in list.packs where entry.patch.isValid {
          guard let place = places[entry.id], next.packs[place].digest == entry.digest,
            let key = base[entry.id]
          else { continue }
          next.packs[place].patches.append(Catalog.PackPatch(base: key, file: entry.patch))
        }
      }
    }

    private func patchList(_ file: ServerFile) async -> PatchList? {
      guard file.size <= Catalog.maxIndexSize,
        let data = try? await data(file.path, atMost: Int(file.size)).data,
        SHA256Digest.hex(of: data) == file.digest.hex,
        let list = try? Catalog.decoded(PatchList.self, data: data), list.formatVersion == 1
      else { return nil }
      return list
    }
  }
#endif
