import Findings
import Flags
import PackKit
import Releases
import Spelling

extension Command {
  fileprivate struct DiffOptions: Sendable {
    var format = DiffFormat.text
    /// The tags that one kind of user has requested.
    var tags: [String] = []
    var budgets = BudgetOptions()
    var shared = SharedOptions()
  }

  /// An output format of a comparison.
  fileprivate enum DiffFormat: String, CaseIterable, Sendable {
    case text
    case json
    case markdown
  }

  /// The command `packtool diff OLD NEW...`.
  static let diff = Command(
    CommandSyntax<DiffOptions>(
      name: "diff", summary: "show what an update makes devices download, and why",
      discussion: [
        "Each of OLD and NEW is a built folder, an index.json with its contents file beside it, or a manifest, "
          + "whose files are then read. Of more than two, in order, the whole history is shown."
      ],
      arguments: [
        Argument("OLD", summary: "the packs that users have", kind: .path),
        Argument(
          "NEW", summary: "the packs of the update; more of them for a history", kind: .path, count: 1...1000),
      ],
      flags: [
        .choice("--format", valueName: "FORMAT", summary: "the form of the comparison", into: \.format),
        .list(
          "--having", valueName: "TAG", kind: .named("tag"),
          summary:
            "also count what a user downloads who has the packs of this tag; of several, of all of them",
          into: \.tags),
      ] + BudgetOptions.flags(in: \.budgets) + SharedOptions.flags(in: \.shared)), DiffOptions.init
  ) { options, arguments, session in try options.run(arguments, session) }
}

extension Command.DiffOptions {
  fileprivate func run(_ arguments: [String], _ session: Session) throws -> ExitStatus {
    let readers = try ReleaseReader.read(arguments, jobs: shared.workers)
    let releases = readers.compactMap(\.release)
    let findings = judged(readers)
    guard releases.count == readers.count, !findings.hasErrors else {
      session.report(findings, shared)
      return .inputHasErrors
    }
    if let mistake = mistake(in: releases) { return session.refuse(mistake) }
    let history = History(releases)
    let judged = judged(readers, more: budgetFindings(on: history, readers))
    session.report(judged, shared)
    try session.print(text(of: history), as: format == .json ? .json : .plain)
    return judged.hasErrors ? .inputHasErrors : .done
  }

  /// The findings of each reader by the settings of its manifest, and those about the last update.
  private func judged(_ readers: [ReleaseReader], more: [Diagnostic] = []) -> Findings {
    var judged = FindingList()
    for reader in readers {
      let policy = shared.policy.adding(reader.manifest?.severities ?? [:])
      judged.add(reader.diagnostics.lazy.compactMap(policy.judge))
    }
    let policy = shared.policy.adding(readers.last?.manifest?.severities ?? [:])
    judged.add(more.lazy.compactMap(policy.judge))
    let path = readers.last?.path ?? ""
    return Findings(
      manifestPath: path, text: readers.last?.text, diagnostics: judged.findings.ordered(manifest: path))
  }

  /// Budgets that the last update exceeds: those of the newest release's manifest, or of flags.
  private func budgetFindings(on history: History, _ readers: [ReleaseReader]) -> [Diagnostic] {
    guard let update = history.updates.last, let last = readers.last else { return [] }
    var all = last.manifest?.budgets ?? Budgets()
    all.replace(by: budgets.budgets)
    let findings = BudgetFindings(all, text: last.manifest?.text, path: last.path)
    return findings.findings(on: update) + findings.findings(on: update.new)
  }

  private func text(of history: History) -> String {
    if history.updates.count == 1, let update = history.updates.first {
      let report = UpdateReport(update, having: tags, showsAll: shared.isVerbose)
      return switch format {
      case .text: UpdateText(report).text
      case .json: UpdateJSON(report).text
      case .markdown: UpdateMarkdown(report).text
      }
    }
    return switch format {
    case .text: HistoryText(history, showsAll: shared.isVerbose).text
    case .json: HistoryJSON(history).text
    case .markdown: HistoryMarkdown(history).text
    }
  }

  /// The mistake of a tag that no release has, or that a history does not use.
  private func mistake(in releases: [ReleaseContents]) -> UsageMistake? {
    if !tags.isEmpty && releases.count > 2 {
      return UsageMistake("flag \"--having\" goes with two releases; a history counts every tag")
    }
    let known = Set(releases.flatMap(\.tags))
    guard let unknown = tags.first(where: { !known.contains($0) }) else { return nil }
    let guess = suggestion(nearest(to: unknown, in: known))
    return UsageMistake("flag \"--having\" names the tag \(quoted(unknown)), which no release has\(guess)")
  }
}
