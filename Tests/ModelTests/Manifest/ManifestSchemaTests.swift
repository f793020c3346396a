@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests that the schema and the reader accept the same manifests.
///
/// Both are generated from the same list of keys.
@Suite struct ManifestSchemaTests {
  @Test func `the file in the repository is the schema of this build`() throws {
    let file = URL(fileURLWithPath: packageFolder).appendingPathComponent("Manifest.schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try Manifest.schemaText.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == Manifest.schemaText,
      "run UPDATE_SNAPSHOTS=1 swift test, then read the diff")
  }

  @Test(.enabled(if: SchemaValidator.isInstalled, "needs PyPI's jsonschema"))
  func `what the schema refuses the reader refuses`() throws {
    let bad = BadManifest.all.compactMap { manifest in
      String(validating: manifest.bytes, as: UTF8.self).map { (manifest.name, $0) }
    }
    let verdicts = try SchemaValidator.verdicts(on: GoodManifest.all.map(\.text) + bad.map(\.1))
    for (manifest, verdict) in zip(GoodManifest.all, verdicts.given) {
      #expect(verdict == .accepted, "\(manifest.name)")
    }
    var refusedCount = 0
    for ((name, text), verdict) in zip(bad, verdicts.given.dropFirst(GoodManifest.all.count))
    where verdict == .refused {
      refusedCount += 1
      #expect(readManifest(text).diagnostics.hasErrors, "\(name)")
    }
    #expect(refusedCount >= 40)
  }

  @Test(.enabled(if: SchemaValidator.isInstalled, "needs PyPI's jsonschema"))
  func `what the schema refuses of a changed manifest the reader refuses`() throws {
    let mutants = try SchemaValidator.verdicts(mutating: GoodManifest.everyKey.text).mutants
    let refused = mutants.filter { $0.verdict == .refused }
    #expect(refused.count >= 500)
    #expect(mutants.contains { $0.verdict == .accepted })
    let missed = sample(80, of: refused).map(\.text).filter { !readManifest($0).diagnostics.hasErrors }
    #expect(missed == [])
  }
}

/// Validates manifests against the schema with Python's module jsonschema.
enum SchemaValidator {
  enum Verdict: String, Decodable, Sendable {
    case accepted
    case refused
    /// The text is not JSON.
    case unreadable
  }

  struct Mutant: Decodable, Sendable {
    let text: String
    let verdict: Verdict
  }

  struct Verdicts: Decodable, Sendable {
    let given: [Verdict]
    /// Copies of a manifest in which one value was changed, or one key was added or removed.
    let mutants: [Mutant]
  }

  private struct Task: Encodable {
    let schema: String
    let given: [String]
    let mutated: String?
  }

  static let isInstalled = ((try? run("python3", ["-c", "import jsonschema"]))?.status ?? 1) == 0

  /// Validates all texts in one process, because Python starts slowly.
  static func verdicts(on texts: [String] = [], mutating text: String? = nil) throws -> Verdicts {
    let folder = try TemporaryFolder()
    let task = Task(schema: Manifest.schemaText, given: texts, mutated: text)
    try folder.write("task.json", JSONEncoder().encode(task))
    try folder.write("judge.py", script)
    let result = try run("python3", [folder.path("judge.py"), folder.path("task.json")])
    try #require(result.status == 0, "\(result.errors)")
    return try JSONDecoder().decode(Verdicts.self, from: Data(result.output.utf8))
  }

  private static let script = #"""
    import copy, json, sys
    import jsonschema

    task = json.load(open(sys.argv[1], encoding="utf-8"))
    schema = json.loads(task["schema"])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    def verdict(text):
        try:
            value = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            return "unreadable"
        return "accepted" if validator.is_valid(value) else "refused"

    ODD = [
        None, True, False, -1, 0, 1.5, 1e9, 2**63, 1e400, "", " ", "\u00a0", ".", "..", "../x", "/x",
        "a/../..", "a\\b", "a\nb", "a\n", "a\u0085", "x/", "{a", "[", "**", "64 MB", "64 mb", "1. B", "zip",
        "app-store", "é.x", "x..y", "error", [], [None], [""], ["x"], ["x", "x"], [[]], {}, {"x": 1},
        {"$comment": 1}, {"path": "x"},
    ]

    def places(value, above=()):
        yield above
        for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
            yield from places(value[key], above + (key,))

    def mutants(whole):
        for place in places(whole):
            for odd in ODD:
                changed = [copy.deepcopy(whole)]
                at = changed
                for key in (0,) + place[:-1] if place else ():
                    at = at[key]
                at[place[-1] if place else 0] = odd
                yield changed[0]
            changed = copy.deepcopy(whole)
            at = changed
            for key in place[:-1]:
                at = at[key]
            if place:
                del at[place[-1]]
                yield changed
            changed = copy.deepcopy(whole)
            at = changed
            for key in place:
                at = at[key]
            if isinstance(at, dict):
                at["extra"] = 1
                yield changed

    mutated = task.get("mutated")
    texts = [json.dumps(mutant) for mutant in mutants(json.loads(mutated))] if mutated else []
    json.dump({
        "given": [verdict(text) for text in task["given"]],
        "mutants": [{"text": text, "verdict": verdict(text)} for text in texts],
    }, sys.stdout)
    """#
}
