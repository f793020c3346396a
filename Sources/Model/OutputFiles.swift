package import Formats
package import System

/// What a file is to packtool, told by its contents, or by a name that says enough.
package enum KnownFile: String, Sendable, CaseIterable {
  case manifest
  case scenario
  /// The index of a build.
  case index
  /// The list of a build's files.
  case contents
  /// An Xcode project or workspace.
  case project

  /// The largest file whose contents are looked at, in bytes.
  private static let longest = 64 << 20

  /// What the file at a path is; nil if there is none, or it is anything else.
  package init?(at path: String) throws(SystemError) {
    guard let status = try FileOperations.statusIfThere(path), status.kind == .file else { return nil }
    if let known = Self(named: lastName(of: path)) {
      self = known
      return
    }
    // What the file says is only compared, and shown nowhere.
    guard case .bytes(let bytes) = try FileContents(written: path, limit: Self.longest),
      let known = Self(contents: bytes)
    else { return nil }
    self = known
  }

  /// What a file of this name is, whatever its contents; nil if they decide.
  package init?(named name: String) {
    switch name {
    case Manifest.fileName, Manifest.fileNameWithComments: self = .manifest
    case "project.pbxproj", "contents.xcworkspacedata": self = .project
    default: return nil
    }
  }

  /// What a file with these bytes is; nil for anything else.
  private init?(contents bytes: [UInt8]) {
    if bytes.starts(with: "// !$*UTF8*$!".utf8) {
      self = .project
      return
    }
    let first = bytes.first { !Self.isBlank($0) && !SourceText.mark.contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "/") else { return nil }
    let text = SourceText(path: Manifest.fileNameWithComments, bytes: bytes, hasComments: true)
    guard let value = JSONReader.read(text).value else {
      // A manifest with a mistake is one, too.
      let words = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
      guard words.contains("\"resources\""), words.contains("\"bundleIdentifier\"") else { return nil }
      self = .manifest
      return
    }
    self.init(value: value)
  }

  /// What a JSON file with this value is; nil for anything else.
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

  /// The words for one in a message.
  package var words: String {
    switch self {
    case .manifest: "a manifest"
    case .scenario: "a scenario"
    case .index: "the index of a build"
    case .contents: "the list of a build's files"
    case .project: "an Xcode project"
    }
  }
}

/// What a command writes to a file that a user names.
package enum OutputKind: Sendable {
  /// A manifest, which may replace one.
  case manifest
  /// A report, findings, a result, a lockfile, code: what replaces nothing that users write or apps read.
  case product

  /// Why something of this kind may not be written to a path, as the end of a sentence; nil if it may.
  package func refusal(at path: String) throws(SystemError) -> String? {
    if let known = try KnownFile(at: path) {
      if self == .manifest && known == .manifest { return nil }
      return "\(quoted(path)), which is \(known.words); choose another file"
    }
    return try Self.isText(path)
      ? nil : "\(quoted(path)), which is not a text as packtool writes them; choose another file"
  }

  /// Whether a file has no zero byte in its front, like everything that packtool writes to files that users name; true where
  /// there is no file.
  private static func isText(_ path: String) throws(SystemError) -> Bool {
    guard try FileOperations.statusIfThere(path)?.kind == .file else { return true }
    return try !InputFile(written: path).bytes(1 << 13, at: 0).contains(0)
  }
}

/// A file that something else would replace, which nothing may.
package struct ReplacedInput: Error, CustomStringConvertible {
  package let description: String
}

/// Files that users name, and packtool writes.
package enum OutputFiles {
  /// Replaces a file at once, with all its new content or none of it; every file that a flag names is written here.
  ///
  /// - Throws: `ReplacedInput` if the file is an asset, or a manifest, a scenario, an index or a project that content of
  ///   this kind may not replace.
  /// - Returns: what the new file could not keep of the old one.
  @discardableResult
  package static func write(_ bytes: ByteBuffer, to path: String, as kind: OutputKind) throws -> [String] {
    if RunScope.current.namedAssets.change({ $0.contains(path) }) {
      throw ReplacedInput(
        description: "would replace \(quoted(path)), which a rule of the manifest packs; choose another file")
    }
    if let refusal = try kind.refusal(at: path) {
      throw ReplacedInput(description: "would replace \(refusal)")
    }
    return try FileOperations.replace(path, by: bytes)
  }
}
