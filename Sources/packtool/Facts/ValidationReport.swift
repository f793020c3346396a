import Findings
import PackKit
import Projects
import System

/// The result of `validate`.
struct ValidationReport {
  /// One manifest that was checked.
  struct Manifest {
    let path: String
    /// The plan; nil where errors leave nothing.
    let release: Release?
    let findings: Findings
  }

  let manifests: [Manifest]
  /// The findings of all.
  let findings: Findings

  init(_ manifests: [Manifest]) {
    self.manifests = manifests
    findings = manifests.reduce(into: Findings()) { $0.add($1.findings) }
  }

  /// The hint on findings that have one sure fix; nil if there are none.
  var mendHint: PlainText? {
    let count = findings.diagnostics.count { $0.fix != nil }
    return count == 0 ? nil : "\(Tool.name): --fix mends \(counted(count, "finding"))\n"
  }

  /// The counts of a run without findings: `3 packs, 7 files, 1.23 MB`.
  var sum: String {
    let releases = manifests.compactMap(\.release)
    let packs = releases.reduce(0) { $0 + $1.packs.count }
    let files = releases.reduce(0) { $0 + $1.total.files }
    let size = ByteSize.text(releases.saturatingSum { $0.total.size })
    return "\(counted(packs, "pack")), \(counted(files, "file")), \(size)"
  }
}

extension Preparation {
  /// The notes of `--verbose` on a manifest and its files.
  func notes(jobs: Int) -> PlainText {
    guard let manifest else { return "" }
    let read: PlainText = "read \(displayed(path)): \(counted(manifest.rules.count, "rule"))\n"
    guard let tree = plan?.tree else { return read }
    return read
      + "scanned \(counted(tree.folders.count, "folder")) below \(displayed(manifest.rootPath)) on "
      + "\(counted(jobs, "thread")): \(counted(tree.files.count, "tagged file")), "
      + "\(counted(tree.untagged.files, "untagged file"))\n"
  }
}
