import Published
package import Findings
package import PackKit
import Projects
package import System

extension BudgetFindings {
  /// Findings about packs that exceed their budgets.
  package func findings(on release: ReleaseContents) -> [Diagnostic] {
    findings(
      on: release.packs.enumerated().map { number, pack in
        (pack.tags, release.size(ofPack: number), { _ in Self.largestFiles(ofPack: number, in: release) })
      })
  }

  private static func largestFiles(ofPack number: Int, in release: ReleaseContents) -> [Diagnostic.Note] {
    let files = release.contents.files(of: number)
    let largest = files.sorted { (release.size($1), $0) < (release.size($0), $1) }
    let texts = largest.prefix(mostNamed).map {
      "\(quoted(release.path($0))) with \(ByteSize.exact(release.size($0)))"
    }
    return [.init("the largest files: \(texts.joined(separator: ", "))")]
  }

  /// Findings about an update or a growth that exceeds its budget.
  package func findings(on update: Comparison) -> [Diagnostic] {
    [updateSize(update), growth(update)].compactMap { $0 }
  }

  private func updateSize(_ update: Comparison) -> Diagnostic? {
    let download = update.download(of: .everything)
    let size = download.patched ?? download.byPacks
    guard let budget = budgets.updateSize, size > budget.value else { return nil }
    let patches =
      download.patched == nil ? "" : " by patches, \(ByteSize.number(download.byPacks)) without them"
    let message =
      "the update from \(quoted(update.old.name)) downloads \(ByteSize.exact(size))\(patches), "
      + "\(ByteSize.number(size - budget.value)) over its budget of \(ByteSize.number(budget.value))"
    let packs = update.packs.filter { $0.download > 0 }.sorted { ($1.download, $0.id) < ($0.download, $1.id) }
    let texts = packs.prefix(Self.mostNamed).map { pack in
      "\(setNotation(pack.tags)) with \(ByteSize.exact(pack.download)) for \(ByteSize.number(pack.fileBytes)) of new and "
        + "changed files"
    }
    var notes = [Diagnostic.Note("the packs that weigh most: \(texts.joined(separator: ", "))")]
    notes.append(.init("the files that weigh most: \(heaviestFiles(of: update, in: packs))"))
    notes += update.remarks.filter { $0.saving > 0 }.prefix(Self.mostNamed).map { .init($0.message) }
    return Diagnostic(.updateSize, message, at: place(budget.offset), notes: notes)
  }

  /// The largest files of downloaded packs, and whether they have changed.
  private func heaviestFiles(of update: Comparison, in packs: [PackChange]) -> String {
    let new = update.new
    let files = packs.flatMap { pack in pack.new.map { Array(new.contents.files(of: $0)) } ?? [] }
    let largest = files.sorted { (new.size($1), $0) < (new.size($0), $1) }.prefix(Self.mostNamed)
    var fates: [Int32: String] = [:]
    for file in packs.lazy.flatMap(\.files) {
      if let number = file.new { fates[number] = file.otherPack == nil ? file.change.rawValue : "moved" }
    }
    return largest.map {
      "\(quoted(new.path($0))) with \(ByteSize.exact(new.size($0))), \(fates[$0] ?? "unchanged")"
    }.joined(separator: "; ")
  }

  private func growth(_ update: Comparison) -> Diagnostic? {
    let (old, new) = (update.old.size, update.new.size)
    guard let budget = budgets.growth, new > old, new - old > budget.value.part(of: old) else { return nil }
    let part = Percentage(growth: new, from: old).map { "by \($0), " } ?? ""
    let excess = new - old - budget.value.part(of: old)
    let message =
      "all packs together grew from \(ByteSize.number(old)) to \(ByteSize.exact(new)), \(part)"
      + "\(ByteSize.exact(excess)) over the budget of \(budget.value)"
    let grown = update.packs.lazy.flatMap(\.files).compactMap { file -> (path: String, size: Int64)? in
      guard file.otherPack == nil, let number = file.new else { return nil }
      return (update.new.path(number), update.new.size(number) - (file.old.map(update.old.size) ?? 0))
    }
    let most = grown.filter { $0.size > 0 }.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
    let texts = most.prefix(Self.mostNamed).map { "\(quoted($0.path)) by \(ByteSize.exact($0.size))" }
    let notes =
      texts.isEmpty ? [] : [Diagnostic.Note("the files that grew most: \(texts.joined(separator: ", "))")]
    return Diagnostic(.growth, message, at: place(budget.offset), notes: notes)
  }
}

extension Preparation {
  /// The update from a release to a plan; nil, with findings, if a file cannot be read.
  package func update(
    from baseline: ReleaseContents, known: KnownFiles, jobs: Int
  ) throws(SystemError) -> (comparison: Comparison?, diagnostics: [Diagnostic]) {
    guard let plan = slice, let root else { return (nil, []) }
    let contents = try plan.contentDigests(root: root, known: known, reads: reads, jobs: jobs)
    if !contents.diagnostics.isEmpty { return (nil, contents.diagnostics) }
    return (Comparison(baseline, ReleaseContents(path, plan, for: devices, digests: contents.digests)), [])
  }
}
