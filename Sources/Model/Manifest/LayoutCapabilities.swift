package import Formats

/// What the layout that a build writes makes of packs.
///
/// A check that some layouts relax looks here, and never at the manifest alone: only what is written reaches devices.
package struct LayoutCapabilities: Sendable {
  /// Whether devices put the files of all packs into one folder.
  package var sharesPaths = false
  /// Whether packs say their language, so that a device gets the packs of one language.
  package var writesLanguages = false
  /// Which machine code packs may hold; nil where the profile of limits says it.
  package var code: CodeRule?

  package init() {}

  /// Adds what a profile of limits says where the layout says nothing.
  package mutating func add(_ profile: LimitProfile) {
    if profile.sharesPaths { sharesPaths = true }
    if code == nil, profile.acceptsCode { code = .doubtfulForMacOS }
  }
}

/// Which machine code a store accepts in packs.
package enum CodeRule: Sendable {
  /// None, as in On-Demand Resources.
  case refused
  /// Any but code for macOS, among packs that are also for macOS.
  case refusedForMacOS
  /// Any but code for macOS, among packs of which nobody says whether they are for macOS.
  case doubtfulForMacOS
  /// Any, among packs that are not for macOS.
  case accepted
}

/// What machine code runs on.
package enum CodePlatform: Sendable {
  case macOS
  /// Another system of Apple.
  case otherApple
  /// A system of Apple, but the file does not say which.
  case untold
  /// A system of others.
  case foreign
}

extension CodeRule {
  /// What is wrong with a kind of machine code, such as "a Mach-O binary"; nil if nothing is.
  package func verdict(onCodeFor platform: CodePlatform, describedAs name: String) -> ContentVerdict? {
    switch (self, platform) {
    case (.refused, _):
      ContentVerdict("is \(name); the store refuses packs with machine code, leave it out")
    case (_, .foreign): ContentVerdict("is \(name), which no device of Apple runs", severity: .note)
    case (_, .otherApple), (.accepted, .untold): nil
    case (.accepted, .macOS):
      ContentVerdict("is \(name) for macOS, for which the packs are not", severity: .note)
    case (.refusedForMacOS, .macOS):
      ContentVerdict(
        "is \(name) for macOS, which Background Assets refuse in packs for macOS; leave it out, or name the other "
          + "platforms with --platforms")
    case (.doubtfulForMacOS, .macOS):
      ContentVerdict(
        "is \(name) for macOS, which Background Assets refuse in packs for macOS; leave it out if the packs are for macOS",
        severity: .warning)
    case (.refusedForMacOS, .untold), (.doubtfulForMacOS, .untold):
      ContentVerdict(
        "is \(name) that does not say its platform; Background Assets refuse code for macOS in packs for macOS",
        severity: .warning)
    }
  }
}

/// What a message says about the contents of a file, after the file's name.
package struct ContentVerdict: Sendable {
  package let statement: String
  /// How severe the finding is; nil where it is as severe as its check.
  package let severity: Severity?

  package init(_ statement: String, severity: Severity? = nil) {
    self.statement = statement
    self.severity = severity
  }
}
