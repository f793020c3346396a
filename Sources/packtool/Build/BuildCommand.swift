import Formats
import Inspect
import Model
import Packing
import Pipeline
import Play
import System

extension Command {
  static let build = Command(
    CommandSyntax<BuildOptions>(
      name: "build", summary: "check a manifest, then write its packs and their index",
      arguments: [manifestArgument], flags: BuildOptions.flags, mistake: \.mistake),
    defaults: BuildOptions.init
  ) { options, arguments, session in
    try session.build(arguments.first, options: options)
  }
}

extension Session {
  fileprivate func build(_ argument: String?, options: BuildOptions) throws -> ExitStatus {
    let start = ThisProcess.seconds
    var request = try options.request(argument, entryTime: entryTime(), session: self)
    request.signing = try options.signing.signing(self, after: options.manifest.baseline)
    request.findings += request.signing?.expiryFindings(ofBuild: request.outputPath) ?? []
    try options.addOnto(&request)
    var shown = Findings()
    let result: BuildResult
    do {
      result = try BuildRequest.retrying { try build(request, options: options, shown: &shown) }
    } catch is MissingURLPrefix {
      return refuse(ManifestOptions.missingPrefix)
    }
    let packaged = try package(result, request: request, options: options)
    let findings = report(result, options: options, and: packaged, said: shown)
    let seconds = ThisProcess.seconds - start
    try writeFiles(about: result, of: request, findings: findings, seconds: seconds, options: options)
    guard let release = result.release else { return .inputHasErrors }
    if options.showsTimings { narrate(result.timings.text, options: options.shared) }
    if !options.shared.isQuiet && options.result != Session.standardOutput {
      try print(release.summary(result.changes, output: request.outputPath, seconds: seconds))
    }
    return .done
  }

  /// The build itself, step by step; `shown` becomes the findings that were shown before packing.
  private func build(
    _ request: BuildRequest, options: BuildOptions, shown: inout Findings
  ) throws -> BuildResult {
    var checked = try request.check(options.shared.policy)
    let prepared = checked.prepared
    options.manifest.adopt(prepared, session: self)
    let (update, mistakes) = try options.manifest.update(to: prepared, known: checked.known)
    checked.moreFindings = mistakes
    if options.patchFrom.isEmpty {
      checked.moreFindings += options.manifest.findings(on: update, of: prepared, session: self)
    }
    let decided = try checked.decide()
    if decided.isWriting {
      shown = options.shared.judged(decided.result.findings, about: prepared)
      say(shown, options: options.shared)
    }
    let plan = decided.isWriting ? decided.result.plan : nil
    let line = plan.flatMap { progress(of: $0, decisions: decided.result.decisions, options: options.shared) }
    defer { line?.clear() }
    var packed = try decided.pack { line?.advance(by: $0, of: $1) }
    line?.clear()
    if !options.patchFrom.isEmpty, let release = packed.release, let update {
      // With patches an update downloads less, so its findings have to wait for them.
      let patched = Comparison(old: update.old, new: update.new.packed(as: release))
      packed.add(options.manifest.findings(on: patched, of: prepared, session: self))
    }
    return try packed.publish()
  }

  private func writeFiles(
    about result: BuildResult, of request: BuildRequest, findings: Findings, seconds: Double,
    options: BuildOptions
  ) throws {
    if result.release != nil, let depfile = result.depfile, let path = options.depfile {
      try write(depfile.bytes(), to: path, as: .product)
    }
    if let path = options.missing, let missing = result.missing {
      var lines = ByteBuffer()
      for file in missing { lines.append("\(file)\n") }
      try write(lines, to: path, as: .product, shown: Output(missing.map { "\($0)\n" as PlainText }.joined()))
    }
    if let path = options.report {
      try write(
        try facts(of: result, request: request, findings: findings, options: options).page, to: path,
        as: .product)
    }
    if let path = options.result {
      let json = result.json(findings, indexName: request.indexName, seconds: seconds)
      try write(Output(json), to: path)
    }
  }

  /// Runs `ba-package` where that was asked for; what it could not do is a finding.
  private func package(
    _ result: BuildResult, request: BuildRequest, options: BuildOptions
  ) throws -> [Diagnostic] {
    guard let release = result.release else { return [] }
    let isSelfHosted = request.layout.assets.isSelfHosted
    guard options.packages else {
      return isSelfHosted ? try BackgroundAssetsArchiver.unmeasured(request, release: release) : []
    }
    let packaging = try BackgroundAssetsArchiver(request, release: release, environment: environment)
    // The download manifest and the ledger have the sizes of archives.
    if isSelfHosted && !packaging.archived.isEmpty { _ = try request.run(options.shared.policy) }
    if options.shared.isVerbose {
      narrate(
        "archived \(counted(packaging.archived.count, of: "pack")) by ba-package\n", options: options.shared)
    }
    return packaging.diagnostics
  }

