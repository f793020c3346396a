import Foundation
import OnDemand
import Support
import System
import Testing

@testable import packtool

/// A test case: a web server, and a fault in its first response for a pack.
struct TransportCase: Sendable, CustomTestStringConvertible {
  enum Server: String, CaseIterable, Sendable {
    case nginx, apache, caddy, s3, serve, moto

    /// The program that the test case needs.
    var program: String {
      switch self {
      case .nginx, .caddy: rawValue
      case .apache: "apache2"
      case .s3, .serve, .moto: "python3"
      }
    }
  }

  enum Fault: String, CaseIterable, Sendable {
    case none, idle, kill, cut, stall, missing, range, longer, shorter
    case tooMany = "429"
    case busy = "503"
  }

  let server: Server
  let fault: Fault

  var testDescription: String { "\(server.rawValue), \(fault.rawValue)" }

  /// All combinations of servers and faults.
  ///
  /// On a push, each fault is tested with one or two servers, and each server with several faults.
  static var all: [Self] {
    let servers = Server.allCases.filter { $0 != .moto }
    var cases: [Self] = []
    for (row, fault) in Fault.allCases.enumerated() {
      for (column, server) in servers.enumerated() where isWhole || (row * 2 + column) % servers.count == 0 {
        cases.append(Self(server: server, fault: fault))
      }
    }
    // moto is tested with fewer faults. It treats "+" like any other character, but has its own code for
    // ranges and missing keys.
    if motoFolder != nil {
      for fault in [Fault.none, .cut, .tooMany, .range] {
        cases.append(Self(server: .moto, fault: fault))
      }
    }
    return cases
  }

  /// The folder in which `.ci/setup` installs moto for the nightly run.
  static let motoFolder: String? = {
    let folder = "\(packageFolder)/.build/python-moto"
    return FileManager.default.fileExists(atPath: "\(folder)/moto") ? folder : nil
  }()
}

/// Tests the library with web servers that are common on the internet.
///
/// For each server, the faults are kills, truncated responses, stalls and wrong responses.
@Suite(.mostlyWaits, .noHang, .enabled(if: isInstalled("python3"), "needs python3")) struct TransportTests {
  @Test(arguments: TransportCase.all) func `a pack arrives whatever happens`(_ case: TransportCase)
    async throws
  {
    if !isInstalled(`case`.server.program) { return }
    let site = try await TransportSite(`case`)
    defer { site.end() }
    switch `case`.fault {
    case .none: try await site.bring(expecting: [200])
    case .idle:
      try await site.bring(expecting: [200], before: "Other")
    case .kill, .cut: try await site.bring(expecting: [200, 206])
    case .stall:
      // The patience is long enough for a busy machine and short enough for a test.
      try await site.bringAfterStall(patience: 15)
    case .missing: try await site.missBig()
    case .tooMany, .busy:
      let seconds = try await site.bring(expecting: [`case`.fault == .busy ? 503 : 429, 200])
      // The server requests a pause of 1 second. Without this request, the library would choose a pause from
      // 0.8 to 1.2 seconds.
      #expect(seconds.count == 1 && seconds[0] >= 1, "\(seconds)")
    case .range: try await site.bring(expecting: [200, 206, 200])
    case .longer, .shorter: try await site.bring(expecting: [200, 200])
    }
  }
}

/// A release on a server, behind a proxy that causes a fault.
private final class TransportSite {
  struct Request: Decodable {
    /// The number of requests that had begun when this one began, including itself.
    let order: Int
    let path: String
    let range: String?
    let status: Int
    let sent: Int
  }

  private static let big = Sample.noise(600_000)
  /// A tag with all characters that have a special meaning in URLs.
  ///
  /// Packs with two tags also have a "+" in their names.
  private static let oddTag = "50% #1?&;=:@+ %2B é"
  /// The number of bytes of a pack that arrive before a fault.
  private static let part = 200_000

  private let folder: TemporaryFolder
  private let process: TestProcess
  private let kind: TransportCase
  private var url = ""

