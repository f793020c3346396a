import Findings
import PackKit
import Projects

/// The notes of `--verbose` on a manifest and its files.
enum PreparationText {
  static func text(of preparation: Preparation, jobs: Int) -> PlainText {
    guard let manifest = preparation.manifest else { return "" }
    var text: PlainText = "read \(displayed(preparation.path)): \(counted(manifest.rules.count, "rule"))\n"
    guard let tree = preparation.plan?.tree else { return text }
    text +=
      "scanned \(counted(tree.folders.count, "folder")) below \(displayed(manifest.rootPath)) on "
      + "\(counted(jobs, "thread")): \(counted(tree.files.count, "tagged file")), "
      + "\(counted(tree.untagged.files, "untagged file"))\n"
    return text
  }
}
