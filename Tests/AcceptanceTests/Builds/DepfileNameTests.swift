@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Compares names in depfiles with the names that make and ninja read.
@Suite(.noHang) struct DepfileNameTests {
  private static let characters = Array(" #:$\\&()[]{}?!\"',=@~+-.%a*;|<^`é\t\n").map(String.init)

  /// All names that consist of one or two special characters, the same characters inside other names, and
  /// some longer names.
  private static let names: [String] = {
    var names: Set<String> = []
    for first in characters {
      for second in [""] + characters {
        for (before, behind) in [("", ""), ("x", "y"), ("x", ""), ("", "y")] {
          names.insert(before + first + second + behind)
        }
      }
    }
    var generator = SeededRandom(seed: 17)
    for _ in 0..<500 {
      let length = Int.random(in: 3...7, using: &generator)
      names.insert((0..<length).map { _ in characters.randomElement(using: &generator) ?? "" }.joined())
    }
    return names.subtracting([".", ".."]).sorted { $0.precedesInBytes($1) }
  }()

  /// The names that a depfile can contain, with their escaped spellings.
  ///
  /// For each name, there is a file.
  private let sayable: [(path: String, spelling: String)]
  private let folder: TemporaryFolder

  init() throws {
    let folder = try TemporaryFolder()
    try folder.write("z", "")
    let paths = Self.names.flatMap { ["A/\($0)", $0] }.filter { !["A", "z"].contains($0) }
    for path in paths { try folder.write(path, "") }
    sayable = paths.compactMap { path in
      let name = try? DepfileName(Array(path.utf8)) { other in
        FileManager.default.fileExists(atPath: folder.path(String(decoding: other, as: UTF8.self)))
      }
      return name.map { (path, String(decoding: $0.bytes, as: UTF8.self)) }
    }
    self.folder = folder
    for (number, name) in sayable.enumerated() {
      try folder.write(
        "d/\(number)", "t/\(number): \\\n  \(name.spelling) \\\n  z\n\n\(name.spelling):\n\nz:\n")
    }
  }

  @Test(.enabled(if: isInstalled("make"), "make is not installed")) func `make reads each name as it is`()
    throws
  {
    #expect(sayable.count > 1000)
    try folder.write("Makefile", "all:\n" + sayable.indices.map { "include d/\($0)\n" }.joined())
    let result = try run("make", ["-pqrR", "all"], in: folder.path, environment: ["LC_ALL": "C"])
    #expect(result.errors.isEmpty)
    let lines = Set(result.output.utf8.split(separator: UInt8(ascii: "\n")).map { Array($0) })
    for (number, name) in sayable.enumerated() {
      #expect(lines.contains(Array("t/\(number): \(name.path) z".utf8)), "\(name)")
      #expect(lines.contains(Array("\(name.path):".utf8)), "\(name)")
    }
  }

  @Test(.enabled(if: isInstalled("ninja"), "ninja is not installed")) func `ninja reads each name as it is`()
    throws
  {
    // Each name needs a process, so only a sample is tested: every twelfth name on a push, and every third
    // name at night.
    let some = sayable.indices.filter { $0 % sample(12, of: 3) == 0 }
    try folder.write(
      "build.ninja",
      "rule c\n  command = cp d/$n $out.d && : > $out\n  depfile = $out.d\n  deps = gcc\n"
        + some.map { "build t/\($0): c\n  n = \($0)\n" }.joined())
    let result = try run("ninja", ["-k", "0"], in: folder.path)
    #expect(result.status == 0, "\(result.output.suffix(1000))")
    let known = try run("ninja", ["-t", "deps"], in: folder.path).output
    for number in some {
      let name = sayable[number]
      let start = try #require(known.range(of: "t/\(number): #deps 2"), "\(name)")
      let lines = known[start.upperBound...].split(separator: "\n", maxSplits: 3)
      #expect(lines.count > 2 && lines[1].utf8.elementsEqual("    \(name.path)".utf8), "\(name)")
    }
  }
}

/// Tests names that no depfile can contain.
///
/// These tests need no files.
@Suite struct UnsayableNameTests {
  @Test func `long paths are left out`() {
    let path = Array(repeating: UInt8(ascii: "a"), count: 4096)
    #expect(throws: DepfileName.Fault.self) { try DepfileName(path) { _ in false } }
    #expect((try? DepfileName(Array(path.dropLast())) { _ in false }) != nil)
  }

  @Test func `brackets that find another file are left out`() {
    let path = Array("A/x[12].png".utf8)
    #expect((try? DepfileName(path) { _ in false }) != nil)
    #expect((try? DepfileName(path) { $0 == Array("A/x2.png".utf8) }) == nil)
  }

  @Test func `names that make keeps are left out`() throws {
    for name in [".PHONY", ".IGNORE", ".ONESHELL", ".c.o", "~root", "-lc"] {
      #expect((try? DepfileName(Array(name.utf8)) { _ in false }) == nil)
    }
    #expect(try DepfileName(Array(".git".utf8), kind: .folder) { _ in false }.bytes == Array(".git/.".utf8))
    #expect(
      try DepfileName(Array("a (1)".utf8), kind: .folder) { _ in false }.bytes == Array("a\\ (1)/.".utf8))
  }
}
