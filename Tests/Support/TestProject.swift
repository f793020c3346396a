import Formats
import Model
package import Pipeline
import System
import Foundation

/// A project file that a test composes.
///
/// The objects have IDs, and are written as Xcode writes them.
package struct TestProject {
  /// The text of each object's dictionary, without its braces.
  package var objects: [String: String] = [:]
  private var files: [String] = []
  private var children: [String] = []

  package init() {
    objects["PROJECT"] = """
      isa = PBXProject; attributes = { KnownAssetTags = ( Old, ); }; buildConfigurationList = PLIST; mainGroup = MAIN;
      projectDirPath = ""; targets = ( APP, );
      """
    objects["PLIST"] = "isa = XCConfigurationList; buildConfigurations = ( PREL, );"
    objects["PREL"] = "isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = iphoneos; };"
    setTarget()
    setSettings("PRODUCT_BUNDLE_IDENTIFIER = com.example.app;")
  }

  /// Sets all members of the target except its phases.
  package mutating func setTarget(_ more: String = "") {
    objects["APP"] = """
      isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildConfigurationList = LIST;
      buildPhases = ( RES, SRC, ); \(more)
      """
  }

  /// Sets the build settings of the target.
  ///
  /// There is only one configuration.
  package mutating func setSettings(_ settings: String, project: String = "") {
    objects["LIST"] =
      "isa = XCConfigurationList; buildConfigurations = ( REL, ); defaultConfigurationName = Release;"
    objects["REL"] = "isa = XCBuildConfiguration; name = Release; buildSettings = { \(settings) };"
    objects["PREL"] = "isa = XCBuildConfiguration; name = Release; buildSettings = { \(project) };"
  }

  /// Adds a file in the top group of the project, and adds it to the Resources phase.
  package mutating func add(_ path: String, tags: String?, sourceTree: String = "<group>") {
    let number = files.count
    objects["F\(number)"] = "isa = PBXFileReference; path = \"\(path)\"; sourceTree = \"\(sourceTree)\";"
    children.append("F\(number)")
    addBuildFile(of: "F\(number)", tags: tags)
  }

  /// Adds a build file for an object to the Resources phase.
  package mutating func addBuildFile(of id: String, tags: String?) {
    let settings = tags.map { "settings = {ASSET_TAGS = (\($0)); };" } ?? ""
    objects["B\(files.count)"] = "isa = PBXBuildFile; fileRef = \(id) /* a comment */; \(settings)"
    files.append("B\(files.count)")
  }

  /// Adds an object to the main group.
  package mutating func addChild(_ id: String) { children.append(id) }

  /// Adds a synchronized folder to the target, with tags for paths below this folder.
  package mutating func synchronize(_ folder: String, tags: [(path: String, tags: String)]) {
    setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); path = \(folder); sourceTree = \"<group>\";"
    let keys = tags.map { "\"\($0.path)\" = ( \($0.tags), );" }.joined(separator: " ")
    objects["EX"] =
      "isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; assetTagsByRelativePath = { \(keys) };"
    addChild("SYNC")
  }

  package var text: String {
    var objects = objects
    let list = { (ids: [String]) in "( " + ids.map { "\($0), " }.joined() + ")" }
    if objects["MAIN"] == nil {
      objects["MAIN"] = "isa = PBXGroup; children = \(list(children)); sourceTree = \"<group>\";"
    }
    if objects["RES"] == nil { objects["RES"] = "isa = PBXResourcesBuildPhase; files = \(list(files));" }
    if objects["SRC"] == nil { objects["SRC"] = "isa = PBXSourcesBuildPhase; files = ( );" }
    let lines = objects.sorted { $0.key < $1.key }.map { "\t\t\($0.key) /* name */ = {\($0.value)};\n" }
    return
      "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tclasses = {\n\t};\n\tobjectVersion = 77;\n\tobjects = {\n"
      + lines.joined() + "\t};\n\trootObject = PROJECT /* Project object */;\n}\n"
  }
}

/// A folder with the project App.xcodeproj and files next to it.
package struct ProjectSite {
  package let folder: TemporaryFolder

  package init(_ project: TestProject, _ files: String...) throws {
    folder = try TemporaryFolder()
    try folder.write("App.xcodeproj/project.pbxproj", project.text)
    for file in files { try folder.write(file, file) }
  }

  package func importer(_ choice: ProjectChoice = ProjectChoice()) throws -> XcodeImporter {
    try XcodeImporter(argument: folder.path("App.xcodeproj"), choice: choice)
  }

  /// Returns the rules of the manifest as lines of JSON; if there is no manifest, returns the messages of the
  /// findings.
  package func rules(_ choice: ProjectChoice = ProjectChoice()) throws -> [String] {
    let importer = try importer(choice)
    guard let manifest = importer.manifest else { return importer.diagnostics.map(\.message) }
    let text = String(
      decoding: manifest.formatted(root: manifest.root.value).array(), as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("    {") || $0.contains("\"root\"") }.map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
    }
  }

  /// Returns the facts of each finding.
  package func findings(_ choice: ProjectChoice = ProjectChoice()) throws -> [String] {
    try importer(choice).diagnostics.map(\.facts)
  }
}
