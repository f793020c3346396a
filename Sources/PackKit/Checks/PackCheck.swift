package import Findings
package import Formats

/// A check of packs: their tags, sizes and count, independent of their files.
package struct PackCheck: Sendable {
  /// The input of a check.
  package struct Input: Sendable {
    package private(set) var release: Release
    package let limits: LimitSettings
    package let places: ReleasePlaces
    /// Proposals to split a pack, by its index, to fit a limit in bytes.
    private(set) var split: @Sendable (Int, Int64) -> [Diagnostic.Note]
    /// The slices where not all devices get the same; limits of one device then hold for each.
    var slices: [ReleaseSlice] = []
    package var budgets = Budgets()
    /// The size of the app bundle in bytes; nil if unknown.
    package var appBundleSize: Int64?

    package init(
      _ release: Release, _ limits: LimitSettings, _ places: ReleasePlaces,
      split: @escaping @Sendable (Int, Int64) -> [Diagnostic.Note]
    ) {
      (self.release, self.limits, self.places, self.split) = (release, limits, places, split)
    }

    func of(_ slice: ReleaseSlice) -> Input {
      var input = ofAllDevices
      input.release = slice.release
      input.split = slice.split
      return input
    }

    var ofAllDevices: Input {
      var input = self
      input.slices = []
      return input
    }
  }

  /// The kinds of findings that it reports.
  package let kinds: [Check]
  /// All findings of the check.
  package let find: @Sendable (Input) -> [Diagnostic]

  package init(_ kinds: Check..., find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.init(kinds, find: find)
  }

  init(_ kinds: [Check], find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.kinds = kinds
    self.find = find
  }

  /// Every check of packs.
  package static let all: [PackCheck] = firm + conclusions
  /// Those whose findings hold even if a rule is wrong.
  static let firm: [PackCheck] = tags + limits + [packBudgets]
}

/// The offsets of packs, tags and lists in the text of a release.
package struct ReleasePlaces: Sendable {
  let text: SourceText
  /// The offset at which each tag is first used.
  let tags: [String: Int]
  /// Of these, the tags that only templates make.
  private(set) var madeTags: Set<String> = []
  /// The offset of the list of rules, or of packs.
  let packs: Int
  /// The offset of the app bundle.
  private(set) var appBundle = 0
  /// The tags of the lists that order the downloads; empty for an index, which has no such lists.
  private(set) var lists: [Delivery: [Located<String>]] = [:]
  /// The list of all tags; nil where there is none.
  private(set) var tagList: [Located<String>]?
  /// Whether the manifest joins packs.
  private(set) var hasMerges = false
  /// The number of rules that give each tag; empty for an index.
  private(set) var uses: [String: Int] = [:]

  package init(text: SourceText, tags: [String: Int], packs: Int) {
    (self.text, self.tags, self.packs) = (text, tags, packs)
  }

  package init(of plan: PackPlan) {
    let manifest = plan.manifest
    let made = plan.tree.madeTags.filter { manifest.firstPlaces[$0.key] == nil }
    text = manifest.text
    tags = manifest.firstPlaces.merging(made.mapValues(\.offset)) { first, _ in first }
    madeTags = Set(made.keys)
    packs = manifest.rulesOffset
    appBundle = manifest.appBundleOffset
    lists = [.initialInstall: manifest.initialInstallTags, .prefetch: manifest.prefetchTagOrder]
    tagList = manifest.tags
    hasMerges = manifest.merge != nil
    uses = manifest.tagUses
  }

  /// The place where one of these tags is first used.
  func place(ofTags tags: [String]) -> Place {
    text.place(at: tags.lazy.compactMap { self.tags[$0] }.first ?? packs)
  }
}
