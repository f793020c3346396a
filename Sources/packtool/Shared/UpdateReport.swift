import Formats
import Inspect
import Model
import Pipeline
import System

extension [RemovedTag] {
  /// Returns the tags on one line.
  ///
  /// This line is the first line of a comparison in all formats.
  func line(startingWith title: String) -> String {
    "\(title): \(listed(map(\.name), atMost: 10))"
  }
}

/// The download of one kind of user.
struct UserDownload {
  /// A description of the packs that these users have.
  let name: String
  let user: User
  let download: Download
}

struct UpdateReport {
  let update: Comparison
  let removedTags: [RemovedTag]
  let summary: UpdateSummary
  let users: [UserDownload]
  /// For each tag, the download of users who have all packs of the tag.
  let tags: [(tag: String, download: Download)]
  /// The packs that differ between the releases.
  ///
  /// They are sorted by download size, the largest first.
  let changes: [PackChange]
  let remarks: [Remark]
  let bounds: UpdateBounds
  let showsAll: Bool

  init(
    _ update: Comparison, having tags: [String], bounds: UpdateBounds = UpdateBounds(),
    showsAll: Bool = false
  ) {
    self.update = update
    self.bounds = bounds
    self.showsAll = showsAll
    summary = UpdateSummary(update)
    let having = tags.isEmpty ? [] : [(tags.map(quoted).joined(separator: " + "), User.having(tags))]
    let kinds = [("everything", User.everything), ("the initial install only", .initialInstall)] + having
    users = kinds.map { UserDownload(name: $0, user: $1, download: update.download(forUserWith: $1)) }
    self.tags = update.downloadsByTag
    changes = Self.changes(in: update)
    remarks = update.remarks
    removedTags = update.removedTags
  }

  var deliveries: [(delivery: Delivery, download: Download)] {
    let downloads = update.downloadsByDelivery
    return Delivery.allCases.map { ($0, downloads[$0] ?? Download()) }
  }

  var downloadedTags: [(tag: String, download: Download)] {
    tags.filter { $0.download.byPacks > 0 }.sorted { first, second in
      (second.download.byPacks, first.tag) < (first.download.byPacks, second.tag)
    }
  }

  var totals: [UpdateTotal] { UpdateTotal.all(of: update) }

  var downloadedPacks: [PackChange] { changes.filter { $0.download > 0 } }

  /// The download of each device class; nil if all devices get the same files.
  var reach: [DeviceDownload]? { DeviceDownload.all(of: update) }

  /// The slices of the newer release; nil if all devices get the same files.
  var slices: SlicesReport? {
    update.new.variants.map {
      SlicesReport(update.new.release, slices: $0.slices, for: $0.devices, appSize: nil)
    }
  }

  private static func changes(in update: Comparison) -> [PackChange] {
    update.packs.filter { $0.status != .unchanged }.sorted { first, second in
      first.download == second.download
        ? first.id.precedesInBytes(second.id) : first.download > second.download
    }
  }

  /// Whether downloads are shown as compressed sizes.
  ///
  /// This requires that the sizes of all archives are known.
  var isPacked: Bool { update.new.release.hasPackedSizes && summary.total.packed != nil }

  func shownSize(_ download: Download) -> Int64 { download.shownSize(isPacked: isPacked) }

  func shownSize(_ change: PackChange) -> Int64 {
    isPacked ? change.packedDownload ?? change.download : change.download
  }

  /// A remark about the download of the index; nil if the newer release is not built.
  ///
  /// The downloads of packs do not include the index.
  var indexNote: String? {
    summary.total.index.map { "every device also downloads the index, \(ByteSize.text($0)) compressed" }
  }

  var caution: String? {
    isPacked
      ? nil
      : "downloads are uncompressed sizes, because \(quoted(update.new.name)) is not built; to see "
        + "compressed sizes, compare built folders"
  }
}

