@testable import Formats
import Support
import Testing

/// Tests the order, the limit and the severity of findings.
@Suite struct FindingOrderTests {
  private func place(_ line: Int, _ column: Int = 1, in path: String = "a") -> Place {
    Place(path, position: .init(line: line, column: column))
  }

  /// Checks and severities with an ID, in the order in which a test adds them.
  private func finding(
    _ message: String, _ check: Check = .unknownKey, at place: Place, _ severity: Severity? = nil
  ) -> Diagnostic {
    Diagnostic(check, message: message, at: place, severity: severity)
  }

  /// Messages are made for twice the maximum number of findings, and for findings that come earlier.
  @Test func `messages are made only for findings that may be reported`() {
    var (list, other) = (FindingList(), FindingList())
    var made: [Int] = []
    for line in 1...5_000 {
      let message = {
        made.append(line)
        return "m"
      }
      list.add(.unknownKey, at: place(line), message: message)
      other.add(.unknownKey, at: place(line), making: { finding("m", at: place(line)) })
    }
    #expect(made == Array(1...2_000))
    #expect(list.findings == other.findings && list.total == 5_000 && other.total == 5_000)
    made = []
    func add(_ place: Place) {
      let message = {
        made.append(place.position?.line ?? 0)
        return "m"
      }
      list.add(.unknownKey, at: place, message: message)
    }
    add(place(1_000, 2))
    #expect(made == [] && list.total == 5_001)
    // The message decides about another finding at the place of the last one.
    add(place(1_000))
    add(place(999, 7))
    add(place(7_000, in: "b"))
    add(Place("a"))
    #expect(made == [1_000, 999, 7_000, 0] && list.total == 5_005)
    add(place(1_500))
    #expect(made.count == 4)
    list.add(.unknownTag, at: place(9_000)) { "of another check" }
    #expect(list.total == 5_007 && !list.isEmpty)
    #expect(list.findings.reduce(0) { $0 + $1.count } == 5_007)
    list.removeAll()
    #expect(list.isEmpty && list.findings.isEmpty && list.total == 0)
  }

  @Test func `the earliest of the findings at one place are reported`() {
    let last = place(1_000)
    var findings = (1...999).map { finding("m", at: place($0)) }
    findings += (0..<1_001).map { finding("\($0 + 1_000)", at: last) }
    let list = FindingList(findings)
    #expect(list.findings.filter { $0.place == last }.map(\.message) == ["1000"])
    #expect(list.findings.map(\.count).last == 1_000)
    var more = list
    more.add(.unknownKey, at: last) { "0" }
    #expect(more.findings.filter { $0.place == last }.map(\.message) == ["0"])
    var later = list
    later.add(.unknownKey, at: last) { "2" }
    #expect(later.findings.filter { $0.place == last }.map(\.message) == ["1000"])
    #expect(more.total == 2_001 && later.total == 2_001)
  }

  @Test func `equal findings are reported up to the maximum`() {
    for count in [1_000, 1_001, 1_500, 2_000, 2_500] {
      let same = finding("m", at: place(1))
      let found = FindingList(Array(repeating: same, count: count)).findings
      #expect(found.filter { $0 == same }.count == 1_000)
      #expect(found.filter(\.isCountOfUnreported).map(\.count) == (count > 1_000 ? [count - 1_000] : []))
    }
  }

  /// Findings without a line come before the other findings of their file.
  @Test func `severity then path then line decides which are reported`() {
    let groups: [(severity: Severity, place: Place)] = [
      (.error, place(5, in: "b")), (.note, place(1, in: "a")), (.error, Place("b")),
      (.error, place(9, in: "a")),
      (.error, place(4, 9, in: "b")),
    ]
    let all = groups.flatMap { group in
      (0..<400).map { finding("\($0)", .damagedProject, at: group.place, group.severity) }
    }
    let found = FindingList(all).findings
    let reported = found.filter { !$0.isCountOfUnreported }
    #expect(groups.map { group in reported.count { $0.place == group.place } } == [0, 0, 400, 400, 200])
    #expect(found.reduce(0) { $0 + $1.count } == 2_000)
  }

