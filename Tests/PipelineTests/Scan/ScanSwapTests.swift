@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests folders that are replaced after the scan has found them and before it reads them.
@Suite(.noHang) struct ScanSwapTests {
  private let site: ScanSite

  init() throws {
    site = try ScanSite("a/1", "a/deep/2", "b/3")
    try site.folder.write("outside/secret", "secret")
    try site.folder.write("outside/deep/secret", "secret")
  }

  /// Returns a task for a folder in its current state.
  ///
  /// The scanner creates such a task when it finds a folder.
  private func task(_ path: String, in scanner: AssetScanner) throws -> AssetScanner.Task {
    let state = Array(path.utf8).split(separator: UInt8(ascii: "/")).reduce(scanner.rules.root) {
      scanner.rules.state(below: $1, in: $0)
    }
    let identity = try scanner.root.status(of: Array(path.utf8), symlinks: .notFollowed).identity
    return AssetScanner.Task(
      number: 0, path: Array(path.utf8), state: state, identity: identity, isLinked: false)
  }

  private func swap(_ path: String, for target: String) throws {
    try FileOperations.rename(
      site.folder.path("Assets/\(path)"), to: site.folder.path("was \(UUID().uuidString)"))
    try site.link(path, to: target)
  }

  private func read(
    _ path: String, after change: () throws -> Void
  ) throws -> (items: Int, findings: [String]) {
    let scanner = try AssetScanner(site.manifest([.glob("**", "A")]), leavingOut: nil)
    let task = try task(path, in: scanner)
    try change()
    var worker = ScanWorker(scanner)
    let folder = try worker.read(task)
    return (folder.items.count, worker.findings.found.findings.map(\.checkAndValues))
  }

  private func finding(_ path: String) -> String {
    "[file-changed] \"\(path)\""
  }

  @Test func `a folder that nobody touches is read`() throws {
    let read = try read("a/deep") {}
    #expect(read.items == 1 && read.findings.isEmpty)
  }

  @Test(arguments: ["SITE/outside", "../../outside", "../b", "."])
  func `a link in the place of a folder is not followed`(target: String) throws {
    let read = try read("a/deep") { try swap("a/deep", for: target) }
    #expect(read.items == 0 && read.findings == [finding("a/deep")])
  }

  @Test func `a link in the place of a folder above is not gone through`() throws {
    let read = try read("a/deep") { try swap("a", for: "SITE/outside") }
    #expect(read.items == 0 && read.findings == [finding("a/deep")])
  }

  @Test func `another folder in the place is not the one that was met`() throws {
    let read = try read("a/deep") {
      try swap("a/deep", for: "nowhere")
      try FileOperations.remove(site.folder.path("Assets/a/deep"))
      try site.write("a/deep/3")
    }
    #expect(read.items == 0 && read.findings == [finding("a/deep")])
  }

  @Test func `a file in the place is no folder`() throws {
    let read = try read("a/deep") {
      try swap("a/deep", for: "nowhere")
      try FileOperations.remove(site.folder.path("Assets/a/deep"))
      try site.write("a/deep")
    }
    #expect(read.items == 0 && read.findings == [finding("a/deep")])
  }

  @Test func `a folder that went away was never there`() throws {
    let read = try read("a/deep") {
      try swap("a/deep", for: "nowhere")
      try FileOperations.remove(site.folder.path("Assets/a/deep"))
    }
    #expect(read.items == 0 && read.findings == [])
  }

  @Test func `a walk does not go into what took a folder's place`() throws {
    var walk = FolderWalk(try Folder(site.folder.path("Assets")))
    var paths: [String] = []
    while let entry = try walk.next() {
      paths.append(String(decoding: entry.path, as: UTF8.self))
      if paths.last == "b" { try swap("a", for: "SITE/outside") }
    }
    #expect(paths == ["a", "b", "b/3"])
  }

  @Test func `what a path without links stands for`() throws {
    try site.link("a/link", to: "SITE/outside")
    try site.link("a/file", to: "1")
    let root = try Folder(site.folder.path)
    func kind(_ path: String) throws -> FileStatus.Kind? {
      try root.statusWithoutLinks(of: Array(path.utf8))?.kind
    }
    #expect(try kind("Assets/a/1") == .file)
    #expect(try kind("Assets/a/deep") == .folder)
    #expect(try kind("") == .folder)
    #expect(try kind("Assets/a/link") == .link)
    #expect(try kind("Assets/a/link/secret") == nil)
    #expect(try kind("Assets/a/1/x") == nil)
    #expect(try kind("Assets/no/x") == nil)
    #expect(
      try root.openFileWithoutLinks(Array("Assets/a/1".utf8))?.bytes(count: 9, at: 0) == Array("a/1".utf8))
    for path in ["Assets/a/file", "Assets/a/link/secret", "Assets/a/no"] {
      let file = try root.openFileWithoutLinks(Array(path.utf8))
      if file != nil { Issue.record("\(path) was opened") }
    }
  }

  @Test func `a file that another took the place of is as good as gone`() throws {
    let scan = try AssetScan(of: site.manifest([.path("a", "A")]), leavingOut: nil, jobs: 1)
    let root = try #require(scan.root)
    let file = try #require(scan.tree?.files.first { $0.path == "a/1" })
    #expect(try root.open(file).bytes(count: 9, at: 0) == Array("a/1".utf8))
    try swap("a", for: "SITE/outside")
    try site.folder.write("outside/1", "secret")
    #expect(throws: SystemError(during: "open", path: "\(site.folder.path)/Assets/a/1", code: ENOENT)) {
      _ = try root.open(file)
    }
  }
}
