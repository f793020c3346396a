import Flags
import PackKit

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
          + "names. Files beside the packs that the index does not name are warnings. DIR/.packtool is not looked at."
      ],
      arguments: [builtFolderArgument], flags: SharedOptions.flags(in: \.shared)), VerifyOptions.init
  ) { options, arguments, session in
    let shared = options.shared
    let verification = try Verification(argument: arguments[0], profile: shared.profile, jobs: shared.workers)
    let findings = Judgement(options: shared).findings(
      of: verification.diagnostics, about: verification.folder.indexPath)
    session.report(findings, shared)
    if findings.hasErrors { return .inputHasErrors }
    if let index = verification.folder.index, !shared.isQuiet {
      try session.print("\(BuiltFolderText.size(of: index)): all whole\n")
    }
    return .done
  }
}

/// The positional argument that names a built folder.
let builtFolderArgument = Argument("DIR", summary: "a folder that packtool has built")
