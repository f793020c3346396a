@testable import Archiving
@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the levels that packtool chooses for compressors, at the limits of each choice.
@Suite struct CompressionTests {
  private static let all: [Compression] = [.store, .fast, .default, .best]

  @Test func `each effort has a level of libdeflate`() {
    let efforts = Compression.Effort.allCases
    for compression in [Compression.store, .fast, .default] {
      #expect(efforts.map { compression.level($0) } == [0, 1, 4, 5, 6])
    }
    #expect(efforts.map { Compression.best.level($0) } == [0, 1, 4, 5, 12])
    #expect(Self.all.map(\.zlibLevel) == [0, 1, 6, 9])
    #expect(Self.all.map(\.maxTrialPercent) == [82, 82, 97, 99])
    #expect(Self.all.map { $0.effort(chiSquaredExcess: 20) } == [.zero, .least, .full, .full])
  }

  @Test func `more effort must save 3 percent, some effort 2 percent`() {
    func effort(_ least: Int, _ greedy: Int, _ lazy: Int) -> Compression.Effort {
      Compression.default.effort(leastSize: least, greedySize: greedy, lazySize: lazy)
    }
    #expect(effort(100_000, 100_000, 96_999) == .lazy)
    #expect(effort(100_000, 100_000, 97_000) == .least)
    #expect(effort(100_000, 97_999, 97_000) == .greedy)
    #expect(effort(100_000, 98_000, 97_000) == .least)
  }

  @Test func `bytes are deflated if they are far enough from random bytes`() {
    for compression in Self.all {
      let isFast = compression == .fast
      #expect(compression.isWorthDeflating(-0.41) && !compression.isWorthDeflating(-0.4), "\(compression)")
      #expect(!compression.isWorthDeflating(isFast ? 2 : 1.3), "\(compression)")
      #expect(compression.isWorthDeflating(isFast ? 2.01 : 1.31), "\(compression)")
    }
  }

  @Test func `the settings of Zstandard depend on the size of the tar`() {
    /// Returns the level, the logarithm of the window, the logarithm of the table, and the shortest match.
    func settings(_ compression: Compression, _ size: Int64, mostlyRandom: Bool = false) -> [Int?] {
      let found = compression.zstandard(forTarOf: size) { mostlyRandom }
      return [found.level, found.windowLog, found.hashLog, found.minMatch]
    }
    #expect(settings(.default, 1023) == [3, 10, nil, nil] && settings(.default, 1024) == [3, 11, nil, nil])
    #expect(settings(.default, (1 << 22) - 1, mostlyRandom: true) == [3, 22, nil, nil])
    #expect(settings(.default, 1 << 22) == [3, 23, nil, nil])
    #expect(settings(.default, (16 << 20) - 1, mostlyRandom: true) == [3, 23, nil, nil])
    #expect(settings(.default, 16 << 20) == [2, 23, 17, 5])
    #expect(settings(.default, 16 << 20, mostlyRandom: true) == [-1, 23, 17, nil])
    #expect(
      settings(.store, 100_000) == [1, 17, nil, nil] && settings(.fast, 20 << 20) == [1, 23, nil, nil])
    #expect(settings(.best, 0) == [19, 10, nil, nil] && settings(.best, 20 << 20) == [19, 23, nil, nil])
  }
}

/// Tests which segments of some bytes are deflated.
@Suite struct DeflateSegmentTests {
  private static let size = 2048

  /// Makes bytes from segments: `N` is a segment of random bytes, and `T` is a segment of text.
  private func bytes(_ segments: String, tail: Int = 0) -> [UInt8] {
    let (noise, text) = (Array(Sample.noise(1 << 18)), Array(Sample.text(1 << 18)))
    var bytes: [UInt8] = []
    for (number, segment) in segments.enumerated() {
      let range = number * Self.size..<(number + 1) * Self.size
      bytes += segment == "T" ? text[range] : noise[range]
    }
    return bytes + noise.suffix(tail)
  }

  private func marked(_ bytes: [UInt8], _ compression: Compression = .default) -> DeflateSegments {
    var segments = DeflateSegments()
    segments.mark(bytes.span.bytes, for: compression)
    return segments
  }

