import PackKit

/// What was found in some manifests.
struct ValidationReport {
  /// One manifest that was checked.
  struct Manifest {
    let path: String
    /// What would be built; nil where errors leave nothing.
    let release: Release?
    let findings: Findings
  }

  let manifests: [Manifest]
  /// The findings of all.
  let findings: Findings

  init(_ manifests: [Manifest]) {
    self.manifests = manifests
    findings = manifests.reduce(into: Findings()) { $0.add($1.findings) }
  }
}
