import PackKit

/// What every form of a plan tells.
struct PlanReport {
  /// What would be built; nil where errors leave nothing.
  let release: Release?
  let findings: Findings
  /// The files without tags; nil unless they are asked for.
  let untagged: [UntaggedFile]?
  /// What each class of devices gets; nil unless it is asked for.
  let slices: SlicesReport?
}
