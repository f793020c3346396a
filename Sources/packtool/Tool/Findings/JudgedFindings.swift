import Findings

/// Findings after a policy judged them: those to report, and apart from them those that manifests accept.
struct JudgedFindings {
  private(set) var reported = FindingList()
  private(set) var accepted = FindingList()

  init() {}

  init(_ findings: [Diagnostic], by policy: Policy) { add(findings, by: policy) }

  mutating func add(_ findings: [Diagnostic], by policy: Policy) {
    for finding in findings.lazy.compactMap(policy.judge) {
      if finding.acceptance == nil { reported.add(finding) } else { accepted.add(finding) }
    }
  }
}
