@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests limits for packs that differ between devices.
@Suite struct SliceLimitTests {
  /// Returns a slice in which the packs of A and B have these sizes.
  private func slice(_ a: Int64, _ b: Int64, of devices: [DeviceClass]) throws -> ReleaseSlice {
    ReleaseSlice(release: Release(of: try plan(a, b)), devices: devices) { _, _ in [] }
  }

  private func plan(_ a: Int64, _ b: Int64) throws -> PackPlan {
    try SyntheticPlan([.init("a", a, "A"), .init("b", b, "B")], "\"limits\": \"app-store\"").plan
  }

  private func findings(_ check: Check, _ slices: [ReleaseSlice]) throws -> [Diagnostic] {
    var input = PackCheck.Input(of: try plan(1, 1))
    input.slices = slices
    return PackCheck.limits.flatMap { $0.find(input) }.filter { $0.check == check }
  }

  /// If a pack exceeds the limit on a device, the findings about packs that are close to the limit use the
  /// same interpretation of MB.
  @Test func `findings are about the device with the largest size`() throws {
    let (megabyte, all) = (1_000_000 as Int64, DeviceClass.all)
    let (over, near): (Int64, Int64) = (537 * megabyte, 500 * megabyte)
    let limit: Int64 = 512 << 20
    #expect(over > limit)
    let small = try slice(3, 2, of: Array(all[..<2]))
    let large = try slice(over, near, of: Array(all[2..<5]))
    let middle = try slice(over - 1, 5, of: Array(all[5..<6]))
    for slices in [[small, large, middle], [large, small, middle], [middle, small, large]] {
      let found = try findings(.packSize, slices)
      #expect(
        found.map(\.measurement) == [.init(over, limit: limit), .init(near, limit: limit)])
      #expect(found.allSatisfy { $0.message.contains("on \"\(all[2].name)\"") })
      #expect(found.first?.hasFacts("[pack-size] 4 6") == true)
    }
    // On this device, no other pack exceeds the limit.
    let alone = try slice(3, near, of: Array(all[2..<5]))
    let found = try findings(.packSize, [middle, alone])
    #expect(found.map(\.measurement) == [.init(over - 1, limit: limit), .init(near, limit: 512 * megabyte)])
  }

  /// Each case has the sizes of one pack in the initial install and of two packs in the prefetch, and the tag
  /// that is too large.
  @Test(
    arguments: [
      (1 << 32, 1, 1, #""P""#),
      ((1 << 32) + 1, 1, 1, ""),
      ((1 << 32) - 1, 1, 1, #""P" "Q""#),
      ((1 << 32) - 2, 1, 2, #""P" "Q""#),
    ] as [(Int64, Int64, Int64, String)])
  func `the tag at which a limit is passed is named`(initial: Int64, p: Int64, q: Int64, facts: String) throws
  {
    let plan = try SyntheticPlan(
      [.init("i", initial, "I"), .init("p", p, "P"), .init("q", q, "Q")], "\"limits\": \"app-store\"",
      "\"initialInstallTags\": [\"I\"]", "\"prefetchTagOrder\": [\"P\", \"Q\"]")
    let found = plan.findings().filter { $0.check == .prefetchSize }
    #expect(found.map { $0.notes.first?.namedValues } == [facts])
  }

  @Test func `equal sizes on all devices name no device`() throws {
    let all = DeviceClass.all
    let slices = try [1, 2, 3].map { try slice(600_000_000, 1, of: [all[$0]]) }
    let found = try findings(.packSize, slices)
    // All classes exceed the limit by the same number of bytes, so the finding does not name one of them.
    #expect(found.count == 1 && !all.contains { found[0].message.contains("\"\($0.name)\"") })
  }

  @Test func `classes above a limit are counted`() throws {
    let all = DeviceClass.all
    let (large, small): (Int64, Int64) = (600_000_000, 5)
    func found(_ sizes: Int64...) throws -> Diagnostic? {
      let slices = try sizes.enumerated().map { try slice($1, 1, of: [all[$0]]) }
      return try findings(.packSize, slices).first
    }
    let one = try #require(try found(small, large, small, 6))
    #expect(one.names("1", "4", "\"\(all[1].name)\"") && one.message.contains(" exceeds this size"))
    let two = try #require(try found(small, large, large + 1, 6))
    #expect(two.names("2", "4", "\"\(all[2].name)\"") && two.message.contains(" exceed this size"))
    // All classes exceed the limit, but by different sizes.
    let every = try #require(try found(large, large + 1))
    #expect(every.names("\"\(all[1].name)\"") && !every.names("2"))
    let single = try #require(try found(large))
    #expect(single.names("\"\(all[0].name)\"") && single.message.count < every.message.count)
  }

  /// A slice with one device class is like a release for this class.
  @Test func `several classes with one slice are not named`() throws {
    let all = DeviceClass.all
    let slices = try [slice(600_000_000, 1, of: Array(all[..<3]))]
    let found = try findings(.packSize, slices)
    #expect(found.count == 1 && !all.contains { found[0].message.contains("\"\($0.name)\"") })
  }
}

/// Tests limits of a few bytes.
@Suite struct SmallLimitTests {
  private func lines(_ size: Int64, limit: Int64) throws -> [String] {
    try SyntheticPlan([.init("a", size, "A"), .init("b", 5000, "B")], "\"limits\": {\"packSize\": \(limit)}")
      .lines(of: "pack-size").filter { $0.contains("\"A\"") && !$0.hasPrefix("note") }
  }

  @Test func `from 90 percent on there is a note`() throws {
    #expect(try lines(899, limit: 1000) == [])
    #expect(try lines(900, limit: 1000) == [#"4:28: note [pack-size] "A" 900 bytes 100 1,000"#])
    #expect(try lines(1000, limit: 1000) == [#"4:28: note [pack-size] "A" 1,000 bytes"#])
    #expect(try lines(1001, limit: 1000) == [#"4:28: warning [pack-size] "A" 1,001 bytes 1 1,000"#])
    #expect(try lines(1, limit: 1) == [#"4:28: note [pack-size] "A" 1 byte"#])
    #expect(try lines(0, limit: 1) == [] && lines(0, limit: 9) == [])
  }
}
