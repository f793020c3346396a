package import Formats
package import Model

/// A check of packs: their tags, sizes and count, independent of their files.
package struct PackCheck: Sendable {
  /// The input of a check.
  package struct Input: Sendable {
    package private(set) var release: Release
    /// The manifest of a plan.
    ///
    /// If the input is an index, this manifest has the limits of the index and the positions of its packs and
    /// tags.
    package let manifest: Manifest
    /// The tags that templates generate, by name.
    private(set) var generatedTags: [String: GeneratedTag] = [:]
    /// Returns proposals for splitting a pack so that each new pack is within a limit in bytes.
    ///
    /// The arguments are the pack's index and the limit.
    private(set) var split: @Sendable (Int, Int64) -> [Diagnostic.AttachedLine]
    /// The slices; empty if all devices get the same files.
    ///
    /// Limits that apply to each device are compared with each slice.
    var slices: [ReleaseSlice] = []
    /// Whether the release was made from a plan.
    ///
    /// If the release was made from an index, only part of the manifest is known.
    private(set) var isOfPlan = false
    /// The size of the app bundle in bytes; nil if unknown.
    package var appBundleSize: Int64?

    package init(
      _ release: Release, manifest: Manifest,
      split: @escaping @Sendable (Int, Int64) -> [Diagnostic.AttachedLine] = { _, _ in [] }
    ) {
      (self.release, self.manifest, self.split) = (release, manifest, split)
    }

    package init(of plan: PackPlan) {
      self.init(Release(of: plan), manifest: plan.manifest) { plan.split(ofPack: $0, limit: $1) }
      generatedTags = plan.tree.generatedTags
      isOfPlan = true
    }

    /// The limits to check.
    var limits: LimitSettings { manifest.limits }

    /// Returns the offset at which a tag is first used.
    func offset(ofTag tag: String) -> Int? { manifest.firstOffsets[tag] ?? generatedTags[tag]?.offset }

    /// Returns the place where one of these tags is first used.
    ///
    /// If no tag is used, returns the place of the list of rules or packs.
    func place(ofTags tags: [String] = []) -> Place {
      place(at: tags.lazy.compactMap(offset).first ?? manifest.rulesOffset)
    }

    func place(at offset: Int) -> Place { manifest.text.place(at: offset) }

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

  /// The checks whose findings this value reports.
  package let kinds: [Check]
  /// Returns all findings of the check.
  package let find: @Sendable (Input) -> [Diagnostic]

  package init(_ kinds: Check..., find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.init(kinds, find: find)
  }

  init(_ kinds: [Check], find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.kinds = kinds
    self.find = find
  }

  /// All checks of packs.
  package static let all: [PackCheck] = unconditional + dependentOnRules
  /// The checks whose findings are right even if a rule of the manifest is wrong.
  static let unconditional: [PackCheck] = tags + limits + [packBudgets]
}

extension Manifest {
  /// Returns the manifest's list of tags that decides the download order of a delivery mode; empty if the
  /// input is an index.
  func list(of delivery: Delivery) -> [Located<String>] {
    switch delivery {
    case .initialInstall: initialInstallTags
    case .prefetch: prefetchTagOrder
    case .onDemand: []
    }
  }
}