// Facts about a pack or file of a comparison.
extension Comparison {
  /// Returns the delivery mode of a pack.
  ///
  /// For a removed pack, returns its delivery mode in the older release.
  func delivery(of change: PackChange) -> Delivery {
    change.new.map { new.packs[$0].delivery } ?? change.old.map { old.packs[$0].delivery }
      ?? .onDemand
  }

  func path(of file: PackChange.File) -> String { file.new.map(new.path) ?? file.old.map(old.path) ?? "" }

  /// Returns the size of a file in bytes before and after the update.
  ///
  /// A size is nil if the file does not exist in that release.
  func sizes(of file: PackChange.File) -> (old: Int64?, new: Int64?) {
    (file.old.map { old.contents.size(at: Int($0)) }, file.new.map { new.contents.size(at: Int($0)) })
  }

  /// Returns the pack from which or to which a file moved; nil if the file did not move.
  func otherPack(of file: PackChange.File) -> OtherPack? {
    guard let other = file.otherPack else { return nil }
    // If the file is listed as added, the other pack is in the older release. If it is listed as removed, the
    // other pack is in the newer release.
    let isSource = file.change == .added
    let pack = (isSource ? old : new).packs[other]
    return OtherPack(id: pack.id, tags: pack.tags, isSource: isSource)
  }
}

/// The pack from which or to which a file moved.
struct OtherPack {
  let id: String
  let tags: [String]
  /// Whether the file moved from this pack.
  ///
  /// If the value is false, the file moved to this pack.
  let isSource: Bool
}

struct UpdateSummary {
  let update: Comparison
  let total: Download
  var old: String { update.old.name }
  var new: String { update.new.name }

  init(_ update: Comparison) { (self.update, total) = (update, update.download(forUserWith: .everything)) }

  /// For each status, the number and the total sizes of the packs.
  ///
  /// The compressed sizes are known only if all packs are built.
  var counts: [StatusCount] {
    PackChange.Status.allCases.map { status in
      let count = update.count(status)
      return StatusCount(
        status: status, packs: count.packs, size: count.size, packed: update.packedSize(of: status))
    }
  }

  func packs(_ status: PackChange.Status) -> Int { update.count(status).packs }
}

/// The number and the total size of the packs with a status.
struct StatusCount {
  let status: PackChange.Status
  let packs: Int
  /// The total size of the packs' files in bytes.
  let size: Int64
  /// The total compressed size of the packs in bytes; nil if any of the packs is not built.
  let packed: Int64?
}

extension Download {
  /// Returns the number of bytes to show.
  ///
  /// This is the size of the archives or, if not all archives are built, the size of the files.
  func shownSize(isPacked: Bool) -> Int64 { isPacked ? packed ?? byPacks : byPacks }
}

// Facts that all formats of a history show.
extension History {
  var summaries: [UpdateSummary] { updates.map { UpdateSummary($0) } }

  var changedPacks: [Pack] { packs.filter { $0.changes > 0 } }

  /// Whether the packs of every release are built.
  ///
  /// If they are, downloads are shown as compressed sizes.
  var isPacked: Bool { total.packed != nil }
}

extension VolatileSplit {
  var message: String {
    "the pack of \(setNotation(tags)) changed in \(counted(changes, of: "update")), and devices downloaded "
      + "\(ByteSize.exact(download)) in all; if \(listed(files, atMost: 5)) had a tag of "
      + "\(files.count == 1 ? "its" : "their") own in addition to \(listed(tags)), such as "
      + "\(quoted(proposedTag)), the download would have been \(grouped(possible)) bytes, \(grouped(saving)) "
      + "bytes less"
  }
}

struct UpdateTotal: Sendable {
  let title: String
  /// The size of the files in bytes before and after the update; if the row is a count, the two numbers.
  let size: (before: Int64, after: Int64)
  /// The compressed size in bytes.
  ///
  /// It is nil if any pack is not built, or if the values cannot be compressed sizes.
  let packed: (before: Int64, after: Int64)?
  var isCount = false

