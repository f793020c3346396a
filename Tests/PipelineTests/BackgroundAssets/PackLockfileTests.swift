@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests lockfiles: how they are read and written, and which versions they give.
@Suite struct PackLockfileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("lock.json") }

  private static let digest = "sha256:" + String(repeating: "0123456789abcdef", count: 4)

  private func ledger(_ text: String, of app: String? = nil) throws -> PackLockfile {
    try folder.write("lock.json", text)
    return try PackLockfile(ledger: path, of: app)
  }

  private func ids(_ text: String, host: AssetPackHost = .apple) throws -> PackLockfile {
    try folder.write("lock.json", text)
    return try PackLockfile(idMap: path, host: host)
  }

  private func text(_ file: PackLockfile) -> String { String(decoding: file.bytes.array(), as: UTF8.self) }

  private func digest(_ byte: UInt8) -> Digest { sha256([byte]) }

  @Test func `a file is written as it was read`() throws {
    let whole = """
      {
        "formatVersion": 1,
        "bundleIdentifier": "com.example.game",
        "ids": {
          "A": "x",
          "B": "y"
        },
        "packs": {
          "x": {"version": 3, "digest": "\(Self.digest)", "size": 5, "downloadSize": 7, "userInfo": {"a": [1]}},
          "y": {"version": 1},
          "z": {"version": 9007199254740991}
        }
      }

      """
    let file = try ledger(whole)
    #expect(file.diagnostics == [] && text(file) == whole)
    #expect(file.bundleIdentifier == "com.example.game" && file.ids == ["A": "x", "B": "y"])
    #expect(file.packs["x"]?.size == 5 && file.packs["x"]?.downloadSize == 7)
    #expect(file.packs["x"]?.digest?.prefixed == Self.digest && file.packs["y"]?.digest == nil)
    let plain = """
      {
        "formatVersion": 1,
        "bundleIdentifier": null,
        "packs": {
          "x": {"version": 3}
        }
      }

      """
    #expect(try text(ledger(plain)) == plain)
    let empty = "{\n  \"formatVersion\": 1,\n  \"bundleIdentifier\": \"a.b\",\n  \"packs\": {}\n}\n"
    #expect(try text(ledger(empty)) == empty)
    let map = "{\n  \"A\": \"x\",\n  \"B\": \"y\"\n}\n"
    #expect(try text(ids(map)) == map)
    var mixed = try ids(map)
    mixed.bundleIdentifier = "a.b"
    #expect(
      text(mixed).contains(
        "\"a.b\",\n  \"ids\": {\n    \"A\": \"x\",\n    \"B\": \"y\"\n  },\n  \"packs\": {}\n}"))
  }

  @Test func `a missing file is empty`() throws {
    for file in [try PackLockfile(ledger: path), try PackLockfile(idMap: path, host: .apple)] {
      #expect(file.packs.isEmpty && file.ids.isEmpty && file.diagnostics == [] && file.path == path)
      #expect(text(file) == "{}\n")
    }
    #expect(try PackLockfile(ledger: path, of: "a.b").bundleIdentifier == "a.b")
  }

  @Test func `a folder or another kind of JSON is a mistake`() throws {
    let ledger = try PackLockfile(ledger: folder.path)
    #expect(ledger.diagnostics.map(\.check) == [.invalidLedger])
    #expect(ledger.diagnostics.map(\.place) == [Place(folder.path)])
    #expect(try PackLockfile(idMap: folder.path, host: .apple).diagnostics.map(\.check) == [.invalidIDMap])
    for text in ["[]", "3", "\"x\"", "null"] {
      #expect(try self.ledger("\n\(text)").diagnostics.map(\.place.position?.line) == [2], "\(text)")
      #expect(try ids(text).diagnostics.map(\.check) == [.invalidIDMap], "\(text)")
    }
    #expect(try self.ledger("{").diagnostics.map(\.check) == [.jsonSyntax])
  }

  /// A finding of one line: its place, its check and its values.
  private func lines(_ file: PackLockfile) -> [String] { file.diagnostics.rendered }

  @Test func `mistakes in versions have their places`() throws {
    let text = """
      {"formatVersion": 2, "bundleIdentifier": "a.b", "packs": {
        "a": {"version": "1"},
        "b": {"version": 9007199254740992},
        "c": {},
        "d/e": {"version": 1},
        "f": {"version": 1, "digest": "md5:00"},
        "g": {"version": 2}
      }}
      """
    let file = try ledger(text)
    #expect(
      lines(file) == [
        "1:1: error [invalid-ledger] 1", #"2:8: error [invalid-ledger] "a""#,
        #"3:8: error [invalid-ledger] "b" 9,007,199,254,740,992 9,007,199,254,740,991"#,
        #"4:8: error [invalid-ledger] "c""#, #"5:3: error [invalid-ledger] "d/e""#,
        #"6:33: error [invalid-ledger] "f""#,
      ])
    #expect(file.packs.keys.sorted() == ["f", "g"])
  }

  @Test func `a lockfile belongs to one app`() throws {
    let text = "{\"formatVersion\": 1, \"bundleIdentifier\": \"a.b\", \"packs\": {}}"
    #expect(try ledger(text, of: "a.b").diagnostics == [])
    let other = try ledger(text, of: "c.d")
    #expect(other.diagnostics.map(\.facts) == [#"error [foreign-ledger] "a.b" "c.d""#])
    #expect(other.diagnostics.map(\.place) == [Place(path)] && other.bundleIdentifier == "c.d")
    #expect(try ledger(text).bundleIdentifier == "a.b")
  }

  @Test func `mistakes in ids have their places`() throws {
    let text = """
      {
        "A": "x",
        "B": 3,
        "C": "X",
        "D": "a.b",
        "E": "/"
      }
      """
    let file = try ids(text)
    #expect(
      lines(file) == [
        #"3:8: error [invalid-id-map] "B""#, #"4:8: error [identifier-collision] "X" "A" "C""#,
        #"5:8: error [invalid-pack-id] "a.b" "D""#, #"6:8: error [invalid-id-map] "/" "E""#,
      ])
    #expect(file.ids == ["A": "x", "C": "X", "D": "a.b", "E": "/"])
    let own = try ids("{\"D\": \"a.b\", \"E\": \"/\"}", host: .ownServer)
    #expect(own.diagnostics.map(\.checkAndValues) == [#"[invalid-id-map] "/" "E""#])
    let versions = try ledger("{\"formatVersion\": 1, \"packs\": {}, \"ids\": {\"A\": \"a/b\"}}")
    #expect(versions.diagnostics.map(\.check) == [.invalidLedger] && versions.ids == ["A": "a/b"])
  }

  @Test func `a version rises with the contents alone`() {
    var file = PackLockfile(path: path, packs: ["old": PackLockfile.Entry(version: 7)])
    func entry(_ id: String) -> [Int64?] {
      [file.packs[id]?.version, file.packs[id]?.size, file.packs[id]?.downloadSize]
    }
    file.assignVersion(toPack: "new", digest: digest(1), size: 10, downloadSize: nil)
    #expect(entry("new") == [1, 10, nil] && file.packs["new"]?.digest == digest(1))
    file.assignVersion(toPack: "new", digest: digest(1), size: 11, downloadSize: 5)
    #expect(entry("new") == [1, 11, 5])
    file.assignVersion(toPack: "new", digest: digest(1), size: 11, downloadSize: nil)
    #expect(entry("new") == [1, 11, 5])
    file.assignVersion(toPack: "new", digest: digest(2), size: 12, downloadSize: nil)
    #expect(entry("new") == [2, 12, nil] && file.packs["new"]?.digest == digest(2))
    file.assignVersion(toPack: "new", digest: digest(1), size: 13, downloadSize: 6)
    #expect(entry("new") == [3, 13, 6])
    // Another tool assigned this version, so the contents are not known.
    file.assignVersion(toPack: "old", digest: digest(3), size: 1, downloadSize: nil)
    #expect(entry("old") == [7, 1, nil] && file.packs["old"]?.digest == digest(3))
    #expect(file.packs.count == 2)
  }

  @Test func `a version can be the highest`() {
    let highest = PackLockfile.highestVersion
    let versions = ["a": highest, "b": highest - 1, "c": highest + 1]
    let file = PackLockfile(path: path, packs: versions.mapValues { PackLockfile.Entry(version: $0) })
    let found = file.exhaustedVersions(of: ["b", "a", "d", "c"])
    #expect(
      found.map(\.facts) == ["a", "c"].map { #"error [invalid-ledger] "\#($0)" 9,007,199,254,740,991"# })
    #expect(found.areAll { $0.place == Place(path) })
  }

  @Test func `published versions are in the lockfile`() {
    let packs = ["x": PackLockfile.Entry(version: 3), "w": PackLockfile.Entry(version: 1)]
    var file = PackLockfile(path: path, packs: packs)
    func found(_ version: Int64, id: String = "x", _ digests: [String: Digest] = [:]) -> [Diagnostic] {
      let pack = DownloadManifest.Pack(
        id: id, url: "u", version: version, downloadSize: 1, policy: .null, userInfo: nil)
      let first = DownloadManifest.Pack(
        id: "w", url: "u", version: 1, downloadSize: 1, policy: .null, userInfo: nil)
      return file.findings(
        comparedWith: DownloadManifest(path: "published", packs: [pack, first]), digests: digests)
    }
    #expect(found(2).isEmpty && found(3).isEmpty)
    #expect(found(4).map(\.facts) == [#"error [rewound-ledger] "published" "x" 4"#])
    #expect(found(1, id: "y").map(\.checkAndValues) == [#"[rewound-ledger] "published" "y" 1"#])
    #expect(found(4).map(\.place) == [Place(path)])
    file.packs["x"]?.digest = digest(1)
    #expect(found(3).isEmpty && found(3, ["x": digest(1)]).isEmpty && found(2, ["x": digest(2)]).isEmpty)
    let other = found(3, ["x": digest(2)])
    #expect(other.map(\.check) == [.rewoundLedger] && other.map(\.message) != found(4).map(\.message))
  }
}

