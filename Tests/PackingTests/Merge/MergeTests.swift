@testable import Archiving
@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the description of a shard, and shards that a merge refuses.
@Suite struct MergeTests {
  private static let rules: [TestRule] = [
    .path("a", "A"), .path("b", "B", "C"), .path("c", "C", to: "moved"),
  ]

  private let site: ScanSite

  init() throws { site = try ScanSite("a/1", "a/2", "b/é", "c/3") }

  @discardableResult
  private func shard(
    _ kind: ShardKind?, into output: String, _ settings: TestSettings = .test(.zip),
    rules: [TestRule] = Self.rules
  ) throws -> BuildResult {
    _ = try site.manifest(rules, container: settings.container)
    var request = site.request(into: output, settings)
    request.shard = kind
    let result = try request.run(Policy())
    try #require(result.release != nil, "\(result.findings.map(\.message))")
    return result
  }

  private func parts(_ count: Int, _ settings: TestSettings = .test(.zip)) throws {
    for number in 1...count {
      try shard(.part(try #require(Shard(number, of: count))), into: "part \(number)", settings)
    }
  }

  private func makeRequest(_ parts: [String], into output: String = "merged") -> MergeRequest {
    MergeRequest(shardFolders: parts.map { site.folder.path($0) }, output: site.folder.path(output), jobs: 2)
  }

  /// Merges shards, which must be refused.
  ///
  /// Returns the place of the only finding and the values in its message.
  private func refusal(_ parts: String..., change: (inout MergeRequest) -> Void = { _ in }) throws -> [String]
  {
    var request = makeRequest(parts)
    change(&request)
    let result = try request.run()
    #expect(result.release == nil && result.changes.isNothingWritten)
    #expect(try !FileOperations.exists(site.folder.path("merged")))
    let finding = try #require(result.findings.last)
    #expect(result.findings.count == 1 && finding.check == .unusableShard && finding.severity == .error)
    let names = [finding.place.path, finding.message].map { $0.replacing("\(site.folder.path)/", with: "") }
    return [names[0], values(in: names[1])]
  }

  @Test func `a shard describes its packs and their files`() throws {
    let result = try shard(.part(try #require(Shard(1, of: 1))), into: "part")
    let text = String(decoding: try site.folder.read("part/shard.json"), as: UTF8.self)
    let plan = try #require(result.plan)
    let settings = PackSettings(container: .zip, entryTime: 1_000_000_000)
    var head = String(
      decoding: ShardFormat(shard: .part(try #require(Shard(1, of: 1))), whole: plan, settings: settings).head
        .array(),
      as: UTF8.self)
    #expect(text.hasPrefix(head))
    let packs = zip(plan.packs, result.packs).map { pack, published in
      let files = pack.files.map { number in
        let file = plan.tree.files[number]
        let source = file.destination == nil ? "" : ", \"source\": \"\(file.path)\""
        let digest = sha256(Array(file.path.utf8)).prefixed
        return
          "\n      {\"path\": \"\(file.packPath)\"\(source), \"size\": \(file.size), \"digest\": \"\(digest)\"}"
      }
      let tags = pack.tags.map { "\"\($0)\"" }.joined(separator: ", ")
      let file = published.archive
      return
        "\n    {\"id\": \"\(pack.identity.identifier)\", \"tags\": [\(tags)], \"path\": \"\(file.path)\", "
        + "\"size\": \(file.file.size), \"digest\": \"\(file.file.digest.prefixed)\", "
        + "\"contents\": \"\(published.digest.prefixed)\", \"modified\": 1000000000000000000, \"files\": ["
        + files.joined(separator: ",") + "\n    ]}"
    }
    #expect(text.dropFirst(head.count) == packs.joined(separator: ",") + "\n  ]\n}\n")
    head.removeLast(",\n  \"packs\": [".count)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data((head + "}").utf8)) as? [String: Any])
    #expect(Set(json.keys) == ["formatVersion", "shard", "shards", "plan", "settings", "build", "release"])
    #expect(json["plan"] as? String == plan.digest.prefixed && json["shards"] as? Int == 1)
    let read = try ShardContents(in: site.folder.path("part/"))
    #expect(read.folder == site.folder.path("part") && read.packs.map(\.tags) == plan.packs.map(\.tags))
    #expect(read.packs.map(\.published.archive) == result.packs.map(\.archive))
    #expect(read.packs.map(\.published.digest) == result.packs.map(\.digest))
    #expect(read.packs.flatMap(\.files).compactMap(\.source) == ["c/3"])
    #expect(read.packs.map(\.modified) == plan.packs.map { _ in 1_000_000_000_000_000_000 })
  }

  @Test func `a shard without packs is complete, too`() throws {
    try parts(5)
    for number in 1...5 {
      let text = String(decoding: try site.folder.read("part \(number)/shard.json"), as: UTF8.self)
      #expect(
        text.hasSuffix("\"packs\": []\n}\n")
          == (try ShardContents(in: site.folder.path("part \(number)")).packs.isEmpty))
    }
    #expect(try makeRequest((1...5).map { "part \($0)" }).run().release?.packs.count == 3)
  }

  /// Writes a shard file in which some members have other values.
  private func forge(_ part: String, _ change: (inout [String: Any]) throws -> Void) throws {
    let data = try site.folder.read("\(part)/shard.json")
    var shard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    try change(&shard)
    try site.folder.write("\(part)/shard.json", JSONSerialization.data(withJSONObject: shard))
  }

  private func isReadable(_ change: (inout [String: Any]) throws -> Void) throws -> Bool {
    let original = try site.folder.read("part 1/shard.json")
    defer { try? site.folder.write("part 1/shard.json", original) }
    try forge("part 1", change)
    do {
      _ = try ShardContents(in: site.folder.path("part 1"))
      return true
    } catch let refusal as Refusal {
      #expect(refusal.diagnostic.check == .unusableShard)
      #expect(refusal.diagnostic.place.path == site.folder.path("part 1/shard.json"))
      return false
    }
  }

  @Test func `each member of a shard is checked`() throws {
    try parts(1)
    #expect(try isReadable { _ in })
    for key in ["formatVersion", "shard", "shards", "plan", "settings", "build", "release", "packs"] {
      #expect(try !isReadable { $0[key] = nil }, "\(key)")
      #expect(try !isReadable { $0[key] = "x" }, "\(key)")
    }
    #expect(try !isReadable { $0["formatVersion"] = 2 } && !isReadable { $0["shard"] = 2 })
    #expect(try !isReadable { $0["shards"] = 0 } && !isReadable { $0["shards"] = 10_001 })
    #expect(try isReadable { $0["shards"] = 10_000 })
    func member(_ group: String, _ key: String, _ value: Any?) throws -> Bool {
      try isReadable { shard in
        var members = try #require(shard[group] as? [String: Any])
        members[key] = value
        shard[group] = members
      }
    }
    for key in ["layout", "container", "compression", "contentHash", "entryTime"] {
      #expect(try !member("build", key, nil) && !member("build", key, "other"), "\(key)")
    }
    #expect(try !member("build", "layout", "background-assets") && member("build", "layout", "xcode"))
    #expect(try member("build", "urlPrefix", "https://x/") && !member("build", "urlPrefix", "a b"))
    for key in [
      "taggedPaths", "bundleIdentifier", "limits", "initialInstallTags", "prefetchTagOrder", "untagged",
    ] {
      #expect(try !member("release", key, nil) && !member("release", key, 1), "\(key)")
    }
    #expect(
      try !member("release", "untagged", ["fileCount": 1]) && !member("release", "untagged", ["size": 1]))
    #expect(try member("release", "untagged", ["fileCount": 1, "size": ByteSize.largestExact]))
    #expect(try !member("release", "untagged", ["fileCount": 1, "size": ByteSize.largestExact + 1]))
    #expect(
      try !member("release", "initialInstallTags", [1]) && member("release", "initialInstallTags", ["A"]))
    #expect(try member("release", "taggedPaths", [["path": "a", "tags": ["A"]]]))
    for rule in [["path": "a"], ["tags": ["A"]], ["path": "/a", "tags": ["A"]], ["path": "a", "tags": "A"]]
      as [[String: Any]]
    {
      #expect(try !member("release", "taggedPaths", [rule]), "\(rule)")
    }
    #expect(try !member("release", "ownLimits", 1) && member("release", "ownLimits", [String: Int]()))
  }

  @Test func `each pack and each file of a shard is checked`() throws {
    try parts(1)
    func pack(_ key: String, _ value: Any?) throws -> Bool {
      try isReadable { shard in
        var packs = try #require(shard["packs"] as? [[String: Any]])
        packs[0][key] = value
        shard["packs"] = packs
      }
    }
    for key in ["id", "tags", "path", "size", "digest", "contents", "modified", "files"] {
      #expect(try !pack(key, nil) && !pack(key, true), "\(key)")
    }
    #expect(try !pack("tags", [String]()) && !pack("size", -1) && !pack("size", ByteSize.largestExact + 1))
    #expect(try pack("size", ByteSize.largestExact) && pack("modified", -5) && !pack("modified", 0.5))
    func file(_ key: String, _ value: Any?) throws -> Bool {
      try isReadable { shard in
        var packs = try #require(shard["packs"] as? [[String: Any]])
        var files = try #require(packs[0]["files"] as? [[String: Any]])
        files[0][key] = value
        packs[0]["files"] = files
        shard["packs"] = packs
      }
    }
    for key in ["path", "size", "digest"] { #expect(try !file(key, nil) && !file(key, true), "\(key)") }
    for path in ["../a", "/a", "", "a/../b", "a//b", "."] {
      #expect(try !file("path", path) && !file("source", path), "\(path)")
    }
    #expect(try file("source", "x/y") && !file("source", 1) && file("path", "x/y"))
    #expect(try file("size", AssetFile.largest) && !file("size", AssetFile.largest + 1))
    #expect(try !file("size", -1))
  }

  @Test func `a missing shard is told from a whole build`() throws {
    try shard(nil, into: "whole")
    #expect(try refusal("whole")[0] == "whole/shard.json")
    #expect(try refusal("whole")[1] == #""whole" "packtool build --shard""#)
    #expect(try refusal("none")[1] == #""none/shard.json" "packtool build --shard""#)
    try site.folder.write("damaged/shard.json", "{}")
    #expect(try refusal("damaged") == ["damaged/shard.json", #""damaged/shard.json""#])
    try FileOperations.makeFolder(site.folder.path("folder/shard.json"))
    #expect(try refusal("folder")[1] == #""folder/shard.json" "packtool build --shard""#)
    #expect(throws: Refusal.self) { try MergedShards([]) }
    let manifest = try site.manifest(Self.rules)
    #expect(throws: Refusal.self) { try MergedShards([], of: manifest) }
  }

  @Test func `missing shards are counted`() throws {
    func missing(_ count: Int, _ numbers: Int...) throws -> String {
      for number in numbers {
        try shard(.part(try #require(Shard(number, of: count))), into: "part \(number) of \(count)")
      }
      var request = makeRequest(numbers.map { "part \($0) of \(count)" })
      request.jobs = 1
      let result = try request.run()
      #expect(result.findings.first?.place.path == site.folder.path("part \(numbers[0]) of \(count)"))
      return values(in: try #require(result.findings.first).message)
    }
    #expect(try missing(2, 2) == "1 2")
    #expect(try missing(3, 3) == "1 3 2 3")
    let ten = (2...11).map { "\($0) 11" }.joined(separator: " ")
    #expect(try missing(11, 1) == ten)
    #expect(try missing(12, 1) == (2...11).map { "\($0) 12" }.joined(separator: " ") + " 1")
    #expect(try missing(13, 2, 1) == (3...12).map { "\($0) 13" }.joined(separator: " ") + " 1")
  }

  @Test func `archives that are gone, links or folders are refused`() throws {
    try parts(2)
    let path = try #require(
      try site.folder.files(below: "part 1/packs").keys.first.map { "part 1/packs/\($0)" })
    let whole = try site.folder.read(path)
    let (absolute, named) = (site.folder.path(path), "\"\(path)\"")
    try FileOperations.removeFile(absolute)
    #expect(try refusal("part 1", "part 2") == [path, named])
    try site.folder.write("moved", whole)
    try site.folder.link(path, to: site.folder.path("moved"))
    #expect(try refusal("part 1", "part 2") == [path, named])
    try FileOperations.removeFile(absolute)
    try FileOperations.makeFolder(absolute)
    #expect(try refusal("part 1", "part 2") == [path, named])
    try FileOperations.remove(absolute)
    try site.folder.write(path, whole.flipped(at: whole.count - 1))
    #expect(try refusal("part 1", "part 2") == ["part 1", "\(named) \"part 1\""])
    try site.folder.write(path, whole)
    let merged = try makeRequest(["part 1", "part 2"]).run()
    #expect(merged.release != nil && merged.changes.written.count == 3)
    #expect(merged.output == site.folder.path("merged"))
    // The sizes in the list are those of the entries, so the archive must be a zip with these files.
    let names = try site.published("merged").keys.filter { $0.hasPrefix("contents.") }
    let list = String(decoding: try site.folder.read("merged/\(try #require(names.first))"), as: UTF8.self)
    #expect(list.components(separatedBy: "\"packed\": 3,").count == 4)
  }

  /// The largest archives are copied first, and archives of the same size in the order of the plan.
  @Test func `of several damaged archives, one thread always finds the same`() throws {
    for (file, text) in [("a/1", "x"), ("a/2", "y"), ("c/3", "1234")] { try site.write(file, text) }
    let result = try shard(.part(try #require(Shard(1, of: 1))), into: "part")
    let sizes = try #require(result.plan).packs.map(\.size)
    #expect(sizes.sorted() == [2, 4, 4])
    let places = [0, 1, 2].filter { sizes[$0] == 4 } + [0, 1, 2].filter { sizes[$0] == 2 }
    let paths = places.map { "part/\(result.packs[$0].archive.path)" }
    for path in paths {
      let whole = try site.folder.read(path)
      try site.folder.write(path, whole.flipped(at: whole.count - 1))
    }
    for path in paths {
      let found = try refusal("part", change: { $0.jobs = 1 })
      #expect(found == ["part", "\"\(path)\" \"part\""])
      let damaged = try site.folder.read(path)
      try site.folder.write(path, damaged.flipped(at: damaged.count - 1))
    }
  }

  @Test(arguments: [false, true])
  func `folders are copied with their files, their times and their permissions`(isXcode: Bool) throws {
    var layout = LayoutChoice(layout: isXcode ? .xcode : .packtool)
    layout.urlPrefix = "https://example.com/"
    layout.contentHash = isXcode ? .modtime : nil
    let settings = TestSettings(container: .folder, layout: layout)
    try site.write("a/deep/er/4")
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/a/1"), nanoseconds: 1_234_567_890_000_000_000)
    try parts(2, settings)
    _ = try run("chmod", ["-R", "go-rwx", "part 1", "part 2"], in: site.folder.path)
    #expect(try makeRequest(["part 1", "part 2"]).run().release != nil)
    func listing(_ folder: String) throws -> [String] {
      let found = try run(
        "find", [folder, "-name", ".packtool", "-prune", "-o", "-path", "*/*/*", "-printf", "%P %y %T@\\n"],
        in: site.folder.path)
      return found.output.split(separator: "\n").map(String.init)
    }
    #expect(try listing("merged").count > 10)
    #expect(try listing("merged").sorted() == (listing("part 1") + listing("part 2")).sorted())
    let closed = try run(
      "find", ["merged/\(isXcode ? "OnDemandResources" : "packs")", "-mindepth", "1", "!", "-perm", "-go=r"],
      in: site.folder.path)
    #expect(closed.output == "")
  }

  @Test func `folders with other files are refused`() throws {
    try parts(2, .test(.folder))
    let pack = try #require(
      try FileOperations.names(in: site.folder.path("part 1/packs")).first.map { "part 1/packs/\($0)" })
    try site.folder.write("\(pack)/more", "more")
    #expect(try refusal("part 1", "part 2") == ["part 1", "\"\(pack)\" \"part 1\""])
    try FileOperations.removeFile(site.folder.path("\(pack)/more"))
    #expect(mkfifo(site.folder.path("\(pack)/more"), 0o644) == 0)
    #expect(try refusal("part 1", "part 2")[0] == "\(pack)/more")
    try FileOperations.removeFile(site.folder.path("\(pack)/more"))
    try site.folder.python("import os, sys; open(os.fsencode(sys.argv[1]) + b'/\\xff', 'w').close()", [pack])
    #expect(try refusal("part 1", "part 2") == [pack, "\"\(pack)\""])
    try FileOperations.rename(site.folder.path(pack), to: site.folder.path("moved"))
    #expect(try refusal("part 1", "part 2") == [pack, "\"\(pack)\""])
    try site.folder.write(pack, "a file")
    #expect(try refusal("part 1", "part 2") == [pack, "\"\(pack)\""])
    try FileOperations.removeFile(site.folder.path(pack))
    try site.folder.link(pack, to: site.folder.path("moved"))
    #expect(try refusal("part 1", "part 2") == [pack, "\"\(pack)\""])
  }

  @Test func `only layouts with an index can be signed`() throws {
    var layout = LayoutChoice(layout: .xcode)
    layout.urlPrefix = "https://example.com/"
    let settings = TestSettings(container: .zip, layout: layout)
    try parts(2, settings)
    let key = try SecretKey(ReleaseNumberTests.key, password: nil)
    #expect(
      try refusal("part 1", "part 2", change: { $0.signing = Signing(key, number: nil, expiryText: nil) })[1]
        == "\"xcode\"")
    #expect(try makeRequest(["part 1", "part 2"]).run().release != nil)
    try FileOperations.remove(site.folder.path("part 1"))
    try FileOperations.remove(site.folder.path("part 2"))
    try parts(2)
    var signed = makeRequest(["part 1", "part 2"], into: "signed")
    signed.signing = Signing(key, number: 4, expiryText: nil)
    #expect(try signed.run().release?.edition?.number == 4)
    signed.signing = Signing(key, number: 3, expiryText: nil)
    #expect(try signed.run().findings.map(\.check) == [.staleRelease])
  }

  @Test func `a merge removes older packs and its cache, or keeps them`() throws {
    try parts(2)
    let first = try #require(try makeRequest(["part 1", "part 2"]).run().release)
    let before = first.packs.compactMap(\.published?.archive.path)
    try site.write("a/1", "changed")
    try parts(2)
    var request = makeRequest(["part 1", "part 2"])
    request.keepsOld = true
    let kept = try request.run()
    #expect(kept.changes.removed == [] && kept.changes.written.count == 1)
    #expect(try before.allSatisfy { try FileOperations.exists(site.folder.path("merged/\($0)")) })
    #expect(try FileOperations.exists(site.folder.path("merged/.packtool/record")))
    request.keepsOld = false
    request.state = .removed
    let removed = try request.run().changes.removed
    #expect(
      removed.filter { $0.hasPrefix("packs/") }
        == before.filter { !(kept.release?.packs.compactMap(\.published?.archive.path).contains($0) ?? true) }
    )
    #expect(try !FileOperations.exists(site.folder.path("merged/.packtool")))
    let lock = try OutputLock(OutputFolder(site.folder.path("merged")), lockWait: .fails)
    #expect(throws: BusyFolder.self) { try request.run() }
    withExtendedLifetime(lock) {}
  }

  /// The shards of a manifest for some packs belong to a release of the same app.
  @Test func `shards of manifests fit the manifest of the release`() throws {
    for (name, rule) in [("one", Self.rules[0]), ("two", Self.rules[1]), ("three", Self.rules[2])] {
      try shard(.manifest, into: name, rules: [rule])
    }
    try shard(.manifest, into: "best", .test(.zip, .best), rules: [Self.rules[1]])
    try shard(.manifest, into: "one again", rules: [Self.rules[0]])
    try shard(.part(try #require(Shard(1, of: 1))), into: "part")
    _ = try site.manifest(Self.rules)
    let path = site.folder.path("Manifest.json")
    func values(_ parts: String...) throws -> String {
      var request = makeRequest(parts)
      request.manifest = path
      let result = try request.run()
      #expect(result.release == nil)
      let message = try #require(result.findings.last).message
      return Support.values(in: message.replacing("\(site.folder.path)/", with: ""))
    }
    #expect(try values("one", "best") == #""one" "best" "default" "best""#)
    #expect(try values("one", "two", "one again") == #""one" "one again" "A""#)
    #expect(try values("one", "part") == #""part" 1 1"#)
    #expect(try refusal("one", "two")[1] == #""one""#)
    var request = makeRequest(["one", "two", "three"])
    request.manifest = path
    let merged = try request.run()
    #expect(merged.release?.packs.count == 3 && merged.manifest != nil)
    try shard(nil, into: "whole")
    #expect(try site.published("merged") == site.published("whole"))
    try forge("one") { shard in
      var release = try #require(shard["release"] as? [String: Any])
      release["bundleIdentifier"] = "com.example.other"
      shard["release"] = release
    }
    #expect(try values("one", "two", "three") == #""one" "com.example.other" "com.example.test""#)
    #expect(try values("two", "one", "three") == #""one" "com.example.other" "com.example.test""#)
  }

  @Test func `mistakes in the manifest of the release refuse a merge`() throws {
    try shard(.manifest, into: "one", rules: [Self.rules[0]])
    var request = makeRequest(["one"])
    request.manifest = site.folder.path("Manifest.json")
    try site.folder.write("Manifest.json", "{")
    let result = try request.run()
    #expect(result.release == nil && result.findings.hasErrors)
    #expect(result.findings.areAll { $0.place.path == request.manifest }, "\(result.findings.map(\.message))")
    #expect(try !FileOperations.exists(site.folder.path("merged")))
  }

  @Test func `shards of another version of packtool are refused`() throws {
    try parts(1)
    try forge("part 1") { shard in
      var settings = try #require(shard["settings"] as? [String: Any])
      settings["packtool"] = "0.0.0"
      shard["settings"] = settings
    }
    #expect(try refusal("part 1") == ["part 1", "\"0.0.0\" \"\(packtoolVersion)\""])
    try forge("part 1") { $0["plan"] = Digest.zero.prefixed }
    #expect(try refusal("part 1")[0] == "part 1")
    try parts(1)
    try forge("part 1") { shard in
      var release = try #require(shard["release"] as? [String: Any])
      release["limits"] = "other"
      shard["release"] = release
    }
    #expect(try refusal("part 1") == ["part 1", #""part 1" "other""#])
  }
}
