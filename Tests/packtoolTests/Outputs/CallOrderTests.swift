import Foundation
import Support
import Testing

import Formats
import Model
@testable import packtool

/// Tests the order of the system calls that publish files.
///
/// A file must be on the disk before it gets its name. All files in a list must be on the disk before the
/// list gets its name.
@Suite(
  .noHang, .enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct CallOrderTests {
  /// The moment at which a file or folder gets its name.
  private struct Publication {
    /// The number of the call that gives the file its name.
    let number: Int
    let source: String
    /// Whether the file was flushed after the last write to it.
    let isOnDisk: Bool

    var name: String { lastName(of: source) }
  }

  /// The calls of a run.
  ///
  /// All paths are relative to the folder of a test.
  private struct Calls {
    let all: [String]
    var publications: [Publication] = []

    init(_ calls: [String], in folder: TemporaryFolder) {
      all = calls.map { $0.replacing("\(folder.path)/", with: "") }
      var unsafe: Set<String> = []
      for (number, call) in all.enumerated() {
        let words = call.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { continue }
        switch words[0] {
        case "write", "pwrite": unsafe.insert(words[1])
        case "fsync", "fdatasync": unsafe.remove(words[1])
        case "syncfs": unsafe = []
        case let name where name.hasPrefix("rename"):
          let own = unsafe.filter { $0 == words[1] || $0.hasPrefix("\(words[1])/") }
          publications.append(Publication(number: number, source: words[1], isOnDisk: own.isEmpty))
          unsafe.subtract(own)
        default: continue
        }
      }
    }

    /// Returns the numbers of the calls that flush a folder or a file.
    func flushes(of path: String) -> [Int] { all.indices.filter { all[$0] == "fsync \(path)" } }
  }

  /// Runs packtool without faults, and returns the calls that change files.
  private func calls(of arguments: [String], in folder: TemporaryFolder) throws -> Calls {
    let shim = try #require(FaultShim.shared)
    return Calls(try shim.calls(of: packtoolProgram(), arguments, in: folder.path), in: folder)
  }

  /// Expects that all files are on the disk before the last file gets its name, and that the names are on the
  /// disk after that.
  private func expectOrder(
    _ calls: Calls, last name: String, folders: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = calls.publications.last { $0.name == name }
    let last = try #require(found, sourceLocation: sourceLocation)
    let published = calls.publications.filter { $0.number <= last.number }
    #expect(published.count > 2, sourceLocation: sourceLocation)
    for publication in published {
      #expect(publication.isOnDisk, "\(publication.source)", sourceLocation: sourceLocation)
    }
    let before = try #require(published.dropLast().last).number
    for folder in folders {
      let flushes = calls.flushes(of: folder)
      let comment: Comment = "\(folder): \(flushes), publications \(published.map(\.number))"
      #expect(
        flushes.contains { $0 < last.number && $0 > before - 3 }, comment, sourceLocation: sourceLocation)
      #expect(flushes.contains { $0 > last.number }, comment, sourceLocation: sourceLocation)
    }
  }

  @Test(
    arguments: [
      (FaultSite.Form.zip, ["out/packs", "out"]), (.patches, ["out/packs", "out"]),
      (.folder, ["out/packs", "out"]), (.tarGzip, ["out/packs", "out"]), (.hosted, ["out"]),
      (.xcode, ["out"]),
      (.backgroundAssets, ["out/packs", "out/manifests", "out"]),
    ] as [(FaultSite.Form, [String])])
  func `a build is on the disk before its last list has its name`(form: FaultSite.Form, folders: [String])
    throws
  {
    let site = try FaultSite(form)
    try site.set(.one)
    let made = try calls(of: site.arguments, in: site.folder)
    try expectOrder(made, last: form.lastName, folders: folders)
    // The folder is new, so its own name must be on the disk as well.
    let named = try #require(made.publications.first).number
    #expect(made.all[..<named].contains { $0 == "fsync \(site.folder.path)" })
    try site.set(.two)
    try expectOrder(calls(of: site.arguments, in: site.folder), last: form.lastName, folders: folders)
  }

  @Test func `patches are on the disk before the index that names their lists`() throws {
    let site = try FaultSite.changed(.patches)
    let made = try calls(of: site.arguments, in: site.folder)
    let patches = made.publications.filter {
      $0.source.contains("/staging/patches/") || $0.name.hasPrefix("patches.")
    }
    let index = try #require(made.publications.last { $0.name == "index.json" }).number
    #expect(patches.count > 1 && patches.allSatisfy { $0.isOnDisk && $0.number < index })
    let last = try #require(patches.last).number
    #expect(made.flushes(of: "out/patches").contains { $0 > last && $0 < index })
  }

  @Test func `a shard and a merge are on the disk before their last files have their names`() throws {
    let site = try FaultSite(.zip)
    try site.set(.one)
    for shard in 1...2 {
      let made = try calls(
        of: ["build", "-o", "shard\(shard)", "-j", "1", "--shard", "\(shard)/2"], in: site.folder)
      let last = try #require(made.publications.last { $0.name == "shard.json" })
      let published = made.publications.filter { $0.number <= last.number }
      #expect(published.count > 1 && published.allSatisfy(\.isOnDisk), "\(made.all)")
      #expect(made.flushes(of: "shard\(shard)/packs").contains { $0 < last.number })
    }
    let merged = try calls(of: ["merge", "shard1", "shard2", "-o", "out", "-j", "1"], in: site.folder)
    try expectOrder(merged, last: "index.json", folders: ["out/packs", "out"])
  }

  /// After a power failure, a file has its name only if its content is on the disk.
  ///
  /// After the end of a build, all files have their names, even after a power failure.
  @Test(.disabled(if: isPortable, "POSIX has no call that writes one file system to its disk"))
  func `unpacked files are on the disk before they have their names`() throws {
    let site = try FaultSite(.zip)
    try site.set(.one)
    #expect(site.build().status == .done)
    let unpacked = try calls(of: ["unpack", "out", "--all", "-o", "new", "-j", "1"], in: site.folder).all
    let synced = unpacked.indices.filter { unpacked[$0].hasPrefix("syncfs") }
    let named = unpacked.indices.filter { unpacked[$0].hasPrefix("linkat") }
    let written = unpacked.indices.filter {
      unpacked[$0].hasPrefix("write") && unpacked[$0].contains("unpack")
    }
    #expect(named.count == 4 && synced.count == 2)
    #expect(try #require(written.last) < synced[0] && synced[0] < named[0])
    #expect(try #require(named.last) < synced[1])
  }
}
