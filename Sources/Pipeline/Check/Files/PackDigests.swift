package import Formats
import Model
package import System

extension ContentsDigest {
  /// The digest of a pack's contents from its files and their digests, both in the pack's order.
  ///
  /// Two packs have the same contents if and only if these digests are equal: builds, `diff` and `simulate` all ask here.
  package static func digest(
    of files: some Sequence<AssetFile>, digests: some Sequence<Digest>
  ) -> Digest {
    var contents = ContentsDigest()
    for (file, digest) in zip(files, digests) {
      contents.add(path: file.packPath, size: file.size, fileDigest: digest)
    }
    return contents.finish()
  }
}

/// The digests of some packs of a plan, whose files were read for them.
package struct PackDigests: Sendable {
  /// The digest of the contents of each pack, as an index states it, in the order in which the packs were named.
  package let packs: [Digest]
  /// The digests of the files of each pack, in the pack's order.
  package let files: [[Digest]]
  /// Findings about files that could not be read; the digests of their packs mean nothing.
  package let diagnostics: [Diagnostic]
}

extension PackPlan {
  /// Reads some packs, by their index in the plan, for the digests of their contents.
  ///
  /// Files whose digest is known are not read.
  package func digests(
    ofPacks numbers: [Int], root: Folder, unchanged: UnchangedFiles = .nothing,
    readCounter: ReadCounter = ReadCounter(),
    jobs: Int
  ) throws(SystemError) -> PackDigests {
    let read = try contentDigests(
      of: numbers.flatMap { packs[$0].files }, root: root, unchanged: unchanged, readCounter: readCounter,
      jobs: jobs)
    var rest = read.digests[...]
    let files = numbers.map { number in
      let digests = Array(rest.prefix(packs[number].files.count))
      rest.removeFirst(digests.count)
      return digests
    }
    let contents = zip(numbers, files).map { number, digests in
      ContentsDigest.digest(of: packs[number].files.lazy.map { tree.files[$0] }, digests: digests)
    }
    return PackDigests(packs: contents, files: files, diagnostics: read.diagnostics)
  }
}