  /// Returns the ends of all runs, and whether they are deflated.
  private func runs(_ segments: DeflateSegments, _ count: Int) -> [String] {
    var runs: [String] = []
    var start = 0
    while start < count && runs.count < 100 {
      let run = segments.run(from: start, to: count)
      runs.append("\(run.isDeflated ? "deflated" : "stored") \(run.end)")
      start = run.end
    }
    return runs
  }

  @Test func `more than 2 percent of the segments must be marked`() {
    let one = "T" + String(repeating: "N", count: 48)
    #expect(marked(bytes(one)).areWorthDeflating)
    #expect(!marked(bytes(one + "N")).areWorthDeflating)
    #expect(!marked(bytes(String(repeating: "N", count: 9))).areWorthDeflating)
    // Marking again forgets the bytes before.
    var segments = marked(bytes("TTTT"))
    #expect(segments.areWorthDeflating)
    segments.mark(bytes(one + "N").span.bytes, for: .default)
    #expect(!segments.areWorthDeflating)
    segments.markAll()
    #expect(segments.areWorthDeflating && runs(segments, 50 * Self.size) == ["deflated \(50 * Self.size)"])
  }

  @Test func `segments of one kind are one run`() {
    let pattern = bytes("TNNTNTNN", tail: 100)
    #expect(
      runs(marked(pattern), pattern.count) == [
        "deflated 2048", "stored 6144", "deflated 12288", "stored 16484",
      ])
    #expect(runs(marked(bytes("NNTN")), 8192) == ["stored 4096", "deflated 6144", "stored 8192"])
    #expect(runs(marked(bytes("NTNN")), 8192) == ["stored 2048", "deflated 4096", "stored 8192"])
    // The short end is treated like the segment before it.
    #expect(runs(marked(bytes("NNNT", tail: 255)), 8447) == ["stored 6144", "deflated 8447"])
    #expect(runs(marked(bytes("NNNT", tail: 256)), 8448) == ["stored 6144", "deflated 8192", "stored 8448"])
  }

  @Test func `if few segments are unmarked, all are deflated`() {
    #expect(runs(marked(bytes("TTTN")), 8192) == ["deflated 8192"])
    #expect(runs(marked(bytes("TTN")), 6144) == ["deflated 4096", "stored 6144"])
    let all = marked(bytes("TTTN")).run(from: 0, to: 8192)
    let excesses = (0..<4).map { number in
      Array(bytes("TTTN")[number * Self.size..<(number + 1) * Self.size]).span.bytes
        .chiSquaredExcess(ofMiddle: 256)
    }
    #expect(abs(all.chiSquaredExcess - excesses.reduce(0, +) / 4) < 0.001)
    let second = marked(bytes("NTNN")).run(from: 2048, to: 8192)
    let own = Array(bytes("NTNN")[2048..<4096]).span.bytes.chiSquaredExcess(ofMiddle: 256)
    #expect(abs(second.chiSquaredExcess - own) < 0.001 && own > 10)
  }

  @Test func `a single segment is sampled as a whole`() {
    let text = Array(Sample.text(2048)), noise = Array(Sample.noise(256))
    for bytes in [text, Array(text.prefix(1000)), noise] {
      let run = marked(bytes).run(from: 0, to: bytes.count)
      let excess = bytes.span.bytes.chiSquaredExcess(ofMiddle: bytes.count)
      #expect(run.end == bytes.count && abs(run.chiSquaredExcess - excess) < 0.001)
    }
    #expect(!marked(noise).areWorthDeflating)
    // Fewer bytes are not a sample, so they are deflated.
    let few = marked(Array(noise.prefix(255))).run(from: 0, to: 255)
    #expect(few.isDeflated && few.end == 255 && few.chiSquaredExcess == 0)
  }

  @Test func `unmarked segments that are not random are tried`() {
    // The values 0 to 147 occur more often than the other values, but not often enough to be marked.
    let uneven = Sample.noise(1 << 18).map { $0 % 148 }
    func trials(_ count: Int, _ compression: Compression = .fast) -> [Range<Int>] {
      marked(Array(uneven.prefix(count * Self.size)), compression).trials
    }
    #expect(trials(18) == [] && trials(19) == [32_768..<36_864])
    #expect(trials(50) == [32_768..<36_864] && trials(51) == [32_768..<36_864, 98_304..<102_400])
    let text = Array(Sample.text(Self.size))
    var mixed = Array(uneven.prefix(60 * Self.size))
    mixed.replaceSubrange(16 * Self.size..<17 * Self.size, with: text)
    #expect(marked(mixed, .fast).trials == [98_304..<102_400])
    #expect(marked(bytes(String(repeating: "N", count: 60)), .fast).trials == [])
    // Only the unmarked segments count for the mean.
    let few = bytes(String(repeating: "T", count: 44)) + uneven.prefix(10 * Self.size)
    let segments = marked(few + bytes(String(repeating: "T", count: 26)), .fast)
    #expect(segments.trials == [98_304..<102_400])
  }
}

