#if Patches
  import Foundation
  import Model
  import Packing
  import Pipeline
  import Support
  import System
  import Testing

  @testable import OnDemand

  /// Tests patches that a hostile server could send.
  ///
  /// The result must be either the right pack or an error with a reason.
  @Suite(.noHang, .mostlyWaits) struct HostilePatchTests {
    /// A file of a recipe.
    ///
    /// `contents` is what the patch should produce.
    private struct File {
      var path: String
      var contents: String
      var method = "whole"
      /// The digest of the old contents that the frame needs.
      ///
      /// The store finds the old contents by this digest.
      var from: String?
      var size: Int?
      /// The bytes of the entry in the patch, if they are something else than a frame with the contents.
      var frame: Data?

      var digest: PublishedDigest { PublishedDigest(of: contents) }
      var line: String { "\(digest.hex) \(size ?? contents.utf8.count) \(path)\n" }
    }

    private static let old = "old contents"

    /// Makes a Zstandard frame that consists of one uncompressed block.
    private static func frame(_ contents: String) -> Data {
      let bytes = Data(contents.utf8)
      var frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0x20, UInt8(bytes.count)])
      let header = UInt32(bytes.count) << 3 | 1
      frame += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
      return frame + bytes
    }

    /// Applies a patch that consists of the given files.
    ///
    /// Returns the error, or the files of the resulting pack.
    private func apply(
      _ files: [File], formatVersion: Int = 1, digest: PublishedDigest? = nil, json: String? = nil,
      change: (inout [RawZip.Entry]) -> Void = { _ in }
    ) throws -> Result<[String: Data], OnDemandError> {
      let folder = try TemporaryFolder()
      try folder.write("old", Self.old)
      let list = PublishedDigest(of: files.map(\.line).joined())
      let recipe: [String: Any] = [
        "formatVersion": formatVersion, "digest": (digest ?? list).rawValue,
        "files": files.map { file in
          let fields: [String: Any?] = [
            "path": file.path, "size": file.size ?? file.contents.utf8.count, "digest": file.digest.rawValue,
            "as": file.method, "from": file.from.map { PublishedDigest(of: $0).rawValue },
          ]
          return fields.compactMapValues { $0 }
        },
      ]
      let text = try json ?? String(decoding: JSONSerialization.data(withJSONObject: recipe), as: UTF8.self)
      var entries = [RawZip.Entry("patch.json", text)]
      entries += files.filter { $0.method != "same" }.map { file in
        RawZip.Entry(file.digest.hex, file.frame ?? Self.frame(file.contents))
      }
      change(&entries)
      let zip = RawZip(entries)
      try folder.write("patch.zip", zip.bytes)
      let pack = Catalog.Pack(
        id: "p", tags: ["T"], size: files.reduce(0) { $0 + Int64($1.size ?? $1.contents.utf8.count) },
        fileCount: Int64(files.count), digest: list, archive: zip.pack.archive)
      let made = "a/b/c/d/e/f/g/h/made"
      let out = URL(fileURLWithPath: folder.path(made))
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
      let sources = [PublishedDigest(of: Self.old).hex: URL(fileURLWithPath: folder.path("old"))]
      do {
        try applyPatch(URL(fileURLWithPath: folder.path("patch.zip")), pack: pack, into: out) { digests in
          sources.filter { digests.contains($0.key) }
        }
      } catch let error as OnDemandError {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
          $0.hasPrefix("a/")
            ? !$0.hasPrefix(made) && !made.hasPrefix($0) : !["a", "old", "patch.zip"].contains($0)
        }
        #expect(names == [], "a patch leads out of its folder")
        #expect(try folder.read("old") == Data(Self.old.utf8))
        return .failure(error)
      }
      #expect(try folder.read("old") == Data(Self.old.utf8))
      return .success(try folder.files(below: "\(made)/files"))
    }

    private func expect(
      _ files: [File], _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let result = try apply(files)
      #expect(
        result == .failure(.damaged(pack: nil, reason: reason)), sourceLocation: sourceLocation)
    }

    @Test func `files are made in three ways`() throws {
      let files = [
        File(path: "a", contents: Self.old, method: "same", from: Self.old),
        File(path: "b/c", contents: "patched", method: "patch", from: Self.old),
        File(path: "d", contents: "whole"),
        File(path: "e", contents: ""),
      ]
      let contents = Dictionary(uniqueKeysWithValues: files.map { ($0.path, Data($0.contents.utf8)) })
      #expect(try apply(files) == .success(contents))
      // The patch contains this file completely, so no contents of the old release are needed.
      var whole = files
      whole[2].from = "unknown"
      #expect(try apply(whole) == .success(contents))
    }

    @Test func `applying patches gives its memory back`() async throws {
      await #expect(processExitsWith: .success) {
        let givesBack = try givesMemoryBack {
          _ = try HostilePatchTests().apply([File(path: "a", contents: "whole")])
        }
        #expect(givesBack)
      }
    }

    @Test func `paths lead nowhere else`() throws {
      for path in [
        "../x", String(repeating: "../", count: 8) + "x", "/x", "a//x", "a/./x", "", "a\\x", "a/", "a\u{0}x",
      ] {
        try expect(
          [File(path: path, contents: "x")],
          "the patch has an invalid path, or the old file that it needs is missing")
      }
    }

    @Test func `recipes that do not fit their pack are refused`() throws {
      let file = File(path: "a", contents: "text")
      try expect([file, file], "two entries of the patch have the same name")
      let same = File(path: "a", contents: Self.old, method: "same", from: Self.old)
      try expect([same, same], "\"a\" occurs twice, or is not in the order of the paths")
      try expect(
        [File(path: "b", contents: "x"), same], "\"a\" occurs twice, or is not in the order of the paths")
      let other = OnDemandError.damaged(
        pack: nil, reason: "the patch makes another pack, or has an unknown format version")
      #expect(try apply([file], formatVersion: 2) == .failure(other))
      #expect(try apply([file], digest: PublishedDigest(of: "x")) == .failure(other))
      let none = OnDemandError.damaged(pack: nil, reason: "the patch does not contain patch.json")
      #expect(try apply([file]) { $0.removeFirst() } == .failure(none))
      let missing = OnDemandError.damaged(pack: nil, reason: "an entry of the patch is missing")
      #expect(try apply([file]) { $0.removeLast() } == .failure(missing))
      let bomb = String(repeating: "[],", count: 200_001)
      let long = OnDemandError.damaged(pack: nil, reason: "it contains more than 400000 JSON values")
      #expect(try apply([file], json: bomb) == .failure(long))
    }

    /// The number of entries is limited because the directory of the patch is kept in memory.
    @Test func `more entries than files are refused`() throws {
      let result = try apply([File(path: "a", contents: "text")]) { entries in
        for number in 0..<3 { entries.append(RawZip.Entry("\(number)", "")) }
      }
      let reason = "the patch has more entries than the pack has files"
      #expect(result == .failure(.damaged(pack: nil, reason: reason)))
    }

    @Test func `sources that are not there are refused`() throws {
      for method in ["same", "patch", "other"] {
        for from in [nil, "unknown"] {
          let file = File(path: "a", contents: Self.old, method: method, from: from)
          try expect([file], "the patch has an invalid path, or the old file that it needs is missing")
        }
      }
    }

    @Test func `contents of another size are refused`() throws {
      let same = File(path: "a", contents: Self.old, method: "same", from: Self.old, size: 13)
      try expect([same], "\"a\" does not have its stated size")
      try expect([File(path: "a", contents: "text", size: 5)], "\"a\" does not have its stated size")
      try expect(
        [File(path: "a", contents: "text", size: 3)], "a Zstandard frame of the patch is damaged or too long")
    }

    @Test func `frames that are wrong are refused`() throws {
      let good = Self.frame("text")
      let frames: [(Data, String)] = [
        (good + [0], "a Zstandard frame of the patch has bytes after its end"),
        (good + good, "a Zstandard frame of the patch has bytes after its end"),
        (good.dropLast(), "a Zstandard frame of the patch is truncated"),
        (good.prefix(9), "a Zstandard frame of the patch is truncated"),
        (Data(), "a Zstandard frame of the patch is truncated"),
        (Data("no frame".utf8), "a Zstandard frame of the patch is damaged or too long"),
        (Self.frame("texts"), "a Zstandard frame of the patch is damaged or too long"),
        (Self.frame("tex"), "\"a\" does not have its stated size"),
      ]
      for (frame, reason) in frames {
        try expect([File(path: "a", contents: "text", frame: frame)], reason)
      }
      // The contents are wrong but have the right size. The digest of the pack shows that they are wrong.
      let other = File(path: "a", contents: "text", frame: Self.frame("TEXT"))
      try expect([other], "its contents do not match the index")
      let changed = File(path: "a", contents: "new contents", method: "same", from: Self.old)
      try expect([changed], "its contents do not match the index")
    }

    /// The store must ignore a list of patches that was changed.
    @Test func `only the list that the index names is taken`() async throws {
      let patched = try PatchSite()
      _ = try patched.build(into: "new", from: ["old"])
      let lists = try patched.published("new", below: "patches/").keys.filter { $0.hasSuffix(".json") }
      let list = try #require(lists.first)
      let honest = try patched.site.folder.read("new/\(list)")
      // Serve the correct list, then the list with an additional byte, then a file that is not a list.
      for (bytes, isTaken) in [(honest, true), (honest + [0x20], false), (Data("[]".utf8), false)] {
        let site = try StoreSite(patched.site.folder.path("old"))
        let store = try await site.updated()
        let request = store.request(for: ["A", "C"])
        try await request.beginAccessing()
        request.endAccessing()
        site.server.serve(patched.site.folder.path("new"))
        site.server.bend { path, answer in
          if path == list { answer = FolderServer.Answer(status: 200, headers: [:], body: bytes) }
        }
        #expect(try await store.takeUpdate() != nil)
        try await store.request(for: ["A", "C"]).beginAccessing()
        let paths = site.server.paths
        #expect(paths.contains(list))
        #expect(paths.contains { $0.hasPrefix("patches/") && $0.hasSuffix(".zip") } == isTaken)
        await store.close()
      }
    }
  }
#endif
