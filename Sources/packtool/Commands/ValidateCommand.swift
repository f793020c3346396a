import Flags

extension Command {
  /// The command `packtool validate [MANIFEST]`.
  static let validate = Command(
    CommandSyntax<ManifestOptions>(
      name: "validate", summary: "check a manifest and its files, writing nothing",
      discussion: ["Finds all that build would find and tells it with file, line and column."],
      arguments: [manifestArgument], flags: ManifestOptions.flags(in: \.self),
      mistake: \.mistake), ManifestOptions.init
  ) { options, arguments, session in
    let (_, findings) = try options.check(arguments.first, session)
    session.report(findings, options.shared)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
