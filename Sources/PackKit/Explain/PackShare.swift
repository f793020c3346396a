import Formats
import System

/// The files of one pack in a folder.
package struct PackShare: Sendable {
  /// The index of the pack in the plan.
  package let pack: Int
  /// The indices of the files in the tree.
  package let files: [Int]
  /// The size of the files in bytes.
  package let size: Int64
}

extension PackPlan {
  /// The packs of the tagged files in a folder ("." for the root), sorted by their tags.
  package func shares(ofFolder path: String) -> [PackShare] {
    let prefix = path + "/"
    let shares = packs.indices.compactMap { number -> PackShare? in
      let files = packs[number].files.filter { path == "." || tree.files[$0].path.hasPrefix(prefix) }
      if files.isEmpty { return nil }
      return PackShare(pack: number, files: files, size: files.saturatingSum { tree.files[$0].size })
    }
    return shares.sorted { packs[$0.pack].tags.lexicographicallyPrecedes(packs[$1.pack].tags) }
  }

  /// The rules that match any of the files, without repetition.
  package func rules(ofFiles files: [Int]) -> [ResourceRule] {
    let tracer = RuleTracer(manifest)
    var offsets: Set<Int> = []
    return files.flatMap { tracer.trace(tree.files[$0].path).rules }.filter {
      offsets.insert($0.text.offset).inserted
    }
  }

  /// The rules that give a tag.
  package func rules(giving tag: String) -> [ResourceRule] {
    manifest.rules.filter { $0.tags.contains { $0.value == tag } }
  }

  /// The packs that a request for a tag downloads, in order.
  package func order(of tag: TagSummary) -> [Int] {
    Delivery.allCases.flatMap(order).filter(tag.packs.contains)
  }

  /// The index of the pack of a file.
  package func pack(ofFile file: AssetFile) -> Int? {
    let tags = tree.tagSets.tags(of: file.tagSet)
    return packs.firstIndex { $0.tags == tags }
  }
}
