import Formats
package import Model
import Pipeline
import System

/// The number of bytes that a device downloads for an update, counted in several ways.
package struct Download: Sendable, Hashable {
  /// The number of downloaded packs.
  package var packs = 0
  /// The uncompressed size in bytes of the downloaded packs, if devices download whole packs.
  package var byPacks: Int64 = 0
  /// The size in bytes of the files that are new or changed within their packs.
  package var byFiles: Int64 = 0
  /// The size in bytes of the contents that are not in the older release.
  ///
  /// Each content counts once.
  package var byContent: Int64 = 0
  /// The compressed size in bytes of the downloaded packs, that is, the size of their archives; nil if any of
  /// the packs is not built.
  package var packed: Int64? = 0
  /// The size in bytes of the download if devices use patches where possible; nil if the release has no
  /// patches from the older release.
  package var patched: Int64?
  /// The size in bytes of the index and the list of patches, as a server sends them; nil if the newer release
  /// is not built.
  package var index: Int64?

  package init() {}
}

/// A kind of user, defined by the packs that are on the user's device.
package enum User: Sendable, Hashable {
  case everything
  /// The user has only the packs of the initial install.
  case initialInstall
  /// The user has the initial install and all packs of some tags.
  case having([String])

  func has(_ pack: Release.Pack) -> Bool {
    switch self {
    case .everything: true
    case .initialInstall: pack.delivery == .initialInstall
    case .having(let tags): pack.delivery == .initialInstall || pack.tags.contains(where: tags.contains)
    }
  }
}

extension Comparison {
  /// Returns what a given kind of user must download for the update.
  ///
  /// The result includes an unchanged pack if the user does not have it yet. An example is a pack that was on
  /// demand and is now part of the initial install.
  package func download(forUserWith user: User) -> Download { download(forUserWith: user, changes: packs) }

  private func download(forUserWith user: User, changes: [PackChange]) -> Download {
    var download = Download()
    download.patched = isPatched ? 0 : nil
    download.index = indexDownload
    var fetched: [Int32] = []
    for change in changes {
      guard let number = change.new, user.has(new.packs[number]) else { continue }
      let isThere = change.old.map { user.has(old.packs[$0]) } ?? false
      if isThere && change.status == .unchanged { continue }
      download.packs += 1
      download.byPacks = download.byPacks.saturatingSum(with: change.size)
      // A device can apply a pack's patch if the device has the older version of the pack. A patch can also
      // use other older packs, so a device with all older packs can apply every patch.
      let isPatched = isThere || user == .everything
      let patch = isPatched ? change.patchedDownload : change.packedSize
      download.packed = download.packed.saturatingSum(with: change.packedSize)
      download.patched = download.patched.saturatingSum(with: patch)
      download.byFiles = download.byFiles.saturatingSum(with: isThere ? change.fileBytes : change.size)
      fetched += isThere ? change.files.compactMap(\.new) : Array(new.contents.files(of: number))
    }
    download.byContent = size(ofContents: fetched, missingTo: user)
    return download
  }

  /// Returns the size in bytes of the contents that a user does not have.
  ///
  /// Each content counts once.
  private func size(ofContents files: [Int32], missingTo user: User) -> Int64 {
    var known: Set<Digest> = []
    if user != .everything, !files.isEmpty {
      for (number, pack) in old.packs.enumerated() where user.has(pack) {
        for file in old.contents.files(of: number) { known.insert(old.digest(file)) }
      }
    }
    var size: Int64 = 0
    var counted: Set<Digest> = []
    for file in files {
      let digest = new.digest(file)
      let isThere = user == .everything ? oldContents[digest] != nil : known.contains(digest)
      if !isThere, counted.insert(digest).inserted { size = size.saturatingSum(with: new.size(file)) }
    }
    return size
  }

  /// The download of each delivery mode for a user who has all packs.
  package var downloadsByDelivery: [Delivery: Download] {
    Dictionary(
      uniqueKeysWithValues: Delivery.allCases.map { delivery in
        let changes = packs.filter { $0.new.map { new.packs[$0].delivery } == delivery }
        return (delivery, download(forUserWith: .everything, changes: changes))
      })
  }

  /// The download of each tag of the newer release for a user who has all packs, sorted by tag.
  package var downloadsByTag: [(tag: String, download: Download)] {
    var changes: [String: [PackChange]] = [:]
    for change in packs where change.new != nil {
      for tag in change.tags { changes[tag, default: []].append(change) }
    }
    return changes.sorted { $0.key.precedesInBytes($1.key) }.map {
      ($0.key, download(forUserWith: .everything, changes: $0.value))
    }
  }
}

/// A group of device classes that download the same number of bytes in an update.
package struct DeviceDownload: Sendable {
  /// The size in bytes of the downloaded packs, without patches.
  ///
  /// Only the files that these devices get are counted.
  package let download: Int64
  package private(set) var devices: [DeviceClass] = []

  /// Returns the device classes grouped by their download, the largest download first.
  ///
  /// Returns nil if the newer release has no variants.
  package static func all(of update: Comparison) -> [DeviceDownload]? {
    guard let variants = update.new.variants else { return nil }
    // For each file of the older release, the file of the newer release at the same path. The list is needed
    // only if the variants of the older release are not known, for example in a built folder.
    let newFileOfOldFile =
      update.old.variants == nil ? newFilesAtSamePath(old: update.old.contents, new: update.new.contents) : []
    var downloads: [[[Int?]]: Int64] = [:]
    var groups: [Int64: DeviceDownload] = [:]
    for device in variants.devices {
      let picks = [variants.picks(on: device), update.old.variants?.picks(on: device) ?? []]
      let download = downloads[picks] ?? update.download(on: device, newFiles: newFileOfOldFile)
      downloads[picks] = download
      groups[download, default: DeviceDownload(download: download)].devices.append(device)
    }
    return groups.values.sorted { $0.download > $1.download }
  }
}

private func newFilesAtSamePath(old: PublishedContents, new: PublishedContents) -> [Int?] {
  let numbers = Dictionary(new.indices.map { (new.path(at: $0), $0) }) { first, _ in first }
  return old.indices.map { numbers[old.path(at: $0)] }
}

extension Comparison {
  /// Returns the bytes that a device of a class must download: packs that the device does not have, or that
  /// it has with other files.
  fileprivate func download(on device: DeviceClass, newFiles: [Int?]) -> Int64 {
    let droppedNew = self.new.variants?.isDropped(on: device) ?? []
    let droppedOld =
      self.old.variants?.isDropped(on: device)
      ?? newFiles.map { newFile in newFile.map { droppedNew[$0] } ?? false }
    return packs.reduce(0) { sum, change in
      guard let number = change.new else { return sum }
      let new = self.new.contents.files(of: number).filter { !droppedNew[Int($0)] }
      let old = change.old.map { self.old.contents.files(of: $0).filter { !droppedOld[Int($0)] } }
      if let old, isSame(old, new) { return sum }
      return new.reduce(sum) { $0.saturatingSum(with: self.new.size($1)) }
    }
  }

  private func isSame(_ old: [Int32], _ new: [Int32]) -> Bool {
    old.count == new.count
      && zip(old, new).allSatisfy { old, new in
        self.old.digest(old) == self.new.digest(new)
          && self.old.contents.path(at: Int(old)) == self.new.contents.path(at: Int(new))
      }
  }
}