/// Tests the download manifest of packs on the developer's own server.
@Suite struct DownloadManifestTests {
  private static let text = """
    {
      "assetPacks": [
        {
          "downloadPolicy": {
            "onDemand": {}
          },
          "downloadSize": 7,
          "host": {
            "thirdParty": {}
          },
          "id": "a",
          "url": "https://example.com/a",
          "version": 2
        },
        {
          "downloadPolicy": null,
          "downloadSize": 8,
          "host": {
            "thirdParty": {}
          },
          "id": "b",
          "url": "https://example.com/b",
          "userInfo": {
            "key": 1
          },
          "version": 3
        }
      ]
    }

    """

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> DownloadManifest {
    try folder.write("m.json", text)
    return try #require(try DownloadManifest(reading: folder.path("m.json")))
  }

  @Test func `a file is written as it was read`() throws {
    let read = try read(Self.text)
    #expect(read.diagnostics == [] && read.json.text == Self.text)
    #expect(read.packs.map(\.id) == ["a", "b"] && read.packs.map(\.version) == [2, 3])
    #expect(read.packs.map(\.downloadSize) == [7, 8] && read.path == folder.path("m.json"))
    #expect(read.pack("b")?.url == "https://example.com/b" && read.pack("c") == nil)
    let sorted = DownloadManifest(path: "m", packs: read.packs.reversed())
    #expect(sorted.packs.map(\.id) == ["a", "b"] && sorted.json.text == Self.text)
  }

