package import Archiving
import Formats
package import Model
package import System

/// A patch: its recipe, and the positions of its frames.
package struct PatchFile: Sendable {
  package let recipe: PatchRecipe
  private let entries: [ArchivedEntry]
  private let frames: [Digest: ArchivedEntry]
  private let path: String

  private static let maxRecipeSize = 64 << 20

  /// Opens a patch without reading its frames.
  ///
  /// Every byte that it reads must be equal to the byte that packtool would write.
  package init(_ path: String) throws(ArchiveFormatError) {
    do {
      self.path = path
      (recipe, entries) = try Self.parts(of: StrictZipReader(try InputFile(path)))
      frames = Dictionary(uniqueKeysWithValues: zip(recipe.entries, entries.dropFirst()))
    } catch let mistake as ArchiveFormatError {
      throw ArchiveFormatError(
        mistake.entry.map { "entry \($0): \(mistake.reason)" } ?? mistake.reason, cause: mistake.cause)
    } catch {
      throw ArchiveFormatError("\(error)", cause: error as? SystemError)
    }
  }

  /// Opens a file if the file begins like a patch; nil for any other file.
  package init?(ifOne path: String) throws(ArchiveFormatError) {
    do throws(SystemError) {
      var layout = StrictZipReader(try InputFile(path))
      let front = try? layout.firstEntry(named: PatchRecipe.name, limit: Self.maxRecipeSize)
      if front?.isEmpty != false { return nil }
    } catch {
      throw ArchiveFormatError(error)
    }
    try self.init(path)
  }

  private static func parts(
    of layout: consuming StrictZipReader
  ) throws -> (recipe: PatchRecipe, entries: [ArchivedEntry]) {
    guard let front = try layout.firstEntry(named: PatchRecipe.name, limit: maxRecipeSize) else {
      throw ArchiveFormatError("its first entry is not a stored \(quoted(PatchRecipe.name))")
    }
    let recipe = try recipe(front)
    let names = [PatchRecipe.name] + recipe.entries.map(\.hex)
    let entries = try layout.checkEntries(count: names.count) {
      StrictZipReader.Expected(name: Array(names[$0].utf8)[...], size: nil)
    }
    guard entries.allSatisfy({ $0.method == .stored }) else {
      throw ArchiveFormatError("an entry is not stored")
    }
    return (recipe, entries)
  }

  private static func recipe(_ bytes: [UInt8]) throws(ArchiveFormatError) -> PatchRecipe {
    let (recipe, diagnostics) = IndexReader.recipe(SourceText(path: PatchRecipe.name, bytes: bytes))
    guard let recipe else {
      throw ArchiveFormatError(diagnostics.first.map { "\(PatchRecipe.name): \($0.message)" } ?? "")
    }
    if recipe.contentsDigest != recipe.digest {
      throw ArchiveFormatError("its digest does not match its files")
    }
    // The names and the order of the keys must be exact, because the list of patches contains a digest of all
    // bytes of the patch.
    if recipe.bytes().array() != bytes {
      throw ArchiveFormatError("\(PatchRecipe.name) differs from what packtool writes")
    }
    return recipe
  }

  /// Whether the checksum of every entry is right.
  ///
  /// packtool does not need these checksums, but other programs verify them.
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

  /// Calls `body` with the bytes of an entry, block by block, until the entry ends or `body` returns false.
  private func read(
    _ entry: ArchivedEntry, of input: borrowing InputFile, body: (RawSpan) -> Bool
  ) throws(SystemError) {
    var buffer = ByteBuffer()
    for start in stride(from: 0, to: entry.compressedSize, by: 1 << 20) {
      buffer.clear()
      let count = min(1 << 20, entry.compressedSize - start)
      try input.read(Int(count), at: entry.dataOffset + start, into: &buffer)
      if !buffer.withBytes(body) { return }
    }
  }

  /// The size in bytes of the frame of a file; 0 if the device already has the file.
  package func frameSize(of file: PatchRecipe.File) -> Int64 {
    file.method == .same ? 0 : frames[file.digest]?.compressedSize ?? 0
  }

  /// Makes a file from its frame and old contents.
  ///
  /// Returns a description of the mistake, or nil if the file is right.
  package func fault(in file: PatchRecipe.File, from source: SpooledBytes?) throws(SystemError) -> String? {
    guard let frame = frames[file.digest] else { return nil }
    var prefix = ByteBuffer(capacity: Int(source?.size ?? 0))
    try source?.read(0..<(source?.size ?? 0), into: &prefix)
    let input = try InputFile(path)
    var digest = SHA256()
    let end = try ZstandardDecoder.decode(uncompressedSize: file.size, prefix: prefix) {
      decoder throws(SystemError) in
      try read(frame, of: input) { bytes in decoder.append(bytes) { digest.update($0) } }
    }
    switch end {
    case .damaged: return "cannot be made from its frame"
    case .tooLong: return "has more than the \(ByteSize.exact(file.size)) that the recipe says"
    case .whole: return digest.finish() == file.digest ? nil : "has other contents than the recipe says"
    }
  }
}

