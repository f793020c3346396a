import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
import System
import Foundation
import Support
import Testing

/// Tests that several rules are replaced with one rule that has a template, and that the same files still
/// have the same tags.
@Suite struct TemplateFoldingTests {
  /// Returns the tag set of each file, by the path of the file in its pack.
  private func tagSets(of argument: String) throws -> [String: [String]] {
    let plan = try #require(try Preparation(Preparation.Request(argument: argument, jobs: 1)).plan)
    var sets: [String: [String]] = [:]
    for pack in plan.packs { for file in pack.files { sets[plan.tree.files[file].packPath] = pack.tags } }
    return sets
  }

  /// Returns the folded rules, one per line.
  ///
  /// Before that, checks that every file has the same tags as with the original rules.
  private func folded(_ site: ProjectSite) throws -> [String] {
    var manifest = try #require(try site.importer().manifest)
    manifest.rules = manifest.foldedRules
    let text = manifest.formatted(root: manifest.root.value).array()
    try site.folder.write("Manifest.json", Data(text))
    let before = try tagSets(of: site.folder.path("App.xcodeproj"))
    #expect(try tagSets(of: site.folder.path("Manifest.json")) == before && !before.isEmpty)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("    {") }.map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
    }
  }

  /// Returns a project with files that have these tags.
  private func site(_ files: [(String, String)], beside others: String...) throws -> ProjectSite {
    var project = TestProject()
    for (file, tags) in files { project.add(file, tags: tags) }
    let site = try ProjectSite(project)
    for file in files.map(\.0) + others { try site.folder.write(file, file) }
    return site
  }

  @Test func `folders become one rule`() throws {
    var project = TestProject()
    for level in 1...3 { project.add("Levels/\(level)", tags: "\"Level \(level)\", Game, ") }
    project.add("Music/a", tags: "Music")
    let site = try ProjectSite(project, "Music/a", "Levels/readme")
    for level in 1...3 { try site.folder.write("Levels/\(level)/deep/map", "\(level)") }
    #expect(
      try folded(site) == [
        #"{ "glob": "Levels/*/**", "tags": ["Game"], "tagTemplates": ["Level $1"], "destination": "." }"#,
        #"{ "path": "Music/a", "tags": ["Music"], "destination": "a" }"#,
      ])
    let lists = try ["App.xcodeproj", "Manifest.json"].map { argument in
      let plan = try Preparation(Preparation.Request(argument: site.folder.path(argument), jobs: 1)).plan
      return try #require(plan).onDemandResources.array()
    }
    #expect(lists[0] == lists[1])
  }

  @Test func `files of languages become one rule`() throws {
    let names = ["frog_fr", "frog_de", "frog_pt", "dog_fr", "dog_de"]
    let site = try site(
      names.map { ("Speech/\($0).ogg", "\"speech-\($0.suffix(2))\", ") }, beside: "Speech/x.txt")
    #expect(try folded(site) == [#"{ "glob": "*_*.ogg", "tagTemplates": ["speech-$2"] }"#])
  }

  @Test func `files in several folders keep their place in packs`() throws {
    let site = try site(
      [
        ("A/l1.dat", "L1"), ("A/l2.dat", "L2"), ("A/l10.dat", "L10"), ("B/other", "Other"),
        ("B/more", "More"),
      ])
    #expect(
      try folded(site) == [
        #"{ "glob": "A/l*.dat", "tagTemplates": ["L$1"], "destination": "." }"#,
        #"{ "path": "B/more", "tags": ["More"], "destination": "more" }"#,
        #"{ "path": "B/other", "tags": ["Other"], "destination": "other" }"#,
      ])
  }

  @Test func `numbers beside a name are folded`() throws {
    let site = try site([("1", "L1"), ("2", "L2"), ("30", "L30"), ("Shared", "All")])
    #expect(
      try folded(site) == [
        #"{ "glob": "[0-9]*", "tagTemplates": ["L$1$2"] }"#, #"{ "path": "Shared", "tags": ["All"] }"#,
      ])
  }

  @Test func `dollars are doubled`() throws {
    let site = try site([("x_a", "\"$a\""), ("x_b", "\"$b\""), ("x_c", "\"$c\"")])
    #expect(try folded(site) == [##"{ "glob": "x_*", "tagTemplates": ["$$$1"] }"##])
  }

  /// These rules stay separate: a template would change their meaning, or there are only two rules.
  @Test func `what would mean something else stays`() throws {
    let levels = [("l1.dat", "L1"), ("l2.dat", "L2"), ("l3.dat", "L3")]
    #expect(try folded(site(levels, beside: "l4.dat")).count == 3)
    #expect(try folded(site([("l1.dat", "L1"), ("l2.dat", "L2"), ("l3.dat", "Boss")])).count == 3)
    #expect(try folded(site(Array(levels.prefix(2)))).count == 2)
    #expect(try folded(site([("a", "a0"), ("b", "b0"), ("c", "c0")])).count == 3)
    // The glob would also match the manifest.
    #expect(try folded(site([("a", "a"), ("b", "b"), ("c", "c")])).count == 3)
  }

  /// Returns the globs that are tried for rules of these names, with the parts of the names that vary.
  private func candidates(_ names: String...) -> [String] {
    let members = names.enumerated().map { FoldedGroup.Member(number: $0, name: $1, tags: []) }
    let key = FoldedGroup.Key(parent: [], kind: .file, place: nil, tagCount: 1)
    return FoldedGroup.candidates(key, members: members).filter { !$0.members.isEmpty }.map {
      "\($0.pattern.glob) \($0.pattern.wildcard) \($0.parts.joined(separator: ",")) of \($0.members.count)"
    }
  }

  @Test func `names vary in one part, in their last word, or in their number`() {
    #expect(candidates("l1.dat", "l2.dat", "l10.dat") == ["l*.dat $1 1,2,10 of 3"])
    // Equal ends that are only a part of a word or a number belong to the varying part.
    #expect(candidates("forest", "fort", "fox") == ["* $1 forest,fort,fox of 3"])
    #expect(candidates("l11", "l12") == ["l* $1 11,12 of 2"])
    #expect(candidates("1a1", "2a1") == ["*a1 $1 1,2 of 2"])
    #expect(candidates("x-1", "x-2") == ["x-* $1 1,2 of 2", "*-* $2 1,2 of 2"])
    #expect(
      candidates("frog_fr.ogg", "dog_de.ogg") == ["*.ogg $1 frog_fr,dog_de of 2", "*_*.ogg $2 fr,de of 2"])
    #expect(candidates("frog_fr.ogg", "dog-de.ogg") == ["*.ogg $1 frog_fr,dog-de of 2"])
    #expect(candidates("a_b c", "d_e f") == ["* $1 a_b c,d_e f of 2", "* * $2 c,f of 2"])
    // A word has characters before it and after its separator.
    #expect(candidates("_a", "_b") == ["_* $1 a,b of 2"] && candidates("a_", "b_") == ["*_ $1 a,b of 2"])
    #expect(candidates("1", "2", "All") == ["* $1 1,2,All of 3", "[0-9]* $1$2 1,2 of 2"])
    #expect(candidates("a", "a1", "a2") == ["* $1 a,a1,a2 of 3"])
  }
}
