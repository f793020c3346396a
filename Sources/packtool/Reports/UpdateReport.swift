import Findings
import PackKit
import Releases

/// The facts of a comparison, for all output formats.
struct UpdateReport {
  let update: Comparison
  /// Kinds of users with their names and downloads.
  let users: [(name: String, user: User, download: Download)]
  let remarks: [Remark]
  /// Whether lists are shown in full.
  let showsAll: Bool

  init(_ update: Comparison, having tags: [String], showsAll: Bool = false) {
    self.update = update
    self.showsAll = showsAll
    var kinds: [(String, User)] = [
      ("everything", .everything), ("the initial install only", .initialInstall),
    ]
    if !tags.isEmpty {
      kinds.append((tags.map { quoted($0) }.joined(separator: " + "), .having(tags)))
    }
    users = kinds.map { ($0.0, $0.1, update.download(of: $0.1)) }
    remarks = update.remarks
  }

  /// The download of a user who has all packs.
  var total: Download { users[0].download }

  /// The changed packs, first those that are downloaded, the largest first.
  var changes: [PackChange] {
    update.packs.filter { $0.status != .unchanged }.sorted { first, second in
      first.download == second.download
        ? first.id.precedesInBytes(second.id) : first.download > second.download
    }
  }

  func delivery(of change: PackChange) -> Delivery {
    change.new.map { update.new.packs[$0].delivery } ?? change.old.map { update.old.packs[$0].delivery }
      ?? .onDemand
  }

  /// A file's path inside its pack.
  func path(of file: PackChange.File) -> String {
    file.new.map(update.new.path) ?? file.old.map(update.old.path) ?? ""
  }
}
