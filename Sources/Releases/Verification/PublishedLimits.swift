package import Published
package import Findings
import Formats
package import PackKit

/// Checks the figures of an index against the limits of its profile, or of another one.
package struct PublishedLimits {
  private let input: PackCheck.Input

  /// A check of a build whose index and list of files agree.
  package init(_ index: PublishedIndex, _ contents: PublishedContents, _ profile: LimitProfile?) {
    var limits = LimitSettings()
    limits.profile = profile ?? LimitProfile.named(index.limits.value) ?? .appStore
    input = PackCheck.Input(release: index.release, limits: limits, places: index.places) { number, limit in
      let files = ExpectedFiles(of: number, in: contents)
      let parts = (0..<files.count).map { place in
        PackSplit.File(path: String(decoding: files.path(place), as: UTF8.self), size: files.size(place))
      }
      return PackSplit(parts, limit: limit).notes
    }
  }

  /// Findings about exceeded limits, with places in the index.
  package var findings: [Diagnostic] { PackCheck.limits.flatMap { $0.find(input) } }
}

extension PublishedIndex {
  fileprivate var places: ReleasePlaces {
    ReleasePlaces(
      text: text, tags: Dictionary(tags.map { ($0.name, $0.offset) }) { first, _ in first },
      packs: packsOffset)
  }
}