/// Tests which packs a compressor treats as already compressed.
@Suite struct MostlyRandomTests {
  /// Returns whether a pack of these files is mostly random.
  private func isMostlyRandom(_ files: [String: Data]) throws -> Bool {
    let site = try ScanSite()
    for (path, content) in files { try site.write("a/\(path)", content) }
    _ = try site.manifest([.path("a", "A")])
    let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
    let plan = try #require(prepared.plan)
    let target = BuildTarget(
      plan: plan, settings: PackSettings(container: .tarZstandard, entryTime: 0),
      output: OutputFolder(site.folder.path("out")))
    let job = PackJob(
      target, root: try Folder(site.folder.path("Assets")), last: nil, timings: Timings(),
      readCounter: ReadCounter(), progress: nil)
    let isRandom = job.isMostlyRandom(job.files(of: plan.packs[0]))
    #expect(job.readCounter.count.read % 256 == 0 && job.diagnostics.isEmpty)
    return isRandom
  }

  @Test func `80 percent of the samples must be random`() throws {
    // 128 samples of 256 bytes are all bytes of the pack.
    let text = Sample.text(26 * 256)
    #expect(try isMostlyRandom(["n": Sample.noise(103 * 256), "t": text.prefix(25 * 256)]))
    #expect(try !isMostlyRandom(["n": Sample.noise(102 * 256), "t": text]))
    #expect(try isMostlyRandom(["z": Sample.noise(103 * 256), "t": text.prefix(25 * 256)]))
    #expect(try isMostlyRandom(["n": Sample.noise(128 * 256)]))
    #expect(try !isMostlyRandom(["n": Sample.noise(128 * 256 - 1)]))
  }

  @Test func `samples are of files with at least 256 bytes`() throws {
    func files(_ size: Int, _ count: Int) -> [String: Data] {
      let noise = Sample.noise(size * count)
      let pairs = (0..<count).map { ("\($0 + 100)", Data(noise[$0 * size..<($0 + 1) * size])) }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
    #expect(try isMostlyRandom(files(256, 128)))
    #expect(try !isMostlyRandom(files(255, 130)))
    // A sample that begins in one file and would end in the next file is taken from the end of the first.
    #expect(try isMostlyRandom(files(400, 100)))
    #expect(try isMostlyRandom(["a": Sample.noise(1000), "b": Sample.noise(50_000, seed: 2)]))
    // The end of the second file is read once, and not for every sample.
    let second = Sample.noise(107 * 256, seed: 4) + Sample.text(256)
    #expect(try isMostlyRandom(["a": Sample.noise(20 * 256), "b": second]))
    // A sample at the end of a file is the beginning of the next file.
    let texts = Dictionary(uniqueKeysWithValues: (0..<25).map { ("0\($0 + 10)", Sample.text(256)) })
    #expect(try isMostlyRandom(files(256, 103).merging(texts) { first, _ in first }))
    // 40 of 128 samples are in the small files.
    #expect(
      try !isMostlyRandom(files(200, 60).merging(["n": Sample.noise(26_400, seed: 3)]) { first, _ in first }))
  }

  @Test func `bytes with few values are not random`() throws {
    #expect(try !isMostlyRandom(["n": Data(Sample.noise(64 * 1024).map { $0 % 148 })]))
    let rest = Data(Sample.noise(13 * 1024, seed: 9).map { $0 % 148 })
    #expect(try isMostlyRandom(["a": Sample.noise(51 * 1024), "b": rest]))
  }
}
