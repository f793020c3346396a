@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the manifest that is proposed for a folder, and its changes after findings.
@Suite struct ManifestProposalTests {
  private func folder(_ files: [(path: String, size: Int64)]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for file in files { try folder.writeSparse(file.path, size: file.size) }
    return folder
  }

  private func proposal(for folder: TemporaryFolder) throws -> ManifestProposal? {
    try ManifestProposal(
      folder: folder.path, manifestPath: folder.path("Manifest.json"), bundleIdentifier: "a.b", jobs: 1)
  }

  /// Returns the rules and lists of a proposal, and expects that it has no positions.
  private func facts(_ proposal: ManifestProposal) -> [String] {
    let manifest = proposal.manifest
    #expect(manifest.rules.map(\.text.value) == proposal.rules.map(\.rule.text.value))
    #expect(manifest.rules.map { $0.tags.map(\.value) } == proposal.rules.map { $0.rule.tags.map(\.value) })
    var offsets = [manifest.root.offset] + manifest.firstOffsets.values
    for rule in manifest.rules {
      offsets.append(rule.text.offset)
      offsets += rule.tags.map(\.offset)
      offsets += rule.templates.map(\.text.offset)
      offsets += rule.excepts.map(\.offset)
    }
    offsets += (manifest.initialInstallTags + manifest.prefetchTagOrder).map(\.offset)
    #expect(offsets.allSatisfy { $0 == 0 })
    let rules = manifest.rules.map { rule in
      let tags = rule.tags.map(\.value) + rule.templates.map(\.text.value)
      return "\(rule.pattern.key) \(rule.text.value) = \(tags.joined(separator: ", "))"
        + rule.excepts.map { " without \($0.value.text)" }.joined()
    }
    return rules + [
      "initial \(manifest.initialInstallTags.map(\.value).joined(separator: ", "))",
      "prefetch \(manifest.prefetchTagOrder.map(\.value).joined(separator: ", "))",
    ]
  }

  /// Folders of which "beta" is the largest one, and "gamma" is too small for a tag.
  private static let plain: [(path: String, size: Int64)] = [
    ("Levels/1/x", 4_000_000), ("Levels/2/y", 4_000_000), ("Levels/3/z", 4_000_000), ("alpha/a", 3_000_000),
    ("beta/b", 5_000_000), ("gamma/c", 100_000),
  ]

