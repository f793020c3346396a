import Findings
import Formats
import PackKit

/// Filters of a target's files: platforms of build files, and name patterns of the settings.
package struct BuildFileFilter {
  private let sdk: ProjectSDK
  private let excluded: [Pattern]
  private let included: [Pattern]

  /// The largest number of patterns in a setting, each of which every file is compared with.
  package static let mostPatterns = 1000

  /// A pattern of the last components of a path.
  private struct Pattern {
    let text: String
    let names: [NamePattern]

    init?(_ text: String) {
      let names = text.unicodeScalars.split(separator: "/").compactMap { try? NamePattern(String($0)) }
      if names.isEmpty || text.hasPrefix("/") { return nil }
      self.text = text
      self.names = names
    }

    func matches(_ components: [String]) -> Bool {
      components.count >= names.count
        && zip(names, components.suffix(names.count)).allSatisfy { $0.matches(Array($1.utf8)[...]) }
    }
  }

  init(_ settings: BuildSettings, _ findings: inout ProjectFindings) {
    sdk = settings.build.sdk
    excluded = Self.patterns("EXCLUDED_SOURCE_FILE_NAMES", settings, &findings)
    included = Self.patterns("INCLUDED_SOURCE_FILE_NAMES", settings, &findings)
  }

  private static func patterns(
    _ name: String, _ settings: BuildSettings, _ findings: inout ProjectFindings
  ) -> [Pattern] {
    let values = settings.list(name, &findings)
    if let first = values.first, values.count > mostPatterns {
      findings.add(
        .projectSyntax,
        "\(name) has \(grouped(values.count)) patterns; at most \(grouped(mostPatterns)) are followed",
        at: first.offset)
    }
    return values.prefix(mostPatterns).compactMap { Pattern($0.value) }
  }

  /// Why a file is left out, for the end of a message; nil if it belongs to the build.
  func reason(toLeaveOut path: ProjectPath, _ platforms: [String]) -> String? {
    if !platforms.isEmpty && !platforms.contains(sdk.filterName) {
      return "it is only for \(listed(platforms, atMost: 5)), and the target is built for \(sdk.title)"
    }
    guard let pattern = excluded.first(where: { $0.matches(path.components) }),
      !included.contains(where: { $0.matches(path.components) })
    else { return nil }
    return "EXCLUDED_SOURCE_FILE_NAMES has \(quoted(pattern.text))"
  }
}
