package import Findings
package import PackKit
import Published
package import System

/// A check of a folder in any layout: everything in it against its lists.
package struct FolderVerification: Sendable {
  package let kind: BuiltFolderKind
  /// All findings, in the order of the report.
  package let diagnostics: [Diagnostic]
  /// The path of the list that findings are about.
  package let indexPath: String
  /// The number of packs and of files, and the bytes of these; nil where no list says what there should be.
  package let count: (packs: Int, files: Int64, size: Int64)?
  /// The number of packs that are published in another folder.
  package private(set) var elsewhereCount = 0

  /// Verifies a folder as it was before a build that is at work in it, or as it is after; `profile` replaces the limits
  /// that it was built for; patches are applied to the releases in `old`; one of `keys`, where there are any, must have
  /// signed the index.
  package init(
    of path: String, profile: LimitProfile?, patchedFrom old: [String] = [], ledger: String? = nil,
    signedBy keys: [PublicKey] = [],
    jobs: Int
  ) throws {
    self = try UndisturbedLook(at: path).take { look in
      !look.diagnostics.hasErrors
    } _: {
      try Self(oneLook: path, profile, old, ledger, keys, jobs)
    }
  }

  private init(
    oneLook path: String, _ profile: LimitProfile?, _ old: [String], _ ledger: String?, _ keys: [PublicKey],
    _ jobs: Int
  ) throws {
    kind = try BuiltFolderKind(of: path)
    switch kind {
    case .apple:
      let export = try XcodeExport(path, jobs: jobs)
      let files = export.packs.lazy.map(\.contents)
      diagnostics = export.diagnostics
      indexPath = path
      count = (
        files.count, files.saturatingSum { Int64($0.count) },
        files.saturatingSum { $0.saturatingSum { $0.size } }
      )
    case .backgroundAssets:
      let build = try BackgroundAssetsBuild(path, profile: profile, ledger: ledger, jobs: jobs)
      diagnostics = build.diagnostics
      indexPath = build.indexPath
      count = build.count
    case .packtool:
      let verification = try Verification(
        argument: path, profile: profile, patchedFrom: old, signedBy: keys, jobs: jobs)
      diagnostics = verification.diagnostics
      indexPath = verification.folder.indexPath
      count = verification.folder.index.map { ($0.packs.count, $0.total.files, $0.total.size) }
      elsewhereCount = verification.elsewhereCount
    }
  }
}
