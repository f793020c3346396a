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
  package private(set) var plan: PackPlan?
  package private(set) var findings: [Diagnostic]
  /// The files of each rule of the proposal.
  package private(set) var shares: [RuleShare] = []

  /// The files to which a rule gives tags, and their bytes.
  package typealias RuleShare = (tags: Set<String>, fileCount: Int, size: Int64)

  /// How often files are left out, since leaving out some may show others.
  private static let mostRounds = 4

  /// Follows a proposal to its plan; files that would be errors are left out.
  package init(
    _ proposal: ManifestProposal, path: String, schema: String?, jobs: Int
  ) throws(SystemError) {
    var round = try ProposedPlan(reading: proposal, path: path, schema: schema, jobs: jobs)
    for _ in 0..<Self.mostRounds {
      let carried = Set(round.plan?.tags.map(\.name) ?? [])
      guard
        let less = round.proposal.leavingOut(filesOf: round.findings) ?? round.proposal.listing(only: carried)
      else { break }
      round = try ProposedPlan(reading: less, path: path, schema: schema, jobs: jobs)
    }
    round.shares = round.plan.map { Self.shares(of: round.proposal.rules, in: $0) } ?? []
    self = round
  }

  private init(
    reading proposal: ManifestProposal, path: String, schema: String?, jobs: Int
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
    findings += try plan.findings(root: root, jobs: jobs) + plan.contentFindings(root: root, jobs: jobs)
  }

  private static func shares(of rules: [ProposedRule], in plan: PackPlan) -> [RuleShare] {
    let index = RuleIndex(plan.manifest)
    let numbers = Dictionary(rules.enumerated().map { ($1.rule.text.value, $0) }) { first, _ in first }
    var shares: [RuleShare] = Array(repeating: ([], 0, 0), count: rules.count)
    for file in plan.tree.files {
      for rule in index.trace(file.path).rules {
        guard let number = numbers[rule.text.value] else { continue }
        shares[number].tags.formUnion(rule.tags.map(\.value) + rule.madeTags(for: file.path))
        shares[number].fileCount += 1
        shares[number].size = shares[number].size.saturatingSum(with: file.size)
      }
    }
    return shares
  }
}

/// A rule that a proposal makes, and why.
package struct ProposedRule: Sendable {
  /// The rule as a manifest has it, without places.
  package let rule: ResourceRule
  /// Why it was made, as the end of a line.
  package let reason: String

  init?(folder path: String, tag: String, _ reason: String) {
    guard let path = try? RelativePath(path.isEmpty ? "." : path), TextForm.tag.mistake(in: tag) == nil else {
      return nil
    }
    rule = ResourceRule(pattern: .path(path), text: Located(path.text, at: 0), tags: [Located(tag, at: 0)])
    self.reason = reason
  }

  /// A rule whose glob has a template, or a tag; nil for what no glob can name.
  init?(glob text: String, template: String? = nil, tag: String? = nil, _ reason: String) {
    guard let glob = try? Glob(text),
      let rule = ResourceRule(
        glob: glob, text: Located(text, at: 0), tags: tag.map { [Located($0, at: 0)] } ?? [],
        templates: template.map { [Located($0, at: 0)] } ?? [])
    else { return nil }
    self.rule = rule
    self.reason = reason
  }
}

/// A folder that stays in the app bundle, by its path below the root, with its files and their bytes, and why.
package typealias KeptFolder = (path: String, fileCount: Int, size: Int64, reason: String)
