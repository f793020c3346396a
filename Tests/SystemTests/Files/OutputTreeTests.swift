import Foundation
import Support
@testable import System
import Testing

/// Tests files that are written below a folder with a descriptor of this folder.
@Suite struct OutputTreeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func stage(_ name: String, _ bytes: [UInt8], in tree: OutputTree) throws {
    try tree.stage(name).append(bytes.span.bytes)
  }

  @Test func `a file gets its path with the folders above it`() throws {
    let tree = try OutputTree(folder.path)
    try stage("0", [1, 2], in: tree)
    try tree.publish(stagedFile: "0", as: Array("a/b/c".utf8), existing: .isKept)
    try tree.clearStaging()
    #expect(try folder.files() == ["a/b/c": Data([1, 2])])
  }

  @Test(arguments: [true, false]) func `what stands there goes only where it is replaced`(replacing: Bool)
    throws
  {
    try folder.write("a/b", "old")
    let tree = try OutputTree(folder.path)
    try stage("0", [1], in: tree)
    if replacing {
      try tree.publish(stagedFile: "0", as: Array("a/b".utf8), existing: .isReplaced)
    } else {
      #expect { try tree.publish(stagedFile: "0", as: Array("a/b".utf8), existing: .isKept) } throws: {
        error in
        (error as? SystemError)?.isExisting == true
      }
    }
    try tree.clearStaging()
    #expect(try folder.files() == ["a/b": replacing ? Data([1]) : Data("old".utf8)])
  }

  @Test func `links are not followed`() throws {
    let other = try TemporaryFolder()
    try folder.link("a", to: other.path)
    let tree = try OutputTree(folder.path)
    try stage("0", [1], in: tree)
    for existing in [OutputTree.ExistingFile.isReplaced, .isKept] {
      #expect(throws: SystemError.self) {
        try tree.publish(stagedFile: "0", as: Array("a/b".utf8), existing: existing)
      }
    }
    #expect(try tree.obstacle(to: Array("a/b".utf8)) == .noFolder(Array("a".utf8)))
    #expect(try other.files().isEmpty)
  }

  @Test(
    arguments: [
      ("free", nil), ("free/below", nil), ("file", .file), ("folder", .folder), ("link", .file),
      ("file/below", .noFolder(Array("file".utf8))),
      ("folder/file/below", .noFolder(Array("folder/file".utf8))),
      (".packtool-unpack/0", .noFolder(Array(".packtool-unpack".utf8))),
    ] as [(String, OutputTree.Obstacle?)])
  func `obstacles are reported`(path: String, obstacle: OutputTree.Obstacle?) throws {
    try folder.write("file", "")
    try folder.write("folder/file", "")
    try folder.link("link", to: "nowhere")
    let tree = try OutputTree(folder.path)
    #expect(try tree.obstacle(to: Array(path.utf8)) == obstacle)
  }

  @Test func `what another run left is cleared`() throws {
    try folder.write(".packtool-unpack/old/file", "")
    let tree = try OutputTree(folder.path)
    #expect(try folder.files(below: ".packtool-unpack").isEmpty)
    try tree.clearStaging()
    #expect(!FileManager.default.fileExists(atPath: folder.path(".packtool-unpack")))
  }
}
