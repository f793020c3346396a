@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that files are published with renames, all or none.
@Suite struct PublishingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func output(_ layout: Layout = .packtool) -> OutputFolder {
    OutputFolder(folder.path("out"), layout: layout)
  }

  private func rename(_ staged: String, _ target: String, isFolder: Bool = false) throws -> PendingRename {
    PendingRename(
      staged: folder.path(staged), target: folder.path(target),
      replaces: try FileOperations.exists(folder.path(target)), isFolder: isFolder)
  }

  private func texts() throws -> [String: String] {
    try folder.files().mapValues { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `if a rename fails, all renames before it are undone`() throws {
    for name in ["staged 1", "staged 2", "old 2"] { try folder.write(name, name) }
    try folder.write("staged 3/file", "3")
    try folder.write("old 3/other", "old")
    let before = try texts()
    var renames = [
      try rename("staged 1", "new"), try rename("staged 2", "old 2"),
      try rename("staged 3", "old 3", isFolder: true),
      // The renames are undone in reverse order, because this one moves a file that was renamed before.
      PendingRename(
        staged: folder.path("new"), target: folder.path("newer"), replaces: false, isFolder: false),
    ]
    let missing = try rename("none", "last")
    #expect(throws: SystemError.self) { try output().perform(renames + [missing]) }
    #expect(try texts() == before)
    #expect(throws: SystemError.self) { try output().perform([missing] + renames) }
    #expect(try texts() == before)
    renames.removeLast()
    try output().perform(renames)
    #expect(
      try texts().filter { !$0.key.hasPrefix("staged") } == [
        "new": "staged 1", "old 2": "staged 2", "old 3/file": "3",
      ])
  }

  /// The folders can only be synced if they exist.
  @Test func `the folders are synced before the last of several renames`() throws {
    for name in ["one", "two", "three", "packs/x"] { try folder.write(name, name) }
    try folder.write("out/x", "")
    let before = try texts()
    let renames = [try rename("one", "1"), try rename("two", "2"), try rename("three", "3")]
    for count in 2...3 {
      let error = #expect(throws: SystemError.self) {
        try output().performWithSync(Array(renames.prefix(count)))
      }
      #expect(error?.isMissing == true && error?.path == folder.path("out/packs"))
      #expect(try texts() == before)
    }
    try output().performWithSync([renames[0]])
    try output().performWithSync([])
    #expect(try folder.read("1") == Data("one".utf8))
    // The second rename makes the folder that is synced before the third.
    try output().performWithSync([
      renames[1], try rename("packs", "out/packs", isFolder: true), renames[2],
    ])
    #expect(try folder.read("3") == Data("three".utf8))
  }

  @Test func `folders that do not exist cannot be synced`() throws {
    for layout in Layout.allCases {
      try FileOperations.remove(folder.path("out"))
      #expect(throws: SystemError.self, "\(layout)") { try output(layout).syncFolders() }
      try FileOperations.makeFolder(output(layout).packsPath)
      let needsMore = layout == .backgroundAssets
      if needsMore { #expect(throws: SystemError.self) { try output(layout).syncFolders() } }
      try FileOperations.makeFolder(folder.path("out/manifests"))
      try output(layout).syncFolders()
    }
  }

  private func bytes(_ text: String) -> ByteBuffer { ByteBuffer(Array(text.utf8)) }

  private func written(_ text: String) -> WrittenFile {
    WrittenFile(size: Int64(text.utf8.count), digest: sha256(Array(text.utf8)))
  }

  @Test func `lists that are published already are not written again`() throws {
    let output = output(.xcode)
    try FileOperations.makeFolder(output.stagingPath)
    try FileOperations.makeFolder(output.packsPath)
    let lists = [NamedBytes(name: "a/b", bytes: bytes("1")), NamedBytes(name: "c", bytes: bytes("22"))]
    try FileOperations.makeFolder(folder.path("out/a"))
    try folder.write("staged", "pack")
    let pack = try rename("staged", "out/pack")
    let first = try output.publish([pack], lists: lists)
    #expect(first.isListWritten && first.last == PublishedFile(path: "c", file: written("22")))
    #expect(try texts() == ["out/a/b": "1", "out/c": "22", "out/pack": "pack"])
    #expect(try FileOperations.status(of: folder.path("out/c"), symlinks: .notFollowed).isReadableByAll)
    try folder.write("staged", "other")
    let second = try output.publish([try rename("staged", "out/pack")], lists: lists)
    #expect(!second.isListWritten && second.last == first.last)
    #expect(try folder.read("out/pack") == Data("other".utf8))
    let third = try output.publish(
      [], lists: [NamedBytes(name: "c", bytes: bytes("22")), NamedBytes(name: "a/b", bytes: bytes("3"))])
    #expect(third.isListWritten && third.last?.path == "a/b")
    #expect(try output.publish([], lists: []).last == nil)
    #expect(try FileOperations.names(in: output.stagingPath) == ["a"])
  }

  @Test(arguments: [Layout.packtool, .xcode])
  func `only files whose names do not show their content are replaced`(layout: Layout) throws {
    let output = output(layout)
    func pending(_ target: String, _ kind: FileStatus.Kind) throws -> PendingRename? {
      try FileOperations.remove(folder.path("staged"))
      try folder.write(kind == .folder ? "staged/x" : "staged", "new")
      return try output.pendingRename(
        from: folder.path("staged"), to: target, written: written("new"), kind: kind)
    }
    try folder.write("out/old", "old")
    try folder.write("out/same", "new")
    try folder.write("out/folder/x", "old")
    let file = try #require(try pending("old", .file))
    #expect(file.replaces == (layout == .xcode) && !file.isFolder)
    #expect(file.staged == folder.path("staged") && file.target == folder.path("out/old"))
    #expect(try pending("none", .file)?.replaces == false)
    #expect(try pending("same", .file) == nil && !FileOperations.exists(folder.path("staged")))
    let other = try #require(try pending("folder", .folder))
    #expect(other.replaces && other.isFolder)
    #expect(try pending("none", .folder)?.replaces == false)
    #expect(try pending("old", .folder)?.isFolder == true)
    // A folder is the same if its files have the same contents and times.
    try FileOperations.remove(folder.path("staged"))
    try folder.write("staged/x", "old")
    let time = try FileOperations.status(of: folder.path("out/folder/x"), symlinks: .notFollowed).modified
    func same() throws -> PendingRename? {
      try output.pendingRename(
        from: folder.path("staged"), to: "folder", written: written("new"), kind: .folder)
    }
    try FileOperations.setModificationTime(of: folder.path("staged/x"), nanoseconds: time - 1)
    #expect(try same() != nil)
    try FileOperations.setModificationTime(of: folder.path("staged/x"), nanoseconds: time)
    #expect(try same() == nil && !FileOperations.exists(folder.path("staged")))
  }

  @Test func `two folders are the same if their files are`() throws {
    func isSame(_ change: () throws -> Void) throws -> Bool {
      for name in ["one", "two"] {
        try FileOperations.remove(folder.path(name))
        for file in ["a", "b/c", "b/d"] { try folder.write("\(name)/\(file)", "file \(file)") }
        for file in ["a", "b/c", "b/d"] {
          try FileOperations.setModificationTime(of: folder.path("\(name)/\(file)"), nanoseconds: 5)
        }
      }
      try change()
      let results = [("one", "two"), ("two", "one")].map {
        output().isSameFolder(folder.path($0.0), folder.path($0.1))
      }
      #expect(results[0] == results[1])
      return results[0]
    }
    func write(_ path: String, _ text: String) throws {
      try folder.write(path, text)
      try FileOperations.setModificationTime(of: folder.path(path), nanoseconds: 5)
    }
    #expect(try isSame {})
    #expect(try isSame { try FileOperations.setModificationTime(of: folder.path("one/b"), nanoseconds: 7) })
    #expect(try !isSame { try write("two/z", "") } && !isSame { try write("two/A", "") })
    #expect(
      try !isSame { try write("two/b/d", "file b/D") } && !isSame { try write("two/b/d", "more than that") })
    #expect(try !isSame { try FileOperations.makeFolder(folder.path("two/z")) })
    #expect(try !isSame { try FileOperations.removeFile(folder.path("two/b/d")) })
    #expect(
      try !isSame {
        try FileOperations.removeFile(folder.path("two/a"))
        try FileOperations.makeFolder(folder.path("two/a"))
      })
    #expect(try !isSame { try FileOperations.rename(folder.path("two/a"), to: folder.path("two/B")) })
    #expect(try !isSame { try FileOperations.remove(folder.path("two")) })
  }

  @Test func `a published file has a size and a digest`() throws {
    let file = PublishedFile(path: "f", file: written("text"))
    let output = output()
    try folder.write("out/f", "text")
    let status = try FileOperations.status(of: folder.path("out/f"), symlinks: .notFollowed)
    #expect(output.isSame(file) && output.stamp(of: file) == FileStamp(status))
    try folder.write("out/f", "TEXT")
    #expect(!output.isSame(file) && output.stamp(of: file) != nil)
    try folder.write("out/f", "longer")
    #expect(!output.isSame(file) && output.stamp(of: file) == nil)
    #expect(throws: SystemError.self) { try output.requiredStamp(of: file) }
    try FileOperations.removeFile(folder.path("out/f"))
    #expect(!output.isSame(file) && output.stamp(of: file) == nil)
    try folder.write("moved", "text")
    try folder.link("out/f", to: folder.path("moved"))
    #expect(output.stamp(of: file) == nil)
    try FileOperations.removeFile(folder.path("out/f"))
    try folder.write("out/f/1", "text")
    let stamp = output.stamp(of: file)
    #expect(try stamp == FileStamp(ofAllIn: folder.path("out/f")))
    try folder.write("out/f/2", "text")
    #expect(!output.isSame(file) && output.stamp(of: file) != stamp)
  }

  /// For an archive, the Info.plist does not matter.
  @Test func `a pack is intact with its files and its Info.plist`() throws {
    let output = output()
    let files = [("a", "1"), ("b/c", "22")].map {
      AssetFile(path: $0.0, size: Int64($0.1.utf8.count), stamp: .unknown, tagSet: 0, destination: nil)
    }
    let digest = ContentsDigest.digest(of: files, digests: ["1", "22"].map { sha256(Array($0.utf8)) })
    let pack = PublishedPack(digest: digest, archive: PublishedFile(path: "p", file: written("archive")))
    func isIntact(_ info: String? = nil) throws -> Bool {
      try output.isIntact(pack, infoPlist: info.map { bytes($0) })
    }
    #expect(try !isIntact() && !isIntact("info"))
    try folder.write("out/p", "archive")
    #expect(try isIntact() && isIntact("info"))
    try folder.write("out/p", "ARCHIVE")
    #expect(try !isIntact())
    try FileOperations.removeFile(folder.path("out/p"))
    try folder.write("out/p/b/c", "22")
    try folder.write("out/p/a", "1")
    #expect(try isIntact() && !isIntact("info"))
    try folder.write("out/p/Info.plist", "info")
    #expect(try !isIntact() && isIntact("info") && !isIntact("other"))
    try FileOperations.makeFolder(folder.path("out/p/empty"))
    #expect(try isIntact("info"))
    try folder.link("out/p/link", to: "a")
    #expect(try !isIntact("info"))
    try FileOperations.removeFile(folder.path("out/p/link"))
    #expect(mkfifo(folder.path("out/p/fifo"), 0o644) == 0)
    #expect(try !isIntact("info"))
  }

  @Test func `a later change replaces or removes a file`() throws {
    let output = output()
    try folder.write("out/f", "old")
    try LaterChange.replace("f", with: bytes("new")).perform(in: output)
    let status = try FileOperations.status(of: folder.path("out/f"), symlinks: .notFollowed)
    #expect(try folder.read("out/f") == Data("new".utf8))
    try LaterChange.replace("f", with: bytes("new")).perform(in: output)
    #expect(
      try FileOperations.status(of: folder.path("out/f"), symlinks: .notFollowed).identity == status.identity)
    try LaterChange.remove("f").perform(in: output)
    try LaterChange.remove("f").perform(in: output)
    #expect(try !FileOperations.exists(folder.path("out/f")))
    try folder.write("out/g/x", "")
    #expect(throws: SystemError.self) { try LaterChange.remove("g").perform(in: output) }
    #expect(throws: SystemError.self) { try LaterChange.replace("g", with: bytes("")).perform(in: output) }
  }

  @Test func `packs are counted without lists and patches`() {
    var changes = OutputChanges()
    #expect(changes.isNothingWritten && changes.removedPacks == 0)
    changes.removed = [
      "packs/a.zip", "packs/b", "patches/c.zip", "contents.json", "x.plist", "archives/d.aar",
      "packs/e.tar.gz",
    ]
    #expect(changes.removedPacks == 3 && changes.isNothingWritten)
    for change in 0..<3 {
      var changes = OutputChanges()
      switch change {
      case 0: changes.written = ["x"]
      case 1: changes.patches = ["x"]
      default: changes.isListWritten = true
      }
      #expect(!changes.isNothingWritten, "\(change)")
    }
  }
}

