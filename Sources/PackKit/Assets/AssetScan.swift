package import Findings
import Formats
import Spelling
package import System

/// The files of a manifest with all findings about them.
package struct AssetScan: Sendable {
  /// The files; nil without a root folder.
  package private(set) var tree: AssetTree?
  /// The open root folder, for reading files; nil if it does not exist.
  package private(set) var root: Folder?
  /// All findings.
  package var diagnostics: [Diagnostic] { found.findings }
  private var found = FindingList()

  /// The number of unmatched rules for which a similar name is looked up; each costs the reading of a folder.
  private static let mostGuesses = 100

  /// Scans every file below a manifest's root.
  ///
  /// - Parameters:
  ///   - manifest: whose rules give the tags.
  ///   - output: the folder that a build writes to, which is never packed.
  ///   - takesPointers: whether a pointer is taken for the file that it stands for.
  ///   - jobs: how many threads read folders.
  /// - Throws: if the file system fails; a file that may not be read is a finding.
  package init(of manifest: Manifest, output: FileIdentity?, takesPointers: Bool = false, jobs: Int)
    throws(SystemError)
  {
    let status = try FileOperations.statusIfThere(manifest.rootPath)
    guard let status, status.kind == .folder else {
      let reason = status == nil ? "does not exist" : "is no folder"
      let message = "the root folder \(quoted(manifest.rootPath)) \(reason)"
      found.add(Diagnostic(.invalidPath, message, at: manifest.text.place(at: manifest.root.offset)))
      return
    }
    let scanner = try AssetScanner(manifest, output: output, takesPointers: takesPointers)
    let (tree, findings) = try scanner.scan(jobs: jobs)
    self.tree = tree
    root = scanner.root
    found = findings.found
    var guesses = Self.mostGuesses
    let tracer = RuleTracer(excludes: manifest.excludes)
    for (rule, isUsed) in zip(manifest.rules, findings.isUsed) where !isUsed {
      let message = Self.reason(for: rule, in: scanner.root, guesses > 0 ? tracer : nil)
      guesses -= 1
      found.add(Diagnostic(.noMatch, message, at: manifest.text.place(at: rule.text.offset)))
    }
  }

  /// Why a rule matches nothing; without a tracer a shorter message without a guess.
  private static func reason(for rule: ResourceRule, in root: Folder, _ tracer: RuleTracer?) -> String {
    let name = quoted(rule.text.value)
    guard case .path(let path) = rule.pattern else { return "the glob \(name) matches no file" }
    var above: [UInt8] = []
    for component in path.components {
      let below = above + (above.isEmpty ? [] : [UInt8(ascii: "/")]) + component.utf8
      if (try? root.status(of: below, following: true)) != nil {
        above = below
        continue
      }
      guard tracer != nil, let listing = try? root.listing(of: above) else { break }
      let names = listing.entries.compactMap { String(validating: listing.name(of: $0), as: UTF8.self) }
      // A dangling link has exactly this name.
      guard let near = nearest(to: component, in: names), near != component else { break }
      let parent = above.isEmpty ? "" : String(decoding: above, as: UTF8.self) + "/"
      return "\(name) does not exist\(suggestion(parent + near))"
    }
    guard let status = try? root.status(of: Array(path.text.utf8), following: true) else {
      return "\(name) does not exist"
    }
    if let exclusion = tracer?.trace(path.text).exclusion {
      return "\(name) is never packed, for \(quoted(exclusion)) is excluded"
    }
    return status.kind == .folder
      ? "the folder \(name) holds no file to pack" : "\(name) is never packed: it is excluded"
  }
}
