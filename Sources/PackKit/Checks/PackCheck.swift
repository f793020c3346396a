package import Findings
package import Formats

/// A check of packs: their tags, sizes and count, independent of their files.
package struct PackCheck: Sendable {
  /// The input of a check.
  package struct Input: Sendable {
    package private(set) var release: Release
    package let limits: LimitSettings
    package let budgets: Budgets
    /// The size of the app bundle in bytes; nil if unknown.
    package let appBundleSize: Int64?
    package let places: ReleasePlaces
    /// Proposals to split a pack, by its index, to fit a limit in bytes.
    package private(set) var split: @Sendable (Int, Int64) -> [Diagnostic.Note]
    /// The slices where not all devices get the same; limits of one device then hold for each.
    package private(set) var slices: [ReleaseSlice]

    package init(
      release: Release, slices: [ReleaseSlice] = [], limits: LimitSettings, budgets: Budgets = Budgets(),
      appBundleSize: Int64? = nil,
      places: ReleasePlaces, split: @escaping @Sendable (Int, Int64) -> [Diagnostic.Note]
    ) {
      self.release = release
      self.slices = slices
      self.limits = limits
      self.budgets = budgets
      self.appBundleSize = appBundleSize
      self.places = places
      self.split = split
    }

    func of(_ slice: ReleaseSlice) -> Input {
      var input = ofAllDevices
      input.release = slice.release
      input.split = slice.split
      return input
    }

    /// The input of what the store hosts.
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
  package let text: SourceText
  /// The offset at which each tag is first used.
  package let tags: [String: Int]
  /// Of these, the tags that only templates make.
  package let madeTags: Set<String>
  /// The offset of the list of rules, or of packs.
  package let packs: Int
  /// The offset of the app bundle.
  package let appBundle: Int
  /// The tags of the lists that order the downloads; empty for an index, which has no such lists.
  package let lists: [Delivery: [Located<String>]]
  /// The list of all tags; nil where there is none.
  package let tagList: [Located<String>]?
  /// Whether the manifest joins packs.
  let hasMerges: Bool
  /// The number of rules that give each tag; empty for an index.
  let uses: [String: Int]

  package init(
    text: SourceText, tags: [String: Int], madeTags: Set<String> = [], packs: Int, appBundle: Int = 0,
    lists: [Delivery: [Located<String>]] = [:], tagList: [Located<String>]? = nil, hasMerges: Bool = false,
    uses: [String: Int] = [:]
  ) {
    self.text = text
    self.tags = tags
    self.madeTags = madeTags
    self.packs = packs
    self.appBundle = appBundle
    self.lists = lists
    self.tagList = tagList
    self.hasMerges = hasMerges
    self.uses = uses
  }

  package init(of plan: PackPlan) {
    let manifest = plan.manifest
    let made = plan.tree.madeTags.filter { manifest.firstPlaces[$0.key] == nil }
    self.init(
      text: manifest.text, tags: manifest.firstPlaces.merging(made.mapValues(\.offset)) { first, _ in first },
      madeTags: Set(made.keys), packs: manifest.rulesOffset, appBundle: manifest.appBundleOffset,
      lists: [.initialInstall: manifest.initialInstallTags, .prefetch: manifest.prefetchTagOrder],
      tagList: manifest.tags, hasMerges: manifest.merge != nil, uses: manifest.tagUses)
  }

  /// The place where one of these tags is first used.
  func place(ofTags tags: [String]) -> Place {
    text.place(at: tags.lazy.compactMap { self.tags[$0] }.first ?? packs)
  }
}
