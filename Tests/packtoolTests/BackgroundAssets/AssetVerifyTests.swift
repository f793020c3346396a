import Foundation
import Support
import Testing
@testable import packtool

/// Tests `verify` with a damaged build for Background Assets.
@Suite struct AssetVerifyTests {
  @Test func `a whole build is right`() throws {
    let site = try AssetSite()
    site.build()
    let run = site.verify()
    #expect(
      run.status == .done
        && run.output == "3 packs, 4 files, 61 bytes: packs, manifests and tags agree\n")
    let json = runTool("verify", site.folder.path("out"), "--format", "json")
    #expect(json.output.contains("\"packs\": 3"))
  }

  /// Each case changes one file.
  ///
  /// A Python expression changes the text `t` of the file. In the file's path, `ID` stands for the id of a
  /// pack.
  @Test(
    arguments: sample(
      8,
      of: [
        ("tags.json", "t.replace('sha256:', 'sha512:', 1)", "[damaged-index]"),
        (
          "tags.json", "t.replace('\"formatVersion\": 1', '\"formatVersion\": 2')",
          "[invalid-ledger] 1"
        ),
        ("tags.json", "t.replace('\"size\": 14', '\"size\": 15')", #"[damaged-pack] "tags.json" 15"#),
        (
          "tags.json", "t.replace('\"tags\": [\\n        \"Musik\"', '\"tags\": [\\n        \"Music\"')",
          "[damaged-index]"
        ),
        ("tags.json", "t.replace('\"ID\": {', '\"../ID\": {')", "[damaged-index]"),
        ("tags.json", "t[:40]", "[damaged-index]"),
        ("tags.json", "'[' * 100000", "[damaged-index]"),
        ("manifests/ID.json", "t[:-3]", "[damaged-index]"),
        ("manifests/ID.json", "t + '// comment'", "[damaged-index]"),
        ("manifests/ID.json", "t.replace('c/1', 'c/2')", #"[wrong-contents] "c/1""#),
        ("manifests/ID.json", "t.replace('\"file\"', '\"directory\"')", "[wrong-contents]"),
        ("manifests/ID.json", "t.replace('ID', 'Other')", #"[wrong-contents] "Other""#),
        ("manifests/ID.json", "t.replace('ID', 'Ot.her')", "[invalid-pack-id]"),
        ("manifests/ID.json", "t.replace('[]', '[\"iPadOS\"]')", #""iOS""#),
        ("manifests/ID.json", "t.replace('onDemand', 'later')", #"[unknown-key] "later""#),
        (
          "manifests/ID.json",
          "t.replace('\"onDemand\": {}', '\"onDemand\": {}, \"prefetch\": {\"installationEventTypes\": [\"firstInstallation\"]}')",
          "[invalid-value] 2"
        ),
        (
          "manifests/ID.json", "t.replace('\"platforms\"', '\"sourceRoot\": \"..\", \"platforms\"')",
          "[wrong-contents]"
        ),
        ("packs/ID/c/1", "t.upper()", "[damaged-pack]"),
        ("packs/ID/c/1", "t + 'x'", #"[damaged-pack] 15 bytes "tags.json" 14"#),
        ("packs/ID/c/more", "'x'", "[damaged-pack]"),
        ("packs/Other/x", "'x'", #"[not-in-index] "packs/Other""#),
        ("manifests/Other.json", "'x'", #"[not-in-index] "manifests/Other.json""#),
        ("archives/Other.aar", "'x'", #"[not-in-index] "archives/Other.aar""#),
        ("notes.txt", "'x'", #"[not-in-index] "notes.txt""#),
      ]))
  func `damage is found`(path: String, change: String, facts: String) throws {
    let site = try AssetSite()
    site.build()
    let id = try site.id(of: "Musik")
    let script = """
      import os
      path = 'out/\(path)'.replace('ID', '\(id)')
      t = open(path).read() if os.path.exists(path) else ''
      os.makedirs(os.path.dirname(path), exist_ok=True)
      new = \(change.replacingOccurrences(of: "ID", with: id))
      assert new != t
      if os.path.exists(path): os.unlink(path)
      open(path, 'w').write(new)
      """
    let result = try run("python3", ["-c", script], in: site.folder.path)
    try #require(result.status == 0, "\(result.errors)")
    let verified = runTool("verify", site.folder.path("out"), "--strict")
    #expect(verified.status == .inputHasErrors && verified.errors.hasFacts(facts), "\(verified.errors)")
  }

  @Test(arguments: ["packs/ID", "packs/ID/c", "manifests/ID.json", "AssetTags.swift", "package.sh"])
  func `what is missing is found`(path: String) throws {
    let site = try AssetSite()
    site.build()
    let id = try site.id(of: "Musik")
    try FileManager.default.removeItem(
      atPath: site.folder.path("out/\(path.replacingOccurrences(of: "ID", with: id))"))
    #expect(site.verify().status == .inputHasErrors)
  }

  /// If there is something else than a file at the path of a file, `verify` neither hangs nor reads it.
  @Test(arguments: ["tags.json", "manifests/ID.json", "packs/ID/c/1", "packs/ID"])
  func `fifos and links are no files`(path: String) throws {
    for command in ["mkfifo", "ln -s /dev/zero", "ln -s ."] {
      let site = try AssetSite()
      site.build()
      let place = site.folder.path(
        "out/\(path.replacingOccurrences(of: "ID", with: try site.id(of: "Musik")))")
      try FileManager.default.removeItem(atPath: place)
      #expect(try run("sh", ["-c", "\(command) \"$1\"", "sh", place]).status == 0)
      #expect(site.verify().status == .inputHasErrors, "\(path): \(command)")
    }
  }

  /// A build refuses two packs that contain the same path.
  ///
  /// `verify` reports such a path, because the packs could have been put together by hand.
  @Test func `a shared path is found`() throws {
    let site = try AssetSite()
    site.build()
    try site.folder.write("out/packs/\(site.id(of: "Musik"))/A/1", "x")
    #expect(site.verify().errors.reports("path-in-two-packs"))
  }

  /// The store counts the sizes of archives.
  ///
  /// If the sizes of all archives are known, their sum is compared with the store's limit.
  @Test func `packed sizes count`() throws {
    let site = try AssetSite()
    site.build()
    for id in site.names("packs") {
      try site.folder.writeSparse("out/\(site.archive(of: id))", size: 70_000_000_000)
    }
    #expect(
      site.verify().errors.reports("total-size", naming: "210,000,000,000 bytes", "210 GB")
    )
    let archive = try site.archive(of: site.names("packs")[0])
    try FileManager.default.removeItem(atPath: site.folder.path("out/\(archive)"))
    #expect(!site.verify().errors.reports("total-size"))
  }

  /// The limits in the manifest apply everywhere the build is checked.
  @Test(arguments: [("10", false), ("2", true), ("null", false)])
  func `limits of the manifest are those of the build`(limit: String, isBroken: Bool) throws {
    let site = try AssetSite(keys: #""limits": {"profile": "background-assets", "packCount": \#(limit)}"#)
    #expect(site.build().errors.reports("pack-count") == isBroken)
    let run = site.verify()
    #expect(run.status == .done && run.errors.reports("pack-count") == isBroken, "\(run.errors)")
    let tags = try site.json("out/tags.json")
    #expect((tags["ownLimits"] as? [String: Any])?.keys.sorted() == ["packCount"])
    #expect(
      runTool("verify", site.folder.path("out"), "--submission").status
        == (isBroken ? .inputHasErrors : .done))
  }

  @Test func `a secret key in a pack is found`() throws {
    let site = try AssetSite()
    site.build()
    let pack = try #require(site.names("packs").first)
    try site.folder.write("out/packs/\(pack)/key", SigningTests.key)
    let run = site.verify()
    #expect(run.status == .inputHasErrors && run.errors.reports("secret-key", naming: "key"), "\(run.errors)")
  }
}
