import Formats

struct Findings {
  private(set) var manifestPath = ""
  /// The texts of the files whose lines messages quote, such as a manifest or a scenario; nil if there are none.
  private(set) var sources: SourceText?
  private(set) var diagnostics: [Diagnostic] = []
  /// The findings that the manifest accepts.
  ///
  /// These findings are not in `diagnostics`, and they do not stop a command.
  private(set) var accepted: [Diagnostic] = []

  mutating func add(_ other: Findings) {
    if manifestPath.isEmpty { manifestPath = other.manifestPath }
    diagnostics += other.diagnostics
    accepted += other.accepted
    sources.add(other.sources)
  }

  func without(_ others: Findings) -> Findings {
    if others.diagnostics.isEmpty { return self }
    let known = Set(others.diagnostics)
    return Findings(
      manifestPath: manifestPath, sources: sources, diagnostics: diagnostics.filter { !known.contains($0) })
  }

  func count(_ severity: Severity) -> Int {
    diagnostics.lazy.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
  }

  var hasErrors: Bool { diagnostics.hasErrors }

  var acceptedCount: Int { accepted.reduce(0) { $0 + $1.count } }

  /// The last line of a run, such as `1 error, 2 warnings, 0 notes`.
  ///
  /// If findings were accepted, their number is added, such as `, 3 accepted`.
  var summary: String {
    let accepted = acceptedCount > 0 ? ["\(grouped(acceptedCount)) accepted"] : []
    return (Severity.allCases.map { counted(count($0), of: $0.rawValue) } + accepted).joined(separator: ", ")
  }
}

extension Findings {
  /// Sets the severity of each finding according to the finding's policy.
  ///
  /// Separates findings that manifests accept from the other findings.
  init(manifestPath: String, sources: SourceText?, judging found: [(findings: [Diagnostic], policy: Policy)])
  {
    var (reported, accepted) = (FindingList(), FindingList())
    for finding in found.lazy.flatMap({ part in part.findings.lazy.compactMap(part.policy.judge) }) {
      if finding.acceptance == nil { reported.add(finding) } else { accepted.add(finding) }
    }
    self.init(
      manifestPath: manifestPath, sources: sources,
      diagnostics: reported.findings.ordered(manifest: manifestPath),
      accepted: accepted.findings.ordered(manifest: manifestPath))
  }
}

extension SourceText? {
  mutating func add(_ more: SourceText?) {
    guard let more else { return }
    if self == nil { self = more } else { self?.append(more) }
  }
}
