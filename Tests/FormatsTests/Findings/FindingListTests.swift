@testable import Formats
import Support
import Testing

/// Tests that findings of one check are reported up to a maximum number, and that further findings are only
/// counted.
@Suite struct FindingListTests {
  private func finding(_ line: Int, _ check: Check = .unknownKey, _ severity: Severity? = nil) -> Diagnostic {
    Diagnostic(
      check, message: "line \(line)", at: Place("a", position: .init(line: line, column: 1)),
      severity: severity)
  }

  @Test func `a thousand are all reported, in the order in which they came`() {
    let findings = (1...1000).reversed().map { finding($0) }
    #expect(FindingList(findings).findings == findings)
  }

  @Test(arguments: [1001, 1999, 2000, 2001, 10_000])
  func `of more than 1,000 findings only the first 1,000 are reported`(count: Int) throws {
    let list = FindingList((1...count).map { finding($0) })
    let reported = list.findings
    #expect(list.total == count)
    #expect(Array(reported.dropLast()) == (1...1000).map { finding($0) })
    let rest = try #require(reported.last)
    #expect(
      rest.isCountOfUnreported && rest.count == count - 1000 && rest.check == .unknownKey
        && rest.place == Place("a"))
    #expect(rest.message == "and \(grouped(count - 1000)) more of this kind")
  }

  @Test func `the order in which they came changes nothing`() {
    var random = SeededRandom(seed: 7)
    let findings = (1...5000).map { finding($0) }
    let wanted = FindingList(findings).findings
    for _ in 0..<5 {
      let found = FindingList(findings.shuffled(using: &random)).findings
      #expect(found.ordered(manifest: "a") == wanted.ordered(manifest: "a"))
    }
  }

  @Test func `each kind has a room of its own`() {
    let list = FindingList((1...1500).flatMap { [finding($0), finding($0, .unknownTag)] })
    #expect(list.findings.filter(\.isCountOfUnreported).map(\.count) == [500, 500])
    #expect(list.findings.count == 2002)
  }

  @Test func `errors stay errors when they are only counted`() {
    let warnings = (1...1500).map { finding($0, .damagedProject, .warning) }
    let errors = (1501...3000).map { finding($0, .damagedProject, .error) }
    let reported = FindingList(warnings + errors).findings
    #expect(reported.filter { !$0.isCountOfUnreported }.areAll { $0.severity == .error })
    #expect(reported.filter(\.isCountOfUnreported).map(\.severity) == [.error, .warning])
    #expect(reported.filter(\.isCountOfUnreported).map(\.count) == [500, 1500])
  }

  /// Findings after the last reported finding are counted without creating a message.
  ///
  /// A finding about an earlier file is reported, even after the maximum number.
  @Test func `a finding about an earlier file is reported`() {
    var list = FindingList()
    for number in 1...3000 {
      list.add(.unknownKey, at: Place("b", position: .init(line: number, column: 1))) { "of b" }
    }
    list.add(.unknownKey, at: Place("a", position: .init(line: 9000, column: 1))) { "of a" }
    #expect(list.total == 3001)
    #expect(list.findings.reduce(0) { $0 + $1.count } == 3001)
    // Findings that were only counted are still in the total after a finding of another check is added.
    list.add(.unknownTag, at: Place("b")) { "of another check" }
    #expect(list.total == 3002 && list.findings.reduce(0) { $0 + $1.count } == 3002)
    #expect(list.findings.contains { $0.message == "of a" })
  }

  @Test func `lists of lists count all`() {
    var list = FindingList()
    for _ in 0..<3 { list.add(FindingList((1...4000).map { finding($0) })) }
    #expect(list.total == 12_000)
    #expect(list.findings.reduce(0) { $0 + $1.count } == 12_000)
    #expect(list.findings.count == 1001)
  }

  @Test func `the count of unreported findings comes after the reported findings`() {
    let findings = FindingList((1...1200).map { finding($0) }).findings.ordered(manifest: "a")
    #expect(findings.last?.isCountOfUnreported == true)
  }
}
