import System

/// How packs are joined, step by step and the cheapest two first, until there are at most a number of packs.
///
/// A step costs what users download for nothing: where a request wants one of the two packs, the other. Each tag counts
/// as one request, and so do the initial install and the prefetch, which downloads nothing that came with the app.
package struct MergePlan: Sendable {
  /// A pack as far as joining needs it; no two have the same tags.
  package struct Pack: Sendable {
    /// The tags, sorted as Swift strings.
    package let tags: [String]
    /// The size of the files in bytes.
    package let size: Int64
    package let delivery: Delivery

    package init(tags: [String], size: Int64, delivery: Delivery) {
      self.tags = tags
      self.size = size
      self.delivery = delivery
    }
  }

  /// One step, after which there is one pack less.
  package struct Step: Sendable {
    /// The packs that are joined, by their index in the input.
    package let packs: [[Int]]
    /// The tags of the joined pack.
    package let tags: [String]
    /// What each request downloads for nothing from then on, in bytes, the largest first.
    package let requests: [(request: Request, size: Int64)]
    /// The sum of these.
    package let size: Int64
    /// The number of packs that are left.
    package let packCount: Int
  }

  /// What makes a device download packs.
  package enum Request: Sendable, Hashable {
    case tag(String)
    case initialInstall
    /// The download right after the installation, of the prefetched packs that did not come with the app.
    case prefetch
  }

  /// The largest number of packs that are joined: in the worst case each is held against each other one.
  package static let mostPacks = 10_000

  package private(set) var steps: [Step] = []
  /// The packs that become one, by their indices in the input; those that stay alone are not listed.
  package private(set) var groups: [[Int]] = []

  /// Joins packs until there are at most `most`; none if there are more than `mostPacks`.
  package init(of packs: [Pack], most: Int) {
    guard packs.count > most, packs.count <= Self.mostPacks else { return }
    var merging = PackMerging(packs)
    while merging.count > max(1, most), let step = merging.step() { steps.append(step) }
    groups = merging.groups
  }
}

extension MergePlan {
  /// Joins the packs of a plan.
  package init(of plan: PackPlan, most: Int) {
    self.init(
      of: plan.packs.map { Pack(tags: $0.tags, size: $0.size, delivery: $0.delivery) }, most: most)
  }
}
