package import Model
package import Formats
import System

/// Generates Swift code with the exact strings of an app's tags.
package struct SwiftTags: Sendable {
  private let release: Release
  private let names: [SwiftText]
  /// Whether the comment on each tag states how many bytes a request for the tag downloads.
  private let hasSizes: Bool

  /// Creates code for the tags of a release, in the order of the release.
  ///
  /// With sizes, the code changes whenever an asset changes.
  package init(_ release: Release, hasSizes: Bool = false) {
    self.release = release
    self.hasSizes = hasSizes
    names = Self.names(of: release.tags.map(\.name)).map { SwiftText(name: $0) }
  }

  /// Code that declares the tags as an enum.
  package var constants: SwiftText { source(importing: "") }

  /// Code that declares the tags as an enum, with the ids of their packs and a function that downloads them.
  package func backgroundAssets(ids: [String], backgroundAssetsVersion version: AssetBundleVersion)
    -> SwiftText
  {
    """
    \(source(importing: "import BackgroundAssets\n\n"))
    extension AssetTag {
      /// The ids of the packs that contain the tag's files.
      var packIDs: [String] {
        switch self {
    \(cases(ids))    }
      }

    \(Self.function(version))}

    """
  }

  private func source(importing imports: SwiftText) -> SwiftText {
    let cases = zip(release.tags, names).map { tag, name -> SwiftText in
      let packs = tag.packs.count == 1 ? "" : ", in \(counted(tag.packs.count, of: "pack"))"
      let size = hasSizes ? "\(ByteSize.text(tag.size)), " : ""
      let facts = SwiftText(comment: "\(size)\(tag.delivery.title)\(hasSizes ? packs : "")")
      return "  /// \(facts)\n  case \(name) = \(tag.name)\n"
    }
    return """
      // Made by packtool; do not edit.

      \(imports)/// The tags of the app's assets.
      enum AssetTag: String, CaseIterable, Sendable {
      \(cases)}

      """
  }

  private func cases(_ ids: [String]) -> SwiftText {
    zip(release.tags, names).map { tag, name -> SwiftText in
      let packs = tag.packs.map { ids[$0] }.sorted { $0.precedesInBytes($1) }
      let literals = packs.map { id -> SwiftText in "\(id)" }
      return "    case .\(name): [\(literals.joined(separator: ", "))]\n"
    }.joined()
  }

  private static func function(_ version: AssetBundleVersion) -> SwiftText {
    let all: SwiftText = """
          if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
            return try await manager.ensureLocalAvailability(of: Set(packs))
          }

      """
    return """
        /// Downloads the missing files of some tags, so that all files of these tags are on the device.
        static func ensureLocalAvailability(of tags: Set<AssetTag>) async throws {
          let manager = AssetPackManager.shared
          var packs: [AssetPack] = []
          for id in Set(tags.flatMap(\\.packIDs)).sorted() {
            packs.append(try await manager.assetPack(withID: id))
          }
      \(version == .v27 ? all : "")    for pack in packs { try await manager.ensureLocalAvailability(of: pack) }
        }

      """
  }
}

/// A piece of Swift source code.
package typealias SwiftText = Written<SwiftForm>

/// The format of Swift code.
///
/// Text from outside always becomes a single string literal.
package enum SwiftForm: WrittenForm {
  /// Returns a string as a Swift string literal without invisible characters.
  package static func escaped(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case " ": literal += " "
      case _
      where scalar.isControlOrInvisible || scalar.properties.isWhitespace
        || scalar.properties.isDefaultIgnorableCodePoint:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

/// The format of text that is safe in a one-line comment.
private enum SwiftCommentForm: WrittenForm {
  static func escaped(_ text: String) -> String { Formats.escaped(text) }
}

/// The format of Swift names that consist of letters, digits and underscores.
private enum SwiftNameForm: WrittenForm {
  static func escaped(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension SwiftText {
  fileprivate init(comment text: String) {
    let comment: Written<SwiftCommentForm> = "\(text)"
    self.init(comment) { $0 }
  }

  fileprivate init(name text: String) {
    let name: Written<SwiftNameForm> = "\(text)"
    self.init(name) { $0 }
  }
}

// Makes Swift names from strings that can contain any characters.
extension SwiftTags {
  private static let maxNameSize = 60

  /// Returns a different Swift name for each string.
  ///
  /// If two strings would have the same name, part of the string's MD5 is added to each name.
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
    name = String(name.prefix(maxNameSize))
    return keywords.contains(name) ? "\(name)Tag" : name
  }

  private static func lowered(_ word: Substring) -> String { word.prefix(1).lowercased() + word.dropFirst() }

  /// Swift keywords, and the names of the enum's members.
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
