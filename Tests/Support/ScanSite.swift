import Formats
package import Model
import Packing
package import Pipeline
import System
package import Foundation

/// A folder with resources below `Assets`, and with a manifest next to `Assets`.
///
/// The scan uses the rules of this manifest.
package struct ScanSite {
  package let folder: TemporaryFolder

  /// Creates a file for each path.
  ///
  /// The content of a file is its path.
  package init(_ files: String...) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("Assets"), withIntermediateDirectories: true)
    for file in files { try write(file) }
  }

  /// Writes a file below `Assets`.
  ///
  /// If no content is given, the content is the path of the file.
  package func write(_ file: String, _ content: String? = nil) throws {
    try write(file, Data((content ?? file).utf8))
  }

  /// Writes a file below `Assets`.
  package func write(_ file: String, _ content: Data) throws {
    try folder.write("Assets/\(file)", content)
  }

  /// Creates a symlink below `Assets`.
  ///
  /// In the target, `SITE` stands for the folder of the manifest.
  package func link(_ path: String, to target: String) throws {
    try folder.link("Assets/\(path)", to: target.replacingOccurrences(of: "SITE", with: folder.path))
  }

  /// Runs a Python script in `Assets`.
  ///
  /// A script can create files whose names consist of any bytes.
  package func python(_ script: String) throws {
    let result = try run("python3", ["-c", script], in: folder.path("Assets"))
    if result.status != 0 { throw SiteFailure(description: result.errors) }
  }

  /// Writes a manifest with the given rules, and reads it.
  package func manifest(
    _ rules: [TestRule], root: String = "Assets", exclude: [String] = [], container: Container = .zip
  ) throws -> Manifest {
    let text = TestManifest(root: root, resources: rules, exclude: exclude, container: container.rawValue)
    try folder.write("Manifest.json", JSONEncoder().encode(text))
    let reader = try ManifestReader(argument: folder.path)
    guard let manifest = reader.manifest, !reader.diagnostics.hasErrors else {
      throw SiteFailure(description: reader.diagnostics.map(\.message).joined(separator: "\n"))
    }
    return manifest
  }

  /// Scans with the given rules, and returns the result.
  package func scan(
    _ rules: TestRule..., root: String = "Assets", exclude: [String] = [], output: String? = nil,
    jobs: Int = 2
  ) throws -> ScanResult {
    let manifest = try manifest(rules, root: root, exclude: exclude)
    let output = try output.flatMap { try FileOperations.statusIfThere(folder.path($0))?.identity }
    return ScanResult(try AssetScan(of: manifest, leavingOut: output, jobs: jobs), in: folder.path)
  }
}

/// A failure that a test does not expect.
package struct SiteFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

/// A rule in the format of a manifest.
package struct TestRule: Encodable {
  package var path: String?
  package var glob: String?
  package let tags: [String]?
  package var tagTemplates: [String]?
  package var destination: String?
  package var except: [String]?
  package var otherwise: Bool?

  package init(path: String? = nil, glob: String? = nil, tags: [String]?, destination: String? = nil) {
    self.path = path
    self.glob = glob
    self.tags = tags
    self.destination = destination
  }

  package static func path(_ path: String, _ tags: String..., to destination: String? = nil) -> TestRule {
    TestRule(path: path, tags: tags, destination: destination)
  }

  package static func glob(_ glob: String, _ tags: String..., to destination: String? = nil) -> TestRule {
    TestRule(glob: glob, tags: tags, destination: destination)
  }

  /// Returns the same rule, which does not take the files that some globs match.
  package func except(_ globs: String...) -> TestRule {
    var rule = self
    rule.except = globs
    return rule
  }

  /// The same rule, which takes only files that no other rule takes.
  package var forTheRest: TestRule {
    var rule = self
    rule.otherwise = true
    return rule
  }

  package static func glob(_ glob: String, templates: String..., tags: [String]? = nil) -> TestRule {
    var rule = TestRule(glob: glob, tags: tags)
    rule.tagTemplates = templates
    return rule
  }
}

package struct TestManifest: Encodable {
  package let bundleIdentifier = "com.example.test"
  package let root: String
  package let resources: [TestRule]
  package let exclude: [String]
  package var container = "zip"
  package var appBundle = ["size": sizeOfTestApp]
}

/// The result of a scan, as strings.
package struct ScanResult {
  /// `path [tags]` for each tagged file, followed by ` > place` if it has another path in its pack.
  package let files: [String]
  /// `path: facts` for each finding, in the order of reports.
  package let findings: [String]
  package let untagged: FileCount
  package let tree: AssetTree?

  package init(_ scan: AssetScan, in folder: String) {
    tree = scan.tree
    untagged = scan.tree?.untagged ?? FileCount()
    files =
      scan.tree.map { tree in
        tree.files.map { file in
          let tags = tree.tagSets.tags(of: file.tagSet).joined(separator: ", ")
          return "\(file.path) [\(tags)]" + (file.destination.map { " > \($0)" } ?? "")
        }
      } ?? []
    findings = scan.diagnostics.ordered(manifest: "\(folder)/Manifest.json").map { finding in
      "\(finding.place.path): \(finding.facts)"
        .replacingOccurrences(of: "\(folder)/", with: "")
    }
  }

  /// The paths of the tagged files.
  package var paths: [String] { tree?.files.map(\.path) ?? [] }
}
