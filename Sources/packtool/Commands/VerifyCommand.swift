import Findings
import Flags
import PackKit
import Releases

extension Command {
  private struct VerifyOptions: Sendable {
    var shared = SharedOptions()
  }

  /// The command `packtool verify DIR`.
  static let verify = Command(
    CommandSyntax<VerifyOptions>(
      name: "verify", summary: "hold a built folder against its index: every pack there, whole and right",
      discussion: [
        "Reads all packs, by libarchive: the size and digest of each archive, and the name, size and content of "
          + "every file in it. Holds the figures of the index against one another and against the limits that it "
          + "names. What the index does not name is a warning. DIR/.packtool is not looked at.",
        "Also takes a folder in one of Xcode's layouts, a build folder, an .app, .xcarchive or .ipa, whoever wrote it: "
          + "its packs and property lists are held against one another. Only packtool's own lists have digests.",
      ],
      arguments: [builtFolderArgument], flags: SharedOptions.flags(in: \.shared, checksLimits: true)),
    VerifyOptions.init
  ) { options, arguments, session in
    let shared = options.shared
    if try XcodeExport.isOne(arguments[0]) { return try session.verify(exportIn: arguments[0], shared) }
    let verification = try Verification(argument: arguments[0], profile: shared.profile, jobs: shared.workers)
    let findings = shared.judged(verification.diagnostics, path: verification.folder.indexPath)
    session.report(findings, shared)
    if findings.hasErrors { return .inputHasErrors }
    if let index = verification.folder.index, !shared.isQuiet {
      try session.print("\(BuiltFolderText.size(of: index)): all whole\n")
    }
    return .done
  }
}

extension Session {
  /// Verifies the output of Xcode, or of a build in one of the Apple layouts.
  fileprivate func verify(exportIn path: String, _ shared: SharedOptions) throws -> ExitStatus {
    let export = try XcodeExport(path, jobs: shared.workers)
    let findings = shared.judged(export.diagnostics, path: path)
    report(findings, shared)
    if findings.hasErrors { return .inputHasErrors }
    if !shared.isQuiet {
      let files = export.packs.reduce(0) { $0 + $1.contents.count }
      try print("\(counted(export.packs.count, "pack")), \(counted(files, "file")): all fits together\n")
    }
    return .done
  }
}
