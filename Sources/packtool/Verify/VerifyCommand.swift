import Formats
import Inspect
import Model
import Pipeline
import System

extension Command {
  private struct VerifyOptions: ReportingOptions {
    var format = OutputFormat.text
    var patchFrom: [String] = []
    var ledger: String?
    var publicKeys: [String] = []
    var shared = SharedOptions()
  }

  static let verify = Command(
    CommandSyntax<VerifyOptions>(
      name: "verify", summary: "check a built folder against its index: every pack there, whole and right",
      arguments: [builtFolderArgument],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .list(
          "--patch-from", valueName: "OLD", kind: .path,
          summary: "an earlier release: apply its patches to it, and compare what they make",
          into: \.patchFrom),
        .value(
          "--ledger", valueName: "FILE", kind: .file(.input, suffixes: [".json"]),
          summary: "compare the versions of self-hosted packs with the file that keeps them", into: \.ledger),
        .list(
          "--public-key", valueName: "KEY", kind: .file(.input),
          summary: "a public key of minisign, or its file: one of those given must have signed the index",
          into: \.publicKeys),
      ]
        + SharedOptions.flags(in: \.shared, about: [.limits])),
    defaults: VerifyOptions.init
  ) { options, arguments, session in
    let path = arguments[0]
    let keys = try options.publicKeys.map(publicKey)
    let verification = try Verification(
      of: path, profile: options.shared.profile, patchedFrom: options.patchFrom,
      ledger: options.ledger, signedBy: keys, jobs: options.shared.workers)
    if !keys.isEmpty && verification.kind != .packtool {
      throw FlagMistake("flag \"--public-key\" goes with the layout \"packtool\" alone")
    }
    let findings = options.shared.judged(verification.diagnostics, manifestPath: verification.indexPath)
    session.report(findings, options: options.shared)
    try session.print(
      options.format, text: findings.hasErrors || options.shared.isQuiet ? "" : verification.text,
      json: verification.json(findings, path: path))
    return ExitStatus(of: findings)
  }
}

private func publicKey(_ text: String) throws -> PublicKey {
  if let key = try? PublicKey(text) { return key }
  do {
    return try PublicKey(secretText(of: text))
  } catch let mistake as MinisignMistake {
    throw FlagMistake("\(quoted(text)) \(mistake.reason)")
  }
}

extension Verification {
  fileprivate var text: PlainText {
    guard let count else { return "" }
    let what = "\(counted(count.packs, of: "pack")), \(counted(count.files, of: "file"))"
    let elsewhere = elsewhereCount == 0 ? "" : "; \(counted(elsewhereCount, of: "pack")) published elsewhere"
    return "\(what)\(kind.verdict(on: count.size))\(elsewhere)\n"
  }

  /// Returns the JSON result; `path` is the folder as the user typed it.
  fileprivate func json(_ findings: Findings, path: String) -> JSONText {
    findings.document([
      "status": findings.status, "path": path, "packs": count?.packs, "fileCount": count?.files,
      "size": count?.size,
    ])
  }
}
