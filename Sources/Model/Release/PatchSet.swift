import Formats
package import System

/// The patches from one earlier release to a release.
package struct PatchSet: Sendable {
  /// The digest of the earlier release's `index.json`.
  package let from: Digest
  /// The file that lists the patches.
  package let list: PublishedFile
  /// The packs that have a patch.
  package let packs: [Pack]

  /// The patch of one pack.
  package struct Pack: Sendable {
    /// The pack's identifier.
    package let id: String
    /// The digest of the contents after the patch is applied.
    package let digest: Digest
    package let patch: PublishedFile

    package init(id: String, digest: Digest, patch: PublishedFile) {
      self.id = id
      self.digest = digest
      self.patch = patch
    }
  }

  package init(fromIndex from: Digest, list: PublishedFile, packs: [Pack]) {
    self.from = from
    self.list = list
    self.packs = packs
  }

  /// Returns the bytes of the file that lists the patches.
  package static func bytes(fromIndex from: Digest, packs: [Pack]) -> ByteBuffer {
    let entries = packs.map { pack in
      JSONText.object([
        "id": .string(pack.id), "digest": .string(pack.digest.prefixed), "patch": pack.patch.json,
      ])
    }
    return JSONText.object([
      "formatVersion": .integer(IndexFormat.version), "from": .string(from.prefixed),
      "packs": .array(entries),
    ]).bytes()
  }

  /// The set of patches as JSON, for the index.
  var json: JSONText {
    .object([
      "from": .string(from.prefixed), "path": .string(list.path), "size": .integer(list.file.size),
      "digest": .string(list.file.digest.prefixed),
    ])
  }
}

/// The format of `patch.json`, the first entry of a patch.
///
/// It specifies how a device makes each file of a pack.
package struct PatchRecipe: Sendable {
  /// The name of the entry.
  package static let name = "patch.json"

  /// How a device makes a file.
  package enum Method: Sendable, Hashable {
    /// The device already has the content, perhaps under another path.
    case same
    /// The device decompresses the entry named after the file's digest, with the old contents that have this
    /// digest as the prefix.
    case patch(from: Digest)
    /// The device decompresses the entry named after the file's digest, without old contents.
    case whole
  }

  /// One file of the pack.
  package struct File: Sendable {
    /// The path inside the pack, in UTF-8.
    package let path: [UInt8]
    package let size: Int64
    package let digest: Digest
    package let method: Method

    package init(path: [UInt8], size: Int64, digest: Digest, method: Method) {
      self.path = path
      self.size = size
      self.digest = digest
      self.method = method
    }

    /// The digest of the old contents that a device needs to make the file; nil if the device needs no old
    /// contents.
    package var source: Digest? {
      switch method {
      case .same: digest
      case .patch(let from): from
      case .whole: nil
      }
    }
  }

  /// The pack's identifier.
  package let pack: String
  /// The digest of the contents after the patch is applied.
  package let digest: Digest
  /// All files of the pack, in byte order of their paths.
  package let files: [File]

  package init(pack: String, digest: Digest, files: [File]) {
    self.pack = pack
    self.digest = digest
    self.files = files
  }

  /// The names of the entries after the recipe, in the order of the entries.
  ///
  /// Each name is a digest.
  package var entries: [Digest] {
    Set(files.lazy.filter { $0.method != .same }.map(\.digest)).sorted { $0.hex < $1.hex }
  }

  /// The digest of the contents, computed from the list of files.
  package var contentsDigest: Digest {
    var digest = ContentsDigest()
    for file in files { digest.add(path: file.path[...], size: file.size, fileDigest: file.digest) }
    return digest.finish()
  }

  /// Returns the entry's bytes.
  ///
  /// The text is on one line to save bytes, because each patch contains a recipe.
  package func bytes() -> ByteBuffer {
    JSONText.object([
      "formatVersion": .integer(IndexFormat.version), "pack": .string(pack),
      "digest": .string(digest.prefixed), "files": .array(files.map(\.json)),
    ]).line
  }
}

extension PatchRecipe.File {
  fileprivate var json: JSONText {
    var members: [String: JSONText] = [
      "path": .string(String(decoding: path, as: UTF8.self)), "size": .integer(size),
      "digest": .string(digest.prefixed), "as": .string(method.name),
    ]
    members["from"] = source.map { .string($0.prefixed) }
    return .object(members)
  }
}

extension PatchRecipe.Method {
  /// The word for the method in a recipe.
  package var name: String {
    switch self {
    case .same: "same"
    case .patch: "patch"
    case .whole: "whole"
    }
  }
}
