package import Formats
package import Model
package import System

/// A built folder that has been read: its index and its file list, with findings about both.
package struct BuiltFolder: Sendable {
  /// The folder as the user would type it.
  package private(set) var path: String
  /// The index; nil if it is missing or damaged.
  package private(set) var index: PublishedIndex?
  /// The file list; nil if the file list or the index is missing or damaged.
  package private(set) var contents: PublishedContents?
  /// The patches from all lists in the index, except missing and damaged lists.
  package private(set) var patches: [PatchSet] = []
  /// Findings about the index and the lists; findings about the packs themselves are not included.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Whether the folder is an input, or this run has written it.
  private var origin: FileOrigin
  /// The path of the index.
  package private(set) var indexPath: String
  /// The layout of the folder if the index is not part of it; nil for layouts with an index.
  package private(set) var layout: Layout?

  /// The digest of the index when it was read; nil if the index could not be read.
  private(set) var indexDigest: Digest?
  /// The maximum number of attempts to read a folder while other builds publish into it.
  static let maxAttempts = 5

  /// Reads the built folder at the path in an argument.
  ///
  /// The argument is the folder or its index. A copy of the index with another name is also accepted if its
  /// name ends in `.json`.
  ///
  /// If a build is published while the folder is read, it removes the lists of the old index. Therefore, the
  /// folder is read again if there are errors and the index has changed.
  ///
  /// - Throws: if a file exists but cannot be read.
  package init(_ argument: String, from origin: FileOrigin = .input) throws(SystemError) {
    try self.init { () throws(SystemError) in try Self(reading: argument, from: origin) }
  }

  /// Returns the first result that has no errors, or whose index has not changed since it was read.
  init(from read: () throws(SystemError) -> BuiltFolder) throws(SystemError) {
    self = try read()
    for _ in 1..<Self.maxAttempts where diagnostics.hasErrors {
      if try Self.digest(ofIndexAt: indexPath) == indexDigest { return }
      self = try read()
    }
  }

  /// Returns the digest of the index at a path; nil if there is no index.
  static func digest(ofIndexAt path: String) throws(SystemError) -> Digest? {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: IndexFormat.maxSize) else { return nil }
    return SHA256.digest(of: bytes)
  }

  /// Reads the folder once, without another attempt.
  init(reading argument: String, from origin: FileOrigin = .input) throws(SystemError) {
    self.origin = origin
    let location = try Self.location(of: argument)
    path = location.folder
    indexPath = location.index
    layout = location.layout
    guard let bytes = try readIndex() else { return }
    indexDigest = SHA256.digest(of: bytes)
    let reading = IndexReader.index(SourceText(path: indexPath, bytes: bytes))
    diagnostics += reading.diagnostics
    index = reading.index
    guard let index else { return }
    try readContents(of: index)
    for (from, list) in index.patches { try readPatches(list, fromIndex: from) }
  }

  /// Returns the path of the index that an argument stands for.
  ///
  /// The index need not exist.
  package static func indexPath(of argument: String) throws(SystemError) -> String {
    try location(of: argument).index
  }

  /// The location of a built folder that a command's argument specifies.
  private struct Location {
    let folder: String
    /// The path of the index, which need not exist.
    let index: String
    /// The layout, if the index is not part of the layout; otherwise nil.
    let layout: Layout?
  }

  private static func location(of argument: String) throws(SystemError) -> Location {
    if try isIndex(argument) {
      return Location(folder: trimmed(folderPath(of: argument)), index: argument, layout: nil)
    }
    let folder = trimmed(argument)
    let layout = try layoutWithLeftIndex(folder)
    let index = layout == nil ? PublishedNames.index : PublishedNames.sidecarIndex
    return Location(folder: folder, index: joined(folder, index), layout: layout)
  }

  /// The release; nil if the index is missing or damaged.
  ///
  /// It has the compressed sizes of files if the file list contains them.
  package var release: Release? { index?.release(withPatches: patches) { contents?.packedSizes(ofPack: $0) } }

  /// Returns the layout of a folder if the folder's index is not part of the layout; otherwise nil.
  ///
  /// A build keeps such an index next to its build cache.
  private static func layoutWithLeftIndex(_ folder: String) throws(SystemError) -> Layout? {
    guard try !FileOperations.exists(joined(folder, PublishedNames.index)),
      try FileOperations.exists(joined(folder, PublishedNames.sidecarIndex))
    else { return nil }
    return try PublishedNames.layout(of: folder)
  }

  /// Returns the finding for commands that need packs in the `packtool` layout; nil if the folder has that
  /// layout.
  package func refusal(_ reason: String) -> Diagnostic? {
    layout.map {
      let message = "\(quoted(path)) is a built folder in the layout \(quoted($0.rawValue)), \(reason)"
      return Diagnostic(.missingIndex, message: message, at: Place(path))
    }
  }

  /// Whether an argument of a command is the path of a built folder or of an index.
  package static func isNamed(by argument: String) throws(SystemError) -> Bool {
    guard let status = try FileOperations.statusIfThere(argument) else { return false }
    if status.kind == .folder {
      if try FileOperations.exists(joined(argument, PublishedNames.index)) { return true }
      return try layoutWithLeftIndex(argument) != nil
    }
    guard status.kind == .file, let value = try JSONValue(of: argument, limit: IndexFormat.maxSize) else {
      return false
    }
    return value.member("packs") != nil && value.member("resources") == nil
  }

  /// Whether an argument is the path of an index: a file with the name of an index, or another JSON file.
  private static func isIndex(_ argument: String) throws(SystemError) -> Bool {
    let kind = try FileOperations.statusIfThere(argument)?.kind
    let isNamedSo = argument == PublishedNames.index || argument.hasSuffix("/\(PublishedNames.index)")
    return (isNamedSo && kind != .folder) || (kind == .file && argument.hasSuffix(".json"))
  }

  /// A hint to use the parent folder; nil if the parent folder is not a built folder.
  private var hintAbove: String? {
    get throws(SystemError) {
      let above = folderPath(of: path)
      guard path != "/", try FileOperations.exists(joined(above, PublishedNames.index)) else { return nil }
      return "did you mean \(quoted(above))?"
    }
  }

  private mutating func readIndex() throws(SystemError) -> [UInt8]? {
    let hint = "name a folder that packtool built"
    switch try FileContents(of: indexPath, from: origin, limit: IndexFormat.maxSize) {
    case .bytes(let bytes): return bytes
    case .missing where isWebAddress(path):
      let message =
        "\(quoted(path)) is not a local folder; name the folder that packtool built, such as \"packs\""
      report(.missingIndex, message: message, at: path)
    case .missing:
      let above = try hintAbove
      let hint = try PublishedNames.hint(onBuild: path) ?? above ?? hint
      report(.missingIndex, message: "\(quoted(indexPath)) does not exist; \(hint)", at: indexPath)
    case .noFile:
      report(.missingIndex, message: "\(quoted(indexPath)) is not a regular file; \(hint)", at: indexPath)
    case .tooLong:
      let message = "the index is longer than \(ByteSize.exact(IndexFormat.maxSize))"
      report(.damagedIndex, message: message, at: indexPath)
    }
    return nil
  }

  private mutating func readContents(of index: PublishedIndex) throws(SystemError) {
    let published = index.contents
    let contentsPath = joined(layout == nil ? path : folderPath(of: indexPath), published.path)
    let file: InputFile
    do throws(SystemError) {
      file = try InputFile(contentsPath, from: origin)
    } catch {
      if !error.isMissing { throw error }
      let message =
        "\(quoted(contentsPath)) does not exist, so the files of the packs are unknown; copy this contents "
        + "list next to the index, or build again"
      return report(.damagedIndex, message: message, at: contentsPath)
    }
    let status = try file.status()
    if status.kind != .file {
      return report(
        .damagedIndex, message: "\(quoted(contentsPath)) is not a regular file; build again", at: contentsPath
      )
    }
    let result = try ContentsReader.read(file, packs: index.packs.map(\.id))
    diagnostics += result.diagnostics
    // The size is compared even if there is another mistake, because a wrong size shows that the file is
    // truncated.
    if status.size != published.file.size {
      let message =
        "the contents list has \(ByteSize.exact(status.size)), but the index says "
        + "\(ByteSize.number(published.file.size)); build again"
      report(.damagedIndex, message: message, at: contentsPath)
    } else if let written = result.file, written != published.file {
      let message =
        "the contents list has the digest \(written.digest.prefixed), but the index says "
        + "\(published.file.digest.prefixed); build again"
      report(.damagedIndex, message: message, at: contentsPath)
    } else {
      contents = result.contents
    }
  }

  private mutating func readPatches(_ list: PublishedFile, fromIndex from: Digest) throws(SystemError) {
    let listPath = joined(path, list.path)
    switch try FileContents(of: listPath, from: origin, limit: IndexFormat.maxSize) {
    case .bytes(let bytes):
      let digest = SHA256.digest(of: bytes)
      if WrittenFile(size: Int64(bytes.count), digest: digest) != list.file {
        let message =
          "the list of patches differs from the size or digest in the index; copy the list again, or build "
          + "again"
        return report(.damagedPatch, message: message, at: listPath)
      }
      let reading = IndexReader.list(SourceText(path: listPath, bytes: bytes), fromIndex: from)
      diagnostics += reading.diagnostics
      if let packs = reading.packs { patches.append(PatchSet(fromIndex: from, list: list, packs: packs)) }
    // Only `verify` reports a missing list, because a copy of an index needs no patches.
    case .missing, .noFile: break
    case .tooLong:
      report(
        .damagedPatch,
        message:
          "the list of patches is longer than \(ByteSize.exact(IndexFormat.maxSize))", at: listPath
      )
    }
  }

  private mutating func report(_ check: Check, message: String, at path: String) {
    diagnostics.append(Diagnostic(check, message: message, at: Place(path)))
  }
}