  private func facts(
    of result: BuildResult, request: BuildRequest, findings: Findings, options: BuildOptions
  ) throws -> ReportFacts {
    let isListed = result.release?.contents != nil
    let built = try isListed ? BuiltFolder(request.outputPath, from: .output).release : result.release
    let newest =
      try isListed && options.manifest.baseline != nil
      ? ReleaseReader(request.outputPath, jobs: options.shared.workers).release : nil
    let isWhole = built?.packs.count == result.prepared.slice?.packs.count
    return try options.manifest.facts(
      of: result.prepared, findings: findings, packs: isWhole ? built?.packs.map(\.published) : nil,
      newest: newest)
  }

  private func report(
    _ result: BuildResult, options: BuildOptions, and more: [Diagnostic], said: Findings
  ) -> Findings {
    if (options.explains || options.shared.isVerbose), let plan = result.plan,
      !result.decisions.isEmpty
    {
      narrate(
        plan.text(of: result.decisions, kept: options.shared.isVerbose ? .listed : .counted),
        options: options.shared)
    }
    let findings = options.shared.judged(result.findings + more, about: result.prepared)
    report(findings, options: options.shared, said: said)
    return findings
  }
}

extension Timings {
  fileprivate var text: PlainText {
    let entries = all
    let packing = entries[.pack]?.seconds ?? 0
    var table = TextTable([.left, .right, .right, .right])
    table.add("phase", "seconds", "MB/s", "cores")
    for phase in Phase.allCases {
      guard let entry = entries[phase] else { continue }
      let isPart = phase.isPartOfPacking
      // Parts of packing overlap: they are told in processor seconds, which add up.
      let seconds = isPart ? entry.processorSeconds : entry.seconds
      let speed =
        entry.bytes > 0 && seconds > 0 ? decimal(Double(entry.bytes) / 1e6 / seconds, digits: 0) : ""
      let whole = isPart ? packing : entry.seconds
      let cores = whole > 0 ? decimal(entry.processorSeconds / whole, digits: 2) : ""
      table.add((isPart ? "  " : "") + phase.rawValue, decimal(seconds, digits: 3), speed, cores)
    }
    return table.text()
  }
}

extension BuildResult {
  fileprivate func json(_ findings: Findings, indexName: String, seconds: Double) -> JSONText {
    .fields([
      "formatVersion": 1, "status": release == nil ? "refused" : isUnchanged ? "unchanged" : "built",
      "written": changes.written, "kept": kept, "removed": changes.removed,
      "index": release == nil ? JSONText.null : .string(indexName),
      "contents": release?.contents.map { JSONText.string($0.path) } ?? .null,
      "seconds": (seconds * 1000).rounded() / 1000, "read": reads.read, "hashed": reads.hashed,
      "diagnostics": findings.counts,
      // Only of builds that took packs over, so that all others have the same keys.
      "takenOver": takenOver.isEmpty ? nil : takenOver,
      "patches": release?.patches.isEmpty == false ? changes.patches : nil,
    ])
  }
}

extension PackPlan {
  /// How packs are shown that were kept.
  fileprivate enum KeptPacks {
    /// On one line.
    case counted
    /// Each on a line.
    case listed
  }

  /// Why packs were written or kept, with a line for each that was written.
  fileprivate func text(of decisions: [BuildDecision], kept: KeptPacks) -> PlainText {
    let order = Delivery.allCases.flatMap(self.order)
    let lines = order.filter { kept == .listed || decisions[$0].isWrite }.map { number -> PlainText in
      let tags = setNotation(packs[number].tags)
      return switch decisions[number] {
      case .keep(let proof): "kept \(tags): \(Self.words(for: proof))\n"
      case .takeOver: "took over \(tags): published with the same contents\n"
      case .write(let reason): "wrote \(tags): \(Self.words(for: reason))\n"
      }
    }
    if kept == .listed { return lines.joined() }
    let taken = counted(decisions.count { $0 == .takeOver }, of: "pack")
    return lines.joined() + Self.keptCount(decisions)
      + (decisions.contains(.takeOver) ? "took over \(taken): published with the same contents\n" : "")
  }

  private static func keptCount(_ decisions: [BuildDecision]) -> PlainText {
    let kept = decisions.count { $0.isKeep }
    if kept == 0 { return "" }
    let compared = decisions.count { $0 == .keep(.digests) }
    let detail =
      switch compared {
      case 0: words(for: .times)
      case kept: words(for: .digests)
      default: "\(grouped(compared)) with the same contents, other times"
      }
    return "kept \(counted(kept, of: "pack")): \(detail)\n"
  }

