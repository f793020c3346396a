package import Formats
package import Model
import Pipeline
package import System

/// A scenario that was played with a release, with the result and the findings.
package struct ScenarioPlay: Sendable {
  package let scenario: Scenario
  /// The result; nil if the scenario has mistakes.
  package private(set) var result: SimulationResult?
  package private(set) var diagnostics: [Diagnostic] = []
  /// The packs and tags of all releases of the scenario; nil if a release cannot be read.
  package private(set) var table: PackTable?
  /// The release at the start; nil if any release of the scenario cannot be read.
  package private(set) var release: SimulatedRelease?
  /// The releases that updates install, by the names that the scenario uses.
  package private(set) var updates: [String: SimulatedRelease] = [:]
  /// The size of the app as the store shows it; nil if the scenario does not install the app.
  package private(set) var firstDownload: FirstDownload?
  private let text: SourceText

  /// The network at the start of a scenario.
  package enum Network: Sendable {
    case offline
    case profile(NetworkProfile)

    /// The network profile; nil if there is no network.
    package var profile: NetworkProfile? {
      switch self {
      case .offline: nil
      case .profile(let profile): profile
      }
    }
  }

  /// Plays a scenario with a release.
  ///
  /// Returns nil if the scenario or the release could not be read.
  ///
  /// `network` and `connections` override the scenario's values. Updates include only the files that `device`
  /// gets.
  ///
  /// - Throws: if the system fails, for example while reading a file.
  package init?(
    _ reader: ScenarioReader, on start: SimulatedReleaseReader, network: Network? = nil,
    connections: Int? = nil,
    rules: RuntimeRules = RuntimeRules(), device: DeviceClass? = nil,
    jobs: Int
  ) throws(SystemError) {
    guard var scenario = reader.scenario ?? reader.refused, let text = reader.text, start.release != nil
    else { return nil }
    if let network { scenario.network = network.profile }
    if let connections { scenario.connections = connections }
    scenario.rules = rules
    scenario.device.inUseLimit = scenario.device.inUseLimit ?? start.inUseLimit
    self.scenario = scenario
    self.text = text
    if reader.scenario != nil && !reader.hasLink && network == nil {
      let message = "the key \"link\" is missing; add this key, or use --link"
      diagnostics = [Diagnostic(.missingKey, message: message, at: text.place(at: 0))]
      return
    }
    try readReleases(of: reader, after: start, device: device, jobs: jobs)
    guard let release else { return }
    if reader.scenario != nil {
      run(on: release)
      measureInstall(of: release, limits: start.limits)
    } else if let table = PackTable(release, updates: updates) {
      // A scenario with mistakes is not played, but its tags are still checked.
      diagnostics += unknownTags(in: table)
    }
  }

  /// Whether a scenario can use the release at a path, which is `path` relative to the current folder.
  ///
  /// If symlinks are allowed to lead anywhere, only the text of the path decides.
  private static func isAllowed(
    _ update: String, at path: String, within bounds: InputBounds
  ) throws(SystemError) -> Bool {
    if RunScope.current.followsSymlinks { return (try? RelativePath(update)) != nil }
    return try FollowedPath(path).map { bounds.contains($0.target) } ?? false
  }

  /// Reads the releases that updates install, and compares the contents of their packs.
  private mutating func readReleases(
    of reader: ScenarioReader, after start: SimulatedReleaseReader, device: DeviceClass?, jobs: Int
  ) throws(SystemError) {
    var readers = [start]
    var aboutContents: [Diagnostic] = []
    let folder = folderPath(of: reader.path)
    let bounds = try InputBounds(ownFolder: folder)
    for update in reader.updates {
      let path = joined(folder, update.value)
      // The path is checked before any access. A finding about a file outside the allowed folders then
      // reveals nothing but the path.
      guard try Self.isAllowed(update.value, at: path, within: bounds) else {
        let message =
          "the update \(quoted(update.value)) is outside the scenario's folder \(quoted(folder)); move the "
          + "new release into that folder"
        diagnostics.append(Diagnostic(.invalidPath, message: message, at: text.place(at: update.offset)))
        continue
      }
      var request = Preparation.Request(argument: path, jobs: jobs)
      request.device = device
      request.layoutRules = start.manifest?.layoutRules ?? LayoutCapabilities()
      request.acceptsPointers = start.acceptsPointers
      let reading = try SimulatedReleaseReader(request)
      readers.append(reading)
      aboutContents += reading.contentDiagnostics
      if reading.release == nil {
        let first = reading.diagnostics.first { $0.severity == .error }
        let message = "the update \(quoted(update.value)) at \(quoted(reading.path)) cannot be read"
        diagnostics.append(
          Diagnostic(
            .invalidValue, message: message, at: text.place(at: update.offset),
            notes: first.map { [.init($0.message, at: $0.place)] } ?? []))
      }
    }
    if diagnostics.hasErrors { return }
    let compared = try ComparedReleases(readers, jobs: jobs)
    diagnostics += compared.diagnostics
    if diagnostics.hasErrors { return }
    release = compared.releases.first
    let names = reader.updates.map(\.value)
    updates = Dictionary(uniqueKeysWithValues: zip(names, compared.releases.dropFirst()))
    // An update can install the first release again, and two updates can install the same release.
    var seen = Set(start.contentDiagnostics)
    diagnostics += aboutContents.filter { seen.insert($0).inserted }
  }

  /// Returns findings about tags that do not exist in any release.
  ///
  /// There is one finding for each tag, at the tag's first use. The findings are warnings if the scenario
  /// expects errors.
  private func unknownTags(in table: PackTable) -> [Diagnostic] {
    var seen: Set<String> = []
    var guesses = Guesses()
    let known = table.tags
    let isExpected = scenario.expectations.contains { $0.kind == .errors && $0.allowed > 0 }
    return scenario.steps.flatMap { step -> [Diagnostic] in
      let asked: [String] =
        switch step.action {
        case .begin(let tags, _, _), .conditional(let tags, _), .preserve(let tags, _): tags
        default: []
        }
      return asked.filter { table.tagNumbers[$0] == nil && seen.insert($0).inserted }.map { tag in
        let guess = suggestion(guesses.nearest(to: tag, in: known)?.name)
        return Diagnostic(
          .unknownTag, message: "no pack has the tag \(quoted(tag))\(guess)", at: text.place(at: step.offset),
          severity: isExpected ? .warning : nil)
      }
    }
  }

  /// Returns a note about requests that stay open until the end of the run.
  private func openRequests(in result: SimulationResult) -> Diagnostic? {
    let open = result.requests.filter { $0.ended != nil && $0.last == .max && $0.error == nil }
    guard let first = open.first else { return nil }
    let isOne = open.count == 1
    let message =
      "\(isOne ? "the request" : "the \(grouped(open.count)) requests") "
      + "\(listed(open.map(\.name), atMost: 4)) \(isOne ? "is" : "are") still open at the end of the "
      + "scenario; end a request when the player no longer needs its packs, so that the device can purge them"
    return Diagnostic(
      .openRequest, message: message,
      at: text.place(at: scenario.steps[result.steps[first.step].source].offset))
  }

  /// Returns a warning if the steps set the highest preservation priority for all tags of the release.
  private func preservation(of release: SimulatedRelease) -> Diagnostic? {
    let all = Set(release.packs.lazy.flatMap(\.tags))
    var highest: Set<String> = []
    for step in scenario.steps {
      guard case .preserve(let tags, let priority) = step.action else { continue }
      if priority == 1 { highest.formUnion(tags) } else { highest.subtract(tags) }
      if all.count > 1 && highest.isSuperset(of: all) {
        let message =
          "all \(grouped(all.count)) tags have the preservation priority 1, so it protects none of them; set "
          + "it only for tags that players need again"
        return Diagnostic(.allPreserved, message: message, at: text.place(at: step.offset))
      }
    }
    return nil
  }

  /// Computes the size of the install, and adds a note if the store would ask the user before an install of
  /// this size over a cellular network.
  private mutating func measureInstall(of release: SimulatedRelease, limits: LimitSettings) {
    guard let first = scenario.order.first.map({ scenario.steps[$0] }), case .install = first.action
    else { return }
    let download = FirstDownload(
      appSize: release.appSize, initialInstall: release.initialInstallSize, limits: limits)
    firstDownload = download
    guard let network = scenario.network, network.isCellular, let limit = download.cellularLimit,
      download.isAboveCellularLimit
    else { return }
    let size = download.size
    let message =
      "the app and the initial install are \(ByteSize.exact(size)) together; on a cellular network such as "
      + "\(quoted(network.name ?? "")), the store asks the player before it installs more than "
      + "\(ByteSize.number(limit)); install over Wi-Fi in the scenario, or prefetch some tags"
    diagnostics.append(
      Diagnostic(
        .cellularSize, message: message, at: text.place(at: first.offset), severity: .note,
        measurement: .init(size, limit: limit)))
  }

  private mutating func run(on release: SimulatedRelease) {
    guard let table = PackTable(release, updates: updates) else {
      let message = "the packs together are larger than packtool can count"
      diagnostics.append(Diagnostic(.invalidValue, message: message, at: text.place(at: 0)))
      return
    }
    self.table = table
    diagnostics += unknownTags(in: table)
    do throws(ScenarioMistake) {
      let result = try Simulation.run(scenario, on: table, detail: .events)
      self.result = result
      let expected = ExpectationFindings(scenario: scenario, result: result, table: table, text: text)
      diagnostics += scenario.expectations.compactMap(expected.finding)
      diagnostics += [openRequests(in: result), preservation(of: release)].compactMap(\.self)
    } catch {
      let place = text.place(at: scenario.steps[error.source].offset)
      diagnostics.append(Diagnostic(.invalidValue, message: error.message, at: place))
    }
  }
}

