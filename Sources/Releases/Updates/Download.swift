import Findings
package import PackKit
import System

/// Bytes that an update downloads, counted in three ways.
package struct Download: Sendable, Hashable {
  /// How many packs are downloaded.
  package var packs = 0
  /// Whole packs, as devices download them.
  package var byPacks: Int64 = 0
  /// Only the files that are new or changed within their pack.
  package var byFiles: Int64 = 0
  /// Only contents that the older release holds nowhere, each once.
  package var byContent: Int64 = 0

  package init() {}
}

/// A kind of user, told by the packs that are on the device.
package enum User: Sendable, Hashable {
  case everything
  /// Nothing but what came with the app.
  case initialInstall
  /// What came with the app, and all packs of some tags.
  case having([String])

  /// Whether such a user has a pack.
  func has(_ pack: Release.Pack) -> Bool {
    switch self {
    case .everything: true
    case .initialInstall: pack.delivery == .initialInstall
    case .having(let tags): pack.delivery == .initialInstall || pack.tags.contains(where: tags.contains)
    }
  }
}

extension Comparison {
  /// What a kind of user downloads.
  ///
  /// A pack that came to what the user has, as by a new place in the initial install, counts though it did not change.
  package func download(of user: User) -> Download {
    var download = Download()
    var fetched: [Int32] = []
    for change in packs {
      guard let number = change.new, user.has(new.packs[number]) else { continue }
      let isThere = change.old.map { user.has(old.packs[$0]) } ?? false
      if isThere && change.status == .unchanged { continue }
      download.packs += 1
      download.byPacks = download.byPacks.saturatingSum(with: change.size)
      download.byFiles = download.byFiles.saturatingSum(with: isThere ? change.fileBytes : change.size)
      fetched += isThere ? change.files.compactMap(\.new) : Array(new.contents.files(of: number))
    }
    download.byContent = size(ofContents: fetched, missingTo: user)
    return download
  }

  /// Bytes of the contents of some files that a user has nowhere, each once.
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
      let isThere = user == .everything ? isKnown(file) : known.contains(digest)
      if !isThere, counted.insert(digest).inserted { size = size.saturatingSum(with: new.size(file)) }
    }
    return size
  }

  /// What the packs of each delivery cost a user who has everything.
  package var downloadsByDelivery: [Delivery: Download] {
    Dictionary(
      uniqueKeysWithValues: Delivery.allCases.map { delivery in
        (delivery, total(of: packs.filter { $0.new.map { new.packs[$0].delivery } == delivery }))
      })
  }

  /// What the packs of each tag of the newer release cost a user who has everything, by tag.
  package var downloadsByTag: [(tag: String, download: Download)] {
    var changes: [String: [PackChange]] = [:]
    for change in packs where change.new != nil {
      for tag in change.tags { changes[tag, default: []].append(change) }
    }
    return changes.sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, total(of: $0.value)) }
  }

  private func total(of changes: [PackChange]) -> Download {
    var total = Download()
    for change in changes where change.download > 0 || !change.files.isEmpty {
      total.packs += 1
      total.byPacks = total.byPacks.saturatingSum(with: change.download)
      total.byFiles = total.byFiles.saturatingSum(with: change.fileBytes)
    }
    total.byContent = size(ofContents: changes.flatMap { $0.files.compactMap(\.new) }, missingTo: .everything)
    return total
  }
}
