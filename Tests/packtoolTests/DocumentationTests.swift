import Foundation
@testable import Model
@testable import packtool
@testable import Play
import Support
import Testing

/// Compares the pages of the repository with the repository itself: files, links and the graph of targets.
@Suite struct DocumentationTests {
  private static let folders = ["Sources/Model/Model.docc", "Sources/packtool/packtool.docc"]

  /// All pages, by their paths in the repository.
  private static let pages =
    ["README.md"]
    + folders.flatMap { folder in
      let names = try? FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/\(folder)")
      return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }

  private static func text(_ page: String) throws -> String {
    try String(contentsOfFile: "\(packageFolder)/\(page)", encoding: .utf8)
  }

  /// Returns the words in backticks that look like paths below Sources or Tests.
  ///
  /// Braces are expanded.
  private static func paths(in text: String) -> [String] {
    text.matches(of: /`((?:Sources|Tests)\/[^`\s<>*]+)`/).flatMap { expanded(String($0.output.1)) }
  }

  /// Expands braces: `a/{b,c}.swift` becomes `a/b.swift` and `a/c.swift`.
  private static func expanded(_ path: String) -> [String] {
    guard let match = path.firstMatch(of: /\{([^{}]*)\}/) else { return [path] }
    return match.output.1.split(separator: ",").flatMap { choice in
      expanded(path.replacingCharacters(in: match.range, with: choice))
    }
  }

  /// If a message refers to a page of `help`, the page must exist, and contain the names in the message.
  @Test func `pages that messages refer to contain the names in the message`() throws {
    var topics: [String] = []
    for sentence in try SourceSentence.all.get() {
      let text = sentence.parts.joined(separator: "…")
      guard text.contains("packtool help "), let found = text.firstMatch(of: /"packtool help ([a-z-]+)"/)
      else { continue }
      let topic = String(found.1)
      topics.append(topic)
      let page = runTool("help", topic)
      #expect(page.status == .done, "\(sentence.line)")
      for name in text.matches(of: /"([A-Za-z]+)"/).map(\.1) {
        #expect(page.output.contains("\"\(name)\""), "\(topic) does not describe \(name): \(sentence.line)")
      }
    }
    #expect(topics.contains("scenarios") && topics.contains("manifest"))
  }

  /// Findings about unknown steps refer to this page.
  @Test func `the page about scenarios has all steps`() {
    let page = runTool("help", "scenarios").output
    for key in StepDraft.kinds.flatMap(\.keys) {
      #expect(page.contains("\"\(key.name)\""), "\(key.name)")
    }
  }

  @Test(arguments: ["Architecture", "Adding"]) func `files that are named exist`(page: String) throws {
    let paths = Self.paths(in: try Self.text("Sources/Model/Model.docc/\(page).md"))
    #expect(paths.count > 30)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: "\(packageFolder)/\(path)"), "\(page).md names \(path)")
    }
  }

  /// Everything that the pages for developers mention must exist: functions with their labels, types and
  /// files.
  @Test(arguments: ["Architecture", "Adding"]) func `code that is named exists`(page: String) throws {
    let text = try Self.text("Sources/Model/Model.docc/\(page).md")
    let names = text.matches(of: /`(?:\w+\.)?(\w+)(?:\(((?:\w+:)+)\))?`/)
    #expect(names.count > 30)
    let words = names.map { String($0.output.1) }
    let found = try run("grep", ["-rowhE", words.joined(separator: "|"), "Sources"], in: packageFolder)
    #expect(Set(words).subtracting(found.output.split(separator: "\n").map(String.init)) == [])
    for name in names {
      guard let labels = name.output.2 else { continue }
      #expect(try Self.labels(ofFunctionsNamed: name.output.1).contains(String(labels)), "\(name.output.0)")
    }
    for file in text.matches(of: /`([\w+]+\.swift)`/).map(\.output.1) where file != "Package.swift" {
      let found = try run("git", ["ls-files", "--error-unmatch", "*/\(file)"], in: packageFolder)
      #expect(found.status == 0, "\(page).md names \(file)")
    }
  }

  /// Returns the labels of all functions or initializers with a name, each as in `check(_:shape:)`.
  private static func labels(ofFunctionsNamed name: Substring) throws -> Set<String> {
    // The second group matches the parameters, with parentheses inside them.
    let keyword = name == "init" ? "" : "func "
    let pattern = "\\b\(keyword)\(name)[?!]?(<[^>{]*>)?(\\((?:[^()]|(?2))*\\))"
    let found = try run("grep", ["-rohPz", pattern, "Sources", "Tests"], in: packageFolder)
    let lists = found.output.split(separator: "\0").map { declaration in
      var depth = 0
      // Only the commas between parameters remain, without the parameters' types and default values.
      let flat = declaration.replacing("->", with: "").drop { $0 != "(" }.dropFirst().dropLast().filter {
        character in
        if "([{<".contains(character) { depth += 1 }
        defer { if ")]}>".contains(character) { depth -= 1 } }
        return depth == 0
      }
      return flat.split(separator: ",").compactMap {
        $0.firstMatch(of: /^\s*(?:@\w+\s+)*(\w+)[^:]*:/)?.output.1
      }
      .map { "\($0):" }.joined()
    }
    return Set(lists)
  }

  /// The test of names would pass if it found every name with any labels.
  @Test func `labels of functions are read from their declarations`() throws {
    let found = try Self.labels(ofFunctionsNamed: "packLayout")
    #expect(found == ["for:settings:signing:output:"])
    #expect(try Self.labels(ofFunctionsNamed: "joined").isSuperset(of: ["_:_:", "below:rest:"]))
    #expect(try Self.labels(ofFunctionsNamed: "reports").contains("_:at:naming:"))
  }

  /// The test above would pass if it found no paths in a page.
  ///
  /// This test checks that it finds them.
  @Test func `names of files are seen`() {
    let text = "in `Sources/A/B.swift`, `Tests/{C,D}/E.swift` and `A/B.swift`"
    #expect(Self.paths(in: text) == ["Sources/A/B.swift", "Tests/C/E.swift", "Tests/D/E.swift"])
  }

  /// The suites and test functions that the page on attacks mentions must exist.
  @Test func `tests of attacks exist`() throws {
    let suites = try Self.suites()
    let page = try Self.text("Sources/Model/Model.docc/Attacks.md")
    let names = page.matches(of: /`(\w+Tests)(?:\.([^`]+))?`/)
    #expect(names.count > 20)
    for name in names {
      let functions = suites[String(name.output.1)]
      #expect(functions != nil, "\(name.output.0)")
      if let function = name.output.2 {
        #expect(functions?.contains(String(function)) ?? false, "\(name.output.0)")
      }
    }
  }

  /// Returns the functions in the file of each suite, by the name of the suite.
  private static func suites() throws -> [String: Set<String>] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: "\(packageFolder)/Tests")
    var suites: [String: Set<String>] = [:]
    for file in files where file.hasSuffix("Tests.swift") {
      let text = try String(contentsOfFile: "\(packageFolder)/Tests/\(file)", encoding: .utf8)
      let functions = names(after: "func ", in: text)
      for suite in names(after: "struct ", in: text) { suites[suite, default: []].formUnion(functions) }
    }
    return suites
  }

  /// Returns the names after each occurrence of a keyword, without backticks.
  ///
  /// To search the whole text for each name would take a minute.
  private static func names(after keyword: String, in text: String) -> Set<String> {
    Set(
      text.components(separatedBy: keyword).dropFirst().map { rest in
        rest.hasPrefix("`")
          ? String(rest.dropFirst().prefix { $0 != "`" })
          : String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      })
  }

  @Test(arguments: pages + ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"])
  func `links lead somewhere`(page: String) throws {
    let folder = URL(fileURLWithPath: "\(packageFolder)/\(page)").deletingLastPathComponent()
    for link in try Self.text(page).matches(of: /\]\(([^)\s]+)\)/).map({ String($0.output.1) })
    where !link.hasPrefix("https://") {
      let target = folder.appendingPathComponent(String(link.prefix { $0 != "#" })).standardizedFileURL.path
      #expect(FileManager.default.fileExists(atPath: target), "\(page) leads to \(link)")
      guard let mark = link.firstIndex(of: "#") else { continue }
      let text = try link.hasPrefix("#") ? Self.text(page) : String(contentsOfFile: target, encoding: .utf8)
      let anchor = String(link[link.index(after: mark)...])
      #expect(Self.anchors(in: text).contains(anchor), "\(page) leads to \(link)")
    }
  }

  /// Returns the anchors that GitHub makes from the headings of a page.
  private static func anchors(in text: String) -> Set<String> {
    var isCode = false
    var anchors: Set<String> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode || !line.hasPrefix("#") { continue }
      let heading = line.drop { $0 == "#" }.dropFirst().lowercased()
      let kept = heading.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
      anchors.insert(kept.replacing(" ", with: "-"))
    }
    return anchors
  }

  @Test func `anchors are those of GitHub`() {
    let text = "# A page\n```sh\n# no heading\n```\n## `unknown-tag`\n### How do I, say, \"do\" it?\n"
    #expect(Self.anchors(in: text) == ["a-page", "unknown-tag", "how-do-i-say-do-it"])
  }

  /// The README must lead to the contents, and the contents to every other page.
  @Test func `pages are listed`() throws {
    #expect(Self.pages.count > 40)
    #expect(try Self.text("README.md").contains("(Sources/packtool/packtool.docc/packtool.md)"))
    let contents = try Self.text("Sources/packtool/packtool.docc/packtool.md")
    for page in Self.pages {
      let name = URL(fileURLWithPath: page).lastPathComponent
      if !["README.md", "packtool.md"].contains(name) { #expect(contents.contains("\(name))"), "\(page)") }
    }
  }

  /// SwiftPM does not build a folder that does not belong to a target, so tests in such a folder would never
  /// run.
  @Test func `each folder with tests is a target`() throws {
    let package = try Self.text("Package.swift")
    let folder = "\(packageFolder)/Tests"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let files =
        FileManager.default.enumerator(atPath: "\(folder)/\(name)")?.compactMap { $0 as? String } ?? []
      guard files.contains(where: { $0.hasSuffix(".swift") }) else { continue }
      let target = name.hasSuffix("Tests") ? String(name.dropLast(5)) : name
      let forms = ["of: \"\(target)\"", "path: \"Tests/\(name)\"", "name: \"\(name)\""]
      #expect(forms.contains { package.contains($0) }, "\(name)")
    }
  }

  /// New developers need an explanation of each folder with sources.
  @Test func `rooms are explained`() throws {
    let rooms = Self.paths(in: try Self.text("Sources/Model/Model.docc/Architecture.md"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: "\(packageFolder)/Sources")
    let folders = Set(
      files.filter { $0.hasSuffix(".swift") }.map {
        "Sources/" + $0.split(separator: "/").dropLast().joined(separator: "/")
      })
    #expect(folders.count > 25)
    #expect(folders.subtracting(rooms) == [])
  }

  @Test func `graph is that of the package`() throws {
    let page = try Self.text("Sources/Model/Model.docc/Architecture.md")
    let block = try #require(page.firstMatch(of: /<!-- graph -->\n```\n([^`]*)```/)).output.1
    var printed: [String: Set<String>] = [:]
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: "→", omittingEmptySubsequences: false).map { part in
        part.split { $0 == " " || $0 == "," }.map(String.init)
      }
      printed[try #require(parts[0].first)] = Set(parts.count > 1 ? parts[1] : [])
    }
    #expect(printed == (try Self.graph()))
  }

  /// Returns the targets below Sources and, for each of them, the targets of this package that it depends on.
  ///
  /// The graph is read from the text of Package.swift.
  private static func graph() throws -> [String: Set<String>] {
    let package = try text("Package.swift")
    let target = /\.(?:target|executableTarget)\(\s*name: "(\w+)"(.*?)(?:swift|c)Settings/
      .dotMatchesNewlines()
    var graph: [String: Set<String>] = [:]
    for match in package.matches(of: target) where !match.output.2.contains("path:") {
      let list = match.output.2.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.output.1 ?? ""
      graph[String(match.output.1)] = Set(list.matches(of: /"(\w+)"/).map { String($0.output.1) })
    }
    return graph
  }
}