  @Test func `counts of unreported findings are ordered`() {
    let kinds: [(check: Check, severity: Severity)] = [
      (.unknownTag, .warning), (.unknownKey, .error), (.unknownTag, .error), (.unknownTag, .note),
    ]
    let list = FindingList(
      kinds.map { Diagnostic(unreportedCount: 7, of: $0.check, severity: $0.severity, at: Place("x")) })
    #expect(list.total == 28)
    #expect(
      list.findings.map { "\($0.check.id) \($0.severity) \($0.count) \($0.place.path)" } == [
        "unknown-key error 7 x", "unknown-tag error 7 x", "unknown-tag warning 7 x", "unknown-tag note 7 x",
      ])
    #expect(list.findings.allSatisfy { $0.isCountOfUnreported })
    var twice = FindingList()
    twice.add(list)
    twice.add(list)
    #expect(twice.findings.map(\.count) == [14, 14, 14, 14] && twice.total == 56)
  }

  @Test func `reports begin with the manifest and with errors`() {
    let first = [
      finding("m", .unknownTag, at: place(9, in: "m"), .error), finding("m", at: Place("m"), .warning),
      finding("m", at: place(1, 2, in: "m"), .warning), finding("m", at: place(1, 3, in: "m"), .warning),
      finding("m", .unknownKey, at: place(2, in: "m"), .warning),
      finding("a", .unknownTag, at: place(2, in: "m"), .warning),
      finding("b", .unknownTag, at: place(2, in: "m"), .warning),
      Diagnostic(unreportedCount: 3, of: .unknownKey, severity: .warning, at: Place("m")),
      finding("m", at: place(1, in: "m"), .note),
    ]
    let others = [
      finding("m", at: place(1, in: "A"), .note), finding("m", at: place(1, in: "a"), .error),
      finding("m", at: place(1, in: "z"), .error),
    ]
    var random = SeededRandom(seed: 2)
    for _ in 0..<20 {
      let found = (first + others).shuffled(using: &random).ordered(manifest: "m")
      #expect(found == first + others)
      #expect((first + others).shuffled(using: &random).ordered(manifest: "z").last == first.last)
    }
    #expect(first.hasErrors && !first.dropFirst().map(\.self).hasErrors && ![Diagnostic]().hasErrors)
  }

  @Test func `a finding becomes one of another check`() {
    let fix = TextEdit(0..<1, replacement: "x")
    let note = Diagnostic.AttachedLine.help("h\n", at: place(3))
    #expect(note.kind == .help && note.message == "h\\n" && Diagnostic.AttachedLine("d").kind == .detail)
    let found = Diagnostic(
      .unknownKey, message: "a\u{1}b", at: place(1), severity: .note, notes: [note],
      measurement: .init(3, limit: 2), severityRule: .cannotBeLowered, fix: fix)
    #expect(found.message == "a\\u{1}b" && found.count == 1 && !found.isCountOfUnreported)
    #expect(found.withoutFix.fix == nil && found.withoutFix.message == found.message)
    #expect(found.with(severity: .error).severity == .error && !found.canBeLowered)
    let other = found.of(.unknownTag)
    #expect(other.check == .unknownTag && other.severity == Check.unknownTag.severity && other.fix == fix)
    #expect(other.notes == [note] && other.measurement?.value == 3 && other.measurement?.limit == 2)
    #expect(other.severityRule == .adjustable && other.message == found.message)
    let count = Diagnostic(unreportedCount: 5, of: .unknownKey, severity: .note, at: Place("a")).of(
      .unknownTag)
    #expect(count.isCountOfUnreported && count.count == 5 && count.check == .unknownTag)
    let acceptance = Acceptance(number: 1, reason: "r", place: place(1))
    #expect(found.accepted(acceptance).acceptance == acceptance && found.acceptance == nil)
  }

  private static let checks = [
    Check.manifestError("m", summary: "", explanation: ""), .storeLimit("s", summary: "", explanation: ""),
    .advice("a", summary: "", explanation: ""), .incompleteInput("i", summary: "", explanation: ""),
    .warning("w", summary: "", explanation: ""), .note("n", summary: "", explanation: ""),
    .error("e", summary: "", explanation: ""), .offByDefault("o", summary: "", explanation: ""),
  ]

  /// Returns the severities of all checks, with a dash for ignored findings and a plus for accepted ones.
  private func judged(_ policy: Policy, rule: Diagnostic.SeverityRule = .adjustable) -> String {
    Self.checks.map { check in
      let found = policy.judge(Diagnostic(check, message: "", at: Place("a"), severityRule: rule))
      return found.map { $0.acceptance == nil ? String($0.severity.rawValue.prefix(1)) : "+" } ?? "-"
    }.joined()
  }

  @Test func `a policy decides severities`() {
    // The checks above, in order: manifest error, store limit, advice, incomplete input, warning, note, error.
    #expect(judged(Policy()) == "ewwwwnew")
    #expect(judged(Policy(isSubmission: true)) == "ewwewnew")
    #expect(judged(Policy(isStrict: true)) == "eeweenee")
    #expect(judged(Policy(isSubmission: true, isStrict: true)) == "eeweenee")
    #expect(judged(Policy(isSubmission: true), rule: .breaksStoreLimit) == "eeeeeeee")
    #expect(judged(Policy(), rule: .breaksStoreLimit) == "ewwwwnew")
    let all = { (choice: SeverityChoice) in
      Dictionary(uniqueKeysWithValues: Self.checks.map { ($0.id, choice) })
    }
    #expect(judged(Policy(severities: all(.ignore))) == "e-------")
    #expect(judged(Policy(severities: all(.ignore)), rule: .cannotBeLowered) == "ewwwwnew")
    #expect(
      judged(Policy(isSubmission: true, severities: all(.ignore)), rule: .breaksStoreLimit) == "eeeeeeee")
    #expect(judged(Policy(severities: all(.note))) == "ennnnnnn")
    #expect(judged(Policy(severities: all(.error))) == "eeeeeeee")
    #expect(judged(Policy(isStrict: true, severities: all(.warning))) == "eeweeeee")
    #expect(judged(Policy(isSubmission: true, severities: all(.note))) == "ennnnnnn")
    let accepting = Policy().adding([:]) { finding in
      finding.check.id == "m" ? nil : Acceptance(number: 0, reason: "", place: Place("a"))
    }
    #expect(judged(accepting) == "e+++++++")
    #expect(judged(accepting, rule: .cannotBeLowered) == "ewwwwnew")
    var submission = accepting
    submission.isSubmission = true
    #expect(judged(submission) == "e++e++++")
    #expect(judged(submission, rule: .breaksStoreLimit) == "eeeeeeee")
    let own = Policy(severities: ["w": .note]).adding(["w": .error, "n": .warning]) { _ in nil }
    #expect(judged(own) == "ewwwnwew")
  }

  /// A note of a check with a higher severity stays a note unless a setting makes it an error.
  @Test func `notes of a warning stay notes`() {
    let check = Self.checks[4]
    let note = Diagnostic(check, message: "", at: Place("a"), severity: .note)
    let severity = { (choice: SeverityChoice) in
      Policy(severities: [check.id: choice]).judge(note)?.severity
    }
    #expect(severity(.error) == .note && severity(.warning) == .note && severity(.note) == .note)
    #expect(severity(.ignore) == nil)
  }

  @Test func `a policy accepts findings without errors`() {
    let finding = { (check: Check) in Diagnostic(check, message: "", at: Place("a")) }
    let (error, warning) = (finding(Self.checks[6]), finding(Self.checks[4]))
    #expect(Policy().accepts([]) && Policy().accepts([warning]) && !Policy().accepts([warning, error]))
    #expect(!Policy(isStrict: true).accepts([warning]))
    #expect(Policy(severities: ["e": .ignore]).accepts([error]))
    let accepting = Policy().adding([:]) { _ in Acceptance(number: 0, reason: "", place: Place("a")) }
    #expect(accepting.accepts([error]))
  }

  @Test func `kinds of checks have their properties`() {
    let checks = Self.checks
    #expect(checks.map { $0.isErrorInSubmission ? $0.id : "" }.joined() == "si")
    #expect(checks.map { $0.canBeLowered ? "" : $0.id }.joined() == "m")
    #expect(checks.map { $0.isManifestError ? $0.id : "" }.joined() == "m")
    #expect(checks.map { $0.isAdvice ? $0.id : "" }.joined() == "a")
    #expect(
      checks.map(\.listedSeverity) == [
        "error", "warning", "warning", "warning", "warning", "note", "error", "off",
      ])
    let fixed = [Check.safetyRefusal, Check.packError, Check.leak, Check.unpackable, Check.runFailure].map {
      $0("x", "", "")
    }
    #expect(fixed.allSatisfy { $0.severity == .error && !$0.canBeLowered && !$0.isManifestError })
    #expect(Set(fixed.map(\.fixedBecause)).count == 5)
    #expect(Severity.allCases.sorted() == [.error, .warning, .note])
    #expect(SeverityChoice(otherName: "OFF") == .ignore && SeverityChoice(otherName: "Hint") == .note)
    #expect(SeverityChoice(otherName: "warn") == .warning && SeverityChoice(otherName: "error") == nil)
    #expect(Place.Position(line: 1, column: 9) < .init(line: 2, column: 1))
    #expect(Place.Position(line: 1, column: 1) < .init(line: 1, column: 2))
    #expect(!(Place.Position(line: 1, column: 1) < .init(line: 1, column: 1)))
  }

  @Test func `included files have their own places`() {
    var text = SourceText(path: "a", bytes: Array("1\n22".utf8))
    let (second, third) = (
      text.append(SourceText(path: "b", bytes: Array("x\ny".utf8))),
      text.append(SourceText(path: "c", bytes: []))
    )
    let fourth = text.append(SourceText(path: "d", convertedTo: Array("z\nz".utf8)))
    #expect([second, third, fourth] == [5, 9, 10])
    let places = (0...12).map { text.place(at: $0) }
    #expect(places.map(\.path) == ["a", "a", "a", "a", "a", "b", "b", "b", "b", "c", "d", "d", "d"])
    #expect(places.map { $0.position?.line } == [1, 1, 2, 2, 2, 1, 1, 2, 2, 1, nil, nil, nil])
    #expect(places.map { $0.position?.column } == [1, 2, 1, 2, 3, 1, 2, 1, 2, 1, nil, nil, nil])
    #expect(text.paths == ["a", "b", "c", "d"])
    #expect(text.file(at: "a")?.bytes.count == 4 && text.file(at: "b")?.bytes.count == 3)
    #expect(text.file(at: "x") == nil)
  }

  @Test func `lines have no line ends`() {
    let text = SourceText(path: "a", bytes: [0xef, 0xbb, 0xbf] + Array("ab\r\n\ncdé\r\r\nlast".utf8))
    #expect((0...6).map { text.line($0) } == [nil, "ab", "", "cdé\r", "last", nil, nil])
    #expect(text.line(1, maxBytes: 3) == "ab" && text.line(1, maxBytes: 2) == nil)
    #expect(text.line(4, maxBytes: 4) == "last" && text.line(4, maxBytes: 3) == nil)
    let old = SourceText(path: "a", bytes: Array("a\rb\r\nc\r".utf8), lineEnds: .newlinesAndReturns)
    #expect((1...5).map { old.line($0) } == ["a", "b", "c", "", nil])
    #expect(SourceText(path: "a", bytes: []).line(1) == "")
  }

  @Test func `edits are applied in order`() {
    let bytes = Array("abcdef".utf8)
    let edits = [
      TextEdit(0..<0, replacement: "<"), TextEdit(1..<3, replacement: "é"), TextEdit(6..<6, replacement: ">"),
    ]
    #expect(bytes.applying(edits) == Array("<aédef>".utf8))
    #expect(bytes.applying([TextEdit]()) == bytes)
  }
}
