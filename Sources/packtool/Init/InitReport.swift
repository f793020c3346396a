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
