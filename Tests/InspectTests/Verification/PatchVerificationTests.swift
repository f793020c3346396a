@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the checks of patches with the index, the packs and earlier releases.
@Suite struct PatchVerificationTests {
  private func site() throws -> PatchSite {
    let site = try PatchSite()
    _ = try site.build()
    return site
  }

  private func path(_ site: PatchSite, _ tags: String...) throws -> String {
    try #require(try site.patches()[tags]).path
  }

  /// Returns the checks of all findings that are errors.
  private func errors(_ site: PatchSite, from old: [String] = []) throws -> [Check] {
    try site.findings(from: old).filter { $0.severity == .error }.map(\.check)
  }

  @Test(arguments: Container.allCases) func `patches as built are whole`(container: Container) throws {
    let site = try PatchSite(container)
    _ = try site.build()
    #expect(try site.findings().map(\.message) == [])
    #expect(try site.findings(from: ["old"]).map(\.message) == [])
  }

  @Test func `a list that is missing or changed is damage`() throws {
    let site = try site()
    let list = "out/\(try #require(try site.index().patches.first).list.path)"
    let whole = try site.site.folder.read(list)
    for bytes in [whole.flipped(at: 30), whole.dropLast(), whole + [10], Data()] {
      try site.site.folder.write(list, bytes)
      #expect(try errors(site) == [.damagedPatch])
    }
    try FileOperations.removeFile(site.site.folder.path(list))
    #expect(try errors(site) == [.damagedPatch])
    try FileOperations.makeFolder(site.site.folder.path(list))
    #expect(try errors(site) == [.damagedPatch])
  }

  @Test func `a patch that is missing or no file is damage`() throws {
    let site = try site()
    let path = site.site.folder.path("out/\(try path(site, "C"))")
    try FileOperations.removeFile(path)
    #expect(try errors(site) == [.damagedPatch])
    try FileOperations.makeFolder(path)
    #expect(try errors(site) == [.damagedPatch])
    try FileOperations.remove(path)
    try #require(mkfifo(path, 0o644) == 0)
    #expect(try errors(site) == [.damagedPatch])
  }

  @Test func `a patch of another pack is damage`() throws {
    let site = try site()
    let (first, second) = (try path(site, "A"), try path(site, "C"))
    try site.site.folder.write("out/\(first)", site.site.folder.read("out/\(second)"))
    #expect(try errors(site) == [.damagedPatch])
    // A patch of another pack is wrong even if it has the right name and the list agrees with it.
    let list = try ForgedPatches(site)
    try list.replace(["A"], by: site.patches()[["C"]]?.bytes ?? Data())
    #expect(try errors(site) == [.damagedPatch])
  }

  /// One bit of the header, the recipe, a frame or the directory is flipped.
  ///
  /// If `isForged` is true, the list and the index agree with the changed patch.
  @Test(arguments: [false, true]) func `a bit that was flipped is found`(isForged: Bool) throws {
    let site = try site()
    let patch = try #require(try site.patches()[["D"]])
    let frame = try #require(patch.entries.last).range
    let recipe = patch.entries[0].range
    let places = [0, 8, 12, 20, 31, recipe.lowerBound + 40, frame.lowerBound, frame.upperBound - 9]
    let ends = [frame.upperBound + 12, patch.bytes.count - 22, patch.bytes.count - 1]
    for place in places + ends {
      let bytes = patch.bytes.flipped(at: place)
      if isForged {
        try ForgedPatches(site).replace(["D"], by: bytes)
      } else {
        try site.site.folder.write("out/\(patch.path)", bytes)
      }
      #expect(try errors(site) == [.damagedPatch], "\(place)")
    }
  }

