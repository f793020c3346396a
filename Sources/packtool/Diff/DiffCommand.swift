import Formats
import Inspect
import Model
import Pipeline
import System

extension Command {
  fileprivate struct DiffOptions: ReportingOptions {
    var format = OutputFormat.text
    var tags: [String] = []
    var budgets = Budgets()
    var acceptsPointers = false
    var device: DeviceClass?
    /// The folder that `--root` specifies.
    ///
    /// Code that reads files gets this folder from `RunScope.current`.
    var root: String?
    var shared = SharedOptions()
  }

  static let diff = Command(
    CommandSyntax<DiffOptions>(
      name: "diff", summary: "show which packs an update makes devices download, and why",
      arguments: [
        Argument("OLD", summary: "the earlier release, which users have", kind: .path).using(.builtIndex),
        Argument(
          "NEW",
          summary: "the release that updates OLD; name more releases for a history", kind: .path,
          count: 1...1000),
      ],
      flags: [
        .outputFormat(of: "comparison", in: [.text, .json, .markdown], into: \.format),
        .list(
          "--having", valueName: "TAG", kind: .named(.tag),
          summary:
            "also count the download of a user who has the packs of this tag; if repeated, of all these tags",
          into: \.tags),
        .device(
          summary: "compare the packs of one device class, from manifests or from folders built for it",
          into: \.device),
        .pointers(into: \.acceptsPointers), .root(into: \.root),
      ] + Budgets.flags.lifted(into: \.budgets)
        + SharedOptions.flags(in: \.shared)
    ).noting(exitStatus: "Differences between the releases do not change the exit status"),
    defaults: DiffOptions.init
  ) { options, arguments, session in try options.run(arguments, session: session) }
}

extension Command.DiffOptions {
  fileprivate func run(_ arguments: [String], session: Session) throws -> ExitStatus {
    let reading = ReleaseReader.Options(
      acceptsPointers: acceptsPointers, usesBackgroundAssetsIDs: true, device: device)
    let readers = try ReleaseReader.read(arguments, options: reading, jobs: shared.workers)
    let releases = readers.compactMap(\.release)
    let findings = judged(readers)
    guard releases.count == readers.count, !findings.hasErrors else {
      session.report(findings, options: shared)
      return try session.refuse(findings, format: format)
    }
    let devices = releases.map { (name: $0.name, device: $0.release.device) }
    if let mistake = deviceMistake(in: devices, named: device) ?? mistake(in: releases) {
      return session.refuse(mistake)
    }
    let history = History(releases)
    let judged = judged(readers, more: budgetFindings(on: history, readers: readers))
    session.report(judged, options: shared)
    try show(history, manifest: readers.last?.manifest, session: session)
    return ExitStatus(of: judged)
  }

  private func judged(_ readers: [ReleaseReader], more: [Diagnostic] = []) -> Findings {
    let found = readers.map { ($0.diagnostics, shared.policy.adding($0.manifest)) }
    return Findings(
      manifestPath: readers.last?.path ?? "", sources: readers.last?.text,
      judging: found + [(more, shared.policy.adding(readers.last?.manifest))])
  }

  /// Returns findings about budgets that the last update exceeds.
  ///
  /// The budgets come from the newest release's manifest or from flags.
  private func budgetFindings(on history: History, readers: [ReleaseReader]) -> [Diagnostic] {
    guard let update = history.updates.last, let last = readers.last else { return [] }
    let findings = BudgetFindings(
      allBudgets(last.manifest), manifestText: last.manifest?.text, fallbackPath: last.path)
    return findings.findings(on: update) + findings.findings(on: update.new)
      + versionFindings(on: update, path: last.path)
  }

  /// Returns findings about wrong version numbers.
  ///
  /// With such numbers, devices would miss changes, or download the same contents again.
  private func versionFindings(on update: Comparison, path: String) -> [Diagnostic] {
    update.packs.compactMap { change in
      guard let old = change.oldVersion, let new = change.version else { return nil }
      let what: String? =
        if new < old || (new == old && change.status == .changed) {
          "devices that have version \(old) keep the old contents"
        } else if new > old && change.status == .unchanged {
          "devices download the same contents again"
        } else {
          nil
        }
      return what.map {
        let message = "the version of the pack \(quoted(change.id)) changes from \(old) to \(new), so \($0)"
        return Diagnostic(.wrongVersion, message: message, at: Place(path))
      }
    }
  }

  private func bounds(on update: Comparison, manifest: Manifest?) -> UpdateBounds {
    let release = update.new.release
    let limits = manifest?.limits ?? LimitSettings(of: release)
    let appBundle = manifest.flatMap { try? $0.appBundleSize().size }
    let uses = LimitUse.all(
      of: release, slices: update.new.variants?.slices ?? [], limits: limits, appBundleSize: appBundle)
    return UpdateBounds(limits: uses, budgets: allBudgets(manifest).uses(on: update))
  }

  private func allBudgets(_ manifest: Manifest?) -> Budgets {
    var all = manifest?.budgets ?? Budgets()
    all.replace(by: budgets)
    return all
  }

  private func show(_ history: History, manifest: Manifest?, session: Session) throws {
    guard history.updates.count == 1, let update = history.updates.first else {
      if format == .markdown { return try session.print(markdown: history.markdown) }
      return try session.print(
        format, text: history.text(rows: shared.isVerbose ? .max : 10), json: history.json)
    }
    let report = UpdateReport(
      update, having: tags, bounds: bounds(on: update, manifest: manifest), showsAll: shared.isVerbose)
    if format == .markdown { return try session.print(markdown: report.markdown) }
    try session.print(format, text: report.text(on: session.screen(shared)), json: report.json)
  }

