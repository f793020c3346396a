import Archiving
package import Formats
import Model
import Pipeline
import System
package import Foundation
import Testing

/// Replaces patches in a built folder, and updates the list and the index, so that they agree with the new
/// patches.
package struct ForgedPatches {
  private let folder: TemporaryFolder
  private let set: PatchSet
  private let tags: [String: [String]]

  package init(_ site: PatchSite) throws {
    folder = site.site.folder
    let built = try BuiltFolder(folder.path("out"))
    set = try #require(built.patches.first)
    tags = Dictionary(uniqueKeysWithValues: try #require(built.index).packs.map { ($0.id, $0.tags) })
  }

  /// The recipe of a patch.
  ///
  /// Tests can set its members to any value.
  package struct Recipe {
    package var version = 1
    package var pack: String
    package var digest: String
    package var files: [[String: JSONText]]

    /// Changes one member of a file.
    package mutating func change(_ path: String, _ key: String, _ value: String?) {
      for number in files.indices {
        if case .string(path) = files[number]["path"] { files[number][key] = value.map { .string($0) } }
      }
    }

    fileprivate var bytes: Data {
      let text = JSONText.object([
        "formatVersion": .integer(version), "pack": .string(pack), "digest": .string(digest),
        "files": .array(files.map { .object($0) }),
      ])
      return Data(text.line.array())
    }
  }

  /// Changes the recipe of a pack's patch, and some of the patch's entries.
  package func change(
    _ tags: [String], _ entries: [String: Data] = [:], by body: (inout Recipe) -> Void
  ) throws {
    let place = try #require(set.packs.first { self.tags[$0.id] == tags }).patch.path
    let patch = try TestPatch(place, folder.read("out/\(place)"))
    let recipe = try patch.recipe
    let files = try patch.files.map { file in
      var members: [String: JSONText] = [
        "path": .string(file.path), "size": .integer(file.size), "digest": .string(file.digest),
        "as": .string(file.method),
      ]
      members["from"] = file.from.map { .string($0) }
      return members
    }
    var forged = Recipe(
      pack: try #require(recipe["pack"] as? String), digest: try #require(recipe["digest"] as? String),
      files: files)
    body(&forged)
    var contents = entries
    for entry in patch.entries.dropFirst() where contents[entry.name] == nil {
      contents[entry.name] = try patch.content(entry.name)
    }
    let path = folder.path("forged.zip")
    var zip = ZipWriter(try OutputFile(creating: path), modified: ZipTime(secondsSince1970: 1_000_000_000))
    try zip.append(stored: "patch.json", forged.bytes)
    for (name, content) in contents.sorted(by: { $0.key < $1.key }) { try zip.append(stored: name, content) }
    _ = try zip.finish()
    let bytes = try folder.read("forged.zip")
    try FileOperations.removeFile(path)
    try replace(tags, by: bytes)
  }

  /// Replaces the bytes of a pack's patch.
  package func replace(_ tags: [String], by bytes: Data) throws {
    let packs = try set.packs.map { pack -> PatchSet.Pack in
      guard self.tags[pack.id] == tags else { return pack }
      try FileOperations.removeFile(folder.path("out/\(pack.patch.path)"))
      let digest = sha256(Array(bytes))
      let path = PublishedNames.patchPath(ofPack: pack.id, fromIndex: set.from, patchDigest: digest)
      try folder.write("out/\(path)", bytes)
      let file = WrittenFile(size: Int64(bytes.count), digest: digest)
      return PatchSet.Pack(
        id: pack.id, digest: pack.digest, patch: PublishedFile(path: path, file: file))
    }
    try replaceList(by: Data(PatchSet.bytes(fromIndex: set.from, packs: packs).array()))
  }

  /// Changes the text of the file that lists the patches.
  package func changeList(_ body: (String) -> String) throws {
    let text = String(decoding: try folder.read("out/\(set.list.path)"), as: UTF8.self)
    let changed = body(text)
    try #require(changed != text)
    try replaceList(by: Data(changed.utf8))
  }

  private func replaceList(by bytes: Data) throws {
    let digest = sha256(Array(bytes))
    let path = PublishedNames.patchListPath(fromIndex: set.from, listDigest: digest)
    try FileOperations.removeFile(folder.path("out/\(set.list.path)"))
    try folder.write("out/\(path)", bytes)
    let text = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    let old = "\"path\": \"\(set.list.path)\",\\s*\"size\": [0-9]+"
    let range = try #require(text.range(of: old, options: .regularExpression))
    let size = text[range].replacingOccurrences(of: "\(set.list.file.size)", with: "\(bytes.count)")
      .replacingOccurrences(of: set.list.path, with: path)
    let index = text.replacingCharacters(in: range, with: size)
      .replacingOccurrences(of: set.list.file.digest.hex, with: digest.hex)
    try folder.write("out/index.json", index)
  }
}

extension ZipWriter {
  fileprivate mutating func append(stored name: String, _ content: Data) throws {
    let bytes = Array(content)
    let size = Int64(bytes.count)
    _ = try append(
      ZipEntry(
        name: name, method: .stored, size: size, compressedSize: size, checksum: Checksum(of: bytes)),
      payload: bytes.span.bytes)
  }
}