/// Tests the lock on an output folder, and the folders that a build makes.
@Suite(.noHang) struct OutputLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func output(_ path: String = "out", _ layout: Layout = .packtool) -> OutputFolder {
    OutputFolder(folder.path(path), layout: layout)
  }

  private func exists(_ path: String) throws -> Bool {
    try FileOperations.exists(folder.path(path), symlinks: .notFollowed)
  }

  @Test func `a folder has one lock`() throws {
    let lock = try OutputLock(output(), lockWait: .fails)
    #expect(try folder.read("out/.packtool/.gitignore") == Data("*\n".utf8))
    let error = #expect(throws: BusyFolder.self) { try OutputLock(output(), lockWait: .fails) }
    #expect(error?.path == folder.path("out"))
    #expect(throws: BusyFolder.self) { try OutputLock(existing: output(), lockWait: .fails) }
    // The lock that another build has is not removed.
    #expect(try exists("out/.packtool/lock") && exists("out/.packtool/.gitignore"))
    withExtendedLifetime(lock) {}
  }

  @Test func `a second build waits for the first`() throws {
    var lock: OutputLock? = try OutputLock(output(), lockWait: .fails)
    let first = Monitor<OutputLock?>(lock)
    lock = nil
    let notices = Monitor(0)
    let second = try OutputLock(
      output(),
      lockWait: .waits(notice: { _ in
        notices.change { $0 += 1 }
        first.change { $0 = nil }
      }))
    #expect(notices.change { $0 } == 1)
    withExtendedLifetime(second) {}
  }

  @Test func `an existing folder is locked if a build has written to it`() throws {
    #expect(try OutputLock(existing: output(), lockWait: .fails) == nil)
    try folder.write("out/x", "")
    #expect(try OutputLock(existing: output(), lockWait: .fails) == nil && !exists("out/.packtool"))
    try FileOperations.makeFolder(folder.path("out/.packtool"))
    #expect(try OutputLock(existing: output(), lockWait: .fails) != nil)
    // The folder was there, so this lock does not write the file for Git.
    #expect(try !exists("out/.packtool/.gitignore"))
    try folder.write("out/packs", "a file")
    #expect(try OutputLock(existing: output(), lockWait: .fails) == nil)
    #expect(throws: Refusal.self) { try OutputLock(output(), lockWait: .fails) }
  }

  @Test func `a folder that cannot be locked is left as it was`() throws {
    // A build of another program has a folder at the path of the lock.
    try folder.write("out/x", "")
    try FileOperations.makeFolder(folder.path("out/.packtool/lock/x"))
    #expect(throws: (any Error).self) { try OutputLock(output(), lockWait: .fails) }
    #expect(try exists("out/.packtool/lock/x") && exists("out/x"))
  }

  @Test func `folders of an unfinished build are removed if not all can be made`() throws {
    try folder.write("out/x", "")
    let lock = try OutputLock(output("out", .backgroundAssets), lockWait: .fails)
    try folder.write("out/manifests", "a file")
    #expect(throws: SystemError.self) { try lock.prepareForWriting() }
    #expect(try !exists("out/packs"))
    lock.abandon(nil)
    #expect(try !exists("out/.packtool") && exists("out/manifests") && exists("out/x"))
  }

  @Test func `the state before a build is that of its folder`() throws {
    try folder.write("out/packs/p", "")
    try folder.write("out/list", "")
    try folder.write("out/patches/0123456789abcdef.0123456789abcdef.json", "")
    try folder.write("out/patches/other", "")
    try folder.write("out/.packtool/staging/left", "")
    let lock = try OutputLock(output(), lockWait: .fails)
    let snapshot = try lock.prepareForWriting()
    #expect(snapshot.made == [] && snapshot.packs == ["p"])
    #expect(snapshot.files == [".packtool", "list", "packs", "patches"])
    #expect(snapshot.patches == ["patches/0123456789abcdef.0123456789abcdef.json"])
    #expect(try FileOperations.names(in: folder.path("out/.packtool/staging")) == [])
    try folder.write("out/.packtool/publishing", "packs/x\n")
    lock.abandon(snapshot)
    // The list of packs is still needed, because the folder is not new.
    #expect(
      try exists("out/.packtool/publishing") && !exists("out/.packtool/staging") && exists("out/packs/p"))
  }

  @Test func `a new folder is removed with its list of packs`() throws {
    let lock = try OutputLock(output("new/out", .backgroundAssets), lockWait: .fails)
    let snapshot = try lock.prepareForWriting()
    #expect(
      snapshot.made
        == ["new", "new/out", "new/out/.packtool", "new/out/packs", "new/out/manifests"].map(folder.path))
    try folder.write("new/out/.packtool/publishing", "packs/x\n")
    lock.abandon(snapshot)
    #expect(try !exists("new"))
  }

  @Test func `a build that published nothing restores its folder`() throws {
    let site = try ScanSite("a/1")
    let output = OutputFolder(site.folder.path("out"))
    var staging: Staging? = try Staging(in: output, under: nil, lockWait: .fails)
    #expect(try FileOperations.exists(output.stagingPath))
    withExtendedLifetime(staging) {}
    staging = nil
    #expect(try !FileOperations.exists(output.path))
    staging = try Staging(in: output, under: nil, lockWait: .fails)
    staging?.keepPublishedFiles()
    staging = nil
    #expect(try FileOperations.exists(output.stagingPath) && FileOperations.exists(output.packsPath))
    // The lock is free again.
    #expect(try OutputLock(existing: output, lockWait: .fails) != nil)
  }

  @Test func `the cache of a folder is removed or kept`() throws {
    try folder.write("out/.packtool/record", "")
    try output().finish(with: .kept)
    #expect(try exists("out/.packtool/record") && output().hasRecordFolder)
    try output().finish(with: .removed)
    #expect(try !exists("out/.packtool") && !output().hasRecordFolder)
  }
}
