import Formats
import Model

/// The build settings of a target in one configuration, including the settings in .xcconfig files and the
/// settings of the project.
struct BuildSettings {
  struct Entry {
    let parts: [String]
    let isList: Bool
    let offset: Int
    var conditions: [SettingCondition] = []

    var text: String { parts.joined(separator: " ") }
  }

  /// The values of each setting by its name: first the effective value, then the inherited values.
  private var entries: [String: [Entry]] = [:]
  /// The configuration and the SDK, which decide whether conditions are true.
  var build: SettingCondition.Build
  let findings: ProjectFindings

  /// Adds the settings of a dictionary.
  ///
  /// These settings have a lower precedence than all settings that were added earlier. Within a dictionary, a
  /// value with a condition overrides a value without a condition.
  mutating func add(_ node: PlistTree.Node, of tree: PlistTree) {
    let members = tree.members(node).compactMap { key, value in
      tree.string(key).map { (name: $0, offset: tree.offset(of: key), value: value) }
    }
    for (name, offset, value) in members.sorted(by: { ($0.name, $0.offset) > ($1.name, $1.offset) }) {
      let parts = tree.isArray(value) ? tree.elements(value) : [value]
      let texts = parts.compactMap { tree.string($0) }
      add(Entry(parts: texts, isList: tree.isArray(value), offset: offset), as: name)
    }
  }

  mutating func add(_ value: Located<String>, as key: String) {
    add(Entry(parts: [value.value], isList: false, offset: value.offset), as: key)
  }

  private mutating func add(_ entry: Entry, as key: String) {
    var entry = entry
    let (name, conditions) = SettingCondition.parse(key)
    entry.conditions = conditions
    entries[name, default: []].append(entry)
  }

  func isSet(_ name: String) -> Bool { entries[name] != nil }

  /// Returns the effective value of a setting if `level` is 0, or an inherited value if `level` is higher.
  func entry(_ name: String, inheritanceLevel level: Int) -> Entry? {
    guard let all = entries[name] else { return nil }
    var left = level
    return all.first { entry in
      guard entry.conditions.allSatisfy({ $0.holds(for: build) }) else { return false }
      left -= 1
      return left < 0
    }
  }

  /// Returns the value of a setting as one string; nil if the setting is not set.
  func text(_ name: String) -> Located<String>? {
    reportConditions(on: name)
    guard let entry = entry(name, inheritanceLevel: 0) else { return nil }
    var expansion = SettingExpansion(of: name, in: self)
    let value = expansion.expand(entry.text)
    report(expansion, on: name, at: entry.offset)
    return Located(value, at: entry.offset)
  }

  func flag(_ name: String) -> Located<Bool>? { text(name).map { Located($0.value.isYes, at: $0.offset) } }

  /// Returns the value of a setting as a list: the elements of an array, or the words of a string.
  func list(_ name: String) -> [Located<String>] {
    reportConditions(on: name)
    guard let entry = entry(name, inheritanceLevel: 0) else { return [] }
    var expansion = SettingExpansion(of: name, in: self)
    let words = entry.parts.flatMap { part -> [String] in
      let value = expansion.expand(part)
      if entry.isList && !part.contains("$") && !part.isQuotation { return value.isEmpty ? [] : [value] }
      return shellWords(of: value)
    }
    report(expansion, on: name, at: entry.offset)
    return words.map { Located($0, at: entry.offset) }
  }

  private func report(_ expansion: SettingExpansion, on name: String, at offset: Int) {
    for unknown in Set(expansion.unknown).sorted() {
      findings.add(
        .unresolvedSetting,
        message:
          "\(quoted(name)) refers to \(quoted("$(\(unknown))")), which is unknown; packtool treats the "
          + "unknown setting as empty",
        at: offset)
    }
  }

  /// Reports values for other SDKs and architectures, and conditions that cannot be evaluated.
  private func reportConditions(on name: String) {
    let others = (entries[name] ?? []).filter { entry in
      entry.offset > 0 && !entry.conditions.allSatisfy { $0.holds(for: build) }
        && entry.conditions.allSatisfy { !$0.isOnConfiguration || $0.holds(for: build) }
    }
    for entry in others.sorted(by: { $0.offset < $1.offset }) {
      let key = entry.key(name)
      let effective = self.entry(name, inheritanceLevel: 0)
      let rest =
        effective.map {
          "packtool uses \(quoted($0.key(name)))\($0.conditions.isEmpty ? " without a condition" : "")"
        }
        ?? "packtool treats \(quoted(name)) as not set"
      let message =
        entry.conditions.first { !$0.isKnown }.map {
          "\(quoted(key)) has the condition \(quoted($0.text)), which is unknown; \(rest)"
        } ?? "\(quoted(key)) applies only to some devices, so packtool ignores it; \(rest)"
      findings.add(.conditionalSetting, message: message, at: entry.offset)
    }
  }
}

