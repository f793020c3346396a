import Formats
package import Model
package import Packing
import Pipeline
import System
package import Foundation
import Testing

/// The settings of a test's build, apart from its rules.
package struct TestSettings: Sendable {
  package var container: Container
  package var compression: Compression = .default
  /// The time of every entry, in seconds since 1970: 2001-09-09 01:46:40.
  package var modified: Int64 = 1_000_000_000
  package var layout = LayoutChoice()
  package var hasSourceDate = false

  package init(
    container: Container, compression: Compression = .default, modified: Int64 = 1_000_000_000,
    layout: LayoutChoice = LayoutChoice(), hasSourceDate: Bool = false
  ) {
    self.container = container
    self.compression = compression
    self.modified = modified
    self.layout = layout
    self.hasSourceDate = hasSourceDate
  }

  package static func test(_ container: Container, _ compression: Compression = .default) -> TestSettings {
    TestSettings(container: container, compression: compression)
  }
}

extension ScanSite {
  /// Returns the request for a build of the manifest that was written last.
  ///
  /// The manifest sets the container.
  package func request(
    into output: String = "out", _ settings: TestSettings = .test(.zip), usesCache: Bool = true,
    jobs: Int = 2,
    keepsOld: Bool = false
  ) -> BuildRequest {
    var request = BuildRequest(
      Preparation.Request(argument: folder.path, jobs: jobs), output: folder.path(output),
      entryTime: settings.modified)
    request.layout = settings.layout
    request.compression = settings.compression
    request.hasSourceDate = settings.hasSourceDate
    request.keepsOld = keepsOld
    request.usesRecord = usesCache
    return request
  }

  /// Waits until the files are old enough for the next build to trust their times.
  package func waitForClockTick() { usleep(40_000) }

  /// Runs a build with the given rules.
  ///
  /// `afterScan` is called between the scan and the packing.
  @discardableResult
  package func build(
    _ rules: [TestRule], into output: String = "out", _ settings: TestSettings = .test(.zip),
    usesCache: Bool = true, jobs: Int = 2, keepsOld: Bool = false,
    afterScan: @escaping @Sendable () throws -> Void = {}
  ) throws -> BuildResult {
    _ = try manifest(rules, container: settings.container)
    let request = request(into: output, settings, usesCache: usesCache, jobs: jobs, keepsOld: keepsOld)
    let result = try request.run(afterCheck: afterScan)
    let errors = result.findings.filter { $0.severity == .error }
    if result.decisions.isEmpty && !errors.isEmpty {
      throw SiteFailure(description: errors.map(\.message).joined(separator: "\n"))
    }
    return result
  }

  /// Returns every published file of a build, without the build cache.
  package func published(_ output: String = "out") throws -> [String: Data] {
    try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  /// Returns the sorted paths in the folder of packs.
  package func packNames(_ output: String = "out") throws -> [String] {
    try FileOperations.names(in: folder.path("\(output)/packs"))
  }

  /// Extracts a pack with another program.
  ///
  /// Returns the content of each file, by its path.
  package func contents(of pack: PublishedPack, in output: String = "out", by program: String) throws
    -> [String:
    Data]
  {
    let path = folder.path("\(output)/\(pack.archive.path)")
    let target = "extracted-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder.path(target), withIntermediateDirectories: true)
    let arguments =
      switch program {
      case "unzip": ["-q", path, "-d", folder.path(target)]
      case "python3": ["-m", "zipfile", "-e", path, folder.path(target)]
      case "7zz": ["x", "-bso0", "-o\(folder.path(target))", path]
      case "cp": ["-RT", path, folder.path(target)]
      default: ["-xf", path, "-C", folder.path(target)]
      }
    let result = try run(program, arguments, environment: ["LC_ALL": "C.UTF-8"])
    if result.status != 0 { throw SiteFailure(description: "\(program): \(result.output)\(result.errors)") }
    return try folder.files(below: target)
  }
}

extension BuildRequest {
  /// Runs a build and calls two functions of the test: one between the check and the decisions, and one just
  /// before packs are written.
  package func run(
    afterCheck: () throws -> Void = {}, beforePacking: () throws -> Void = {}, progress: PackProgress? = nil
  ) throws -> BuildResult {
    let checked = try check(Policy())
    try afterCheck()
    let decided = try checked.decide()
    try beforePacking()
    return try decided.pack(progress).publish()
  }
}

extension BuildResult {
  /// The packs that were written or kept, in the order of the plan; empty if nothing was published.
  package var packs: [PublishedPack] { release?.packs.compactMap(\.published) ?? [] }

  /// Whether each pack of the plan was kept unchanged.
  package var isKept: [Bool] { decisions.map(\.isKeep) }
}

extension Container {
  /// The programs on this machine that can read the container.
  package var readers: [String] {
    switch self {
    case .zip: ["unzip", "bsdtar", "python3", "7zz"].filter { isInstalled($0) }
    case .tarGzip, .tarZstandard: ["bsdtar", "tar"].filter { isInstalled($0) }
    case .folder: ["cp"]
    }
  }
}

/// Generates content that is the same in every run.
package enum Sample {
  /// The longest text until now, because each shorter text is a prefix of it.
  private static let longestText = Monitor(Data())

  /// Returns bytes that can be compressed well.
  package static func text(_ count: Int) -> Data {
    longestText.change { text in
      if text.count < count {
        let line = Array("The door in room 17 leads to the cellar; {\"x\": 3, \"y\": -4}\n".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + line.count + 8)
        while bytes.count < count { bytes += line + Array("\(bytes.count)".utf8) }
        text = Data(bytes)
      }
      return Data(text.prefix(count))
    }
  }

  /// Returns bytes that cannot be compressed.
  package static func noise(_ count: Int, seed: UInt64 = 1) -> Data {
    var state = seed
    var bytes = [UInt8](repeating: 0, count: (count + 7) & ~7)
    bytes.withUnsafeMutableBytes { buffer in
      for offset in stride(from: 0, to: buffer.count, by: 8) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        buffer.storeBytes(of: state ^ state >> 29, toByteOffset: offset, as: UInt64.self)
      }
    }
    return Data(bytes.prefix(count))
  }
}
