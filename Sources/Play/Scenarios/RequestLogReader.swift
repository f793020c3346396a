package import Formats
import Model
import Pipeline
package import System

/// The downloads of packs that a log of `packtool serve` contains.
package struct RequestLogReader: Sendable {
  /// One response with bytes of a pack.
  package struct Download: Sendable {
    /// The pack's identifier.
    package let pack: String
    package let tags: [String]
    package let bytes: Int64
    /// The number of microseconds from the first download in the log to this request.
    package fileprivate(set) var began: Int64
    /// The number of microseconds from the request to the last byte that was sent.
    package let measured: Int64
  }

  /// The path as the user typed it.
  package let path: String
  /// The downloads, sorted by the time of the request.
  package private(set) var downloads: [Download] = []
  package var diagnostics: [Diagnostic] { found.findings }
  /// The text of the log; nil if no text was read.
  package private(set) var text: SourceText?
  private var found = FindingList()

  /// The maximum size of a log in bytes.
  package static let maxLogSize = 256 << 20
  /// The maximum number of downloads in a log.
  package static let maxDownloads = 20_000

  /// Reads the log in a file.
  ///
  /// - Throws: if the file exists but cannot be read.
  package init(path: String) throws(SystemError) {
    self.path = path
    switch try FileContents(of: path, limit: Self.maxLogSize) {
    case .bytes(let bytes): read(SourceText(path: path, bytes: bytes))
    case .missing: refuse("\(quoted(path)) does not exist; \"packtool serve --log FILE\" writes such a log")
    case .noFile: refuse("\(quoted(path)) is not a file; pass a log that \"packtool serve --log FILE\" wrote")
    case .tooLong: refuse("the log is larger than \(ByteSize.exact(Self.maxLogSize))")
    }
  }

  /// Reads a log from its text.
  package init(text: SourceText) {
    path = text.path
    read(text)
  }

  private mutating func refuse(_ message: String) {
    found.add(Diagnostic(.logSyntax, message: message, at: Place(path)))
  }

  private mutating func read(_ text: SourceText) {
    self.text = text
    var start = 0
    for line in text.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      read(Array(line), at: start)
      start += line.count + 1
    }
    // The downloads are sorted because `serve` writes a line when a response ends. The lines are therefore
    // not in the order of the requests.
    downloads.sort { ($0.began, $0.pack) < ($1.began, $1.pack) }
    let first = downloads.first?.began ?? 0
    for place in downloads.indices { downloads[place].began -= first }
    if found.findings.hasErrors { return }
    if downloads.isEmpty { refuse("the log does not contain a download of a pack") }
    if downloads.count > Self.maxDownloads {
      refuse(
        "the log contains \(grouped(downloads.count)) downloads; packtool can replay at most "
          + "\(grouped(Self.maxDownloads))"
      )
    }
  }

  private mutating func read(_ line: [UInt8], at offset: Int) {
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return }
    let (value, mistakes) = JSONReader.read(SourceText(path: path, bytes: line))
    guard mistakes.isEmpty, let value, let entry = Entry(value) else {
      let message = "\(quoted(bytes: line.prefix(80))) is not a line that \"packtool serve\" writes to a log"
      return found.add(
        Diagnostic(
          .logSyntax, message: message, at: text?.place(at: offset) ?? Place(path), severity: .warning))
    }
    if case .download(let download) = entry { downloads.append(download) }
  }

  /// The contents of one line of a log.
  private enum Entry {
    case download(Download)
    /// A response that contains no bytes of a pack.
    case other

    /// Reads the entry in a line.
    ///
    /// Returns nil if the value is not a log line.
    init?(_ value: JSONValue) {
      let time = value.member("time")?.string.flatMap { UTCTime.time(of: $0, fractionDigits: 6) }
      guard let (seconds, fraction) = time, seconds >= 0,
        let bytes = value.member("bytes")?.wholeNumber,
        case .number(let text) = value.member("milliseconds")?.content, let duration = Double(text),
        duration >= 0, duration < 1e12, let tags = value.member("tags")?.elements?.map(\.string),
        tags.allSatisfy({ $0 != nil })
      else { return nil }
      guard let pack = value.member("pack")?.string, bytes > 0 else {
        self = .other
        return
      }
      self = .download(
        Download(
          pack: pack, tags: tags.compactMap(\.self), bytes: bytes, began: seconds * 1_000_000 + fraction,
          measured: Int64(duration * 1000)))
    }
  }
}

/// The downloads of a log, replayed at the same times over a simulated network.
package struct Replay: Sendable {
  package let network: NetworkProfile
  /// The downloads, sorted by the time of the request.
  ///
  /// Each has the number of microseconds that it took in the simulation.
  package let downloads: [(logged: RequestLogReader.Download, modelled: Int64)]

  /// Replays the downloads of a log on a network, each as a request for a separate pack.
  ///
  /// Returns nil if the numbers of the log are too large for the simulation.
  package init?(_ log: RequestLogReader, on network: NetworkProfile) {
    let asked = log.downloads
    let packs = asked.enumerated().map { number, download in
      SimulatedRelease.Pack(
        id: "\(number)", tags: ["\(number)"], size: download.bytes, transferSize: download.bytes,
        contentID: "")
    }
    var actions: [ScenarioStep.Action] = []
    var time: Int64 = 0
    for (number, download) in asked.enumerated() {
      if download.began > time { actions.append(.play(download.began - time)) }
      time = download.began
      actions.append(.begin(["\(number)"], as: "\(number)", priority: .standard))
    }
    actions += asked.indices.map { .await("\($0)") }
    let scenario = Scenario(network: network, device: SimulatedDevice(inUseLimit: .max), actions: actions)
    guard let table = PackTable(SimulatedRelease(packs: packs, initialInstall: [], prefetch: [])),
      let result = try? Simulation.run(scenario, on: table)
    else { return nil }
    self.network = network
    downloads = zip(asked, result.requests).map { ($0, ($1.available ?? $1.began) - $1.began) }
  }

  /// The total number of bytes of all downloads.
  package var size: Int64 { downloads.saturatingSum(\.logged.bytes) }

  /// The measured number of microseconds from the first request to the end of the last download.
  package var measured: Int64 {
    downloads.map { $0.logged.began.saturatingSum(with: $0.logged.measured) }.max() ?? 0
  }
  /// The simulated number of microseconds from the first request to the end of the last download.
  package var modelled: Int64 {
    downloads.map { $0.logged.began.saturatingSum(with: $0.modelled) }.max() ?? 0
  }
}
