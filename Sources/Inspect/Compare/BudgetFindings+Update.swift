package import Formats
import Model
package import Pipeline
package import System

extension BudgetFindings {
  /// Returns findings about packs that exceed their budgets.
  package func findings(on release: ReleaseContents) -> [Diagnostic] {
    findings(
      on: release.packs.enumerated().map { number, pack in
        BudgetedPack(
          tags: pack.tags, size: release.size(ofPack: number),
          notes: { _ in Self.largestFiles(ofPack: number, in: release) })
      })
  }

  private static func largestFiles(ofPack number: Int, in release: ReleaseContents) -> [Diagnostic
    .AttachedLine]
  {
    let files = release.contents.files(of: number)
    let largest = files.sorted { (release.size($1), $0) < (release.size($0), $1) }
    let texts = largest.prefix(maxNamed).map {
      "\(quoted(release.path($0))) with \(ByteSize.exact(release.size($0)))"
    }
    return [.init("the largest files: \(texts.joined(separator: ", "))")]
  }

  /// Returns findings about an update, or a growth of packs, that exceeds its budget.
  package func findings(on update: Comparison) -> [Diagnostic] {
    [updateSize(update), growth(update)].compactMap { $0 }
  }

  private func updateSize(_ update: Comparison) -> Diagnostic? {
    let download = update.download(forUserWith: .everything)
    let size = download.patched ?? download.byPacks
    guard let budget = budgets.updateSize, size > budget.value else { return nil }
    let patches =
      download.patched == nil ? "" : " with patches, \(ByteSize.number(download.byPacks)) without them"
    let message =
      "the update from \(quoted(update.old.name)) downloads \(ByteSize.exact(size))\(patches), "
      + "\(ByteSize.number(size - budget.value)) more than its budget of \(ByteSize.number(budget.value))"
    let packs = update.packs.filter { $0.download > 0 }.sorted { ($1.download, $0.id) < ($0.download, $1.id) }
    let texts = packs.prefix(Self.maxNamed).map { pack in
      "\(setNotation(pack.tags)) with \(ByteSize.exact(pack.download)), because "
        + "\(ByteSize.exact(pack.fileBytes)) of files are new or changed"
    }
    var notes = [
      Diagnostic.AttachedLine("the packs with the largest downloads: \(texts.joined(separator: "; "))")
    ]
    notes.append(.init("the largest files: \(heaviestFiles(of: update, in: packs))"))
    notes += update.remarks.filter { $0.saving > 0 }.prefix(Self.maxNamed).map { .help($0.message) }
    return Diagnostic(.updateSize, message: message, at: place(budget.offset), notes: notes)
  }

  /// Returns a list of the largest files in the downloaded packs, and whether each file has changed.
  private func heaviestFiles(of update: Comparison, in packs: [PackChange]) -> String {
    let new = update.new
    let files = packs.flatMap { pack in pack.new.map { Array(new.contents.files(of: $0)) } ?? [] }
    let largest = files.sorted { (new.size($1), $0) < (new.size($0), $1) }.prefix(Self.maxNamed)
    var changes: [Int32: String] = [:]
    for file in packs.lazy.flatMap(\.files) {
      if let number = file.new { changes[number] = file.otherPack == nil ? file.change.rawValue : "moved" }
    }
    return largest.map {
      "\(quoted(new.path($0))) with \(ByteSize.exact(new.size($0))), \(changes[$0] ?? "unchanged")"
    }.joined(separator: "; ")
  }

  private func growth(_ update: Comparison) -> Diagnostic? {
    let (old, new) = (update.old.size, update.new.size)
    guard let budget = budgets.growth, new > old, new - old > budget.value.part(of: old) else { return nil }
    let part = Percentage(growthTo: new, from: old).map { ", by \($0)" } ?? ""
    let excess = new - old - budget.value.part(of: old)
    let message =
      "all packs together grew from \(ByteSize.number(old)) to \(ByteSize.exact(new))\(part), which is "
      + "\(ByteSize.exact(excess)) more than the budget of \(budget.value) allows"
    let grown = update.packs.lazy.flatMap(\.files).compactMap { file -> (path: String, size: Int64)? in
      guard file.otherPack == nil, let number = file.new else { return nil }
      return (update.new.path(number), update.new.size(number) - (file.old.map(update.old.size) ?? 0))
    }
    let most = grown.filter { $0.size > 0 }.sorted {
      $0.size == $1.size ? $0.path.precedesInBytes($1.path) : $0.size > $1.size
    }
    let texts = most.prefix(Self.maxNamed).map { "\(quoted($0.path)) by \(ByteSize.exact($0.size))" }
    let notes =
      texts.isEmpty
      ? [] : [Diagnostic.AttachedLine("the files that grew most: \(texts.joined(separator: ", "))")]
    return Diagnostic(.growth, message: message, at: place(budget.offset), notes: notes)
  }
}

extension Preparation {
  /// Compares a release with a plan.
  ///
  /// If a file cannot be read, the function adds findings and returns nil.
  package func update(
    from baseline: ReleaseContents, unchanged: UnchangedFiles, jobs: Int
  ) throws(SystemError) -> (comparison: Comparison?, diagnostics: [Diagnostic]) {
    guard let plan = slice, let root else { return (nil, []) }
    let contents = try plan.contentDigests(
      of: Array(plan.tree.files.indices), root: root, unchanged: unchanged, readCounter: readCounter,
      jobs: jobs)
    if !contents.diagnostics.isEmpty { return (nil, contents.diagnostics) }
    return (
      Comparison(
        old: baseline,
        new: ReleaseContents(named: path, plan: plan, for: devices, fileDigests: contents.digests)), []
    )
  }
}
