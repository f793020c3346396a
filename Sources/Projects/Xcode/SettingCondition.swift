import PackKit

/// A condition behind a setting's name, such as `[sdk=iphoneos*]`.
struct SettingCondition {
  /// What is known about a build, against which conditions are evaluated.
  struct Build {
    let configuration: String
    var sdk: ProjectSDK
  }

  private let key: String
  private let pattern: NamePattern?
  /// The condition as it is written, with its brackets.
  let text: String

  private init(_ text: Substring) {
    let inner = text.hasSuffix("]") ? text.dropLast() : text
    self.text = "[\(inner)]"
    let parts = inner.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    key = String(parts[0])
    pattern = parts.count == 2 ? try? NamePattern(String(parts[1])) : nil
  }

  /// The name of a setting and its conditions; several may share brackets, divided by commas.
  static func parse(_ key: String) -> (name: String, conditions: [SettingCondition]) {
    let parts = key.split(separator: "[", omittingEmptySubsequences: false)
    let conditions = parts.dropFirst().flatMap { part in
      part.split(separator: ",").map { SettingCondition($0) }
    }
    return (String(parts[0]), conditions)
  }

  var isOnConfiguration: Bool { key == "config" }

  /// Whether it is of a kind that can be evaluated.
  var isKnown: Bool { pattern != nil && ["config", "sdk", "arch", "variant"].contains(key) }

  /// Whether it holds for a build; an unknown one does not.
  func holds(for build: Build) -> Bool {
    let value: String
    switch key {
    case "config": value = build.configuration
    case "sdk": value = build.sdk.rawValue
    case "arch": value = build.sdk.architecture
    case "variant": value = "normal"
    default: return false
    }
    return pattern?.matches(Array(value.utf8)[...]) ?? false
  }
}