  static func all(of update: Comparison) -> [UpdateTotal] {
    let (old, new) = (update.old.release, update.new.release)
    let areBuilt = old.hasPackedSizes && new.hasPackedSizes
    func ifBothAreBuilt(before: Int64?, after: Int64?) -> (before: Int64, after: Int64)? {
      areBuilt ? before.flatMap { before in after.map { (before, $0) } } : nil
    }
    var totals = Delivery.allCases.map { delivery in
      UpdateTotal(
        title: delivery.title, size: (old.count(of: delivery).size, new.count(of: delivery).size),
        packed: ifBothAreBuilt(before: old.packedSize(of: delivery), after: new.packedSize(of: delivery)))
    }
    totals += [
      UpdateTotal(
        title: "all packs", size: (old.total.size, new.total.size),
        packed: ifBothAreBuilt(
          before: old.packedSize(of: old.packs.indices), after: new.packedSize(of: new.packs.indices))),
      UpdateTotal(
        title: "packs", size: (Int64(old.packs.count), Int64(new.packs.count)), packed: nil, isCount: true),
      UpdateTotal(title: "untagged", size: (old.untagged.size, new.untagged.size), packed: nil),
    ]
    return totals
  }

  func text(_ value: Int64) -> String { isCount ? grouped(value) : ByteSize.text(value) }

  /// Formats a change, such as `+1.2 MB (+3.4 %)` or `±0`.
  static func change(_ values: (before: Int64, after: Int64), text: (Int64) -> String) -> String {
    let (difference, overflows) = values.after.subtractingReportingOverflow(values.before)
    if overflows { return "" }
    if difference == 0 { return "±0" }
    let sign = difference > 0 ? "+" : "-"
    let magnitude = Int64(clamping: difference.magnitude)
    return sign + text(magnitude) + " (\(percent(difference, of: values.before)))"
  }

  /// Formats a percentage such as `+3.4 %`.
  ///
  /// Percentages below 100 have one decimal. If the value was 0 before the update, the result is `new`.
  private static func percent(_ difference: Int64, of before: Int64) -> String {
    if before <= 0 { return "new" }
    let share = Double(difference.magnitude) / Double(before) * 100
    let sign = difference > 0 ? "+" : "-"
    if share >= 100 { return "\(sign)\(grouped(Int64(min(share.rounded(), 1e15)))) %" }
    let tenths = Int((share * 10).rounded())
    return tenths == 0 ? "\(sign)<0.1 %" : "\(sign)\(tenths / 10).\(tenths % 10) %"
  }
}

/// How much of each limit and budget the newer release uses.
struct UpdateBounds {
  var limits: [LimitUse] = []
  var budgets: [BudgetUse] = []
}

/// How much of a budget a release uses, in uncompressed bytes.
struct BudgetUse {
  let title: String
  let used: Int64
  /// The budget in bytes.
  let allowed: Int64
}

extension Budgets {
  func uses(on update: Comparison) -> [BudgetUse] {
    var uses: [BudgetUse] = []
    if let updateSize {
      uses.append(
        BudgetUse(
          title: "update", used: update.download(forUserWith: .everything).byPacks, allowed: updateSize.value)
      )
    }
    if let growth {
      let used = max(0, update.new.size - update.old.size)
      let allowed = growth.value.part(of: update.old.size)
      uses.append(BudgetUse(title: "growth of all packs", used: used, allowed: allowed))
    }
    for (name, budget) in packs {
      guard let pack = update.new.packs.first(where: { $0.tags.joined(separator: "+") == name }) else {
        continue
      }
      uses.append(
        BudgetUse(title: "pack \(setNotation(pack.tags))", used: pack.size, allowed: budget.value))
    }
    return uses
  }
}

struct UpdateSection {
  let report: UpdateReport
  let history: History?
  let detail: ReportDetail

  var html: HTML {
    "<p>From \(report.update.old.name, upTo: 160) to \(report.update.new.name, upTo: 160).</p>\n"
      + totals + picture + packs + remarks
      + (history.map { historyPicture($0) + historyTable($0) } ?? "")
  }

