import Findings
import Formats
import PackKit
import Projects
import System

/// What came of proposing a manifest.
struct InitReport {
  let proposed: ProposedPlan
  /// The folder that was looked at, as the user typed it.
  let argument: String
  /// The folder of the manifest.
  let folder: String
  /// The file that was written; nil where none was.
  let path: String?
  let findings: Findings

  /// The manifest as it is written.
  var manifestText: String { String(decoding: proposed.text.array(), as: UTF8.self) }

  /// The number of tags of all rules.
  var tagCount: Int { proposed.shares.reduce(into: Set<String>()) { $0.formUnion($1.tags) }.count }
}

/// A proposed manifest for programs.
struct InitJSON {
  private let report: InitReport

  init(_ report: InitReport) {
    self.report = report
  }

  var json: JSONText {
    let proposal = report.proposed.proposal
    return report.findings.document([
      "status": .string(report.path == nil ? "printed" : "written"),
      "output": report.path.map(JSONText.string) ?? .null,
      "manifest": JSONReader.read(report.proposed.source).value.map { JSONText($0) } ?? .null,
      "rules": .array(zip(proposal.rules, report.proposed.shares).map(rule)),
      "kept": .array(proposal.kept.map(folder)),
      "leftOut": .strings(proposal.leftOut),
    ])
  }

  private func rule(_ rule: ProposedRule, _ share: ProposedPlan.RuleShare) -> JSONText {
    .object([
      rule.rule.pattern.key: .string(rule.rule.text.value), "reason": .string(rule.reason),
      "tags": .strings(share.tags.sorted()), "fileCount": .integer(share.fileCount),
      "size": .integer(share.size),
    ])
  }

  private func folder(_ folder: KeptFolder) -> JSONText {
    .object([
      "path": .string(folder.path), "fileCount": .integer(folder.fileCount), "size": .integer(folder.size),
      "reason": .string(folder.reason),
    ])
  }
}
