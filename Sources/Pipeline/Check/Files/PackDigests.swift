package import Formats
import Model
package import System

extension ContentsDigest {
  /// Returns the digest of a pack's contents, computed from its files and the files' digests; both lists are
  /// in the order of the pack.
  ///
  /// Two packs have the same contents if and only if these digests are equal. Builds, `diff` and `simulate`
  /// all use this function.
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

/// The digests of some packs of a plan, and of the packs' files.
package struct PackDigests: Sendable {
  /// The digest of each pack's contents, in the order in which the packs were requested.
  ///
  /// It is the same digest as in an index.
  package let packs: [Digest]
  /// The digests of the files of each pack, in the pack's order.
  package let files: [[Digest]]
  /// Findings about files that could not be read; the digests of their packs are not valid.
  package let diagnostics: [Diagnostic]
}

extension PackPlan {
  /// Computes the digests of the contents of some packs, given by their index in the plan.
  ///
  /// Files with a known digest are not read.
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