extension BuildSettings.Entry {
  /// Returns the name of a setting with all its conditions, except conditions on the configuration.
  fileprivate func key(_ name: String) -> String {
    name + conditions.filter { !$0.isOnConfiguration }.map(\.text).joined()
  }
}

extension String {
  /// Whether a value means yes.
  ///
  /// As in Xcode, only the first character of the value decides.
  var isYes: Bool {
    guard let first = utf8.first else { return false }
    return "yYtT".utf8.contains(first) || (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first)
  }

  /// Whether the string is in double quotes.
  ///
  /// Xcode puts elements with spaces in double quotes.
  fileprivate var isQuotation: Bool { utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"") }
}

/// A condition after a setting's name, such as `[sdk=iphoneos*]`.
struct SettingCondition {
  /// The properties of a build that decide whether conditions are true.
  struct Build {
    let configuration: String
    var sdk: ProjectSDK
  }

  private let key: String
  private let pattern: NamePattern?
  /// The condition as the project contains it, with its brackets.
  let text: String

  private init(_ text: Substring) {
    let inner = text.hasSuffix("]") ? text.dropLast() : text
    self.text = "[\(inner)]"
    let parts = inner.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    key = String(parts[0])
    pattern = parts.count == 2 ? try? NamePattern(String(parts[1])) : nil
  }

  /// Splits the name of a setting from its conditions.
  ///
  /// Several conditions can be in the same brackets, separated by commas.
  static func parse(_ key: String) -> (name: String, conditions: [SettingCondition]) {
    let parts = key.split(separator: "[", omittingEmptySubsequences: false)
    let conditions = parts.dropFirst().flatMap { part in
      part.split(separator: ",").map { SettingCondition($0) }
    }
    return (String(parts[0]), conditions)
  }

  var isOnConfiguration: Bool { key == "config" }

  /// Whether packtool can evaluate this condition.
  var isKnown: Bool { pattern != nil && ["config", "sdk", "arch", "variant"].contains(key) }

  /// Whether the condition is true for a build; an unknown condition counts as false.
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

/// Splits a string into words as a shell does, at whitespace that is neither within quotes nor after a
/// backslash.
func shellWords(of text: String) -> [String] {
  var words: [String] = []
  var word = ""
  var isInWord = false
  var quote: UnicodeScalar?
  var scalars = text.unicodeScalars[...]
  while let scalar = scalars.popFirst() {
    switch scalar {
    case "\\" where quote != "'":
      // A backslash at the very end of the string is an ordinary character.
      word.unicodeScalars.append(scalars.popFirst() ?? scalar)
      isInWord = true
    case _ where scalar == quote: quote = nil
    case "\"" where quote == nil, "'" where quote == nil:
      quote = scalar
      isInWord = true
    case " " where quote == nil, "\t" where quote == nil, "\n" where quote == nil:
      if isInWord { words.append(word) }
      word = ""
      isInWord = false
    default:
      word.unicodeScalars.append(scalar)
      isInWord = true
    }
  }
  return isInWord ? words + [word] : words
}

/// An Xcode SDK for which a target is built; the raw value is its name in settings.
package enum ProjectSDK: String, Sendable, CaseIterable {
  case iphoneos, iphonesimulator, appletvos, appletvsimulator, xros, xrsimulator
  case watchos, watchsimulator, macosx

  /// Creates the SDK from a setting's value, such as `iphoneos` or `iphoneos18.2`; nil for `auto` or an
  /// unknown value.
  init?(setting: String) {
    let name = String(setting.lowercased().prefix { !$0.isNumber && $0 != "." })
    self.init(rawValue: name)
  }

  /// The platform's name in the filters of build files, and its name in messages.
  var platform: (filter: String, title: String) {
    switch self {
    case .iphoneos, .iphonesimulator: ("ios", "iOS")
    case .appletvos, .appletvsimulator: ("tvos", "tvOS")
    case .xros, .xrsimulator: ("xros", "visionOS")
    case .watchos, .watchsimulator: ("watchos", "watchOS")
    case .macosx: ("macos", "macOS")
    }
  }

  var architecture: String { self == .watchos ? "arm64_32" : "arm64" }
}

/// The kind of product that a target builds, according to its product type in the project.
struct TargetKind {
  let productType: String

  private static let app = "com.apple.product-type.application"

  var isApp: Bool { productType.hasPrefix(Self.app) }

  /// Whether the product is an app that comes with another app.
  ///
  /// This is an App Clip, a watch app, or an app for Messages.
  var isCompanion: Bool { isAppClip || isWatchApp || productType == "\(Self.app).messages" }

  private var isAppClip: Bool { productType == "\(Self.app).on-demand-install-capable" }
  private var isWatchApp: Bool { productType.hasPrefix("\(Self.app).watchapp") }

  /// Whether targets of this kind use On-Demand Resources on a platform by default.
  ///
  /// This is true if such targets can use On-Demand Resources.
  func usesResources(on sdk: ProjectSDK) -> Bool {
    isApp && !isAppClip && !isWatchApp && ![.macosx, .watchos, .watchsimulator].contains(sdk)
  }

