import Formats
package import System

/// What a command writes to a file that a user names.
package enum OutputKind: Sendable {
  /// A manifest, which may replace one.
  case manifest
  /// A report, findings, a result, a lockfile, code: what replaces nothing that users write or apps read.
  case product

  /// Why something of this kind may not be written to a path, as the end of a sentence; nil if it may.
  package func refusal(at path: String) throws(SystemError) -> String? {
    if let known = try RecognizedFileKind(at: path) {
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
    return try !InputFile(outputPath: path).bytes(1 << 13, at: 0).contains(0)
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
    return try FileOperations.replaceContents(of: path, with: bytes)
  }
}
