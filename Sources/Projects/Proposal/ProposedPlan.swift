package import Findings
package import Formats
package import PackKit
package import System

/// A proposed manifest as packtool would read it, with its plan and what every check finds.
package struct ProposedPlan: Sendable {
  package let proposal: ManifestProposal
  /// The manifest's text as it is written.
  package let text: ByteBuffer
  package let source: SourceText
  package let plan: PackPlan?
  package let findings: [Diagnostic]
  /// The files of each rule of the proposal.
  package let shares: [RuleShare]

  /// The files to which a rule gives tags.
  package struct RuleShare: Sendable {
    package fileprivate(set) var tags: Set<String> = []
    package fileprivate(set) var fileCount = 0
    /// Bytes of the files.
    package fileprivate(set) var size: Int64 = 0
  }

  /// How often files are left out, since leaving out some may show others.
  private static let mostRounds = 4

  /// Follows a proposal to its plan; files that would be errors are left out.
  ///
  /// - Throws: if the file system fails.
  package init(
    _ proposal: ManifestProposal, path: String, schema: String?, jobs: Int
  ) throws(SystemError) {
    var round = try Round(proposal, path: path, schema: schema, jobs: jobs)
    for _ in 0..<Self.mostRounds {
      let carried = Set(round.plan?.tags.map(\.tag) ?? [])
      guard
        let less = round.proposal.leavingOut(filesOf: round.findings)
          ?? round.proposal.listing(only: carried)
      else { break }
      round = try Round(less, path: path, schema: schema, jobs: jobs)
    }
    self.proposal = round.proposal
    text = round.text
    source = round.source
    plan = round.plan
    findings = round.findings
    shares = round.plan.map { Self.shares(of: round.proposal.rules, in: $0) } ?? []
  }

  /// One reading of a proposal.
  private struct Round {
    let proposal: ManifestProposal
    let text: ByteBuffer
    let source: SourceText
    var plan: PackPlan?
    var findings: [Diagnostic]

    init(
      _ proposal: ManifestProposal, path: String, schema: String?, jobs: Int
    ) throws(SystemError) {
      self.proposal = proposal
      text = proposal.text(schema: schema)
      source = SourceText(path: path, bytes: text.array())
      let reader = ManifestReader(text: source)
      findings = reader.diagnostics
      guard let manifest = reader.manifest else { return }
      let scan = try AssetScan(of: manifest, output: nil, jobs: jobs)
      findings += scan.diagnostics
      guard let tree = scan.tree, let root = scan.root else { return }
      let plan = PackPlan(grouping: tree, of: manifest)
      self.plan = plan
      let checks = PlanChecks(of: plan, root: root, jobs: jobs)
      findings += try checks.findings() + checks.contentFindings()
    }
  }

  private static func shares(of rules: [ProposedRule], in plan: PackPlan) -> [RuleShare] {
    let tracer = RuleTracer(plan.manifest)
    let numbers = Dictionary(rules.enumerated().map { ($1.rule.text.value, $0) }) { first, _ in first }
    var shares = Array(repeating: RuleShare(), count: rules.count)
    for file in plan.tree.files {
      for rule in tracer.trace(file.path).rules {
        guard let number = numbers[rule.text.value] else { continue }
        shares[number].tags.formUnion(rule.tags.map(\.value) + rule.madeTags(for: file.path))
        shares[number].fileCount += 1
        shares[number].size = shares[number].size.saturatingSum(with: file.size)
      }
    }
    return shares
  }
}
