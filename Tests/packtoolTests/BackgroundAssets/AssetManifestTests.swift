import Foundation
import Support
import Testing
@testable import packtool

/// Tests the rules for manifests of `ba-package`.
///
/// The tests use what is known about this tool. They do not use packtool's code.
@Suite struct AssetManifestTests {
  /// Returns every manifest of a build with the name of its file.
  private func manifests(_ site: AssetSite) throws -> [(name: String, content: [String: Any])] {
    try site.names("manifests").map { ($0, try site.json("out/manifests/\($0)")) }
  }

  @Test(arguments: ["26", "27"]) func `manifests hold every rule`(version: String) throws {
    let site = try AssetSite()
    #expect(site.build("--bundle-version", version, "--platforms", "iOS,tvOS").status == .done)
    let manifests = try manifests(site)
    #expect(manifests.count == 3)
    for (name, manifest) in manifests {
      // A manifest's file name must end in .json. App Store Connect accepts only letters, digits and hyphens
      // in ids.
      let id = try #require(manifest["assetPackID"] as? String)
      #expect(name == "\(id).json")
      #expect(id.wholeMatch(of: /[A-Za-z0-9-]+/) != nil)
      let known = Set(["assetPackID", "downloadPolicy", "fileSelectors", "platforms"])
      #expect(Set(manifest.keys) == (version == "27" ? known.union(["sourceRoot"]) : known))
      try expectPolicy(manifest)
      #expect(manifest["platforms"] as? [String] == ["iOS", "tvOS"])
      try expectSelectors(manifest, id, site, version)
    }
  }

  /// A manifest must have exactly one policy.
  ///
  /// If a policy applies at the installation, it must list one or two events.
  private func expectPolicy(_ manifest: [String: Any]) throws {
    let policy = try #require(manifest["downloadPolicy"] as? [String: [String: Any]])
    #expect(policy.count == 1)
    let (name, value) = try #require(policy.first)
    switch name {
    case "essential", "prefetch":
      let events = try #require(value["installationEventTypes"] as? [String])
      #expect(events == ["firstInstallation"])
      #expect(value.count == 1)
    case "onDemand": #expect(value.isEmpty)
    default: Issue.record("there is no policy \(name)")
    }
  }

  /// Checks the selectors.
  ///
  /// Selectors are relative to the working directory or to the source root. The source root is relative to
  /// the manifest. Together, the selectors must select all files of the pack's folder. Every key must exist
  /// in the version.
  private func expectSelectors(
    _ manifest: [String: Any], _ id: String, _ site: AssetSite, _ version: String
  ) throws {
    let selectors = try #require(manifest["fileSelectors"] as? [[String: String]])
    var base = "out/packs/\(id)"
    if version == "27" {
      #expect(selectors.areAll { Set($0.keys) == ["fileSource", "fileDestination"] })
      base = "out/manifests/" + (try #require(manifest["sourceRoot"] as? String))
    } else {
      #expect(selectors.areAll { Set($0.keys) == ["file"] })
    }
    let sources = selectors.compactMap { $0["file"] ?? $0["fileSource"] }
    #expect(
      selectors.allSatisfy { $0["fileDestination"] == nil || $0["fileDestination"] == $0["fileSource"] })
    #expect(sources.sorted() == Array(try site.folder.files(below: base).keys).sorted())
    #expect(sources.areAll { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") })
  }

  @Test func `policies follow the strongest tag`() throws {
    let site = try AssetSite()
    site.build()
    func policy(_ id: String) throws -> [String] {
      let manifest = try site.json("out/manifests/\(id).json")
      return Array(try #require(manifest["downloadPolicy"] as? [String: Any]).keys)
    }
    #expect(try policy(site.id(of: "Level 1")) == ["essential"])
    #expect(try policy(site.id(of: "Boss", "Level 2")) == ["prefetch"])
    #expect(try policy(site.id(of: "Musik")) == ["onDemand"])
    // Without --platforms, a pack is for all platforms.
    #expect(try site.json("out/manifests/\(site.id(of: "Musik")).json")["platforms"] as? [String] == [])
  }

  @Test func `packs may come with updates too`() throws {
    let site = try AssetSite(keys: "\"onUpdate\": true")
    site.build()
    let text = String(
      decoding: try site.folder.read("out/manifests/\(site.id(of: "Level 1")).json"), as: UTF8.self)
    #expect(text.contains("\"firstInstallation\",\n        \"subsequentUpdate\""))
    let other = String(
      decoding: try site.folder.read("out/manifests/\(site.id(of: "Musik")).json"), as: UTF8.self)
    #expect(other.contains("\"onDemand\": {}"))
  }

  /// The digest of a pack is computed from its files as the app sees them.
  ///
  /// So anyone can check the digest.
  @Test(arguments: ["false", "true"]) func `digests are those of the files`(prefix: String) throws {
    let site = try AssetSite(keys: "\"packPrefix\": \(prefix)")
    #expect(site.build().status == .done)
    let script = """
      import hashlib, json, os, sys
      tags = json.load(open('out/tags.json'))
      assert tags['formatVersion'] == 1 and set(tags) == {'formatVersion', 'tags', 'packs'}
      for id, pack in tags['packs'].items():
        assert set(pack) == {'tags', 'size', 'digest'}
        folder = 'out/packs/' + id
        paths = sorted(os.path.relpath(os.path.join(d, f), folder).encode() for d, _, fs in os.walk(folder) for f in fs)
        assert paths
        lines, size = b'', 0
        for path in paths:
          assert path.startswith(id.encode() + b'/') == \(prefix == "true" ? "True" : "False")
          content = open(folder.encode() + b'/' + path, 'rb').read()
          size += len(content)
          lines += b'%s %d %s\\n' % (hashlib.sha256(content).hexdigest().encode(), len(content), path)
        assert pack['size'] == size and pack['digest'] == 'sha256:' + hashlib.sha256(lines).hexdigest()
        for tag in pack['tags']: assert id in tags['tags'][tag]
      assert all(id in tags['packs'] for ids in tags['tags'].values() for id in ids)
      """
    let result = try run("python3", ["-c", script], in: site.folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.verify().status == .done)
  }

  /// An id consists of the joined tags and the beginning of the MD5 of the sorted tags.
  ///
  /// Other characters become one hyphen. The part from the tags neither begins nor ends with a hyphen, and
  /// has at most 40 characters.
  @Test func `ids are made of tags`() throws {
    let site = try AssetSite(
      "1", "2", "3", "4",
      rules: """
        {"path": "1", "tags": ["foo", "bar"]}, {"path": "2", "tags": ["Level  1: Çaves!"]}, {"path": "3", "tags": ["é"]},
        {"path": "4", "tags": ["0123456789012345678901234567890123456789tail"]}
        """)
    #expect(site.build().status == .done)
    func md5(_ text: String) throws -> String {
      String(try run("sh", ["-c", "printf %s \"$1\" | md5sum", "sh", text]).output.prefix(8))
    }
    let expected = [
      // According to the contract, the MD5 of "bar:foo" is 8856328b99ee7881e9bf7205296e056d.
      "bar-foo-8856328b", "Level-1-aves-" + (try md5("Level  1: Çaves!")), "pack-" + (try md5("é")),
      "0123456789012345678901234567890123456789-" + (try md5("0123456789012345678901234567890123456789tail")),
    ]
    #expect(site.names("packs") == expected.sorted())
    #expect(site.names("manifests") == expected.map { "\($0).json" }.sorted())
  }
}
