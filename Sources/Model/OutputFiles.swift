import Formats
package import System

/// The kind of content that a command writes to a file which the user specifies.
package enum OutputKind: Sendable {
  /// A manifest, which can replace an existing manifest.
  case manifest
  /// A report, findings, a result, a lockfile or code.
  ///
  /// It must not replace files that users write or apps read.
  case product

  /// Returns why content of this kind must not be written to a path, worded as the end of a sentence; nil if
  /// writing is permitted.
  package func refusal(at path: String) throws(SystemError) -> String? {
    if let known = try RecognizedFileKind(at: path) {
      if self == .manifest && known == .manifest { return nil }
      return "\(quoted(path)), which is \(known.words); choose another file"
    }
    return try Self.isText(path)
      ? nil : "\(quoted(path)), which is not a text file that packtool wrote; choose another file"
  }

  /// Whether packtool could have written a file.
  ///
  /// packtool writes text, so the function looks for a zero byte at the beginning of the file. The result is
  /// true if the file does not exist.
  private static func isText(_ path: String) throws(SystemError) -> Bool {
    guard try FileOperations.statusIfThere(path)?.kind == .file else { return true }
    return try !InputFile(outputPath: path).bytes(count: 1 << 13, at: 0).contains(0)
  }
}

/// The error for a command that would replace an asset or an input file.
package struct ReplacedInput: Error, CustomStringConvertible {
  package let description: String
}

/// Writes the files that users specify.
package enum OutputFiles {
  /// Replaces a file atomically.
  ///
  /// This function writes every output file that the user specifies with a flag.
  ///
  /// - Throws: `ReplacedInput` if the file is an asset, or a manifest, scenario, index or project that
  ///   content of this kind must not replace.
  /// - Returns: the attributes of the old file that the new file could not keep.
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