  var title: String {
    if isAppClip { return "an App Clip" }
    if isWatchApp { return "a watch app" }
    if isApp { return "an app" }
    let name = (productType.split(separator: ".").last ?? "target").map { $0 == "-" ? " " : String($0) }
      .joined()
    // A "u" as in "unit test" sounds like a consonant.
    return "aeio".contains(name.first ?? "x") ? "an \(name)" : "a \(name)"
  }
}

extension BuildSettings {
  /// Adds the settings that Xcode itself defines, which all other settings override.
  mutating func addBuiltIn(target: String, kind: TargetKind, project: XcodeProject) {
    // The name of the project is the name of the .xcodeproj folder without the suffix.
    let components = project.tree.text.path.split(separator: "/")
    let folder = components.last == "project.pbxproj" ? components.dropLast().last : components.last
    let name = folder.map { $0.hasSuffix(".xcodeproj") ? String($0.dropLast(10)) : String($0) } ?? ""
    let values = [
      "TARGET_NAME": target, "TARGETNAME": target, "CONFIGURATION": build.configuration,
      "PRODUCT_NAME": "$(TARGET_NAME)", "PROJECT_NAME": name, "PROJECT": name, "SRCROOT": ".",
      "SOURCE_ROOT": ".", "PROJECT_DIR": ".", "PROJECT_FILE_PATH": "\(name).xcodeproj",
      "EXECUTABLE_PREFIX": "", "EXECUTABLE_SUFFIX": "",
      "EXECUTABLE_NAME": "$(EXECUTABLE_PREFIX)$(PRODUCT_NAME)$(EXECUTABLE_SUFFIX)",
      "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)", "PRODUCT_TYPE": kind.productType,
      "WRAPPER_EXTENSION": kind.isApp ? "app" : kind.productType.hasSuffix(".framework") ? "framework" : "",
      "WRAPPER_SUFFIX": ".$(WRAPPER_EXTENSION)",
      "WRAPPER_NAME": "$(PRODUCT_NAME)$(WRAPPER_SUFFIX)", "FULL_PRODUCT_NAME": "$(WRAPPER_NAME)",
      "CONTENTS_FOLDER_PATH": "$(WRAPPER_NAME)", "UNLOCALIZED_RESOURCES_FOLDER_PATH": "$(WRAPPER_NAME)",
      "EXECUTABLE_PATH": "$(WRAPPER_NAME)/$(EXECUTABLE_NAME)", "INFOPLIST_PATH": "$(WRAPPER_NAME)/Info.plist",
      "EFFECTIVE_PLATFORM_NAME": "-$(PLATFORM_NAME)", "SDK_NAME": "$(PLATFORM_NAME)", "ACTION": "build",
      "VARIANT": "normal", "CURRENT_VARIANT": "normal", "IS_MACCATALYST": "NO", "EMPTY": "",
      "__IS_NOT_MACOS": "$(__IS_NOT_MACOS_$(PLATFORM_NAME):default=YES)", "__IS_NOT_MACOS_macosx": "NO",
    ]
    for (key, value) in values { add(Located(value, at: 0), as: key) }
    for sdk in ProjectSDK.allCases {
      add(Located(sdk.rawValue, at: 0), as: "PLATFORM_NAME[sdk=\(sdk.rawValue)]")
      add(Located(sdk.architecture, at: 0), as: "ARCHS[sdk=\(sdk.rawValue)]")
    }
  }

  /// Sets the built-in settings for the project's folder to its absolute path, because patterns can be
  /// absolute paths.
  ///
  /// For values in messages and manifests, these settings are `.`, because messages and manifests must not
  /// reveal folders of the machine.
  mutating func overrideFolders(by path: String) {
    for name in ["SRCROOT", "SOURCE_ROOT", "PROJECT_DIR"] {
      guard let last = entries[name]?.popLast(), last.offset == 0 else { continue }
      entries[name]?.append(Entry(parts: [path], isList: false, offset: 0))
    }
  }

  /// The SDK that the settings choose.
  ///
  /// If the settings do not choose an SDK, as in an app for several platforms, the result is the SDK of a
  /// device.
  var chosenSDK: ProjectSDK {
    if let sdk = value("SDKROOT").flatMap(ProjectSDK.init(setting:)) { return sdk }
    let platforms = shellWords(of: value("SUPPORTED_PLATFORMS") ?? "").compactMap(ProjectSDK.init(setting:))
    return platforms.contains(.iphoneos) ? .iphoneos : platforms.first ?? .iphoneos
  }

  /// Returns a setting without reporting findings about it; nil if the setting is not set.
  private func value(_ name: String) -> String? {
    guard let entry = entry(name, inheritanceLevel: 0) else { return nil }
    var expansion = SettingExpansion(of: name, in: self)
    return expansion.expand(entry.text)
  }
}
