import Archiving
import Foundation
import Support
import Testing

@testable import PackKit

extension ScanSite {
  /// Follows the manifest that was written last, as far as a build into `output` needs it.
  func prepare(_ output: String = "out", usesCache: Bool = true, jobs: Int = 2) throws -> Preparation {
    let output = OutputFolder(folder.path(output))
    let claim = usesCache ? try OutputClaim(existing: output, .fails) : nil
    let preparation = try Preparation(
      argument: folder.path, output: output, choices: .init(claim: claim), jobs: jobs)
    let errors = preparation.diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw SiteFailure(description: errors.map(\.message).joined(separator: "\n")) }
    return preparation
  }

  /// Lets the files get so old that the next build trusts their times.
  func rest() { usleep(60_000) }

  /// Builds what was prepared.
  @discardableResult
  func build(
    _ preparation: Preparation, into output: String = "out", _ settings: PackSettings = .test(.zip),
    jobs: Int = 2, keepsOld: Bool = false
  ) throws -> Build.Outcome {
    let build = Build(
      preparation, into: OutputFolder(folder.path(output)), settings: settings, jobs: jobs, keepsOld: keepsOld
    )
    return try #require(build).run()
  }

  /// Builds by some rules.
  @discardableResult
  func build(
    _ rules: [TestRule], into output: String = "out", _ settings: PackSettings = .test(.zip),
    usesCache: Bool = true, jobs: Int = 2, keepsOld: Bool = false
  ) throws -> Build.Outcome {
    _ = try manifest(rules)
    let preparation = try prepare(output, usesCache: usesCache, jobs: jobs)
    return try build(preparation, into: output, settings, jobs: jobs, keepsOld: keepsOld)
  }

  /// Every file of a build but what only serves the next.
  func published(_ output: String = "out") throws -> [String: Data] {
    try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  /// The paths in the folder of packs, sorted.
  func packNames(_ output: String = "out") throws -> [String] {
    try FileOperations.names(in: folder.path("\(output)/packs"))
  }

  /// Takes a pack out of its container by other programs; each file's path and content.
  func contents(of pack: PublishedPack, in output: String = "out", by program: String) throws -> [String:
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

extension PackSettings {
  /// Settings with the time 2001-09-09 01:46:40.
  static func test(_ container: Container, _ compression: Compression = .default) -> PackSettings {
    PackSettings(container: container, compression: compression, modified: 1_000_000_000)
  }
}

extension Container {
  /// The programs of this machine that read it.
  var readers: [String] {
    switch self {
    case .zip: ["unzip", "bsdtar", "python3", "7zz"].filter { isInstalled($0) }
    case .tarGzip, .tarZstandard: ["bsdtar", "tar"].filter { isInstalled($0) }
    case .folder: ["cp"]
    }
  }
}

/// Sorts of content, the same each time.
enum Sample {
  /// Bytes that compress well.
  static func text(_ count: Int) -> Data {
    let line = Array("The door in room 17 leads to the cellar; {\"x\": 3, \"y\": -4}\n".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + line.count + 8)
    while bytes.count < count { bytes += line + Array("\(bytes.count)".utf8) }
    return Data(bytes.prefix(count))
  }

  /// Bytes that do not compress.
  static func noise(_ count: Int, seed: UInt64 = 1) -> Data {
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
