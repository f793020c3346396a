package import Findings
package import Formats

/// A check of packs: of their tags, sizes and count, whatever files they hold.
package struct PackCheck: Sendable {
  /// What a check looks at.
  package struct Input: Sendable {
    package let release: Release
    package let limits: LimitSettings
    package let budgets: Budgets
    /// Bytes of the app bundle; nil where nobody tells.
    package let appBundleSize: Int64?
    package let places: ReleasePlaces
    /// Ways to bring a pack, by its index, below so many bytes.
    package let split: @Sendable (Int, Int64) -> [Diagnostic.Note]

    package init(
      release: Release, limits: LimitSettings, budgets: Budgets = Budgets(), appBundleSize: Int64? = nil,
      places: ReleasePlaces, split: @escaping @Sendable (Int, Int64) -> [Diagnostic.Note]
    ) {
      self.release = release
      self.limits = limits
      self.budgets = budgets
      self.appBundleSize = appBundleSize
      self.places = places
      self.split = split
    }
  }

  /// The kinds of findings that it reports.
  package let kinds: [Check]
  /// All that the check finds in a release.
  package let find: @Sendable (Input) -> [Diagnostic]

  package init(_ kinds: Check..., find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.kinds = kinds
    self.find = find
  }

  /// Every check of packs.
  package static let all: [PackCheck] = tags + limits + [packBudgets]
}

/// Where the packs, tags and lists of a release stand in the text that it comes from.
package struct ReleasePlaces: Sendable {
  package let text: SourceText
  /// Where each tag is first given, by the byte.
  package let tags: [String: Int]
  /// The byte at which the list of rules, or of packs, begins.
  package let packs: Int
  /// The byte at which the app bundle is described.
  package let appBundle: Int
  /// The tags of the lists that order the downloads; of an index, which has no such lists, empty.
  package let lists: [Delivery: [Located<String>]]

  package init(
    text: SourceText, tags: [String: Int], packs: Int, appBundle: Int = 0,
    lists: [Delivery: [Located<String>]] = [:]
  ) {
    self.text = text
    self.tags = tags
    self.packs = packs
    self.appBundle = appBundle
    self.lists = lists
  }

  package init(of manifest: Manifest) {
    self.init(
      text: manifest.text, tags: manifest.firstPlaces, packs: manifest.rulesOffset,
      appBundle: manifest.appBundleOffset,
      lists: [.initialInstall: manifest.initialInstallTags, .prefetch: manifest.prefetchTagOrder])
  }

  /// Where one of these tags is first given.
  func place(ofTags tags: [String]) -> Place {
    text.place(at: tags.lazy.compactMap { self.tags[$0] }.first ?? packs)
  }
}
