/// A check of a whole plan.
package struct PlanCheck: Sendable {
  /// What a check looks at.
  struct Input: Sendable {
    let plan: PackPlan
    /// Bytes of the app bundle; nil where the manifest does not tell.
    let appBundleSize: Int64?
    /// Threads that a check may use.
    var jobs = 1

    var limits: LimitSettings { plan.manifest.limits }
  }

  /// All that the check finds in a plan.
  let find: @Sendable (Input) -> [Diagnostic]

  /// Every check of a plan.
  static let all: [PlanCheck] = tags + limits + paths + [packBudgets]
}

extension PackPlan {
  /// Where the manifest first gives one of these tags.
  func place(ofTags tags: [String]) -> Place {
    let offset = tags.lazy.compactMap { manifest.firstPlaces[$0] }.first
    return manifest.text.place(at: offset ?? manifest.rulesOffset)
  }

  /// The place of a file, as the user would type it.
  func place(of file: AssetFile) -> Place { Place(joined(manifest.rootPath, file.path)) }
}