  /// If the list and the index agree with the patch, no other check finds a wrong checksum.
  ///
  /// The checksum matters because other programs verify it.
  @Test func `a wrong checksum of an entry is found`() throws {
    let site = try site()
    let patch = try #require(try site.patches()[["D"]])
    for entry in patch.entries {
      let local = entry.range.lowerBound - 30 - entry.name.utf8.count + 14
      let checksum = patch.bytes[local..<local + 4]
      let behind = try #require(patch.entries.last).range.upperBound
      let directory = try #require(patch.bytes[behind...].firstRange(of: checksum)).lowerBound
      var bytes = patch.bytes
      for place in [local, directory] { bytes[place] ^= 1 }
      try ForgedPatches(site).replace(["D"], by: bytes)
      let findings = try site.findings()
      #expect(findings.map(\.check) == [.damagedPatch])
      #expect(
        findings.first?.place.path == site.site.folder.path("out/\(try path(site, "D"))"), "\(entry.name)")
      try ForgedPatches(site).replace(["D"], by: patch.bytes)
      #expect(try site.findings() == [])
    }
  }

  /// The name of a patch must match its contents, so that two patches never have the same name.
  @Test func `a patch of another name is damage`() throws {
    let site = try site()
    let path = try path(site, "C")
    let other = "patches/other.zip"
    try FileOperations.rename(site.site.folder.path("out/\(path)"), to: site.site.folder.path("out/\(other)"))
    try ForgedPatches(site).changeList { $0.replacingOccurrences(of: path, with: other) }
    let findings = try site.findings()
    #expect(findings.map(\.check) == [.damagedPatch])
    #expect(findings.first?.place.path == site.site.folder.path("out/\(other)"))
  }

  @Test func `a patch that ends early is found`() throws {
    let site = try site()
    let patch = try #require(try site.patches()[["D"]])
    for count in [0, 1, 30, 100, patch.bytes.count / 2, patch.bytes.count - 1] {
      try ForgedPatches(site).replace(["D"], by: patch.bytes.prefix(count))
      #expect(try errors(site) == [.damagedPatch], "\(count)")
    }
  }

  @Test func `files that no list names are reported`() throws {
    let site = try site()
    try site.site.folder.write("out/patches/README", "")
    try FileOperations.makeFolder(site.site.folder.path("out/patches/folder"))
    let findings = try site.findings()
    #expect(findings.map(\.check) == [.notInIndex, .notInIndex])
    #expect(findings.allSatisfy { $0.severity == .warning && $0.place.path.contains("/patches/") })
  }

  @Test func `a release that the patches do not start from is reported`() throws {
    let site = try site()
    _ = try site.build(into: "new", from: [])
    let findings = try site.findings(from: ["new"])
    #expect(findings.map(\.check) == [.damagedPatch])
    #expect(findings.first?.names(site.site.folder.path("new")) == true)
    #expect(try site.findings(from: ["nowhere"]).map(\.check) == [.missingIndex])
  }
}