private struct ExpectationFindings {
  let scenario: Scenario
  let result: SimulationResult
  let table: PackTable
  let text: SourceText

  private static let maxNamed = 3

  func finding(_ expected: Expectation) -> Diagnostic? {
    guard let value = expected.value(in: result.summary) else {
      let reason =
        result.summary.errors > 0 && result.requests.isEmpty
        ? "the installation fails" : "no step installs it; add {\"install\": true} as the first step"
      return finding(
        .slowInstall, message: "the app is never installed: \(reason)", notes: [], expected: expected)
    }
    if value <= expected.allowed { return nil }
    let (time, allowed) = (TimeText.text(value), grouped(expected.allowed))
    let over = "\(TimeText.text(value - expected.allowed)) more than expected"
    switch expected.kind {
    case .installed:
      return finding(
        .slowInstall, message: "the installation takes \(time), \(over)", notes: installNotes,
        expected: expected)
    case .stalled:
      return finding(
        .stalls, message: "the player waits \(time) in all, \(over)", notes: stallNotes, expected: expected)
    case .stalls:
      let message = "the player waits \(counted(value, of: "time")); expected at most \(allowed)"
      return finding(.stalls, message: message, notes: stallNotes, expected: expected)
    case .downloaded:
      let (size, expectedSize) = (ByteSize.exact(value), ByteSize.number(expected.allowed))
      let message =
        "the scenario downloads \(size), \(ByteSize.number(value - expected.allowed)) more than the expected "
        + "\(expectedSize)"
      return finding(.transferSize, message: message, notes: packNotes, expected: expected)
    case .errors:
      let failures = counted(value, of: "request fails", plural: "requests fail")
      return finding(
        .failedRequest, message: "\(failures); expected at most \(allowed)", notes: errorNotes,
        expected: expected)
    }
  }

