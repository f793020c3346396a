import Findings
import Formats
import PackKit

/// What leaves files of a target out of a build: platforms of build files, and name patterns of the settings.
struct BuildFileFilter {
  private let sdk: ProjectSDK
  private let excluded: [Pattern]
  private let included: [Pattern]

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
    excluded = settings.list("EXCLUDED_SOURCE_FILE_NAMES", &findings).compactMap { Pattern($0.value) }
    included = settings.list("INCLUDED_SOURCE_FILE_NAMES", &findings).compactMap { Pattern($0.value) }
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
