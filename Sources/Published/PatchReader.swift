import Findings
import Formats
import PackKit
import System

/// Lists of patches, and recipes.
extension IndexReader {
  /// The packs of a list, nil if its form is wrong, with all mistakes.
  static func list(
    _ text: SourceText, from: Digest
  ) -> (packs: [PatchSet.Pack]?, diagnostics: [Diagnostic]) {
    read(text, .damagedIndex) { reader, value in reader.readList(value, from: from) }
  }

  /// The recipe of a patch, nil if its form is wrong, with all mistakes.
  static func recipe(_ text: SourceText) -> (recipe: PatchRecipe?, diagnostics: [Diagnostic]) {
    read(text, .damagedPatch) { reader, value in reader.readRecipe(value) }
  }

  private mutating func readList(_ value: JSONValue, from: Digest) -> [PatchSet.Pack]? {
    guard isOfVersion(value) else { return nil }
    if value.member("from")?.digest != from {
      report(
        "\"from\" is not \(from.prefixed), as the index says", at: (value.member("from") ?? value).offset)
    }
    let packs = elements("packs", of: value).compactMap { readPack($0) }
    if let (_, late) = zip(packs, packs.dropFirst()).first(where: { !$0.id.precedesInBytes($1.id) }) {
      report("the packs do not stand by \"id\": \(quoted(late.id))", at: value.offset)
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
    return (id, digest, PublishedFile(path: path, file: WrittenFile(size: size, digest: own)))
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
      report("the files do not stand by \"path\": \(quoted(bytes: late.path))", at: value.offset)
    }
    let sizes = Dictionary(files.map { ($0.digest, $0) }) { first, _ in first }
    if let other = files.first(where: { sizes[$0.digest]?.size != $0.size || sizes[$0.digest]?.way != $0.way }
    ) {
      report("files of one digest differ in size or way: \(quoted(bytes: other.path))", at: value.offset)
    }
    return PatchRecipe(pack: pack, digest: digest, files: files)
  }

  private mutating func readFile(_ value: JSONValue) -> PatchRecipe.File? {
    let from = value.member("from")?.digest
    guard let path = value.member("path")?.string, isPlainPath(path.utf8), let size = size(of: value),
      let digest = value.member("digest")?.digest,
      let way = way(value.member("as")?.string, from, of: digest)
    else {
      report(
        "a file needs \"path\", \"size\", \"digest\" and \"as\", and \"from\" where it is not whole",
        at: value.offset)
      return nil
    }
    return PatchRecipe.File(path: Array(path.utf8), size: size, digest: digest, way: way)
  }

  private func way(_ name: String?, _ from: Digest?, of digest: Digest) -> PatchRecipe.Way? {
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

/// Whether a path leads to a file in the folder of patches.
func isPatchPath(_ path: String) -> Bool {
  let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  return names.count == 2 && isPlainPath(path.utf8)
    && names[0].elementsEqual(PublishedNames.patchesFolder.utf8)
}
