@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests that the sources contain code that reports findings of every check.
@Suite struct ReportedCheckTests {
  /// Every name that comes after a dot in the sources.
  ///
  /// Comments, and the folder with the texts of the kinds, are skipped.
  private static let members = Result { () throws -> Set<String> in
    let lines = try texts(below: "Sources") { !$0.hasPrefix("Formats/Findings/Checks/") }.utf8
      .split(separator: UInt8(ascii: "\n")).filter {
        !$0.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
      }
    return Set(
      lines.flatMap { line in
        line.split { !isWord($0) }.flatMap {
          $0.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst()
        }
      }.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Returns whether a byte can be part of a name or is the dot before a name.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The name of each kind's constant in the sources, by the ID of the kind.
  private static let names = Result { () throws -> [String: String] in
    let declaration = /static let (\w+) = \w+\(\s*"([a-z0-9-]+)"/
    let found = try texts(below: "Sources/Formats/Findings/Checks") { _ in true }.matches(of: declaration)
    return Dictionary(uniqueKeysWithValues: found.map { (String($0.2), String($0.1)) })
  }

  private static func texts(below folder: String, _ isIncluded: (String) -> Bool) throws -> String {
    let root = URL(fileURLWithPath: "\(packageFolder)/\(folder)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") && isIncluded($0) }.sorted().map {
      try String(contentsOf: root.appending(path: $0), encoding: .utf8)
    }.joined(separator: "\n")
  }

  /// The names of all checks that are declared as values.
  private static let reported =
    FileCheck.all.flatMap(\.kinds) + PackCheck.all.flatMap(\.kinds)

  @Test(arguments: Check.all) func `a check is a value's kind, or some source reports it`(check: Check) throws
  {
    if Self.reported.contains(check) { return }
    let name = try #require(try Self.names.get()[check.id], "no kind has the id \(check.id)")
    #expect(try Self.members.get().contains(name), "nothing reports \(check.id)")
  }

  @Test func `every kind is in the list of checks`() throws {
    let listed = Set(Check.all.map(\.id))
    #expect(try Self.names.get().keys.filter { !listed.contains($0) } == [])
    #expect(Self.reported.filter { !listed.contains($0.id) } == [])
  }
}