  private func finding(
    _ check: Check, message: String, notes: [Diagnostic.AttachedLine], expected: Expectation
  ) -> Diagnostic {
    Diagnostic(check, message: message, at: text.place(at: expected.offset), notes: notes)
  }

  private var stallNotes: [Diagnostic.AttachedLine] {
    let stalls = Stall.all(of: result, scenario: scenario).sorted {
      ($1.duration, $0.step) < ($0.duration, $1.step)
    }
    return stalls.prefix(Self.maxNamed).map { stall in
      let request = result.requests[stall.request]
      return Diagnostic.AttachedLine(
        "\(TimeText.text(stall.duration)) for \(setNotation(request.tags)), requested "
          + "\(TimeText.text(stall.from - request.began)) before this wait",
        at: place(ofStep: stall.step))
    }
  }

  private var packNotes: [Diagnostic.AttachedLine] {
    let most = result.packs.indices.sorted {
      (result.packs[$1].transferred, $0) < (result.packs[$0].transferred, $1)
    }
    let notes = most.prefix(Self.maxNamed).filter { result.packs[$0].transferred > 0 }.map { pack in
      let times = result.packs[pack].downloads > 1 ? ", \(result.packs[pack].downloads) times" : ""
      return Diagnostic.AttachedLine(
        "\(ByteSize.exact(result.packs[pack].transferred)) for the pack of \(setNotation(table.tags(of: pack)))\(times)"
      )
    }
    let packs = result.packs.reduce(Int64(0)) { $0.saturatingSum(with: $1.transferred) }
    let app = result.summary.transferred - min(packs, result.summary.transferred)
    return (app > 0 ? [.init("\(ByteSize.exact(app)) for the app")] : []) + notes
  }

  private var installNotes: [Diagnostic.AttachedLine] {
    let transfers = result.transfers.filter { $0.to <= result.summary.installed ?? 0 }
    let longest = transfers.sorted { ($1.to - $1.from, $0.from) < ($0.to - $0.from, $1.from) }
    return longest.prefix(Self.maxNamed).map { transfer in
      let what = transfer.pack.map { "the pack of \(setNotation(table.tags(of: $0)))" } ?? "the app"
      return .init(
        "\(TimeText.text(transfer.to - transfer.from)) for \(what), \(ByteSize.exact(transfer.bytes))")
    }
  }

  private var errorNotes: [Diagnostic.AttachedLine] {
    if result.requests.isEmpty { return [.init("the installation fails")] }
    return result.requests.filter { $0.error != nil }.prefix(Self.maxNamed).map { request in
      .init(
        "the request \(quoted(request.name)) for \(setNotation(request.tags)) fails: "
          + (request.error?.rawValue ?? ""),
        at: place(ofStep: request.step))
    }
  }

  private func place(ofStep step: Int) -> Place {
    text.place(at: scenario.steps[result.steps[step].source].offset)
  }
}