  @Test func `folders become rules without positions`() throws {
    let proposal = try #require(try proposal(for: folder(Self.plain)))
    #expect(
      facts(proposal) == [
        "glob Levels/*/** = Level $1", "path alpha = Alpha", "path beta = Beta",
        "initial Level 1, Alpha, Beta",
        "prefetch Level 2, Level 3",
      ])
    #expect(proposal.kept.map(\.path) == ["gamma"] && proposal.manifest.excludes.isEmpty)
    #expect(proposal.manifest.root.value == "." && proposal.manifest.bundleIdentifier == "a.b")
    #expect(proposal.outside.count == 0 && proposal.outside.size == 0 && proposal.engine == nil)
    #expect(try self.proposal(for: folder([])) == nil)
    #expect(try self.proposal(for: folder([("Manifest.json", 5_000_000)])) == nil)
  }

  @Test func `the assets of a project are its root`() throws {
    let folder = try folder([
      ("src/main.bin", 40), ("build/x.bin", 70_000_000), ("assets/Levels/1/x", 4_000_000),
      ("assets/Levels/2/y", 4_000_000), ("assets/alpha/a", 3_000_000), ("assets/alpha/a.psd", 1),
      ("assets/b/b.XCF", 1),
      ("assets/unused/old", 9_000_000), ("assets/alpha/node_modules/x", 9_000_000), ("other/data/x", 2),
      ("top", 1),
    ])
    try folder.link("assets/link", to: "alpha")
    let proposal = try #require(try proposal(for: folder))
    #expect(proposal.manifest.root.value == "assets" || proposal.manifest.root.value == "./assets")
    #expect(facts(proposal).dropLast(2) == ["glob Levels/*/** = Level $1", "path alpha = Alpha"])
    #expect(proposal.outside.count == 3 && proposal.outside.size == 43)
    #expect(
      proposal.manifest.excludes.map(\.text) == [
        "**/*.psd", "**/*.xcf", "alpha/node_modules", "link", "unused",
      ])
  }

  @Test func `a folder in the share of a system has no documentation`() throws {
    let folder = try folder([
      ("usr/share/game/Levels/1/x", 4_000_000), ("usr/share/game/Levels/2/x", 4_000_000),
      ("usr/share/game/alpha/a", 3_000_000), ("usr/share/icons/i", 50_000_000), ("usr/share/doc/d", 10),
    ])
    let proposal = try #require(try proposal(for: folder))
    #expect(proposal.manifest.root.value.hasSuffix("usr/share/game"))
    #expect(proposal.outside.count == 0 && proposal.outside.size == 0)
  }

  @Test(arguments: [
    ("project.godot", ".godot/x", "Godot", [".godot/**"]),
    ("Game.uproject", "Saved/x", "Unreal", ["Saved/**"]),
    ("ProjectSettings/ProjectVersion.txt", "Library/x", "Unity", ["Library/**", "ProjectSettings/**"]),
    ("deep/project.godot", "x/y", nil, []), ("alpha/Game.uproject", "Saved/x", nil, []),
  ])
  func `the caches of an engine are excluded`(
    mark: String, cache: String, engine: String?, excludes: [String]
  ) throws {
    let folder = try folder(Self.plain + [(mark, 10), (cache, 30_000_000)])
    let proposal = try #require(try proposal(for: folder))
    #expect(proposal.engine == engine && proposal.manifest.excludes.map(\.text) == excludes)
    let name = cache.split(separator: "/")[0]
    if engine != nil { #expect(!proposal.manifest.rules.contains { $0.text.value.hasPrefix(name) }) }
  }

  private func error(_ path: String, in folder: TemporaryFolder, severity: Severity = .error) -> Diagnostic {
    Diagnostic(.emptyFile, message: "x", at: Place(folder.path(path)), severity: severity)
  }

  @Test func `files with errors are excluded`() throws {
    let folder = try folder(Self.plain)
    let proposal = try #require(try proposal(for: folder))
    let errors = ["beta/b", "alpha/[a]", "beta/b"].map { error($0, in: folder) }
    let less = try #require(proposal.leavingOut(filesOf: errors))
    #expect(less.leftOut == ["alpha/[a]", "beta/b"])
    #expect(less.manifest.excludes.map(\.text) == [Glob.escaping("alpha/[a]")?.text ?? "", "beta/b"])
    #expect(less.leavingOut(filesOf: errors) == nil)
    #expect(
      less.leavingOut(filesOf: errors + [error("c", in: folder)])?.leftOut == ["alpha/[a]", "beta/b", "c"])
    // Only errors about files below the root count.
    for other in [
      error("beta/b", in: folder, severity: .warning), error("Manifest.json", in: folder),
      Diagnostic(.emptyFile, message: "x", at: Place("elsewhere"), severity: .error),
      Diagnostic(.emptyFile, message: "x", at: Place(folder.path + "/"), severity: .error),
    ] {
      #expect(proposal.leavingOut(filesOf: [other]) == nil)
    }
    #expect(proposal.leavingOut(filesOf: []) == nil)
    let many = (0..<100).map { error("f\($0)", in: folder) }
    #expect(proposal.leavingOut(filesOf: many)?.leftOut.count == 100)
    #expect(proposal.leavingOut(filesOf: many + [error("g", in: folder)]) == nil)
    #expect(less.leavingOut(filesOf: Array(many.prefix(98)))?.leftOut.count == 100)
    #expect(less.leavingOut(filesOf: Array(many.prefix(99))) == nil)
  }

  private func finding(
    _ check: Check, _ path: String = "", in folder: TemporaryFolder, severity: Severity? = nil
  )
    -> Diagnostic
  {
    Diagnostic(check, message: "x", at: Place(folder.path(path)), severity: severity)
  }

  @Test func `an initial install of everything gets one tag`() throws {
    let folder = try folder(Self.plain)
    let proposal = try #require(try proposal(for: folder))
    let better = try #require(proposal.avoiding([finding(.everythingInitial, in: folder)], tags: []))
    #expect(facts(better).suffix(2) == ["initial Beta", "prefetch Level 1, Alpha, Level 2, Level 3"])
    #expect(better.avoiding([finding(.everythingInitial, in: folder)], tags: []) == nil)
    #expect(
      proposal.avoiding([], tags: []) == nil
        && proposal.avoiding([finding(.emptyFile, in: folder)], tags: []) == nil)
  }

  @Test func `a folder that looks forgotten gets the tag of its neighbor`() throws {
    let folder = try folder(Self.plain)
    let proposal = try #require(try proposal(for: folder))
    let forgotten = [finding(.untaggedFolder, "gamma", in: folder)]
    let better = try #require(proposal.avoiding(forgotten, tags: []))
    #expect(
      facts(better) == [
        "glob Levels/*/** = Level $1", "path alpha = Alpha", "glob {beta,gamma}/** = Beta",
        "initial Level 1, Alpha, Beta", "prefetch Level 2, Level 3",
      ])
    #expect(better.kept.isEmpty)
    // Without a neighbor in the initial install, the folder gets its own tag.
    let empty = try #require(proposal.listing(only: []))
    #expect(facts(empty).suffix(2) == ["initial ", "prefetch "])
    let own = try #require(empty.avoiding(forgotten, tags: []))
    #expect(
      facts(own).dropFirst(2) == ["path beta = Beta", "path gamma = Gamma", "initial Gamma", "prefetch "])
    #expect(own.kept.isEmpty && own.rules.last?.reason == "small")
    #expect(empty.avoiding([finding(.untaggedFolder, "x/alpha", in: folder)], tags: []) == nil)
    // A neighbor is in the same folder.
    let inner = try #require(proposal.avoiding([finding(.untaggedFolder, "x/y", in: folder)], tags: []))
    #expect(facts(inner).contains("path x/y = Y"))
  }

  @Test func `only the tags of files are listed`() throws {
    let proposal = try #require(try proposal(for: folder(Self.plain)))
    #expect(proposal.listing(only: ["Level 1", "Level 2", "Level 3", "Alpha", "Beta"]) == nil)
    let less = try #require(proposal.listing(only: ["Level 1", "Level 3", "Beta"]))
    #expect(facts(less).suffix(2) == ["initial Level 1, Beta", "prefetch Level 3"])
    let prefetch = try #require(proposal.listing(only: ["Level 1", "Alpha", "Beta"]))
    #expect(facts(prefetch).suffix(2) == ["initial Level 1, Alpha, Beta", "prefetch "])
  }

  @Test func `similar tags become one`() throws {
    let folder = try folder([("castle/a", 4_000_000), ("castles/b", 5_000_000), ("beta/c", 3_000_000)])
    let proposal = try #require(try proposal(for: folder))
    #expect(
      facts(proposal).prefix(3) == ["path beta = Beta", "path castle = Castle", "path castles = Castles"])
    #expect(proposal.manifest.initialInstallTags.map(\.value) == ["Beta", "Castle", "Castles"])
    let similar = [finding(.similarTag, in: folder)]
    let better = try #require(proposal.avoiding(similar, tags: ["Beta", "Castle", "Castles"]))
    #expect(
      facts(better) == [
        "path beta = Beta", "path castle = Castles", "path castles = Castles", "initial Beta, Castles",
        "prefetch ",
      ])
    #expect(proposal.avoiding(similar, tags: ["Beta", "Other"]) == nil)
    // Another tag, which is made from names, keeps its name.
    let other = try #require(proposal.avoiding(similar, tags: ["Betas"]))
    #expect(facts(other).first == "path beta = Beta Files")
    #expect(other.manifest.initialInstallTags.map(\.value) == ["Beta Files", "Castle", "Castles"])
  }

  @Test func `an app that needs nothing first gets any tag`() throws {
    let folder = try folder(Self.plain)
    var proposal = try #require(try proposal(for: folder)?.listing(only: []))
    let note = [finding(.appBundleSize, in: folder, severity: .note)]
    #expect(proposal.avoiding(note, tags: []) == nil)
    proposal.firstTag = "Alpha"
    #expect(proposal.avoiding([finding(.appBundleSize, in: folder, severity: .error)], tags: []) == nil)
    let better = try #require(proposal.avoiding(note, tags: []))
    #expect(facts(better).suffix(2) == ["initial Alpha", "prefetch "])
    var listed = try #require(try self.proposal(for: folder)?.listing(only: ["Level 2"]))
    listed.firstTag = "Level 2"
    #expect(listed.avoiding(note, tags: []) == nil)
  }
}
