import Findings
package import PackKit
import System

/// Swift code with the exact strings of an app's tags.
package struct SwiftTags: Sendable {
  private let release: Release
  private let names: [String]
  /// Whether each tag says how much a request downloads.
  private let hasSizes: Bool

  /// Code for the tags of a release, in its order; with sizes it changes with every asset.
  package init(_ release: Release, hasSizes: Bool = false) {
    self.release = release
    self.hasSizes = hasSizes
    names = Self.names(of: release.tags.map(\.name))
  }

  /// The tags as an enum.
  package var constants: String {
    var text = "// \(PackageScript.mark)\n\n/// The tags of the app's assets.\n"
    text += "enum AssetTag: String, CaseIterable, Sendable {\n"
    for (tag, name) in zip(release.tags, names) {
      let packs = tag.packs.count == 1 ? "" : ", in \(counted(tag.packs.count, "pack"))"
      let size = hasSizes ? "\(ByteSize.text(tag.size)), " : ""
      text += "  /// \(size)\(tag.delivery.title)\(hasSizes ? packs : "")\n"
      text += "  case \(name) = \(Self.literal(tag.name))\n"
    }
    return text + "}\n"
  }

  /// The tags as an enum, with the ids of their packs and a function that makes them available.
  package func backgroundAssets(ids: [String], _ version: AssetBundleVersion) -> String {
    let head = "import BackgroundAssets\n\n"
    return constants.replacing("\n\n/// The tags", with: "\n\n\(head)/// The tags", maxReplacements: 1)
      + "\nextension AssetTag {\n  /// The ids of the packs that have the tag's files.\n"
      + "  var packIDs: [String] {\n    switch self {\n" + cases(ids) + "    }\n  }\n\n"
      + Self.function(version) + "}\n"
  }

  private func cases(_ ids: [String]) -> String {
    zip(release.tags, names).map { tag, name in
      let packs = tag.packs.map { ids[$0] }.sorted { $0.precedesInBytes($1) }
      return "    case .\(name): [\(packs.map { "\"\($0)\"" }.joined(separator: ", "))]\n"
    }.joined()
  }

  private static func function(_ version: AssetBundleVersion) -> String {
    var text = """
        /// Makes all files of some tags locally available, and downloads what is missing.
        static func ensureLocalAvailability(of tags: Set<AssetTag>) async throws {
          let manager = AssetPackManager.shared
          var packs: [AssetPack] = []
          for id in Set(tags.flatMap(\\.packIDs)).sorted() {
            packs.append(try await manager.assetPack(withID: id))
          }

      """
    if version == .v27 {
      text += """
            if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
              return try await manager.ensureLocalAvailability(of: Set(packs))
            }

        """
    }
    return text + """
          for pack in packs { try await manager.ensureLocalAvailability(of: pack) }
        }

      """
  }

  /// A text as a literal of Swift, in which nothing is hidden.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case " ": literal += " "
      case _
      where scalar.isObeyedOrHidden || scalar.properties.isWhitespace
        || scalar.properties.isDefaultIgnorableCodePoint:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

// Names of Swift for texts of any characters.
extension SwiftTags {
  private static let longestName = 60

  /// A name for each text, all different; texts that make one name get a part of their digest behind it.
  private static func names(of texts: [String]) -> [String] {
    let plain = texts.map(name)
    let counts = Dictionary(plain.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(texts, plain).map { text, name in
      counts[name] == 1 ? name : "\(name)_\(MD5.hex(of: text).prefix(8))"
    }
  }

  private static func name(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let first = words.first else { return "tag" }
    var name = first.allSatisfy { !$0.isLowercase } ? first.lowercased() : lowered(first)
    for word in words.dropFirst() { name += word.prefix(1).uppercased() + word.dropFirst() }
    if name.first?.isNumber == true { name = "tag\(name)" }
    name = String(name.prefix(longestName))
    return keywords.contains(name) ? "\(name)Tag" : name
  }

  private static func lowered(_ word: Substring) -> String { word.prefix(1).lowercased() + word.dropFirst() }

  /// Words that Swift takes for something else, and the members of the enum.
  private static let keywords: Set<String> = [
    "actor", "allCases", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case",
    "catch", "class", "consuming", "continue", "default", "defer", "deinit", "do", "dynamicType", "else",
    "ensureLocalAvailability", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard", "hash", "hashValue", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "nonisolated", "open", "operator", "package", "packIDs", "precedencegroup", "private", "protocol",
    "public", "rawValue", "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "type", "typealias", "var", "where", "while",
  ]
}