  private func mistake(in releases: [ReleaseContents]) -> String? {
    if !tags.isEmpty && releases.count > 2 {
      return "flag \"--having\" can only be used with two releases; a history always shows all tags"
    }
    let known = Set(releases.flatMap { $0.packs.flatMap(\.tags) })
    guard let unknown = tags.first(where: { !known.contains($0) }) else { return nil }
    let guess = suggestion(nearest(to: unknown, in: known))
    return "flag \"--having\" contains the tag \(quoted(unknown)), but no release has this tag\(guess)"
  }
}

extension UpdateReport {
  var json: JSONText {
    .fields([
      "formatVersion": 1, "old": update.old.name, "new": update.new.name,
      "removedTags": removedTags.map(\.name), "packs": update.packs.map(update.json), "summary": summary.json,
      "deliveries": Dictionary(
        uniqueKeysWithValues: deliveries.map { ($0.delivery.rawValue, JSONText.object($0.download.json)) }),
      "tags": Dictionary(tags.map { ($0.tag, JSONText.object($0.download.json)) }) { first, _ in first },
      "users": users.map(json), "movedFiles": update.moves.map(update.json), "remarks": remarks.map(\.json),
      "devices": reach?.map {
        JSONText.fields(["download": $0.download, "names": $0.devices.map(\.name)])
      },
      "oldRelease": update.old.release.edition.map(\.number),
      "newRelease": update.new.release.edition.map(\.number),
    ])
  }

  private func json(of user: UserDownload) -> JSONText {
    var members = user.download.json
    switch user.user {
    case .everything: members["has"] = .string("everything")
    case .initialInstall: members["has"] = .string("initialInstall")
    case .having(let tags):
      members["has"] = .string("tags")
      members["tags"] = .strings(tags)
    }
    return .object(members)
  }
}

extension Comparison {
  fileprivate func json(of change: PackChange) -> JSONText {
    .fields([
      "id": change.id, "tags": change.tags, "delivery": delivery(of: change).rawValue,
      "status": change.status.rawValue, "size": change.size, "oldSize": change.oldSize,
      "addedFiles": change.count(.added), "removedFiles": change.count(.removed),
      "changedFiles": change.count(.changed), "download": change.download, "fileBytes": change.fileBytes,
      "isRepacked": change.isRepacked, "files": change.files.map(json), "packed": change.packedSize,
      "oldPacked": change.oldPackedSize, "downloadPacked": change.packedDownload, "patch": change.patchSize,
      "version": change.version, "oldVersion": change.oldVersion,
    ])
  }

  fileprivate func json(of file: PackChange.File) -> JSONText {
    let (sizes, other) = (sizes(of: file), otherPack(of: file))
    return .fields([
      "path": path(of: file), "change": file.change.rawValue, "size": sizes.new, "oldSize": sizes.old,
      "sameContentAs": file.sameContent.map(old.path), "movedFrom": other?.isSource == true ? other?.id : nil,
      "movedTo": other?.isSource == false ? other?.id : nil,
    ])
  }

  fileprivate func json(of move: Move) -> JSONText {
    return .fields([
      "path": new.path(move.file), "size": new.contents.size(at: Int(move.file)),
      "from": old.packs[move.oldPack].id,
      "to": new.packs[move.newPack].id, "isChanged": move.isChanged,
    ])
  }
}

extension UpdateSummary {
  fileprivate var json: [String: JSONText] {
    var summary = total.json
    summary["packs"] = nil
    summary["downloadIndex"] = total.index.map(JSONText.integer)
    for count in counts {
      summary[count.status.rawValue] = .fields([
        "packs": count.packs, "size": count.size, "packed": count.packed,
      ])
    }
    return summary
  }
}

extension Download {
  var json: [String: JSONText] {
    .fields([
      "packs": packs, "downloadByPacks": byPacks, "downloadByFiles": byFiles,
      "downloadByContent": byContent, "downloadPacked": packed, "downloadPatched": patched,
    ])
  }
}

extension Remark {
  var json: JSONText {
    .fields([
      "kind": kind.rawValue, "message": message, "tags": tags.isEmpty ? nil : tags,
      "files": files.isEmpty ? nil : files, "proposedTag": proposedTag, "saving": saving > 0 ? saving : nil,
    ])
  }
}

extension History {
  var json: JSONText {
    let splits = splits
    return .fields([
      "formatVersion": 1, "releases": releases.map(\.name), "removedTags": removedTags.map(\.name),
      "updates": summaries.map { JSONText.fields(["old": $0.old, "new": $0.new, "summary": $0.json]) },
      "packs": packs.map(json),
      "files": files.map { JSONText.fields(["path": $0.path, "changes": $0.changes, "size": $0.size]) },
      "tags": tags.map(json),
      "proposals": splits.map(json), "download": total.byPacks, "saving": splits.saturatingSum(\.saving),
    ])
  }

  private func json(of pack: History.Pack) -> JSONText {
    .fields([
      "id": pack.id, "tags": pack.tags, "updates": pack.updates, "changes": pack.changes,
      "download": pack.download, "fileBytes": pack.fileBytes,
    ])
  }

  private func json(of tag: History.Tag) -> JSONText {
    var members = tag.download.json
    members["tag"] = .string(tag.tag)
    members["updates"] = .integer(tag.updates)
    return .object(members)
  }

  private func json(of split: VolatileSplit) -> JSONText {
    .fields([
      "id": split.id, "tags": split.tags, "proposedTag": split.proposedTag, "files": split.files,
      "changes": split.changes, "download": split.download, "possible": split.possible,
      "saving": split.saving, "message": split.message,
    ])
  }
}
