import PackKit
import System

/// What is in the initial install only because packs carry a tag of it beside others.
struct InitialDrag: Sendable {
  /// The packs, by number, the largest first.
  let packs: [Int]
  /// Bytes of these packs.
  let size: Int64
  /// Their tags that the initial install does not list, those that come with most bytes first.
  let tags: [String]

  init(_ release: Release) {
    let listed = Set(release.tags.lazy.filter { $0.delivery == .initialInstall }.map(\.name))
    func others(_ pack: Int) -> [String] { release.packs[pack].tags.filter { !listed.contains($0) } }
    let packs = release.order(of: .initialInstall).filter { !others($0).isEmpty }
    self.packs = packs.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    size = packs.saturatingSum { release.packs[$0].size }
    var sizes: [String: Int64] = [:]
    for pack in packs {
      for tag in others(pack) {
        sizes[tag] = (sizes[tag] ?? 0).saturatingSum(with: release.packs[pack].size)
      }
    }
    tags = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

/// What a request for one tag downloads, and what of it comes along because of other tags.
struct TagLoad: Sendable {
  let tag: Release.Tag
  /// Bytes of the archives; nil where one is not built.
  let packedSize: Int64?
  /// The packs that carry other tags too.
  let sharedPacks: Int
  /// Bytes of these.
  let sharedSize: Int64

  static func all(of release: Release) -> [TagLoad] {
    release.tags.map { tag in
      let shared = tag.packs.filter { release.packs[$0].tags.count > 1 }
      return TagLoad(
        tag: tag, packedSize: release.packedSize(of: tag.packs), sharedPacks: shared.count,
        sharedSize: shared.saturatingSum { release.packs[$0].size })
    }
  }
}
