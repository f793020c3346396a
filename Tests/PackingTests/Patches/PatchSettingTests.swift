@testable import Archiving
@testable import Packing
import Testing

/// Tests the settings of Zstandard for the files of a patch.
@Suite struct PatchSettingTests {
  private func settings(
    _ size: Int64, from source: Int64? = nil, _ content: ZstandardSettings.Content = .compressible
  ) -> ZstandardSettings { ZstandardSettings(patching: size, from: source, content: content) }

  @Test func `the window reaches the whole file, up to a limit`() {
    let sizes: [Int64] = [0, 1, 2, 1024, 1025, 2048, 2049, 1 << 23, (1 << 23) + 1, 1 << 27, (1 << 27) + 1]
    #expect(sizes.map { settings($0).windowLog } == [10, 10, 10, 10, 11, 11, 12, 23, 23, 23, 23])
    #expect(sizes.map { settings($0, from: 0).windowLog } == [10, 10, 10, 10, 11, 11, 12, 23, 24, 27, 27])
  }

  @Test func `large files get lower levels, and compressed files the lowest`() {
    let limits: [Int64] = [1 << 15, 1 << 18, 1 << 21]
    let sizes: [Int64] = [0] + limits.flatMap { [$0 - 1, $0] } + [1 << 30]
    #expect(sizes.map { settings($0).level } == [12, 12, 9, 9, 6, 6, 5, 5])
    #expect(sizes.map { settings($0, from: 5).level } == [12, 12, 9, 9, 6, 6, 5, 5])
    #expect(sizes.map { settings($0, .compressed).level } == sizes.map { _ in 1 })
    #expect(sizes.map { settings($0, from: 5, .compressed).level } == sizes.map { _ in 3 })
  }

  @Test func `long matches are searched in old contents of large files`() {
    #expect(settings(1 << 20, from: 5).findsLongMatches == false)
    #expect(settings((1 << 20) + 1, from: 5).findsLongMatches)
    #expect(!settings((1 << 20) + 1).findsLongMatches)
    #expect(settings(1 << 30, from: 5).hashLog == nil && settings(1 << 30, from: 5).minMatch == nil)
  }

  @Test func `the memory is that of the window and the tables`() {
    #expect(settings(100).memory(for: 100) == 100 + 1600 + 1_048_576)
    #expect(settings(1000).memory(for: 5000) == 1024 + 80_000 + 1_048_576)
    #expect(settings(1 << 22).memory(for: 1 << 22) == 4_194_304 + 67_108_864 + 1_048_576)
    #expect(settings(1 << 25).memory(for: 1 << 25) == 8_388_608 + 67_108_864 + 1_048_576)
    #expect(settings(1 << 25, from: 1).memory(for: 1 << 25) == 33_554_432 + 67_108_864 + 1_048_576)
  }
}
