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
      name: "verify", summary: "check that a built folder has every pack of its index, undamaged and correct",
      arguments: [builtFolderArgument],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .list(
          "--patch-from", valueName: "OLD", kind: .path,
          summary: "an earlier release: apply its patches to it, and compare the results",
          into: \.patchFrom
        ).reading(.temporaryFolder),
        .value(
          "--ledger", valueName: "FILE", kind: .file(.input, suffixes: [".json"]),
          summary: "compare the versions of self-hosted packs with the version lockfile", into: \.ledger),
        .list(
          "--public-key", valueName: "KEY", kind: .file(.input),
          summary: "a minisign public key, or its file; if repeated, the signature of one key is enough",
          into: \.publicKeys
        ).using(.signature),
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
      throw FlagMistake("flag \"--public-key\" can only be used with the layout \"packtool\"")
    }
    // packtool recognizes the layout Background Assets by a list, which can be missing in a damaged folder.
    if options.ledger != nil,
      try verification.kind == .apple || FileOperations.exists(joined(path, PublishedNames.index))
    {
      throw FlagMistake("flag \"--ledger\" can only be used with the layout \"background-assets\"")
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
  let found = try secretText(of: text, for: "--public-key")
  if SecretKey.isSecretKey(found) {
    throw FlagMistake(
      "flag \"--public-key\" needs a minisign public key, but \(quoted(text)) is a secret key; pass the public "
        + "key that belongs to it")
  }
  do throws(MinisignMistake) {
    return try PublicKey(found)
  } catch {
    throw FlagMistake("flag \"--public-key\" needs a key or its file: \(quoted(text)) \(error.reason)")
  }
}

extension Verification {
  fileprivate var text: PlainText {
    guard let count else { return "" }
    let what = "\(counted(count.packs, of: "pack")), \(counted(count.files, of: "file"))"
    let elsewhere =
      elsewhereCount == 0
      ? ""
      : "; \(counted(elsewhereCount, of: "pack")) reused from a release"
    return "\(what)\(kind.verdict(on: count.size))\(elsewhere)\n"
  }

  /// Returns the result as JSON.
  ///
  /// `path` is the path of the folder as the user typed it.
  fileprivate func json(_ findings: Findings, path: String) -> JSONText {
    findings.document([
      "status": findings.status, "path": path, "packs": count?.packs, "fileCount": count?.files,
      "size": count?.size,
    ])
  }
}
