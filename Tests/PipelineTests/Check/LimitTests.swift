@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests every cell of the table of limits in the contract, with the exact number of bytes from which each
/// finding is reported.
@Suite struct LimitTests {
  @Test func `table is whole`() {
    #expect(LimitCell.all.count == 63)
    #expect(LimitCell.all.count(where: \.isDash) == 14)
    #expect(Set(LimitCell.all.map(\.profile)) == Set(LimitProfile.all.map(\.name)))
  }

  @Test(arguments: sample(8, of: LimitCell.all.filter { $0.readings != nil }))
  func `sizes are found from their byte on`(cell: LimitCell) throws {
    let (decimal, binary) = try #require(cell.readings)
    func message(_ size: Int64) throws -> String {
      let lines = try cell.lines(at: size)
      #expect(lines.filter { !$0.hasPrefix("note ") }.count == (lines.isEmpty ? 0 : 1))
      return lines.first ?? ""
    }
    #expect(try message(decimal / 10 * 9 - 1) == "")
    let near = try message(decimal / 10 * 9)
    #expect(near.contains(": note "))
    #expect(
      near.hasSuffix(values(in: "\(ByteSize.number(decimal / 10)) \(ByteSize.number(decimal))")))
    let full = try message(decimal)
    #expect(full.contains(": note "))
    #expect(full.hasSuffix(values(in: ByteSize.exact(decimal))))
    for size in [decimal + 1, binary] {
      let doubtful = try message(size)
      #expect(doubtful.contains(": warning "))
      if !cell.isAdvice {
        #expect(
          doubtful.names(grouped(decimal)) && doubtful.names(grouped(binary)))
      }
    }
    let broken = try message(binary + 1)
    #expect(broken.contains(": warning "))
    // For a recommendation, there is only the smaller interpretation.
    let most = cell.isAdvice ? decimal : binary
    #expect(broken.hasSuffix(values(in: ByteSize.number(most))))
    let found = try cell.findings(at: binary + 1)
    #expect(found.map(\.measurement) == [.init(binary + 1, limit: most)])
  }

  /// Only a limit that is exceeded in both interpretations is an error in a submission.
  ///
  /// A recommendation is never an error. If the store counts archives, the sizes of files are never an error
  /// either.
  @Test(arguments: sample(8, of: LimitCell.all.filter { $0.readings != nil }))
  func `only certain breaks count in submissions`(cell: LimitCell) throws {
    let (decimal, binary) = try #require(cell.readings)
    #expect(try cell.breaks(at: decimal) == false)
    #expect(try cell.breaks(at: binary) == false)
    #expect(try cell.breaks(at: binary + 1) == (!cell.isAdvice && !cell.countsArchives))
  }

  @Test(arguments: LimitCell.all.filter(\.isDash)) func `dashes are no limit`(cell: LimitCell) throws {
    // The amount is far above the limits of this check in all profiles.
    let amount: Int64 = cell.check == "pack-count" ? 3000 : 4_000_000_000_000
    #expect(try cell.lines(at: amount) == [])
  }

  @Test func `thousand packs`() throws {
    let cell = LimitCell(profile: "app-store", check: "pack-count", amount: .packs(1000))
    #expect(try cell.lines(at: 899) == [])
    #expect(
      try cell.lines(at: 900) == ["3:16: note [pack-count] 900 100 1,000"])
    #expect(try cell.lines(at: 1000) == ["3:16: note [pack-count] 1,000"])
    let findings = try cell.findings(at: 1001)
    // Each tag is in one pack, so no tag explains the number of packs.
    #expect(findings.flatMap(\.lines) == ["3:16: warning [pack-count] 1,001 1 1,000"])
    #expect(findings.map(\.severityRule) == [.breaksStoreLimit])
  }

  // For the size of packs with Background Assets, there is a range in which the result is uncertain. The
  // tests of the layout test it.
  @Test(
    arguments: sample(
      1,
      of: LimitCell.all.filter {
        $0.check == "pack-count" && !$0.isDash && $0.profile != "background-assets"
      }))
  func `counts are found from their pack on`(cell: LimitCell) throws {
    guard case .packs(let most) = cell.amount else { return }
    #expect(try cell.lines(at: most / 10 * 9 - 1) == [])
    #expect(try cell.breaks(at: most) == false)
    let full = "3:16: note [pack-count] \(grouped(most))"
    #expect(try cell.lines(at: most) == [full])
    let broken = try cell.findings(at: most + 1)
    #expect(broken.map(\.severityRule) == [.breaksStoreLimit])
    #expect(broken.first?.namedValues == "\(grouped(most + 1)) 1 \(grouped(most))")
  }
}

extension LimitCell {
  /// Whether the store counts archives.
  ///
  /// In this case, the size of the files does not prove that the limit is exceeded.
  fileprivate var countsArchives: Bool { check == "total-size" && profile == "background-assets" }
}