  private var totals: HTML {
    let totals = report.totals
    let isPacked = totals.contains { $0.packed != nil }
    let packed: [Table<UpdateTotal>.Column] = [
      .size("compressed before", bytes: \.packed?.before), .size("compressed after", bytes: \.packed?.after),
      .number("change") { total in total.packed.map { UpdateTotal.change($0, text: total.text) } ?? "–" },
    ]
    return Table(
      totals,
      columns: [
        .text("what", text: \.title), .number("before", by: \.size.before) { $0.text($0.size.before) },
        .number("after", by: \.size.after) { $0.text($0.size.after) },
        .number("change") { UpdateTotal.change($0.size, text: $0.text) },
      ] + (isPacked ? packed : [])
    ).html("Before and after") + .note(report.caution)
  }

  private var names: TagNames { TagNames(report.update.packs.map(\.tags)) }

  private var picture: HTML {
    let names = names
    let bars = report.downloadedPacks.prefix(24).map {
      bar(named: names.name(of: $0.tags), newBytes: $0.fileBytes, outOf: $0.download)
    }
    if bars.isEmpty { return "" }
    return .legend([
      HTML.LegendEntry(cssClass: "i", color: "#1f4e8c", meaning: "new and changed files"),
      HTML.LegendEntry(
        cssClass: "o", color: "#bcd3ee", meaning: "unchanged, but downloaded again (uncompressed)"),
    ]) + .bars(bars, label: "Downloaded packs, and the share of each pack that changed")
  }

  private func bar(named name: String, newBytes: Int64, outOf all: Int64) -> HTML.Bar {
    let (part, whole) = (ByteSize.text(newBytes), ByteSize.text(all))
    return HTML.Bar(
      name: name, hover: "\(whole) downloaded, \(part) new or changed", text: "\(part) of \(whole)",
      size: all, dark: min(newBytes, all))
  }

  private var packs: HTML {
    if report.changes.isEmpty { return "<p>No pack changed.</p>\n" }
    return Table(
      report.changes.prefix(detail.rows), columns: .tags("pack", names: names, tags: \.tags),
      .text("what", text: \.status.rawValue), .text("delivery") { report.update.delivery(of: $0).title },
      .size("new and changed files", bytes: \.fileBytes),
      .size("downloaded, uncompressed", bytes: \.download),
      .size("downloaded, compressed", bytes: \.packedDownload)
    ).html("Packs that differ")
      + .leftOut(report.changes.count - detail.rows, noun: "more pack", prefix: "and ")
  }

  private var remarks: HTML {
    let lines = report.remarks.prefix(10).map { remark -> HTML in
      "<li>\(TagNames.shortening(remark.message), upTo: 1200)</li>\n"
    }
    return lines.isEmpty ? "" : "<ul>\n\(Array(lines))</ul>\n"
  }

  private func historyPicture(_ history: History) -> HTML {
    let bars = history.summaries.suffix(40).map { update in
      bar(
        named: "\(lastName(of: update.old)) → \(lastName(of: update.new))", newBytes: update.total.byFiles,
        outOf: update.total.byPacks)
    }
    return "<h3>\(counted(history.updates.count, of: "update"))</h3>\n"
      + .bars(bars, label: "Downloads of each update")
  }

  private func historyTable(_ history: History) -> HTML {
    Table(
      history.summaries.suffix(detail.rows),
      columns: .markup("update") { "\($0.old, upTo: 100) to \($0.new, upTo: 100)" },
      .count("changed") { $0.packs(.changed) }, .count("added") { $0.packs(.added) },
      .count("removed") { $0.packs(.removed) }, .size("new and changed files", bytes: \.total.byFiles),
      .size("downloaded, uncompressed", bytes: \.total.byPacks),
      .size("downloaded, compressed", bytes: \.total.packed)
    ).html("History")
  }
}
