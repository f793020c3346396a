package import Formats

/// The properties of an output layout that checks depend on.
///
/// Some layouts make some checks less strict. Such a check must use these properties and not only the
/// manifest, because devices get only what the layout writes.
package struct LayoutCapabilities: Sendable {
  /// Whether devices put the files of all packs into one folder.
  package var sharesPaths = false
  /// Whether packs state their language, so that a device gets the packs of only one language.
  package var writesLanguages = false
  /// The machine code that packs can contain; nil if the limit profile decides this.
  package var code: CodeRule?

  package init() {}

  /// Adds the properties of a limit profile that the layout does not decide.
  package mutating func add(_ profile: LimitProfile) {
    if profile.sharesPaths { sharesPaths = true }
    if code == nil, profile.acceptsCode { code = .doubtfulForMacOS }
  }
}

/// Which machine code a store accepts in packs.
package enum CodeRule: Sendable {
  /// The store accepts no machine code.
  ///
  /// This is the rule of On-Demand Resources.
  case refused
  /// The store accepts code, but not code for macOS.
  ///
  /// macOS is among the platforms of the packs.
  case refusedForMacOS
  /// The store accepts code.
  ///
  /// If macOS is among the platforms of the packs, the store does not accept code for macOS. packtool does
  /// not know whether macOS is among them.
  case doubtfulForMacOS
  /// The store accepts all code, because the packs are not for macOS.
  case accepted
}

/// The operating system for which machine code was built.
package enum CodePlatform: Sendable {
  case macOS
  /// An Apple system other than macOS.
  case otherApple
  /// An Apple system; the file does not say which system.
  case unknownApple
  /// A system of another company.
  case nonApple
}

extension CodeRule {
  /// Returns the problem with machine code in a pack; nil if the code is permitted.
  ///
  /// `name` describes the code, for example "a Mach-O binary".
  package func verdict(onCodeFor platform: CodePlatform, describedAs name: String) -> ContentVerdict? {
    switch (self, platform) {
    case (.refused, _):
      ContentVerdict("is \(name); the store refuses packs with machine code, so leave the file out")
    case (_, .nonApple): ContentVerdict("is \(name), which cannot run on any Apple device", severity: .note)
    case (_, .otherApple), (.accepted, .unknownApple): nil
    case (.accepted, .macOS):
      ContentVerdict("is \(name) for macOS, but the packs are not for macOS", severity: .note)
    case (.refusedForMacOS, .macOS):
      ContentVerdict(
        "is \(name) for macOS; Background Assets refuses code for macOS in packs for macOS, so leave the "
          + "file out, or pass the other platforms with --platforms")
    case (.doubtfulForMacOS, .macOS):
      ContentVerdict(
        "is \(name) for macOS; Background Assets refuses code for macOS in packs for macOS, so leave the "
          + "file out if the packs are for macOS",
        severity: .warning)
    case (.refusedForMacOS, .unknownApple), (.doubtfulForMacOS, .unknownApple):
      ContentVerdict(
        "is \(name) that states no platform; Background Assets refuses code for macOS in packs for macOS",
        severity: .warning)
    }
  }
}

/// A statement about the content of a file.
///
/// In a message, it follows the file's name.
package struct ContentVerdict: Sendable {
  package let statement: String
  /// The severity of the finding; nil if the finding has the severity of the check.
  package let severity: Severity?

  package init(_ statement: String, severity: Severity? = nil) {
    self.statement = statement
    self.severity = severity
  }
}
