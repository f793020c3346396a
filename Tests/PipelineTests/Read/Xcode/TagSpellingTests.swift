import Formats
import Model
@testable import Pipeline
import System
import Foundation
import Support
import Testing

/// Tests that every way to write a tag in a project results in the same packs, and that `import` preserves
/// these packs.
@Suite struct TagSpellingTests {
  /// The files of each pack, by the tags of the pack.
  ///
  /// Each file is the path in the pack and the size.
  private typealias Packs = [String: Set<String>]

  private func packs(of path: String) throws -> Packs {
    let prepared = try Preparation(Preparation.Request(argument: path, jobs: 1))
    #expect(!prepared.diagnostics.hasErrors, "\(prepared.diagnostics.map(\.message))")
    let tree = try #require(prepared.plan).tree
    var packs: Packs = [:]
    for file in tree.files {
      // The size of this file is not compared, because it depends on where the project stores the tags.
      let size = lastName(of: file.packPath) == "Contents.json" ? "" : " \(file.size)"
      packs[tree.tagSets.tags(of: file.tagSet).joined(separator: " + "), default: []].insert(
        file.packPath + size)
    }
    return packs
  }

  /// Returns the packs of the project, and the packs of the manifest that `import` generates from it.
  private func packs(
    of resources: [SpelledResource], _ spellings: [TagSpelling], in folder: TemporaryFolder, _ name: String
  ) throws -> [Packs] {
    var project = SpelledProject()
    for (resource, spelling) in zip(resources, spellings) { project.add(resource, spelling) }
    try folder.write("\(name)/App.xcodeproj/project.pbxproj", project.text)
    try folder.write("\(name)/always.dat", "always")
    try folder.write("\(name)/App/code.swift", "")
    for (path, content) in project.files { try folder.write("\(name)/\(path)", content) }
    let argument = folder.path("\(name)/App.xcodeproj")
    let importer = try XcodeImporter(argument: argument, choice: ProjectChoice())
    #expect(!importer.diagnostics.contains { $0.check == .droppedTag })
    var manifest = try #require(importer.manifest, "\(importer.diagnostics.map(\.message))")
    manifest.rules = manifest.foldedRules
    try folder.write("\(name)/Manifest.json", Data(manifest.formatted(root: manifest.root.value).array()))
    return try [argument, folder.path("\(name)/Manifest.json")].map(packs)
  }

  @Test(arguments: ResourceKind.allCases) func `each spelling of a kind is the same`(kind: ResourceKind)
    throws
  {
    let folder = try TemporaryFolder()
    let resource = SpelledResource(kind: kind, name: "x", tags: ["T", "U"], folder: "Art")
    var first: Packs?
    for (number, spelling) in kind.spellings.enumerated() {
      let found = try packs(of: [resource], [spelling], in: folder, "\(number)")
      #expect(found[0] == found[1], "\(spelling) and its import")
      #expect(found[0] == first ?? found[0], "\(spelling) and \(kind.spellings[0])")
      #expect(found[0]["T + U"]?.isEmpty == false && found[0]["no"] == nil)
      first = first ?? found[0]
    }
  }

  /// Makes random projects with several resources.
  ///
  /// Each project has two versions that write the tags in different ways. `.ci/run` tests a sample of 24
  /// projects. With PACKTOOL_WHOLE, it tests all 2,000.
  @Test func `random projects have the same packs in all spellings`() throws {
    for seed in 0..<sample(24, of: 2000) {
      var dice = Dice(seed: UInt64(seed))
      let folder = try TemporaryFolder()
      let resources = SpelledResource.random(count: 1 + dice.below(6), &dice)
      let found = try (0..<2).flatMap { number in
        let spellings = resources.map { dice.pick($0.kind.spellings) }
        return try packs(of: resources, spellings, in: folder, "\(number)")
      }
      #expect(Set(found).count == 1, "seed \(seed): \(resources): \(found)")
    }
  }
}
