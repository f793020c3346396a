@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// A small project that has two versions, and the expected build of each version.
struct FaultSite {
  /// One of the two versions of the project.
  enum Version: CaseIterable {
    case one
    case two

    var other: Version { self == .one ? .two : .one }
  }

  /// The form of a build's output: a container, or another layout.
  enum Form: String, CaseIterable {
    case zip
    /// A build with patches from an earlier release.
    case patches
    case folder
    case tarGzip = "tar.gz"
    case tarZstandard = "tar.zst"
    case xcode
    case hosted
    case backgroundAssets = "background-assets"

    /// The forms in which packs keep their names.
    ///
    /// Publishing a build in these forms needs several renames.
    static let inPlace: [Form] = [.xcode, .hosted, .backgroundAssets]

    var isInPlace: Bool { Self.inPlace.contains(self) }

    fileprivate var container: String { isInPlace || self == .patches ? "zip" : rawValue }

    fileprivate var flags: [String] {
      switch self {
      case .zip, .patches, .folder, .tarGzip, .tarZstandard: []
      case .xcode, .hosted:
        ["--layout", rawValue, "--url-prefix", "https://example.com/", "--content-hash", "sha256"]
      case .backgroundAssets: ["--layout", rawValue]
      }
    }

    /// The name of the file that is renamed last.
    var lastName: String {
      switch self {
      case .zip, .patches, .folder, .tarGzip, .tarZstandard: "index.json"
      case .xcode, .hosted: "AssetPackManifest.plist"
      case .backgroundAssets: "tags.json"
      }
    }

    /// The names of the files in the folder of the build cache, which only the next build uses.
    var leftovers: [String] {
      switch self {
      case .backgroundAssets: [".gitignore", "lock", "publishing", "record"]
      case .patches: [".gitignore", "lock", "patches", "record"]
      default: [".gitignore", "lock", "record"]
      }
    }

    /// Whether the last rename is among these calls.
    func isPublished(by calls: some Sequence<String>) -> Bool {
      calls.contains { $0.hasPrefix("rename") && $0.hasSuffix("/\(lastName)") }
    }
  }

  let folder: TemporaryFolder
  let form: Form
  private var builds: [Version: [String: Data]] = [:]

  init(_ form: Form) throws {
    folder = try TemporaryFolder()
    self.form = form
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B"), .path("c", "C")], app: "com.example.faults", root: "Assets",
      members: #""container": "\#(form.container)""#, #""appBundle": { "size": 1000000 }"#)
    for path in ["a/1", "a/2", "b/1"] { try folder.write("Assets/\(path)", "the file \(path)") }
    if form == .patches {
      // The same number of files changes from this state to either version.
      try folder.write("Assets/a/1", "version zero")
      try folder.write("Assets/c/zero", "zero")
      try folder.write("Assets/b/large", Sample.noise(50_000))
      #expect(runTool("build", folder.path, "-o", folder.path("old")).status == .done)
    }
    // If a file is as new as the build cache, the next build reads the file again. The calls would then
    // differ from run to run.
    usleep(60_000)
    for version in Version.allCases {
      try set(version)
      #expect(build(into: "undisturbed", "--no-cache").status == .done)
      builds[version] = try published("undisturbed")
      #expect(
        try published("undisturbed").keys.contains { $0.hasSuffix(".zip") && $0.hasPrefix("patches/") }
          == (form == .patches))
    }
  }

  /// Returns a project that was built in its first version and now has its second version.
  static func changed(_ form: Form) throws -> FaultSite {
    let site = try FaultSite(form)
    try site.set(.one)
    #expect(site.build().status == .done)
    try site.set(.two)
    return site
  }

  /// The arguments for a build of this project in a separate process.
  var arguments: [String] { ["build", "-o", "out", "-j", "1"] + flags }

  private var flags: [String] {
    form.flags + (form == .patches ? ["--patch-from", folder.path("old")] : [])
  }

  /// Changes the project to a version.
  ///
  /// The file of one pack changes, and another pack gets other files.
  ///
  /// New files replace the old files, as when an editor saves them. The old files must not change, because
  /// the files of a pack may be hard links to them.
  func set(_ version: Version) throws {
    try? FileManager.default.removeItem(atPath: folder.path("Assets/a/1"))
    try folder.write("Assets/a/1", "version \(version)")
    try? FileManager.default.removeItem(atPath: folder.path("Assets/c"))
    try folder.write("Assets/c/\(version)", String(repeating: "version \(version)", count: 100))
    if form == .patches {
      let place = version == .one ? 100 : 40_000
      try folder.write("Assets/b/large", Sample.noise(50_000).flipped(at: place))
    }
  }

  /// Runs a build in this process.
  func build(
    into output: String = "out", _ flags: String...
  ) -> (status: packtool.ExitStatus, errors: String) {
    let run = runTool(
      words: ["build", folder.path, "-o", folder.path(output), "-j", "1"] + self.flags + flags)
    return (run.status, run.errors)
  }

  /// Whether the folder contains the build of a version and `verify` accepts it.
  ///
  /// The folder may also contain packs of the other version.
  func holdsBuild(of version: Version) throws -> Bool {
    let files = try published("out")
    let isThere = builds[version]?.allSatisfy { files[$0.key] == $0.value } ?? false
    return isThere && runTool("verify", folder.path("out")).status == .done
  }

  /// Returns whether the folder contains the build of a version and nothing else.
  func isBuild(of version: Version, in output: String = "out") throws -> Bool {
    try published(output) == builds[version]
  }

  /// Whether every published file is a complete file of one of the two versions.
  func holdsOnlyWholeFiles() throws -> Bool {
    try published().allSatisfy { path, content in builds.values.contains { $0[path] == content } }
  }

  /// Returns all files of a build, except files that only the next build uses.
  func published(_ output: String = "out") throws -> [String: Data] {
    guard FileManager.default.fileExists(atPath: folder.path(output)) else { return [:] }
    return try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  /// Returns the files in the folder of the build cache, except files for commands that read builds.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.packtool")).sorted().filter {
      $0 != "index.json" && !$0.hasPrefix("contents.")
    }
  }
}
