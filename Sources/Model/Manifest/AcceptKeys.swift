package import Formats

/// An element of `accept`.
///
/// It selects findings of one check that the team has looked at and accepts.
package struct AcceptRule: Sendable {
  /// The maximum number of elements in the list.
  package static let maxElements = 1000

  package let check: Check
  /// The files whose findings are accepted; nil for all findings of the check.
  package let glob: Glob?
  package let reason: String
  /// The offset of the path, or of the check if there is no path.
  package let offset: Int

  /// A rule that is being read.
  ///
  /// The rule's check may not have been read yet.
  private struct Draft {
    var check: Located<String>?
    var path: Located<String>?
    var hasPath = false
    var reason: String?
  }

  private static let keys: [ManifestKey<Draft>] = [
    ManifestKey(
      "check", summary: "The id of the check whose findings are accepted",
      shape: .name(Check.acceptable.map(\.id), listedBy: "packtool checks", refusal: refusal),
      isRequired: true, storingIn: \.check
    ) { $0.text($1) },
    ManifestKey(
      "path",
      summary:
        "A glob, relative to the root, for the files and folders that the findings are about, or "
        + "Manifest.json for findings about the manifest. Without a path, the entry accepts all findings of "
        + "the check",
      shape: .text(.glob)
    ) { value, rule, reader in
      rule.path = reader.text(value)
      rule.hasPath = true
    },
    ManifestKey(
      "reason",
      summary:
        "The reason why the findings are accepted, for people who read the manifest",
      shape: .text(reasonForm),
      isRequired: true, storingIn: \.reason
    ) { $0.text($1)?.value },
  ]

  private static let reasonForm = StringFormat.other(pattern: "\\S") { text in
    text.allSatisfy(\.isWhitespace) ? (.invalidValue, "a reason must not be empty") : nil
  }

  /// Returns the reason why findings of an existing check cannot be accepted; nil if they can be accepted or
  /// if the check does not exist.
  private static func refusal(of id: String) -> String? {
    guard let check = Check.named(id) else { return nil }
    if let reason = check.fixedBecause {
      return
        "the check \(quoted(id)) reports \(reason); such findings cannot be accepted"
    }
    if check.severity == .error, Check.ofManifests.contains(check) {
      return
        "findings of \(quoted(id)) stop a build and cannot be accepted; leave the file out with \"exclude\", "
        + "or change the severity of this check in \"severity\""
    }
    return "findings of \(quoted(id)) are not about a manifest or its files, so a manifest cannot accept them"
  }

  static let shape = ObjectShape(keys: keys.map(\.shape))

  /// Makes a rule without a position, for a manifest that was not read from a text.
  package init(check: Check, glob: Glob?, reason: String) {
    self.check = check
    self.glob = glob
    self.reason = reason
    offset = 0
  }

  /// The rule as a manifest contains it.
  var json: JSONText {
    let members: [(String, JSONText?)] = [
      ("check", .string(check.id)), ("path", glob.map { .string($0.text) }), ("reason", .string(reason)),
    ]
    return .ordered(members.compactMap { key, value in value.map { (key, $0) } })
  }

  /// Reads a rule from JSON; nil if the rule is unusable because of mistakes, which have been reported
  /// already.
  init?(_ value: JSONValue, reader: ManifestValueReader) {
    var draft = Draft()
    reader.read(value, into: &draft, by: Self.keys)
    glob = draft.path.flatMap { try? Glob($0.value) }
    guard let name = draft.check, let check = Check.named(name.value), let reason = draft.reason,
      (glob != nil) == draft.hasPath
    else { return nil }
    self.check = check
    self.reason = reason
    offset = draft.path?.offset ?? name.offset
  }
}

extension Check {
  /// The checks that can report findings when a command reads a manifest.
  fileprivate static let ofManifests =
    manifestChecks + fileChecks + packChecks + budgetChecks + simulationChecks

  /// The checks that a manifest can accept.
  ///
  /// Errors that stop a build cannot be accepted.
  static let acceptable = ofManifests.filter { $0.severity != .error && $0 != unusedAccept }
}