/// Lists of patches, and recipes.
extension IndexReader {
  /// Reads the packs in a list of patches and reports all mistakes in its text.
  ///
  /// If there are mistakes, the packs are nil.
  static func list(_ text: SourceText, fromIndex from: Digest) -> (
    packs: [PatchSet.Pack]?, diagnostics: [Diagnostic]
  ) {
    read(text, check: .damagedIndex) { reader, value in reader.readList(value, fromIndex: from) }
  }

  /// Reads the recipe of a patch and reports all mistakes in its text.
  ///
  /// If there are mistakes, the recipe is nil.
  static func recipe(_ text: SourceText) -> (recipe: PatchRecipe?, diagnostics: [Diagnostic]) {
    read(text, check: .damagedPatch) { reader, value in reader.readRecipe(value) }
  }

  private mutating func readList(_ value: JSONValue, fromIndex from: Digest) -> [PatchSet.Pack]? {
    guard isOfVersion(value) else { return nil }
    if value.member("from")?.digest != from {
      report(
        "\"from\" is not \(from.prefixed), as the index says", at: (value.member("from") ?? value).offset)
    }
    let packs = elements("packs", of: value).compactMap { readPack($0) }
    if let (_, late) = zip(packs, packs.dropFirst()).first(where: { !$0.id.precedesInBytes($1.id) }) {
      report("the packs are not sorted by \"id\": \(quoted(late.id))", at: value.offset)
    }
    return packs
  }

  private mutating func readPack(_ value: JSONValue) -> PatchSet.Pack? {
    guard let id = value.member("id")?.string, let digest = value.member("digest")?.digest,
      let patch = value.member("patch"), let size = size(of: patch), let own = patch.member("digest")?.digest,
      let path = patch.member("path")?.string, isPatchPath(path)
    else {
      report(
        "a pack needs \"id\", \"digest\", and \"patch\" with \"path\" in \"\(PublishedNames.patchesFolder)\", \"size\" "
          + "and \"digest\"", at: value.offset)
      return nil
    }
    let file = PublishedFile(path: path, file: WrittenFile(size: size, digest: own))
    return PatchSet.Pack(id: id, digest: digest, patch: file)
  }

  private mutating func readRecipe(_ value: JSONValue) -> PatchRecipe? {
    guard isOfVersion(value) else { return nil }
    guard let pack = value.member("pack")?.string, let digest = value.member("digest")?.digest else {
      report("a recipe needs \"pack\", \"digest\" and \"files\"", at: value.offset)
      return nil
    }
    let files = elements("files", of: value).compactMap { readFile($0) }
    if let (_, late) = zip(files, files.dropFirst()).first(where: {
      !$0.path.lexicographicallyPrecedes($1.path)
    }) {
      report("the files are not sorted by \"path\": \(quoted(bytes: late.path))", at: value.offset)
    }
    let sizes = Dictionary(files.map { ($0.digest, $0) }) { first, _ in first }
    if let other = files.first(where: {
      sizes[$0.digest]?.size != $0.size || sizes[$0.digest]?.method != $0.method
    }
    ) {
      report(
        "files with the same digest differ in size or method: \(quoted(bytes: other.path))", at: value.offset)
    }
    return PatchRecipe(pack: pack, digest: digest, files: files)
  }

  private mutating func readFile(_ value: JSONValue) -> PatchRecipe.File? {
    let from = value.member("from")?.digest
    guard let path = value.member("path")?.string, PublishedPath.isInPack(path),
      let size = size(of: value),
      let digest = value.member("digest")?.digest,
      let method = method(value.member("as")?.string, from: from, of: digest)
    else {
      report(
        "a file needs \"path\", \"size\", \"digest\" and \"as\", and \"from\" unless it is whole",
        at: value.offset)
      return nil
    }
    return PatchRecipe.File(path: Array(path.utf8), size: size, digest: digest, method: method)
  }

  private func method(_ name: String?, from: Digest?, of digest: Digest) -> PatchRecipe.Method? {
    switch (name, from) {
    case ("same", digest): .same
    case ("patch", let from?): .patch(from: from)
    case ("whole", nil): .whole
    default: nil
    }
  }

  private func size(of value: JSONValue) -> Int64? {
    value.member("size")?.wholeNumber.flatMap { $0 <= ByteSize.largestExact ? $0 : nil }
  }

  private mutating func elements(_ key: String, of value: JSONValue) -> [JSONValue] {
    if let elements = value.member(key)?.elements { return Array(elements) }
    report("\(quoted(key)) takes an array of objects", at: (value.member(key) ?? value).offset)
    return []
  }
}

/// Whether a path is the path of a file in the folder of patches.
func isPatchPath(_ path: String) -> Bool {
  let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  return names.count == 2 && PublishedPath.isPlain(path)
    && names[0].elementsEqual(PublishedNames.patchesFolder.utf8)
}
