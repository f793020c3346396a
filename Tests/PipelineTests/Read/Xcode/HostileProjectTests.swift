@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests damaged and malicious projects.
///
/// Each must soon result in a finding with the ID and the position of the object.
@Suite(.noHang) struct HostileProjectTests {
  private func findings(_ text: String) throws -> [String] {
    try ProjectResources.read(SourceText(path: "p", bytes: Array(text.utf8))).diagnostics.map { finding in
      let position = finding.place.position.map { "\($0.line):\($0.column): " } ?? ""
      return "\(position)\(finding.checkAndValues)"
    }
  }

  private var project: TestProject {
    var project = TestProject()
    project.add("a.png", tags: "x")
    return project
  }

  @Test(arguments: [
    ("", "1:1: [project-syntax]"),
    ("{", "1:2: [project-syntax]"),
    ("{ a", #"1:4: [project-syntax] "=" "a""#),
    ("{ a = b }", #"1:9: [project-syntax] ";" "}" "a""#),
    ("{ a = ( b c ); }", #"1:11: [project-syntax] "," "c" "a""#),
    ("{ a = { b = \"c; }; }", #"1:13: [project-syntax] "a.b""#),
    ("{ a = <zz>; }", #"1:8: [project-syntax] "z" "a""#),
    ("{ a = b; } c", #"1:12: [project-syntax] "c""#),
    ("/* never", #"1:1: [project-syntax] "*/""#),
    ("{ a = b;\n<<<<<<< HEAD\n}", "2:1: [project-syntax]"),
    (
      "bplist00",
      "1:1: [project-syntax]"
    ),
    ("{ \"a\": 1 }", #"1:6: [project-syntax] "=" ":" "a""#),
  ])
  func `text that cannot be read is reported at its place`(text: String, facts: String) throws {
    #expect(try findings(text) == [facts])
  }

  /// Returns a project with nested groups that have these paths.
  ///
  /// The innermost group contains the files.
  private func nested(_ paths: [String], files: Int) -> TestProject {
    var project = TestProject()
    for file in 0..<files {
      project.objects["N\(file)"] = "isa = PBXFileReference; path = f\(file); sourceTree = \"<group>\";"
      project.addBuildFile(of: "N\(file)", tags: "x")
    }
    for (number, path) in paths.enumerated() {
      let isLast = number == paths.count - 1
      let children = isLast ? (0..<files).map { "N\($0)" }.joined(separator: ", ") : "G\(number + 1)"
      project.objects["G\(number)"] =
        "isa = PBXGroup; path = \"\(path)\"; sourceTree = \"<group>\"; children = ( \(children) );"
    }
    project.addChild("G0")
    return project
  }

  private func items(_ project: TestProject) throws -> (count: Int, excesses: Int) {
    let (resources, diagnostics) = try ProjectResources.read(
      SourceText(path: "p", bytes: Array(project.text.utf8)))
    return (resources?.items.count ?? -1, diagnostics.filter { $0.check.id == "project-syntax" }.count)
  }

  @Test func `groups and their paths have limits, each with one finding`() throws {
    let deep = { nested(Array(repeating: "g", count: $0), files: 3) }
    // The main group of the project counts as a level as well, so there is one level more than there are
    // groups around a file.
    #expect(try items(deep(ProjectPathResolver.deepestGroup - 2)) == (3, 0))
    #expect(try items(deep(ProjectPathResolver.deepestGroup)) == (0, 1))
    #expect(try items(deep(sample(2_000, of: 20_000))) == (0, 1))
    let long = { nested([Array(repeating: "a", count: $0).joined(separator: "/")], files: 3) }
    #expect(try items(long(2_046)) == (3, 0))
    #expect(try items(long(2_047)) == (0, 1))
    #expect(try items(long(sample(10_000, of: 100_000))) == (0, 1))
    // There is a limit for the total number of path components as well. Each file here has 2,000 components,
    // and it counts twice: as a path and as an item.
    let many = try items(nested([Array(repeating: "a", count: 2_000).joined(separator: "/")], files: 2_000))
    #expect(many.excesses == 1 && (1_000..<1_100).contains(many.count), "\(many)")
  }

  @Test func `a project that was cut short names the object`() throws {
    let text = project.text
    let end = text.range(of: "F0 /* a comment */")?.lowerBound
    let cut = end.map { String(text[..<$0]) } ?? ""
    #expect(try findings(cut).count == 1)
    #expect(
      try findings(cut)[0].hasSuffix(#"[project-syntax] "objects.B0.fileRef""#))
  }

  @Test func `every beginning of a project ends in findings`() throws {
    let bytes = Array(project.text.utf8)
    for count in stride(from: 0, to: bytes.count - 2, by: isWhole ? 3 : 15) {
      let (resources, diagnostics) = try ProjectResources.read(
        SourceText(path: "p", bytes: Array(bytes[..<count])))
      #expect(resources == nil && !diagnostics.isEmpty)
    }
  }

  @Test func `any byte changed ends in a value or in findings`() throws {
    let bytes = Array(project.text.utf8)
    var generator = SeededRandom(seed: 6)
    for _ in 0..<sample(100, of: 3000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let (resources, diagnostics) = try ProjectResources.read(SourceText(path: "p", bytes: changed))
      #expect(resources != nil || !diagnostics.isEmpty)
    }
  }

  @Test(arguments: ["(", "{a=", "({a="]) func `any depth is too deep`(unit: String) throws {
    let findings = try findings(String(repeating: unit, count: sample(10_000, of: 100_000)))
    #expect(findings.count == 1 && findings[0].contains("[project-syntax] 256"))
  }

  @Test func `references to nothing name both ends`() throws {
    var project = project
    project.addBuildFile(of: "NOWHERE", tags: "x")
    project.setTarget("fileSystemSynchronizedGroups = ( NOSYNC, );")
    project.objects["RES"] = "isa = PBXResourcesBuildPhase; files = ( B0, B1, NOBUILD, );"
    let found = try findings(project.text)
    for values in [#""B1" "NOWHERE""#, #""App" "NOBUILD""#, #""App" "NOSYNC""#] {
      #expect(found.contains { $0.hasSuffix("[damaged-project] \(values)") }, "\(found)")
    }
    #expect(found.count == 3 && found.areAll { $0.contains("[damaged-project]") })
  }

  @Test func `a cycle of groups is reported once for each file in it`() throws {
    var project = TestProject()
    project.objects["G1"] = "isa = PBXGroup; children = ( G2, ); sourceTree = \"<group>\";"
    project.objects["G2"] = "isa = PBXGroup; children = ( G1, X, ); sourceTree = \"<group>\";"
    project.objects["X"] = "isa = PBXFileReference; path = x; sourceTree = \"<group>\";"
    project.addBuildFile(of: "X", tags: "x")
    let found = try findings(project.text)
    #expect(found.count == 1)
    #expect(
      found[0].contains(#"[damaged-project] "G2" "G1" "G2""#)
    )
  }

  @Test func `a group in itself, and a long chain, come to an end`() throws {
    var project = TestProject()
    project.objects["G0"] = "isa = PBXGroup; children = ( G0, X, ); sourceTree = \"<group>\";"
    project.objects["X"] = "isa = PBXFileReference; path = x; sourceTree = \"<group>\";"
    project.addBuildFile(of: "X", tags: "x")
    #expect(try findings(project.text).count == 1)
    let longest = sample(3_000, of: 30_000)
    for number in 0..<longest {
      project.objects["G\(number)"] =
        "isa = PBXGroup; children = ( G\(number + 1), ); sourceTree = \"<group>\";"
    }
    project.objects["G\(longest)"] = "isa = PBXGroup; children = ( X, ); sourceTree = \"<group>\";"
    let found = try findings(project.text)
    #expect(found.count == 1, "\(found)")
    #expect(
      found[0].contains("[project-syntax]") && found[0].names("\(ProjectPathResolver.deepestGroup)"),
      "\(found)")
  }

  @Test func `an object that lists repeat is read once`() throws {
    var project = TestProject()
    let many = { (id: String) in String(repeating: "\(id), ", count: 100) }
    project.addBuildFile(of: "V", tags: "x")
    project.objects["V"] = "isa = PBXVariantGroup; children = ( \(many("X"))); sourceTree = \"<group>\";"
    project.objects["X"] = "isa = PBXFileReference; path = x; sourceTree = \"<group>\";"
    project.objects["RES"] = "isa = PBXResourcesBuildPhase; files = ( \(many("B0"))); "
    project.addChild("V")
    project.objects["APP"] = project.objects["APP"]?.replacingOccurrences(of: "RES, ", with: many("RES"))
    let text = SourceText(path: "p", bytes: Array(project.text.utf8))
    #expect(try ProjectResources.read(text).resources?.items.count == 1)
  }

  @Test func `objects of the wrong kind are reported`() throws {
    #expect(
      try findings("{ a = b; }") == [#"1:1: [damaged-project] "objects""#])
    #expect(
      try findings("{ objects = { }; }") == [
        #"1:1: [damaged-project] "rootObject""#
      ])
    #expect(
      try findings("{ objects = { A = b; }; rootObject = A; }") == [
        #"1:19: [damaged-project] "A""#,
        #"1:38: [damaged-project] "A""#,
      ])
    #expect(
      try findings("{ objects = { A = { }; A = { }; }; rootObject = A; }")[0].hasSuffix("\"A\""))
  }

  @Test func `a file of 30 MB is read`() throws {
    let million = sample(10_000, of: _isDebugAssertConfiguration() ? 100_000 : 1_000_000)
    let object = "\t\tO /* x */ = {isa = PBXBuildFile; };\n"
    let text =
      "{ objects = {\n" + String(repeating: object, count: million / 2 + million / 4) + "}; rootObject = P; }"
    let found = try findings(text)
    #expect(found.count == 22 && found.areAll { $0.contains("[damaged-project]") })
  }
}