  init(_ kind: TransportCase) async throws {
    self.kind = kind
    folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("big", "Big", Self.oddTag), .path("other", "Other")], app: "com.example.transport",
      root: "Assets")
    try folder.write("Assets/big/noise", Self.big)
    try folder.write("Assets/other/a:b +%.txt", Data("other".utf8))
    try Self.build(in: folder)
    // If root starts the server, its workers may run as another user, who must be able to read the folder.
    chmod(folder.path, 0o755)
    let words = [
      "\(packageFolder)/Tests/Servers/transport", try packtoolProgram(), kind.server.rawValue,
      folder.path("out"), kind.fault.rawValue,
    ]
    let environment = TransportCase.motoFolder.map { ["PYTHONPATH": $0] } ?? [:]
    process = try TestProcess(
      "python3", words, environment: environment, output: folder.path("log"), errors: folder.path("errors"))
    try await waitUntil("the server says its URL") {
      try await Task.sleep(nanoseconds: 20_000_000)
      url =
        String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n").first.map(String.init)
        ?? ""
      return !url.isEmpty || !process.isRunning
    }
    let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
    #expect(process.isRunning, "\(errors)")
  }

  func end() {
    process.signal(SIGTERM)
    process.waitForEnd()
  }

  private static func build(in folder: TemporaryFolder) throws {
    let built = runTool(
      "build", folder.path, "-o", folder.path("out"), "--compression", "store", "--severity",
      "unportable-name=ignore")
    #expect(built.status == .done, "\(built.errors)")
  }

  private func open(patience: Double = 3600) async throws -> PackStore {
    var options = PackStore.Options()
    // On a busy machine, the server may respond late.
    options.patience = patience
    return try await PackStore.open(
      at: URL(fileURLWithPath: folder.path("store")), server: #require(URL(string: url)), options)
  }

  /// Returns the requests for the large pack so far.
  private func requests() throws -> [Request] {
    let lines = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n").dropFirst()
    let all = try lines.map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    // S3 would interpret a path with an unencoded plus as another key.
    #expect(all.allSatisfy { !$0.path.contains("+") }, "\(all)")
    return all.filter { $0.path.contains("/packs/") && $0.path.contains("Big") }
      .sorted { $0.order < $1.order }
  }

  /// Waits until the server has logged the expected number of responses for the large pack, and compares
  /// their statuses.
  private func check(_ statuses: [Int]) async throws {
    try await waitUntil("the log has \(statuses.count) requests") {
      try await Task.sleep(nanoseconds: 20_000_000)
      return try requests().count >= statuses.count
    }
    let found = try requests()
    #expect(found.map(\.status) == statuses, "\(found)")
    for (number, request) in found.enumerated() where request.status == 206 {
      // The download must resume after the received bytes and request only the remaining bytes.
      let start = request.range.flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
      #expect(start > 0 && start <= Self.part, "\(found)")
      let isWrong = kind.fault == .range && number == 1
      #expect(isWrong || start + request.sent > Self.big.count, "\(found)")
    }
    #expect(found.first?.range == nil)
  }

  private func checkFile(of request: ResourceRequest) throws {
    #expect(try Data(contentsOf: request.url(for: "big/noise")) == Self.big)
  }

  /// Downloads the large pack, optionally after the packs of another tag.
  ///
  /// Returns the duration of each pause in seconds.
  @discardableResult
  func bring(
    expecting statuses: [Int], before tag: String? = nil, patience: Double = 3600
  ) async throws -> [Double] {
    let store = try await open(patience: patience)
    let events = store.events
    if let tag {
      let first = store.request(for: [tag])
      try await first.beginAccessing()
      #expect(try String(contentsOf: first.url(for: "other/a:b +%.txt"), encoding: .utf8) == "other")
      // The proxy closes connections that are idle for less than this time.
      try await Task.sleep(nanoseconds: 700_000_000)
    }
    let request = store.request(for: ["Big"])
    try await request.beginAccessing()
    try checkFile(of: request)
    request.endAccessing()
    await store.close()
    try await check(statuses)
    var pauses: [Double] = []
    for await event in events {
      if case .retry(_, _, let seconds) = event { pauses.append(seconds) }
      if case .failed = event { Issue.record("\(event)") }
    }
    return pauses
  }

  /// Requests the large pack twice.
  ///
  /// The server falls silent during the first download. The first request can fail when the patience has run
  /// out. The bytes that it downloaded stay, and the remaining bytes are downloaded only once.
  func bringAfterStall(patience: Double) async throws {
    let store = try await open(patience: patience)
    let silent = store.request(for: ["Big"])
    do { try await silent.beginAccessing() } catch is OnDemandError {}
    silent.endAccessing()
    let request = store.request(for: ["Big"])
    try await request.beginAccessing()
    try checkFile(of: request)
    request.endAccessing()
    await store.close()
    try await check([200, 206])
  }

  /// Requests a pack that is missing on the server.
  ///
  /// The library reports the status, and other downloads continue. After another release is published, the
  /// pack no longer exists.
  func missBig() async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs"))
    let store = try await open()
    try await store.checkForUpdate()?.apply(.immediately)
    let name = try #require(names.first { $0.contains("Big") })
    try FileManager.default.removeItem(atPath: folder.path("out/packs/\(name)"))
    let request = store.request(for: ["Big"])
    let error = await #expect(throws: OnDemandError.self) { try await request.beginAccessing() }
    let status = kind.server == .s3 ? 403 : 404
    if case .refused(.some, status)? = error {
    } else {
      Issue.record("\(String(describing: error))")
    }
    let other = store.request(for: ["Other"])
    try await other.beginAccessing()
    other.endAccessing()
    // nginx detects a changed index only by its size and its time in whole seconds. So the new index must not
    // be written in the same second as the old index.
    try await Task.sleep(nanoseconds: 1_100_000_000)
    let content = Self.big + [1]
    try folder.write("Assets/big/noise", content)
    try Self.build(in: folder)
    let late = store.request(for: ["Big"])
    let gone = await #expect(throws: OnDemandError.self) { try await late.beginAccessing() }
    if case .releaseGone? = gone {} else { Issue.record("\(String(describing: gone))") }
    try await store.checkForUpdate()?.apply(.immediately)
    let next = store.request(for: ["Big"])
    try await next.beginAccessing()
    #expect(try Data(contentsOf: next.url(for: "big/noise")) == content)
    await store.close()
  }
}

/// Tests `Tests/Servers/s3.py`.
///
/// This server follows the rules of S3 that its comments list.
@Suite(.noHang, .enabled(if: isInstalled("python3"), "needs python3")) struct S3ServerTests {
  private func check(_ flags: [String], _ environment: [String: String] = [:]) throws {
    let words = ["\(packageFolder)/Tests/Servers/check-s3"] + flags
    let result = try run("python3", words, environment: environment)
    #expect(result.status == 0 && result.output.contains(" rules hold"), "\(result.output)\(result.errors)")
  }

  @Test func `the server has S3's rules`() throws { try check([]) }

  @Test(
    .enabled(if: TransportCase.motoFolder != nil, "needs moto: PACKTOOL_WHOLE=1 bash .ci/setup --acceptance"))
  func `moto agrees where it has the rule`() throws {
    try check(["--moto"], ["PYTHONPATH": try #require(TransportCase.motoFolder)])
  }
}
