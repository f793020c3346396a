package import Formats
package import System

/// A kind of file that packtool recognizes by content or by name.
package enum RecognizedFileKind: String, Sendable, CaseIterable {
  case manifest
  case scenario
  /// The index of a built folder.
  case index
  /// The list of all files of a built folder.
  case contents
  /// An Xcode project or workspace.
  case project

  /// The maximum size in bytes of a file whose content is examined.
  private static let maxSize = 64 << 20

  /// Returns the kind of the file at a path; nil if the file does not exist or is of another kind.
  package init?(at path: String) throws(SystemError) {
    guard let status = try FileOperations.statusIfThere(path), status.kind == .file else { return nil }
    if let known = Self(named: lastName(of: path)) {
      self = known
      return
    }
    // The content is only examined and never shown to the user.
    guard case .bytes(let bytes) = try FileContents(outputPath: path, limit: Self.maxSize),
      let known = Self(contents: bytes)
    else { return nil }
    self = known
  }

  /// Returns the kind of a file that is recognized by its name alone; nil if packtool must examine the
  /// content.
  package init?(named name: String) {
    switch name {
    case Manifest.fileName, Manifest.fileNameWithComments: self = .manifest
    case "project.pbxproj", "contents.xcworkspacedata": self = .project
    default: return nil
    }
  }

  /// Returns the kind of a file with these bytes; nil for any other kind.
  private init?(contents bytes: [UInt8]) {
    if bytes.starts(with: "// !$*UTF8*$!".utf8) {
      self = .project
      return
    }
    let first = bytes.first { !Self.isBlank($0) && !SourceText.mark.contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "/") else { return nil }
    let text = SourceText(path: Manifest.fileNameWithComments, bytes: bytes)
    guard let value = JSONReader.read(text).value else {
      // A manifest that cannot be read because of a mistake also counts as a manifest.
      let words = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
      guard words.contains("\"resources\""), words.contains("\"bundleIdentifier\"") else { return nil }
      self = .manifest
      return
    }
    self.init(value: value)
  }

  /// Returns the kind of a JSON file with this value; nil for any other kind.
  package init?(value: JSONValue) {
    func has(_ keys: String...) -> Bool { keys.allSatisfy { value.member($0) != nil } }
    if has("resources") || has("assetPackID", "fileSelectors") {
      self = .manifest
    } else if has("steps") {
      self = .scenario
    } else if has("formatVersion", "packs", "tags") {
      self = .index
    } else if has("formatVersion", "files"),
      JSONMembers(parent: value).reduce(0, { count, _ in count + 1 }) == 2
    {
      self = .contents
    } else if has("objects", "rootObject") {
      self = .project
    } else {
      return nil
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

  /// The description of the kind in messages.
  package var words: String {
    switch self {
    case .manifest: "a manifest"
    case .scenario: "a scenario"
    case .index: "the index of a build"
    case .contents: "the contents list of a build"
    case .project: "an Xcode project"
    }
  }
}
