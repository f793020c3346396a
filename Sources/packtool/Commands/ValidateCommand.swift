import Flags
import PackKit

extension Command {
  /// The command `packtool validate [MANIFEST]`.
  static let validate = Command(
    CommandSyntax<ManifestOptions>(
      name: "validate", summary: "check a manifest and its files, writing nothing",
      discussion: ["Finds all that build would find and tells it with file, line and column."],
      arguments: [manifestArgument], flags: ManifestOptions.flags(in: \.self)), ManifestOptions.init
  ) { options, arguments, session in
    if let mistake = options.mistake { return session.refuse(mistake) }
    let shared = options.shared
    let (preparation, onUpdate) = try options.prepare(arguments.first, session)
    let findings = Judgement(options: shared).findings(of: preparation, more: onUpdate)
    session.report(findings, shared)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
