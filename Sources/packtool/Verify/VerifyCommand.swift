import Findings
import Flags
import Formats
import PackKit
import Releases
import System

extension Command {
  private struct VerifyOptions: ReportingOptions {
    var form = forms[0]
    /// Earlier releases that patches are applied to.
    var patchFrom: [String] = []
    /// Files of public keys, or keys.
    var publicKeys: [String] = []
    var shared = SharedOptions()
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<VerificationReport>] = [
      .text { $0.text },
      .json { $0.json },
    ]
  }

  /// The command `packtool verify DIR`.
  static let verify = Command(
    reporting: CommandSyntax<VerifyOptions>(
      name: "verify", summary: "check a built folder against its index: every pack there, whole and right",
      discussion: [
        "Reads all packs, by libarchive: the size and digest of each archive, and the name, size and content of "
          + "every file in it. Checks the figures of the index against one another and against the limits that it "
          + "names. What the index does not name is a warning. DIR/.packtool is not looked at.",
        "Also takes a folder in one of Xcode's layouts, a build folder, an .app, .xcarchive or .ipa, whoever wrote it: "
          + "its packs and property lists are checked against one another. Only packtool's own lists have digests.",
        "A folder in the layout \"background-assets\" is checked as packs, manifests and tags.json against one another.",
      ],
      arguments: [builtFolderArgument],
      flags: [
        .resultForm(of: "result", in: VerifyOptions.forms, into: \.form),
        .list(
          "--patch-from", valueName: "OLD", kind: .path,
          summary: "an earlier release: apply its patches to it, and compare what they make",
          into: \.patchFrom),
        .list(
          "--public-key", valueName: "KEY", kind: .file(),
          summary: "a public key of minisign, or its file: one of those given must have signed the index",
          into: \.publicKeys),
      ]
        + SharedOptions.flags(in: \.shared, checksLimits: true)),
    VerifyOptions.init
  ) { options, arguments, session in
    let path = arguments[0]
    let keys = try options.publicKeys.map(publicKey)
    let verification = try FolderVerification(
      of: path, profile: options.shared.profile, patchedFrom: options.patchFrom, signedBy: keys,
      jobs: options.shared.workers)
    if !keys.isEmpty && verification.kind != .packtool {
      throw UsageMistake("flag \"--public-key\" goes with the layout \"packtool\" alone")
    }
    let findings = options.shared.judged(verification.diagnostics, path: verification.indexPath)
    let report = VerificationReport(
      path: path, verification: verification, findings: findings, isQuiet: options.shared.isQuiet)
    session.report(findings, options.shared)
    try session.print(report, with: options.form)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}

/// The key of a flag's value, which is a key or the path of its file.
private func publicKey(_ text: String) throws -> PublicKey {
  if let key = try? PublicKey(text) { return key }
  do {
    return try PublicKey(SecretFile.text(of: text))
  } catch let mistake as MinisignMistake {
    throw UsageMistake("\(quoted(text)) \(mistake.reason)")
  }
}

/// A verification and its findings.
struct VerificationReport {
  /// The folder as the user typed it.
  let path: String
  let verification: FolderVerification
  let findings: Findings
  let isQuiet: Bool

  /// The summary of a folder without errors, where one is wanted.
  var text: PlainText {
    guard let (packs, files, size) = verification.count, !findings.hasErrors, !isQuiet else { return "" }
    let what = "\(counted(packs, "pack")), \(counted(files, "file"))"
    let elsewhere = verification.elsewhereCount
    switch verification.kind {
    case .apple: return "\(what): all fits together\n"
    case .backgroundAssets: return "\(what), \(ByteSize.text(size)): packs, manifests and tags fit together\n"
    case .packtool where elsewhere == 0: return "\(what), \(ByteSize.text(size)): all whole\n"
    case .packtool:
      return "\(what), \(ByteSize.text(size)): all whole; \(counted(elsewhere, "pack")) published elsewhere\n"
    }
  }

  /// The result of `verify` as JSON.
  var json: JSONText {
    var members: [String: JSONText] = [
      "status": findings.status, "path": .string(path),
    ]
    if let count = verification.count {
      members["packs"] = .integer(count.packs)
      members["fileCount"] = .integer(count.files)
      members["size"] = .integer(count.size)
    }
    return findings.document(members)
  }
}
