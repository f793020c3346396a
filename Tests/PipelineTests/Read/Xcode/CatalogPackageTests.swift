import Formats
import Model
import Pipeline
import Foundation
import Support
import Testing

/// Tests that catalogs in packages and in explicit folders do not belong to the app's own catalogs.
@Suite struct CatalogPackageTests {
  private let tags = #"{"properties": {"on-demand-resource-tags": ["IN"]}}"#

  private func site(_ folder: String, tags: String?, explicit: Bool = false) throws -> ProjectSite {
    var project = TestProject()
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    let folders = explicit ? folder : ""
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); explicitFolders = ( \(folders) ); path = App; sourceTree = \"<group>\";"
    let own = tags.map { "\"\(folder)\" = ( \($0), );" } ?? ""
    project.objects["EX"] =
      "isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; assetTagsByRelativePath = { y.dat = ( y, ); \(own) };"
    project.addChild("SYNC")
    let site = try ProjectSite(project, "App/y.dat", "App/\(folder)/X.xcassets/x.imageset/x@2x.png")
    try site.folder.write("App/\(folder)/X.xcassets/x.imageset/Contents.json", self.tags)
    return site
  }

  private static let packages = [
    "R.bundle", "R.framework", "R.app", "R.appex", "R.docc", "R.playground", "R.momd", "R.scnassets",
    "R.xcframework", "R.rkassets", "R.xcdatamodeld", "R.xcmappingmodel", "R.mlpackage", "R.atlas",
    "R.xcstickers", "R.icon", "sub/R.BUNDLE",
  ]

  @Test(arguments: packages) func `a package is not searched`(package: String) throws {
    #expect(
      try site(package, tags: nil).rules() == [#""root": "App""#, #"{ "path": "y.dat", "tags": ["y"] }"#])
  }

  @Test(arguments: ["R.bundle", "R.scnassets"]) func `a tagged package is whole`(package: String) throws {
    let site = try site(package, tags: "D")
    #expect(try site.rules().contains(#"{ "path": "\#(package)", "tags": ["D"] }"#))
    #expect(try site.rules().count == 3)
  }

  @Test func `an explicit folder is whole`() throws {
    #expect(try site("Data", tags: nil, explicit: true).rules().count == 2)
    let rules = try site("Data", tags: "D", explicit: true).rules()
    #expect(rules.contains(#"{ "path": "Data", "tags": ["D"] }"#) && rules.count == 3)
  }

  @Test(arguments: ["Data", "de.lproj", "v1.2"]) func `a plain folder is searched`(folder: String) throws {
    #expect(try site(folder, tags: nil).rules().contains { $0.contains(#""tags": ["IN"]"#) })
  }

  /// Files in an untagged package are ordinary files, even source code.
  ///
  /// packtool counts them as part of the app.
  @Test func `what is in an untagged package is in the app`() throws {
    let site = try site("R.bundle", tags: nil)
    try site.folder.write("App/R.bundle/x.swift", "")
    try site.folder.write("App/x.swift", "")
    let manifest = try #require(try site.importer().manifest)
    let names = try #require(manifest.bundledFiles).map(\.path)
    #expect(names.contains("R.bundle/x.swift") && !names.contains("x.swift"))
  }
}
