package import Archiving
import Findings
import Formats
package import PackKit
package import System

/// A patch: its recipe, and where its frames are.
package struct PatchFile: Sendable {
  package let recipe: PatchRecipe
  private let entries: [ArchivedEntry]
  private let frames: [Digest: ArchivedEntry]
  private let path: String

  private static let longestRecipe = 64 << 20

  /// Opens a patch, which must be as packtool writes one to the byte; frames are not read.
  package init(_ path: String) throws(FormMistake) {
    do {
      self.path = path
      (recipe, entries) = try Self.parts(of: ZipLayout(try InputFile(path)))
      frames = Dictionary(uniqueKeysWithValues: zip(recipe.entries, entries.dropFirst()))
    } catch let mistake as FormMistake {
      throw FormMistake(
        mistake.entry.map { "entry \($0): \(mistake.reason)" } ?? mistake.reason, cause: mistake.cause)
    } catch {
      throw FormMistake("\(error)", cause: error as? SystemError)
    }
  }

  /// Opens a file if it begins as a patch does; nil for any other.
  package init?(ifOne path: String) throws(FormMistake) {
    do throws(SystemError) {
      var layout = ZipLayout(try InputFile(path))
      let front = try? layout.front(named: PatchRecipe.name, limit: Self.longestRecipe)
      if front?.isEmpty != false { return nil }
    } catch {
      throw FormMistake(error)
    }
    try self.init(path)
  }

  private static func parts(
    of layout: consuming ZipLayout
  ) throws -> (recipe: PatchRecipe, entries: [ArchivedEntry]) {
    guard let front = try layout.front(named: PatchRecipe.name, limit: longestRecipe) else {
      throw FormMistake("its first entry is no stored \(quoted(PatchRecipe.name))")
    }
    let recipe = try recipe(front)
    let names = [PatchRecipe.name] + recipe.entries.map(\.hex)
    let entries = try layout.check(count: names.count) { (Array(names[$0].utf8)[...], nil) }
    guard entries.allSatisfy({ $0.method == .stored }) else { throw FormMistake("an entry is not stored") }
    return (recipe, entries)
  }

  private static func recipe(_ bytes: [UInt8]) throws(FormMistake) -> PatchRecipe {
    let (recipe, diagnostics) = IndexReader.recipe(SourceText(path: PatchRecipe.name, bytes: bytes))
    guard let recipe else {
      throw FormMistake(diagnostics.first.map { "\(PatchRecipe.name): \($0.message)" } ?? "")
    }
    if recipe.contentsDigest != recipe.digest { throw FormMistake("its digest is not that of its files") }
    // Names and order of keys count, since the bytes of a patch are told by its index.
    if recipe.bytes().array() != bytes {
      throw FormMistake("\(PatchRecipe.name) is not as packtool writes it")
    }
    return recipe
  }

  /// Whether every entry has its checksum, by which other programs judge it.
  package func hasRightChecksums() throws(SystemError) -> Bool {
    let input = try InputFile(path)
    for entry in entries {
      var checksum = Checksum()
      try read(entry, of: input) { bytes in
        checksum.update(bytes)
        return true
      }
      if checksum != entry.checksum { return false }
    }
    return true
  }

  /// Calls `body` with the bytes of an entry, block by block, until the end or until it returns false.
  private func read(
    _ entry: ArchivedEntry, of input: borrowing InputFile, _ body: (RawSpan) -> Bool
  ) throws(SystemError) {
    var buffer = ByteBuffer()
    for start in stride(from: 0, to: entry.compressedSize, by: 1 << 20) {
      buffer.clear()
      let count = min(1 << 20, entry.compressedSize - start)
      try input.read(Int(count), at: entry.dataOffset + start, into: &buffer)
      if !buffer.withBytes(body) { return }
    }
  }

  /// Bytes of the frame of a file; 0 for one that the device has.
  package func frameSize(of file: PatchRecipe.File) -> Int64 {
    file.way == .same ? 0 : frames[file.digest]?.compressedSize ?? 0
  }

  /// What is wrong with a file that is made of its frame and old contents; nil for nothing.
  package func fault(in file: PatchRecipe.File, from source: SpooledBytes?) throws(SystemError) -> String? {
    guard let frame = frames[file.digest] else { return nil }
    var prefix = ByteBuffer(capacity: Int(source?.size ?? 0))
    try source?.read(0..<(source?.size ?? 0), into: &prefix)
    let input = try InputFile(path)
    var digest = SHA256()
    let end = try ZstandardDecoder.decode(size: file.size, prefix: prefix) { decoder throws(SystemError) in
      try read(frame, of: input) { bytes in decoder.append(bytes) { digest.update($0) } }
    }
    switch end {
    case .damaged: return "cannot be made of its frame"
    case .tooLong: return "has more than the \(ByteSize.exact(file.size)) that the recipe says"
    case .whole: return digest.finish() == file.digest ? nil : "has other contents than the recipe says"
    }
  }
}
