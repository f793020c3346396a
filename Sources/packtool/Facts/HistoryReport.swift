import Findings
import Releases
import System

/// The facts of a history.
struct HistoryReport {
  /// The app's identifier.
  let bundleIdentifier: String
  /// The names of the releases, in order.
  let releases: [String]
  let updates: [UpdateSummary]
  /// The sum of all updates for a user who has everything.
  let total: Download
  /// Every pack, those that made devices download most first.
  let packs: [History.Pack]
  /// Those of them that changed.
  let changedPacks: [History.Pack]
  /// Every path whose content changed, those that changed most often first.
  let files: [History.File]
  /// Every tag, those whose users downloaded most first.
  let tags: [History.Tag]
  /// Those of them of which something was downloaded.
  let downloadedTags: [History.Tag]
  /// Packs that had better been two.
  let splits: [VolatileSplit]
  /// Bytes that all splits together would have saved.
  let saving: Int64
  /// Whether lists are shown whole.
  let showsAll: Bool

  init(_ history: History, showsAll: Bool = false) {
    self.showsAll = showsAll
    bundleIdentifier = history.releases.first?.bundleIdentifier ?? ""
    releases = history.releases.map(\.name)
    updates = history.updates.map { UpdateSummary($0) }
    total = history.total
    let packs = history.packs
    self.packs = packs
    changedPacks = packs.filter { $0.changes > 0 }
    files = history.files
    let tags = history.tags
    self.tags = tags
    downloadedTags = tags.filter { $0.download.byPacks > 0 }
    let splits = history.splits
    self.splits = splits
    saving = splits.saturatingSum { $0.saving }
  }
}

extension HistoryReport {
  /// Whether the packs of every release are built, so downloads are shown in packed bytes.
  var isPacked: Bool { total.packed != nil }

  /// The bytes shown for a download.
  func told(_ download: Download) -> Int64 {
    isPacked ? download.packed ?? download.byPacks : download.byPacks
  }
}

extension VolatileSplit {
  /// The proposal, and what it would have saved.
  var message: String {
    "the pack of \(setNotation(tags)) changed in \(counted(changes, "update")), \(ByteSize.exact(download)) in "
      + "all: had \(listed(files, atMost: 5)) a tag of \(files.count == 1 ? "its" : "their") own beside "
      + "\(listed(tags)), such as \(quoted(proposedTag)), that would have been \(grouped(possible)), "
      + "\(grouped(saving)) less"
  }
}
