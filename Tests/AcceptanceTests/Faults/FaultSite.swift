@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// A small project that has two versions, and what a build of either looks like.
struct FaultSite {
  /// Which of its versions a project has.
  enum Version: CaseIterable {
    case one
    case two

    var other: Version { self == .one ? .two : .one }
  }

  /// What a build writes: a container, or another layout.
  enum Form: String, CaseIterable {
    case zip
    /// The same with patches from an earlier release.
    case patches
    case folder
    case tarGzip = "tar.gz"
    case tarZstandard = "tar.zst"
    case xcode
    case hosted
    case backgroundAssets = "background-assets"

    /// Those whose packs keep their names, so that a build is published by several renames.
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

    /// The file whose rename is the last.
    var lastName: String {
      switch self {
      case .zip, .patches, .folder, .tarGzip, .tarZstandard: "index.json"
      case .xcode, .hosted: "AssetPackManifest.plist"
      case .backgroundAssets: "tags.json"
      }
    }

    /// What lies in a folder that only serves the next build.
    var leftovers: [String] {
      switch self {
      case .backgroundAssets: ["lock", "publishing", "record"]
      case .patches: ["lock", "patches", "record"]
      default: ["lock", "record"]
      }
    }

    /// Whether the last of the renames is among some calls.
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
      // Either version differs from it in as many files.
      try folder.write("Assets/a/1", "version zero")
      try folder.write("Assets/c/zero", "zero")
      try folder.write("Assets/b/large", Sample.noise(50_000))
      #expect(runTool("build", folder.path, "-o", folder.path("old")).status == .done)
    }
    // A file that is as young as a build's record is read again by the next: the calls would differ from run to run.
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

  /// A project that has been built in its first version and has its second now.
  static func changed(_ form: Form) throws -> FaultSite {
    let site = try FaultSite(form)
    try site.set(.one)
    #expect(site.build().status == .done)
    try site.set(.two)
    return site
  }

  /// How a program of its own builds here.
  var arguments: [String] { ["build", "-o", "out", "-j", "1"] + flags }

  private var flags: [String] {
    form.flags + (form == .patches ? ["--patch-from", folder.path("old")] : [])
  }

  /// Gives the project a version: one pack's file changes, and another pack has other files.
  ///
  /// Files take the place of others, as editors write them: a pack may be links to its sources.
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

  /// Builds in this process.
  func build(
    into output: String = "out", _ flags: String...
  ) -> (status: packtool.ExitStatus, errors: String) {
    let run = runTool(
      words: ["build", folder.path, "-o", folder.path(output), "-j", "1"] + self.flags + flags)
    return (run.status, run.errors)
  }

  /// Whether the folder is the build of a version, and verifies; packs of the other may stand beside.
  func holdsBuild(of version: Version) throws -> Bool {
    let files = try published("out")
    let isThere = builds[version]?.allSatisfy { files[$0.key] == $0.value } ?? false
    return isThere && runTool("verify", folder.path("out")).status == .done
  }

  /// Whether the folder is just the build of a version.
  func isBuild(of version: Version, in output: String = "out") throws -> Bool {
    try published(output) == builds[version]
  }

  /// Whether every file is a whole one of either version.
  func holdsOnlyWholeFiles() throws -> Bool {
    try published().allSatisfy { path, content in builds.values.contains { $0[path] == content } }
  }

  /// Every file of a build but what only serves the next.
  func published(_ output: String = "out") throws -> [String: Data] {
    guard FileManager.default.fileExists(atPath: folder.path(output)) else { return [:] }
    return try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  /// What lies in the folder that only serves the next build, without what other layouts leave for commands that read.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.packtool")).sorted().filter {
      $0 != "index.json" && !$0.hasPrefix("contents.")
    }
  }
}
