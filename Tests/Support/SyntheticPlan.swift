package import Formats
import Model
package import Pipeline
import System
import Testing

/// A plan for files that do not exist on a disk.
///
/// They can have any size, path and tags.
package struct SyntheticPlan {
  /// One file with its tags.
  package struct File {
    let path: String
    let size: Int64
    let tags: [String]

    package init(_ path: String, _ size: Int64, _ tags: String...) {
      self.path = path
      self.size = size
      self.tags = tags
    }
  }

  package let plan: PackPlan

  /// Creates a plan.
  ///
  /// The manifest has one rule for each file. Each rule is on a separate line, beginning with line 4.
  ///
  /// `members` are the last members of the manifest, for example `"limits": "wwdc15"`.
  package init(_ files: [File], _ members: String...) throws { try self.init(files, members) }

  /// Creates the same plan with the members in a list.
  package init(_ files: [File], _ members: [String]) throws {
    let rules = files.map { file in
      let tags = file.tags.map { "\"\($0)\"" }.joined(separator: ", ")
      return "    {\"path\": \"\(file.path)\", \"tags\": [\(tags)]}"
    }
    let text =
      "{\n  \"bundleIdentifier\": \"com.example.game\",\n  \"resources\": [\n"
      + rules.joined(separator: ",\n") + "\n  ]" + members.map { ",\n  \($0)" }.joined() + "\n}\n"
    let reader = ManifestReader(text: SourceText(path: "Manifest.json", bytes: Array(text.utf8)))
    try #require(reader.diagnostics.isEmpty, "\(reader.diagnostics)")
    let manifest = try #require(reader.manifest)
    var tree = AssetTree(tagSets: TagSets(of: files.flatMap(\.tags)))
    // Any stamp can be used, because nobody reads these files.
    let stamp = FileStamp(try FileOperations.status(of: "/", symlinks: .followed))
    let assets = files.map { file in
      AssetFile(
        path: file.path, size: file.size, stamp: stamp, tagSet: tree.tagSets.id(of: file.tags),
        destination: nil)
    }
    tree.files = FileList(assets.sorted { $0.path.precedesInBytes($1.path) })
    plan = PackPlan(grouping: tree, of: manifest)
  }

  /// Returns all findings of the checks of plans, in the order of reports.
  package func findings(appBundle: Int64? = nil) -> [Diagnostic] {
    let plan = plan
    var input = PackCheck.Input(of: plan)
    input.appBundleSize = appBundle
    let findings =
      PackCheck.all.flatMap { $0.find(input) }
      + FileCheck.all.flatMap { $0.find(FileCheck.Input(plan: plan)) }
    return findings.ordered(manifest: "Manifest.json")
  }

  /// Returns the findings of one check as lines of text.
  package func lines(of id: String, appBundle: Int64? = nil) -> [String] {
    findings(appBundle: appBundle).filter { $0.check.id == id }.flatMap(\.lines)
  }
}

extension Diagnostic {
  /// The finding and its notes, each as a line.
  ///
  /// An example is `4:30: warning [pack-size] 12`.
  package var lines: [String] {
    ["\(place.short): \(facts)"] + notes.map(\.facts)
  }
}

extension Place {
  /// The line and column, or the path of a file that is not a manifest.
  fileprivate var short: String { position.map { "\($0.line):\($0.column)" } ?? path }
}
