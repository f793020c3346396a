import Foundation
import Support
import Testing

@testable import packtool

/// A small project that has two versions, and what a build of either looks like.
struct FaultSite {
  /// Which of its versions a project has.
  enum Version: CaseIterable {
    case one
    case two

    var other: Version { self == .one ? .two : .one }
  }

  let folder: TemporaryFolder
  let container: String
  private var builds: [Version: [String: Data]] = [:]

  init(container: String) throws {
    folder = try TemporaryFolder()
    self.container = container
    try folder.write(
      "Manifest.json",
      """
      {"bundleIdentifier": "com.example.faults", "root": "Assets", "container": "\(container)", "resources": [
        {"path": "a", "tags": ["A"]}, {"path": "b", "tags": ["B"]}, {"path": "c", "tags": ["C"]}]}
      """)
    for path in ["a/1", "a/2", "b/1"] { try folder.write("Assets/\(path)", "the file \(path)") }
    // A file that is as young as a build's record is read again by the next: the calls would differ from run to run.
    usleep(60_000)
    for version in Version.allCases {
      try set(version)
      #expect(runTool("build", folder.path, "-o", folder.path("undisturbed"), "--no-cache").status == .done)
      builds[version] = try published("undisturbed")
    }
  }

  /// Gives the project a version: one pack's file changes, and another pack has other files.
  func set(_ version: Version) throws {
    try folder.write("Assets/a/1", "version \(version)")
    try? FileManager.default.removeItem(atPath: folder.path("Assets/c"))
    try folder.write("Assets/c/\(version)", String(repeating: "version \(version)", count: 100))
  }

  /// Builds in this process.
  func build() -> (status: packtool.ExitStatus, errors: String) {
    let run = runTool("build", folder.path, "-o", folder.path("out"), "-j", "1")
    return (run.status, run.errors)
  }

  /// Whether the folder is the build of a version, and verifies; packs of the other may stand beside.
  func holdsBuild(of version: Version) throws -> Bool {
    let files = try published("out")
    let isThere = builds[version]?.allSatisfy { files[$0.key] == $0.value } ?? false
    return isThere && runTool("verify", folder.path("out")).status == .done
  }

  /// Whether the folder is just the build of a version.
  func isBuild(of version: Version) throws -> Bool { try published("out") == builds[version] }

  /// Every file of a build but what only serves the next.
  func published(_ output: String = "out") throws -> [String: Data] {
    guard FileManager.default.fileExists(atPath: folder.path(output)) else { return [:] }
    return try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  /// What lies in the folder that only serves the next build.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.packtool")).sorted()
  }
}
