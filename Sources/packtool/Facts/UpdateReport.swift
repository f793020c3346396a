import Findings
import PackKit
import Published
import Releases
import System

/// The facts of a comparison, for all output formats.
struct UpdateReport {
  let update: Comparison
  let summary: UpdateSummary
  /// Kinds of user, with what they are called and what they download.
  let users: [(name: String, user: User, download: Download)]
  /// The download of each delivery.
  let deliveries: [(delivery: Delivery, download: Download)]
  /// The download of those who have all packs of a tag, for each tag.
  let tags: [(tag: String, download: Download)]
  /// The tags of which something is downloaded, the largest download first.
  let downloadedTags: [(tag: String, download: Download)]
  /// The packs that differ, those that are downloaded first, the largest of them in front.
  let changes: [PackChange]
  /// Those of them that are downloaded.
  let downloadedPacks: [PackChange]
  let remarks: [Remark]
  /// Initial install, prefetch and all else, before and after.
  let totals: [UpdateTotal]
  /// Limits and budgets that the newer release is checked against.
  let bounds: UpdateBounds
  /// The download of each class of devices; nil if all get the same.
  let reach: [DeviceReach]?
  /// The slices of the newer release; nil if all get the same.
  let slices: SlicesReport?
  /// Whether lists are shown in full.
  let showsAll: Bool

  init(
    _ update: Comparison, having tags: [String], bounds: UpdateBounds = UpdateBounds(), showsAll: Bool = false
  ) {
    self.update = update
    self.bounds = bounds
    totals = UpdateTotal.all(of: update)
    self.showsAll = showsAll
    summary = UpdateSummary(update)
    users = Self.users(having: tags).map { ($0.name, $0.user, update.download(of: $0.user)) }
    let byDelivery = update.downloadsByDelivery
    deliveries = Delivery.allCases.map { ($0, byDelivery[$0] ?? Download()) }
    let byTag = update.downloadsByTag
    self.tags = byTag
    downloadedTags = byTag.filter { $0.download.byPacks > 0 }.sorted { first, second in
      (second.download.byPacks, first.tag) < (first.download.byPacks, second.tag)
    }
    let changes = Self.changes(in: update)
    self.changes = changes
    downloadedPacks = changes.filter { $0.download > 0 }
    remarks = update.remarks
    reach = DeviceReach.all(of: update)
    slices = update.new.variants.map {
      SlicesReport(update.new.release, $0.slices, for: $0.devices, appSize: nil)
    }
  }

  private static func users(having tags: [String]) -> [(name: String, user: User)] {
    let kinds: [(String, User)] = [
      ("everything", .everything), ("the initial install only", .initialInstall),
    ]
    if tags.isEmpty { return kinds }
    return kinds + [(tags.map { quoted($0) }.joined(separator: " + "), .having(tags))]
  }

  private static func changes(in update: Comparison) -> [PackChange] {
    update.packs.filter { $0.status != .unchanged }.sorted { first, second in
      first.download == second.download
        ? first.id.precedesInBytes(second.id) : first.download > second.download
    }
  }

  /// Whether downloads are shown as packed bytes: the sizes of all archives are known.
  var isPacked: Bool { update.new.release.hasPackedSizes && summary.total.packed != nil }

  /// The bytes shown for a download: of archives, or of files where an archive is not built.
  func told(_ download: Download) -> Int64 {
    isPacked ? download.packed ?? download.byPacks : download.byPacks
  }

  /// The same for one pack.
  func told(_ change: PackChange) -> Int64 {
    isPacked ? change.packedDownload ?? change.download : change.download
  }

  /// The remark on what is fetched besides packs; nil where the newer release is not built.
  var indexNote: String? {
    summary.total.index.map { "every device fetches the index too, \(ByteSize.text($0)) compressed" }
  }

  /// The remark where downloads are not packed bytes.
  var caution: String? {
    isPacked
      ? nil
      : "downloads are uncompressed bytes, for \(quoted(update.new.name)) is not built; compare built folders for "
        + "packed ones"
  }
}

// What a comparison says of a pack or file by its number in one of the releases.
extension Comparison {
  /// When a pack is downloaded, or was where it is gone.
  func delivery(of change: PackChange) -> Delivery {
    change.new.map { new.packs[$0].delivery } ?? change.old.map { old.packs[$0].delivery }
      ?? .onDemand
  }

  /// A file's path inside its pack.
  func path(of file: PackChange.File) -> String { file.new.map(new.path) ?? file.old.map(old.path) ?? "" }

  /// Bytes of a file before and after the update; nil where it is not there.
  func sizes(of file: PackChange.File) -> (old: Int64?, new: Int64?) {
    (file.old.map { old.contents.size(Int($0)) }, file.new.map { new.contents.size(Int($0)) })
  }

  /// The pack that a file came from or went to; nil for one that stayed.
  func otherPack(of file: PackChange.File) -> (id: String, tags: [String], isSource: Bool)? {
    guard let other = file.otherPack else { return nil }
    // A file that is new here came from the older release's pack; one that is gone went to the newer one's.
    let isSource = file.change == .added
    let pack = (isSource ? old : new).packs[other]
    return (pack.id, pack.tags, isSource)
  }
}

/// The totals of an update.
struct UpdateSummary {
  /// The releases' names.
  let old: String
  let new: String
  /// The download of a user who has everything.
  let total: Download
  /// How many packs there are of each status, and their bytes; packed ones where all are built.
  let counts: [(status: PackChange.Status, packs: Int, size: Int64, packed: Int64?)]

  init(_ update: Comparison) {
    old = update.old.name
    new = update.new.name
    total = update.download(of: .everything)
    counts = PackChange.Status.allCases.map { status in
      let count = update.count(status)
      return (status, count.packs, count.size, update.packedSize(of: status))
    }
  }

  /// How many packs have a status.
  func packs(_ status: PackChange.Status) -> Int { counts.first { $0.status == status }?.packs ?? 0 }
}

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
