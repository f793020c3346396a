@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests every kind of disagreement between a pack and the lists of an export, and the largest and the
/// smallest accepted values.
@Suite struct ExportCheckTests {
  private typealias List = ExportSite.List

  /// The limits for the values of a resource in the manifest: values that are just accepted, and values that
  /// are just rejected.
  @Test func `a resource holds for its pack`() throws {
    let site = try ExportSite()
    let whole = try site.folder.read("out/\(ExportSite.manifest)")
    let pack = try XcodeExport(site.path, jobs: 1).packs.first { $0.tags == ["A"] }
    let (size, digest) = try (#require(pack?.size), #require(pack?.digest.prefixed))
    // The pack has the folders "a" and "a/deep", each with one entry. Apple's file systems count these
    // folders as six items.
    let cases: [(String, (inout List) -> Void, [String])] = [
      ("the size of the files", { $0["uncompressedSize"] = size }, []),
      ("the size with folders of 32 bytes", { $0["uncompressedSize"] = size + 6 * 32 }, []),
      ("the size with folders of 34 bytes", { $0["uncompressedSize"] = size + 6 * 34 }, []),
      (
        "another size", { $0["uncompressedSize"] = size + 1 },
        ["out/OnDemandResources/PACK-A: error [wrong-contents] \(size + 1) bytes \(size)"]
      ),
      (
        "a priority", { $0["downloadPriority"] = 0.5 },
        ["out/OnDemandResources/PACK-A: error [wrong-contents]"]
      ),
      ("the digest", { $0["primaryContentHash"] = ["hash": digest, "strategy": "hash"] }, []),
      (
        "another digest", { $0["primaryContentHash"] = ["hash": "sha256:00", "strategy": "hash"] },
        ["out/OnDemandResources/PACK-A: error [wrong-contents] \(values(in: "sha256:00 \(digest)"))"]
      ),
      (
        "no hash", { $0["primaryContentHash"] = ["strategy": "hash"] },
        [#"out/\#(ExportSite.manifest): error [damaged-index] "ID-A" "primaryContentHash" "hash""#]
      ),
      (
        "no URL", { $0["URL"] = nil },
        [#"out/\#(ExportSite.manifest): error [damaged-index] "ID-A" "URL""#]
      ),
      (
        "the name of no pack", { $0["URL"] = "OnDemandResources/x.assetpack" },
        [#"out/OnDemandResources/PACK-A: error [wrong-contents] "OnDemandResources/x.assetpack""#]
      ),
      (
        "another folder", { $0["URL"] = "Other/PACK-A" },
        [#"out/\#(ExportSite.manifest): error [missing-pack] "Other/PACK-A""#]
      ),
      (
        "a scheme of no web server", { $0["URL"] = "ftp://x.y/PACK-A" },
        [#"out/\#(ExportSite.manifest): error [damaged-index] "ID-A" "ftp://x.y/PACK-A" "http:" "https:""#]
      ),
      ("a scheme in capitals", { $0["URL"] = "HTTPS://x.y/PACK-A" }, []),
    ]
    let name = String(site.pack("A").split(separator: "/").last ?? "")
    for (what, change, expected) in cases {
      try site.folder.write("out/\(ExportSite.manifest)", whole)
      try site.editResource { resource in
        change(&resource)
        if let url = resource["URL"] as? String { resource["URL"] = url.replacing("PACK-A", with: name) }
      }
      try site.expect(expected, what: "\(what)")
    }
  }

  /// Mistakes that concern the whole manifest.
  @Test func `a manifest names each pack once`() throws {
    let site = try ExportSite()
    let whole = try site.folder.read("out/\(ExportSite.manifest)")
    let list = "out/\(ExportSite.manifest): error"
    let packB = "out/OnDemandResources/PACK-B: error [not-in-index] \"ID-B\""
    let cases: [(String, (inout [List]) -> Void, [String])] = [
      ("all in another order", { $0.reverse() }, []),
      ("one twice", { $0.append($0[0]) }, ["\(list) [damaged-index] \"ID-A\""]),
      ("one not", { $0.remove(at: 1) }, [packB]),
      (
        "one that is not here", { $0.append(["bundleKey": "x", "URL": "OnDemandResources/x"]) },
        ["\(list) [missing-pack] \"x\""]
      ),
      (
        "one without a key", { $0[1]["bundleKey"] = nil },
        ["\(list) [damaged-index] \"bundleKey\"", packB]
      ),
    ]
    for (what, change, expected) in cases {
      try site.folder.write("out/\(ExportSite.manifest)", whole)
      try site.edit("out/\(ExportSite.manifest)") { list in
        var resources = (list["resources"] as? [List] ?? []).sorted {
          ($0["URL"] as? String ?? "") < ($1["URL"] as? String ?? "")
        }
        change(&resources)
        list["resources"] = resources
      }
      #expect(try site.findings().map { $0.replacing("warning", with: "error") } == expected, "\(what)")
    }
    try site.edit("out/\(ExportSite.manifest)") { $0["resources"] = nil }
    try site.expect(["\(list) [damaged-index] \"resources\""])
  }

  /// Every app needs a manifest, except an app from the App Store and an app that contains its packs.
  @Test func `a missing manifest is an error unless an app can do without`() throws {
    let site = try ExportSite()
    let name = ExportSite.manifest
    try FileOperations.rename(site.folder.path("out/\(name)"), to: site.folder.path("kept"))
    try site.expect(["out: error [damaged-index]"])
    try site.folder.write("out/\(PublishedNames.ownManifest)", "")
    try site.expect(["out: note [damaged-index]"])
    try FileOperations.rename(site.folder.path("kept"), to: site.folder.path("out/\(name)"))
    try site.moveIntoApp(identifier: "com.example.test")
    try site.expect([], at: "Build")
    try FileOperations.remove(site.folder.path("Build/App.app/\(name)"))
    try site.expect(["Build: note [damaged-index]"], at: "Build")
  }

  @Test func `tags stand for the packs that have them`() throws {
    let site = try ExportSite()
    let whole = try site.folder.read("out/\(ExportSite.tags)")
    let list = "out/\(ExportSite.tags): error"
    let (first, second) = (site.identifier("A"), site.identifier("B"))
    let cases: [(String, (inout List) -> Void, [String])] = [
      (
        "another pack", { $0["B"] = ["NSAssetPacks": [first, second]] },
        ["\(list) [wrong-contents] \"B\" \"ID-A\""]
      ),
      (
        "a pack that is not here", { $0["B"] = ["NSAssetPacks": [second, "x"]] },
        ["\(list) [missing-pack] \"B\" \"x\""]
      ),
      ("no pack", { $0["B"] = ["NSAssetPacks": [String]()] }, ["\(list) [wrong-contents] \"ID-B\" \"B\""]),
      ("no tag", { $0["A"] = nil }, ["\(list) [wrong-contents] \"ID-A\" \"A\""]),
      ("a tag of no pack", { $0["C"] = ["NSAssetPacks": [String]()] }, []),
      (
        "two tags that are wrong",
        {
          $0["B"] = nil; $0["A"] = nil
        },
        ["\(list) [wrong-contents] \"ID-A\" \"A\"", "\(list) [wrong-contents] \"ID-B\" \"B\""]
      ),
    ]
    for (what, change, expected) in cases {
      try site.folder.write("out/\(ExportSite.tags)", whole)
      try site.edit("out/\(ExportSite.tags)") { list in
        var tags = list["NSBundleResourceRequestTags"] as? List ?? [:]
        change(&tags)
        list["NSBundleResourceRequestTags"] = tags
      }
      try site.expect(expected, what: "\(what)")
    }
    try site.edit("out/\(ExportSite.tags)") { $0["NSBundleResourceRequestTags"] = nil }
    try site.expect(["\(list) [damaged-index] \"NSBundleResourceRequestTags\""])
  }

  /// If a pack of an older build is not in any list, this is reported once.
  ///
  /// There are no other findings about this pack.
  @Test func `a pack that no list names has no other findings`() throws {
    let site = try ExportSite()
    let key = site.identifier("B")
    try site.edit("out/\(ExportSite.manifest)") { list in
      list["resources"] = (list["resources"] as? [List])?.filter { $0["bundleKey"] as? String != key }
    }
    try site.edit("out/\(ExportSite.tags)") { list in
      for part in ["NSBundleResourceRequestTags", "NSBundleResourceRequestAssetPacks"] {
        var members = list[part] as? List ?? [:]
        members[part.hasSuffix("Tags") ? "B" : key] = nil
        list[part] = members
      }
    }
    let found = try site.findings()
    #expect(found.count == 1 && found[0].hasSuffix("[not-in-index] \"ID-B\""), "\(found)")
  }

  @Test func `sub-paths name what is in a pack`() throws {
    let site = try ExportSite()
    let whole = try site.folder.read("out/\(ExportSite.tags)")
    let key = site.identifier("A")
    let pack = "out/OnDemandResources/PACK-A: error [wrong-contents]"
    let cases: [([String], [String])] = [
      (["2", "a"], []), (["2", "a/deep/1"], []), (["2", "a/deep"], []), ([""], []),
      (["2"], ["\(pack) \"a/deep/1\""]), (["2", "a/deep/1", "b"], ["\(pack) \"b\""]),
      (["2", "a/de"], ["\(pack) \"a/deep/1\"", "\(pack) \"a/de\""]),
      (["2", "a", "y", "x"], ["\(pack) \"x\"", "\(pack) \"y\""]),
      ([], ["\(pack) \"2\"", "\(pack) \"a/deep/1\""]),
    ]
    for (paths, expected) in cases {
      try site.folder.write("out/\(ExportSite.tags)", whole)
      try site.edit("out/\(ExportSite.tags)") { list in
        var packs = list["NSBundleResourceRequestAssetPacks"] as? List ?? [:]
        packs[key] = paths
        list["NSBundleResourceRequestAssetPacks"] = packs
      }
      try site.expect(expected, what: "\(paths)")
    }
  }

  /// Xcode compiles the asset catalogs of a pack into one file.
  ///
  /// No sub-path in the lists matches this file.
  @Test func `a compiled catalog is in no list and not empty`() throws {
    let site = try ExportSite()
    try site.editResource {
      $0["uncompressedSize"] = nil
      $0["primaryContentHash"] = ["hash": "2026-01-01", "strategy": "modtime"]
    }
    try site.folder.write("\(site.pack("A"))/Assets.car", "BOM")
    try site.expect([])
    try site.folder.write("\(site.pack("A"))/Assets.car", "")
    try site.expect(["out/OnDemandResources/PACK-A: error [damaged-pack] \"Assets.car\""])
    try FileOperations.remove(site.folder.path("\(site.pack("A"))/Assets.car"))
    try site.folder.write("\(site.pack("A"))/a/empty", "")
    try site.expect([])
  }

  @Test(arguments: [-0.01, 0, 1, 1.01]) func `priorities are from 0 to 1`(priority: Double) throws {
    let site = try ExportSite()
    let expected = (0...1).contains(priority) ? [] : ["error [wrong-contents] \(priority) 0 1"]
    try site.edit("\(site.pack("A"))/Info.plist") { $0["Priority"] = priority }
    try site.editResource {
      $0["downloadPriority"] = priority
      $0["uncompressedSize"] = nil
    }
    try site.expect(expected.map { "out/OnDemandResources/PACK-A: \($0)" })
  }

  @Test func `a pack without a description is damaged`() throws {
    let site = try ExportSite(.hosted)
    let pack = site.pack("B", in: "out")
    let path = site.folder.path(pack)
    let script = """
      import zipfile
      old = zipfile.ZipFile(PACK)
      entries = {i.filename: old.read(i) for i in old.infolist() if not i.filename.startswith('META-INF')}
      new = zipfile.ZipFile(PACK + '.new', 'w')
      CHANGE
      new.close()
      import os
      os.rename(PACK + '.new', PACK)
      """
    let missing = "out/\(ExportSite.manifest): error [missing-pack] \"ID-B\""
    let names = "out/PACK-B: error [damaged-pack]"
    for (change, expected) in [
      ("[new.writestr('top/' + n, b) for n, b in entries.items()]", "\(names) \"top\""),
      ("[new.writestr(n, b) for n, b in entries.items() if n != 'Info.plist']", names),
      ("[new.writestr(d + n, b) for n, b in entries.items() for d in ('x/', 'y/')]", names),
    ] {
      let kept = try site.folder.read(pack)
      let text = script.replacing("PACK", with: "'\(path)'").replacing("CHANGE", with: change)
      try #require(try run("python3", ["-c", text]).status == 0)
      try site.expect([expected, missing], what: "\(change)")
      try site.folder.write(pack, kept)
    }
  }

  @Test func `a pack of another app is a warning`() throws {
    let site = try ExportSite()
    try site.moveIntoApp(identifier: "com.example.other")
    let found = try site.findings(at: "Build")
    #expect(
      found
        == ["A", "B"].map {
          #"Build/OnDemandResources/PACK-\#($0): warning [wrong-contents] "com.example.test" "com.example.other""#
        })
  }

  /// All thinned variants of a pack have the same identifier.
  ///
  /// The names of the variants differ only after the digest of the tags.
  @Test func `one identifier is of one pack or of its variants`() throws {
    let site = try ExportSite()
    let pack = site.pack("A")
    let stem = String(pack.dropLast(".assetpack".count))
    func copy(to path: String) throws {
      try #require(try run("cp", ["-r", site.folder.path(pack), site.folder.path(path)]).status == 0)
    }
    try copy(to: "\(stem)-iPad.assetpack")
    try site.expect([])
    // All variants must have the same tags.
    try site.edit("\(stem)-iPad.assetpack/Info.plist") { $0["Tags"] = ["A", "C"] }
    #expect(try twice(site) == 1)
    try FileOperations.remove(site.folder.path("\(stem)-iPad.assetpack"))
    // The names of variants have the same beginning, up to and including the digest of the tags. A pack with
    // the same name in another folder is a copy.
    for name in [
      pack.replacing("com.example", with: "com.sample"), "out/OnDemandResources/x.assetpack",
      pack.replacing("OnDemandResources/", with: ""),
    ] {
      try copy(to: name)
      #expect(try twice(site) == 1, "\(name)")
      try FileOperations.remove(site.folder.path(name))
    }
  }

  /// Returns the number of findings that a second pack has the identifier of the pack with the tag A.
  private func twice(_ site: ExportSite) throws -> Int {
    let found = try site.findings().filter {
      $0.hasPrefix("out/") && $0.contains(": error [wrong-contents] \"")
    }
    return found.count {
      $0.hasSuffix(" \"ID-A\"") && $0.contains(".assetpack\" ") || $0.hasSuffix("PACK-A\" \"ID-A\"")
    }
  }

  @Test(arguments: [["A"], ["A", "B"]]) func `identifiers that Xcode would not make are counted`(
    tags: [String]
  ) throws {
    let site = try ExportSite()
    for tag in tags {
      let old = site.identifier(tag)
      for path in ["\(site.pack(tag))/Info.plist", "out/\(ExportSite.tags)", "out/\(ExportSite.manifest)"] {
        let text = try PropertyListSerialization.propertyList(from: site.folder.read(path), format: nil)
        let xml = try PropertyListSerialization.data(fromPropertyList: text, format: .xml, options: 0)
        try site.folder.write(
          path, String(decoding: xml, as: UTF8.self).replacing(old, with: old.dropLast(4) + "beef"))
      }
      if tag == "A" { try site.editResource(identifier: old.dropLast(4) + "beef") }
    }
    let found = try XcodeExport(site.path, jobs: 1).diagnostics.filter { $0.severity == .note }
    #expect(found.map(\.facts) == ["note [wrong-contents] \(tags.count)"])
  }
}

extension ExportSite {
  /// Removes the size of a resource from the manifest, for tests that change the resource's pack.
  fileprivate func editResource(identifier: String) throws {
    try edit("out/\(Self.manifest)") { list in
      list["resources"] = (list["resources"] as? [List])?.map { resource in
        var resource = resource
        if resource["bundleKey"] as? String == identifier { resource["uncompressedSize"] = nil }
        return resource
      }
    }
  }
}
