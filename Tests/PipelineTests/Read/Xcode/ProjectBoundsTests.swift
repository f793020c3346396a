@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests settings files to which a malicious project refers.
///
/// packtool must not read files outside the repository. It must not quote anything from a file that is not a
/// settings file.
@Suite(.noHang) struct ProjectBoundsTests {
  private static let secret = "API_TOKEN = s3cr3t\nroot:$6$s3cr3t:20000:0:99999:7:::\n"

  /// Returns a project in the folder `app` of a repository, with a settings file next to the project.
  private func site(_ settings: String, isRepository: Bool = true) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var project = TestProject()
    project.add("a.png", tags: "x")
    project.setSettings("")
    project.objects["CONF"] = "isa = PBXFileReference; path = App.xcconfig; sourceTree = SOURCE_ROOT;"
    project.objects["REL"]! += " baseConfigurationReference = CONF;"
    try folder.write("repository/app/App.xcodeproj/project.pbxproj", project.text)
    try folder.write("repository/app/a.png", "a")
    try folder.write(
      "repository/app/App.xcconfig", "PRODUCT_BUNDLE_IDENTIFIER = com.example.app\n" + settings)
    if isRepository { try folder.write("repository/.git/HEAD", "") }
    try folder.write("outside/secret.xcconfig", Self.secret)
    try folder.write("repository/shared/Shared.xcconfig", "PRODUCT_BUNDLE_IDENTIFIER = com.example.shared\n")
    return folder
  }

  private func read(_ folder: TemporaryFolder, root: String? = nil) throws -> XcodeImporter {
    let choice = ProjectChoice(root: root.map { folder.path($0) })
    return try XcodeImporter(argument: folder.path("repository/app/App.xcodeproj"), choice: choice)
  }

  private func facts(_ importer: XcodeImporter) -> [String] {
    importer.diagnostics.map(\.checkAndValues)
  }

  @Test(arguments: [
    "/etc/shadow", "/proc/self/environ", "../../outside/secret.xcconfig", "../../outside/secret",
    "link.xcconfig",
    "folder/secret.xcconfig", "../../outside/none.xcconfig", "../../../../../../../../etc/passwd",
    "/dev/zero",
  ])
  func `nothing is read outside of the repository`(path: String) throws {
    let folder = try site(
      "#include \"\(path)\"\nB = $(API_TOKEN)\nPRODUCT_BUNDLE_IDENTIFIER = com.$(API_TOKEN)x\n")
    try folder.link("repository/app/link.xcconfig", to: "../../outside/secret.xcconfig")
    try folder.link("repository/app/folder", to: "../../outside")
    let importer = try read(folder)
    let found = facts(importer)
    #expect(importer.manifest?.bundleIdentifier == "com.x")
    let outside = "\"\(folder.path)/repository\""
    #expect(found.filter { $0.contains(outside) }.count == 1, "\(found)")
    let shown = "\(found) \(importer.text?.paths ?? [])"
    #expect(!shown.contains("s3cr3t"))
  }

  @Test func `a file of the repository is read, where a project is in none one of its folder`() throws {
    let include = "#include \"../shared/Shared.xcconfig\"\n"
    #expect(try read(site(include)).manifest?.bundleIdentifier == "com.example.shared")
    let alone = try read(site(include, isRepository: false))
    #expect(alone.manifest?.bundleIdentifier == "com.example.app")
    let message = try #require(facts(alone).first)
    #expect(message.names("\"../shared/Shared.xcconfig\""))
  }

  @Test func `another folder may be named`() throws {
    let include = "#include \"../shared/Shared.xcconfig\"\n"
    let folder = try site(include, isRepository: false)
    #expect(try read(folder, root: "repository").manifest?.bundleIdentifier == "com.example.shared")
    #expect(try read(folder, root: "repository/shared").manifest?.bundleIdentifier == "com.example.shared")
    #expect(try read(site(include), root: "outside").manifest?.bundleIdentifier == "com.example.app")
    #expect(try read(folder, root: "nowhere").diagnostics.map(\.check) == [.invalidPath])
  }

  @Test func `a link within the repository is followed`() throws {
    let folder = try site("#include \"link.xcconfig\"\n")
    try folder.link("repository/app/link.xcconfig", to: "../shared/Shared.xcconfig")
    #expect(try read(folder).manifest?.bundleIdentifier == "com.example.shared")
  }

  @Test func `a fifo is not waited for`() throws {
    let folder = try site("#include \"fifo.xcconfig\"\n")
    #expect(mkfifo(folder.path("repository/app/fifo.xcconfig"), 0o600) == 0)
    #expect(try facts(read(folder)) == [#"[unread-settings] "fifo.xcconfig""#])
  }

  @Test func `a file with a zero is no text`() throws {
    let folder = try site("#include \"x.xcconfig\"\n")
    try folder.write("repository/app/x.xcconfig", "PATH=/bin\0API_TOKEN=s3cr3t\0")
    #expect(try facts(read(folder)) == [#"[unread-settings] "x.xcconfig""#])
  }

  @Test func `a file without settings causes no findings about its lines`() throws {
    let folder = try site("#include \"notes\"\n")
    try folder.write("repository/app/notes", "root:$6$s3cr3t:20000\nuser:$6$s3cr3t\n")
    let importer = try read(folder)
    #expect(
      facts(importer) == [
        #"[project-syntax] "notes""#
      ])
    #expect(importer.text?.file(at: folder.path("repository/app/notes")) == nil)
  }

  @Test func `a line ends at a carriage return, so that no more is quoted`() throws {
    let folder = try site("#include \"mac.xcconfig\"\n")
    try folder.write("repository/app/mac.xcconfig", "A = 1\rnonsense\rB = s3cr3t\r")
    let importer = try read(folder)
    let place = try #require(importer.diagnostics.first?.place)
    #expect(place.position == Place.Position(line: 2, column: 1))
    #expect(importer.text?.file(at: place.path)?.line(2) == "nonsense")
  }

  @Test(arguments: ["PATH", "HOME", "USER", "PWD"]) func `the environment is not read`(name: String) throws {
    let folder = try site("PRODUCT_BUNDLE_IDENTIFIER = com.x$(\(name):lower)\n")
    let importer = try read(folder)
    #expect(importer.manifest?.bundleIdentifier == "com.x")
    #expect(importer.diagnostics.map(\.check) == [.unresolvedSetting])
  }
}