/// Tests recipes and frames that another program could make.
///
/// The list and the index agree with them.
@Suite struct ForgedPatchTests {
  /// A change of a recipe, and the name of the changed part in the finding.
  struct Forgery: Sendable {
    let name: String
    let change: @Sendable (inout ForgedPatches.Recipe) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout ForgedPatches.Recipe) -> Void) {
      self.name = name
      self.change = change
    }
  }

  static let digest = "sha256:" + String(repeating: "7", count: 64)

  static let forgeries = [
    Forgery("digest") { $0.digest = digest }, Forgery("pack") { $0.pack += "0" },
    Forgery("no files") { $0.files = [] }, Forgery("missing file") { $0.files.removeLast() },
    Forgery("file twice") { $0.files.append($0.files[$0.files.count - 1]) },
    Forgery("other path") { $0.files[0]["path"] = .string("a/0") },
    Forgery("path above") { $0.files[0]["path"] = .string("../0") },
    Forgery("absolute path") { $0.files[0]["path"] = .string("/tmp/0") },
    Forgery("empty path") { $0.files[0]["path"] = .string("") },
    Forgery("path with NUL") { $0.files[0]["path"] = .string("a/\u{0}") },
    Forgery("other size") { $0.files[0]["size"] = .integer(17) },
    Forgery("negative size") { $0.files[0]["size"] = .integer(-1) },
    Forgery("huge size") { $0.files[0]["size"] = .integer(Int64.max) },
    Forgery("other file digest") { $0.files[0]["digest"] = .string(digest) },
    Forgery("order") { $0.files.swapAt(0, 1) },
    Forgery("same as whole") { recipe in
      recipe.files[0]["as"] = .string("whole")
      recipe.files[0]["from"] = nil
    },
    Forgery("same from others") { $0.files[0]["from"] = .string(digest) },
    Forgery("patch as same") { $0.change("a/changed.bin", "as", "same") },
    Forgery("patch as whole") { $0.change("a/changed.bin", "as", "whole") },
    Forgery("patch from nothing") { $0.change("a/changed.bin", "from", nil) },
    Forgery("unknown way") { $0.change("a/changed.bin", "as", "delta") },
    Forgery("one of two equal files") { $0.change("a/twin 1", "from", digest) },
    Forgery("version") { $0.version = 2 },
    Forgery("more keys") { $0.files[0]["more"] = .integer(1) },
  ]

  @Test func `recipes by others are found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let whole = try site.published()
    for forgery in Self.forgeries {
      try ForgedPatches(site).change(["A"], by: forgery.change)
      for old in [[], ["old"]] {
        let checks = try site.findings(from: old).filter { $0.severity == .error }.map(\.check)
        #expect(checks == [.damagedPatch], "\(forgery.name) \(old)")
      }
      try site.restorePatches(of: whole)
    }
    #expect(try site.findings(from: ["old"]) == [])
  }

  /// Only a verification with the earlier release can find that this release does not contain the old file,
  /// or that a frame is wrong.
  @Test(arguments: [digest, nil]) func `a source that no device has is found by the release`(source: String?)
    throws
  {
    let site = try PatchSite()
    _ = try site.build()
    let other = try #require(try site.patches()[["A"]]?.files.first { $0.method == "same" }).digest
    try ForgedPatches(site).change(["A"]) { $0.change("a/changed.bin", "from", source ?? other) }
    #expect(try site.findings() == [])
    let findings = try site.findings(from: ["old"])
    #expect(findings.map(\.check) == [.damagedPatch])
    #expect(findings.first?.names(source == nil ? "a/changed.bin" : Self.digest) == true)
  }

  /// The result of a frame with a prefix can only be checked with the earlier release.
  @Test func `a frame of other contents is found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let patch = try #require(try site.patches()[["A"]])
    let files = try ["a/changed.bin", "a/level-07-maps.bin"].map { path in
      String(try #require(try patch.files.first { $0.path == path }).digest.dropFirst(7))
    }
    let contents = [files[0]: try patch.content(files[1]), files[1]: try patch.content(files[0])]
    try ForgedPatches(site).change(["A"], contents) { _ in }
    #expect(try site.findings() == [])
    #expect(try site.findings(from: ["old"]).map(\.check) == [.damagedPatch, .damagedPatch])
  }

  @Test func `a whole frame of other contents is found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let patch = try #require(try site.patches()[["D"]])
    let frame = try patch.content(patch.entries[1].name)
    for forged in [frame.flipped(at: 200), frame.dropLast(), frame + frame, frame + [0], Data()] {
      try ForgedPatches(site).change(["D"], [patch.entries[1].name: forged]) { _ in }
      #expect(try site.findings().map(\.check) == [.damagedPatch])
    }
  }

  @Test func `entries that the recipe does not name are found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let whole = try site.published()
    for name in ["../index.json", "zz/x", "patch.json", String(repeating: "7", count: 64)] {
      try ForgedPatches(site).change(["A"], [name: Data("x".utf8)]) { _ in }
      #expect(try site.findings(from: ["old"]).map(\.check) == [.damagedPatch], "\(name)")
      try site.restorePatches(of: whole)
    }
  }

  @Test func `lists by others are found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let whole = try site.published()
    for (old, new) in [
      ("\"path\": \"patches/", "\"path\": \"../patches/"),
      ("\"path\": \"patches/", "\"path\": \"patches/../"),
      ("\"formatVersion\": 1", "\"formatVersion\": 2"), ("\"from\": \"sha256:", "\"from\": \"sha256:0"),
      ("\"size\": ", "\"size\": 1"), ("\"size\": ", "\"size\": -"),
    ] {
      try ForgedPatches(site).changeList { $0.replacingOccurrences(of: old, with: new) }
      let checks = Set(try site.findings(from: ["old"]).filter { $0.severity == .error }.map(\.check))
      #expect(!checks.isEmpty && checks.isSubset(of: [.damagedIndex, .damagedPatch]), "\(new)")
      try site.restorePatches(of: whole)
    }
  }

  @Test func `an index that names a release twice is found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let text = String(decoding: try site.site.folder.read("out/index.json"), as: UTF8.self)
    let range = try #require(text.range(of: #"(?s)"patches": \[(.*?)\]"#, options: .regularExpression))
    let entry = text[range].dropFirst(12).dropLast()
    let twice = "\"patches\": [\(entry.trimmingCharacters(in: .whitespacesAndNewlines)),\(entry)]"
    try site.site.folder.write("out/index.json", text.replacingCharacters(in: range, with: twice))
    #expect(try site.findings().map(\.check).contains(.damagedIndex))
  }
}