  private static func words(for proof: BuildDecision.Proof) -> String {
    switch proof {
    case .times: "nothing changed"
    case .digests: "same contents, other times"
    }
  }

  private static func words(for reason: BuildDecision.Reason) -> String {
    switch reason {
    case .noRecord: "there is no record of a build"
    case .newPack: "it is new"
    case .otherSettings(let changes): changes.map(\.words).joined(separator: "; ")
    case .archiveChanged: "its archive is missing or was changed"
    case .renamed: "it was published under another name"
    case .recordDamaged: "the record of it is damaged"
    case .added(let path): "\(quoted(path)) was added"
    case .removed(let path): "\(quoted(path)) was removed"
    case .changed(let path): "\(quoted(path)) changed"
    }
  }
}

struct ProgressState: Sendable {
  var done: Int64 = 0
  let total: Int64
  var elapsed: Double = 0
  var pack = ""
  var nextLine = 0.0
  var isShown = false

  private var share: Double { total > 0 ? min(Double(done) / Double(total), 1) : 1 }

  /// Bytes each second; 0 before anything is known.
  private var rate: Double { elapsed > 0 ? Double(done) / elapsed : 0 }

  /// The numbers, such as `41 %, 90.2 MB of 220 MB, 12.0 MB/s, 9 s left`.
  var figures: String {
    let size = "\(Int(share * 100)) %, \(ByteSize.text(min(done, total))) of \(ByteSize.text(total))"
    guard rate >= 1, rate < 1e15 else { return size }
    let left = Double(max(0, total - done)) / rate
    let time = left < 1e6 ? ", \(TimeText.text(Int64(left.rounded(.up)) * 1_000_000)) left" : ""
    return "\(size), \(ByteSize.text(Int64(rate)))/s\(time)"
  }

  /// The line of a terminal of some columns: a bar, the figures, and the pack as far as there is room.
  func line(width: Int) -> String {
    let barWidth = width >= 70 ? 20 : 0
    let bar = barWidth > 0 ? Screen.bar(max(1, Int64(share * 1000)), of: 1000, width: barWidth) : ""
    let space = String(repeating: " ", count: max(0, barWidth - bar.screenWidth))
    let frame = barWidth > 0 ? "▕\(bar)\(space)▏ " : ""
    let text = "packing \(frame)\(figures)"
    let room = width - 1 - text.screenWidth - 2
    if pack.isEmpty || room < 6 { return String(text.prefix(max(0, width - 1))) }
    return "\(text): \(pack.cut(toColumns: room))"
  }
}

/// Says how far a long build is: on a terminal by a line that is rewritten, elsewhere by a line every half minute.
final class Progress: Sendable {
  private let session: Session
  private let plan: PackPlan
  private let start: Double
  /// Columns of the terminal; nil where there is none.
  private let width: Int?
  private let state: Monitor<ProgressState>

  /// Seconds before the first line and between two, on a terminal and elsewhere.
  private static let (pause, longPause) = (0.2, 30.0)

  init(_ plan: PackPlan, total: Int64, width: Int?, session: Session) {
    self.plan = plan
    self.width = width
    self.session = session
    start = session.clock()
    let first = start + (width == nil ? Self.longPause : Self.pause)
    state = Monitor(ProgressState(total: total, nextLine: first))
  }

  func advance(by bytes: Int64, of file: AssetFile) {
    state.change { state in
      state.done = state.done.saturatingSum(with: bytes)
      let now = session.clock()
      if now < state.nextLine || state.total == 0 { return }
      state.elapsed = now - start
      state.pack = displayed(plan.tree.tagSets.tags(of: file.tagSet).joined(separator: " + "))
      state.nextLine = now + (width == nil ? Self.longPause : Self.pause)
      show(&state)
    }
  }

  private func show(_ state: inout ProgressState) {
    guard let width else { return session.explain("packing: \(state.figures)\n") }
    state.isShown = true
    session.explain("\r\u{1b}[K\(state.line(width: width))")
  }

  func clear() { state.change { if $0.isShown { session.explain("\r\u{1b}[K") } } }
}

extension Session {
  /// The progress of a build that makes these decisions; nil if nobody wants to see it.
  func progress(of plan: PackPlan, decisions: [BuildDecision], options: SharedOptions) -> Progress? {
    if options.isQuiet || options.outputs.isDocument { return nil }
    let isWatched = isLively(.error) && (environment["CI"] ?? "").isEmpty
    let total = zip(plan.packs, decisions).saturatingSum { $1.isWrite ? $0.size : 0 }
    return Progress(plan, total: total, width: isWatched ? columns(of: .error) ?? 80 : nil, session: self)
  }
}