  @Test func `each mistake has its place`() throws {
    let members = ["\"id\": \"a\"", "\"url\": \"u\"", "\"version\": 1", "\"downloadSize\": 1"]
    func pack(without number: Int? = nil) -> String {
      "{\(members.indices.filter { $0 != number }.map { members[$0] }.joined(separator: ", "))}"
    }
    let lines = [pack()] + members.indices.map { pack(without: $0) } + [pack(), "3"]
    let read = try read("{\"assetPacks\": [\n\(lines.joined(separator: ",\n"))]}")
    #expect(read.diagnostics.map(\.place.position?.line) == [3, 4, 5, 6, 7, 8])
    #expect(read.diagnostics.areAll { $0.check == .damagedIndex && $0.severity == .error })
    #expect(read.diagnostics.map { $0.names("\"a\"") } == [false, false, false, false, true, false])
    #expect(read.packs.map(\.id) == ["a", "a"])
  }

  @Test func `another file is no manifest`() throws {
    #expect(try DownloadManifest(reading: folder.path("missing.json")) == nil)
    for text in ["{}", "[]", "{\"assetPacks\": {}}", "{"] {
      let read = try read(text)
      #expect(read.diagnostics.map(\.check) == [.damagedIndex] && read.packs.isEmpty, "\(text)")
    }
    let whole = try #require(try DownloadManifest(reading: folder.path))
    #expect(whole.diagnostics.map(\.check) == [.damagedIndex])
    #expect(whole.diagnostics.map(\.place) == [Place(folder.path)])
  }
}
