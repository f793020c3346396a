import Formats
import Inspect
import Model
import Pipeline
import Play
import System

extension Command {
  fileprivate struct SuggestOptions: ReportingOptions {
    var format = OutputFormat.text
    var scenes: [Glob] = []
    var history: [String] = []
    var links: [NetworkProfile] = []
    var connections: Int?
    var seed: Int?
    var explains = false
    var output: String?
    var acceptsPointers = false
    /// The folder that `--root` specifies.
    ///
    /// Code that reads files gets this folder from `RunScope.current`.
    var root: String?
    var shared = SharedOptions()
  }

  static let suggest = Command(
    CommandSyntax<SuggestOptions>(
      name: "suggest", summary: "propose tags from recorded runs of the app, and measure them on other runs",
      arguments: [
        Argument(
          "TRACE", summary: "logs of runs; the last argument can be a manifest or a folder that contains one",
          kind: .file(.input),
          count: 0...1000
        ).using(.manifest)
      ],
      flags: SuggestOptions.flags + SharedOptions.flags(in: \.shared)), defaults: SuggestOptions.init
  ) { options, arguments, session in
    try options.propose(arguments, session: session)
  }
}

extension Command.SuggestOptions {
  fileprivate static let flags: [Flag<Self>] = [
    .each(
      "--scenes", valueName: "GLOB",
      summary: "files that begin a scene; the name of the scene is the text that the wildcards match",
      parse: { text throws(FlagMistake) in
        do throws(Glob.Mistake) {
          return try Glob(text)
        } catch {
          throw FlagMistake("needs a glob, but \(error.message(for: text))")
        }
      }, add: { $0.scenes.append($1) }),
    .list(
      "--history", valueName: "RELEASE", kind: .path,
      summary: "releases, the oldest first: files that change together stay together", into: \.history),
    .each(
      "--link", valueName: "NAME",
      summary: "a network profile of players (default: 3G, Fast 4G and LTE)",
      parse: { name throws(FlagMistake) in
        let network = try networkLink(name)
        if network.losesAll {
          throw FlagMistake(
            "does not accept \(quoted(name)), because no tags make a difference without a network")
        }
        return network
      }, add: { $0.links.append($1) }),
    .number(
      "--connections",
      summary: "number of packs downloaded at the same time (default: 1)", range: 1...Scenario.maxConnections,
      into: \.connections),
    .number(
      "--seed",
      summary:
        "seed that decides which runs packtool simulates instead of learning from them, and where the search "
        + "begins (default: 1)",
      range: 0...Int(Int32.max), into: \.seed),
    .toggle(
      "--explain",
      summary: "show for each pack which runs request it, and what combining it with another would cost",
      sets: \.explains),
    .value(
      "--output", "-o", valueName: "FILE", kind: .file(.manifest), summary: "write the proposed manifest",
      into: \.output),
    .outputFormat(of: "suggestion", into: \.format), .pointers(into: \.acceptsPointers), .root(into: \.root),
  ]

  fileprivate func propose(_ arguments: [String], session: Session) throws -> ExitStatus {
    let isManifest = arguments.last.map(Self.isManifest) ?? false
    let traces = isManifest ? arguments.dropLast() : arguments
    if traces.isEmpty {
      return session.refuse("argument \"TRACE\" is missing; pass logs of runs of the app")
    }
    var preparation = Preparation.Request(
      argument: isManifest ? arguments[arguments.count - 1] : try ManifestSource.search(),
      jobs: shared.workers)
    preparation.listsUntagged = true
    preparation.acceptsPointers = acceptsPointers
    let prepared = try Preparation(preparation)
    var found = prepared.diagnostics
    var report: ProposalReport?
    func isRefused() -> Bool {
      prepared.scanDiagnostics.hasErrors || shared.judged(found, about: prepared).hasErrors
    }
    if let plan = prepared.plan, !isRefused() {
      let loadedScenes = try LoadedScenes(
        tracesAt: Array(traces), in: plan, sceneMarks: scenes, jobs: shared.workers)
      found += loadedScenes.findings
      if !isRefused(), let mistake = Self.mistake(in: plan, loaded: loadedScenes) {
        return session.refuse(mistake)
      }
      let request = try request(found: &found)
      if !isRefused() { report = try proposal(loadedScenes, plan: plan, request: request, session: session) }
    }
    let findings = shared.judged(found, about: prepared)
    session.report(findings, options: shared)
    guard let report, !findings.hasErrors else { return try session.refuse(findings, format: format) }
    if let output, let manifest = report.manifest {
      var bytes = ByteBuffer()
      bytes.append(manifest.bytes[...])
      try session.write(bytes, to: output, as: .manifest)
    }
    if output != Session.standardOutput {
      try session.print(
        format, text: report.text(on: session.screen(shared)), json: report.json(findings))
    }
    return .done
  }

  private func proposal(
    _ loaded: LoadedScenes, plan: PackPlan, request: TagProposal.Request, session: Session
  ) throws -> ProposalReport? {
    let path = try pathBack(to: plan.manifest.folder)
    let isShown = !shared.isQuiet && session.canRewriteLines(.error)
    let proposal = TagProposal(loaded, plan: plan, request: request) { share in
      if isShown { session.writeToStandardError("\rlooking for packs: \(Int(share * 100)) %") }
    }
    if isShown { session.writeToStandardError("\r\(Screen.space(30))\r") }
    return proposal.map {
      ProposalReport(
        proposal: $0, request: request, manifest: $0.gains ? $0.manifest(for: plan, prefixedBy: path) : nil,
        explains: explains)
    }
  }

  /// Returns the path components that lead from the folder of `--output` to the folder of the manifest.
  ///
  /// The path is empty if both are the same folder, or if the folder of `--output` does not exist.
  private func pathBack(to folder: String) throws(SystemError) -> [String] {
    guard let output, output != Session.standardOutput,
      try FileOperations.exists(folderPath(of: output))
    else { return [] }
    let folders = try [folderPath(of: output), folder].map { path throws(SystemError) in
      String(decoding: try FileOperations.realPath(of: path), as: UTF8.self).split(separator: "/").map(
        String.init)
    }
    return relativeComponents(from: folders[0], to: folders[1])
  }

  /// Returns the reason why packtool cannot propose tags for a plan; nil if it can propose tags.
  private static func mistake(in plan: PackPlan, loaded: LoadedScenes) -> String? {
    if let reason = plan.manifest.untaggable {
      return "\(quoted(plan.manifest.text.path)) \(reason); suggest cannot propose tags for such a manifest"
    }
    let runs = counted(loaded.runs.count, of: "run")
    return loaded.runs.count > 1
      ? nil
      : "\(runs) cannot be divided into runs to learn from and runs to measure; pass logs of at least two "
        + "runs"
  }

  private static func isManifest(_ argument: String) -> Bool {
    ManifestSource(argument: argument) != .manifest || argument.hasSuffix(".json")
      || argument.hasSuffix(".jsonc")
      || (try? FileOperations.statusIfThere(argument))??.kind == .folder
  }

  private func request(found: inout [Diagnostic]) throws -> TagProposal.Request {
    var request = TagProposal.Request(
      links: links.isEmpty ? ["3G", "Fast 4G", "LTE"].compactMap(NetworkProfile.named) : links)
    request.connections = connections ?? 1
    request.seed = UInt64(seed ?? 1)
    request.jobs = shared.workers
    if history.count < 2 { return request }
    let readers = try ReleaseReader.read(
      history, options: ReleaseReader.Options(acceptsPointers: acceptsPointers), jobs: shared.workers)
    found += readers.flatMap(\.diagnostics)
    let releases = readers.compactMap(\.release)
    guard releases.count == history.count else { return request }
    // A set of updates has one bit for each update, so only the last 64 updates are used.
    let digests = releases.suffix(65).map { release in
      let files = release.packs.indices.flatMap { release.contents.files(of: $0) }
      return Dictionary(files.map { (release.path($0), release.digest($0)) }) { $1 }
    }
    request.updateCount = digests.count - 1
    for (number, (old, new)) in zip(digests, digests.dropFirst()).enumerated() {
      for path in Set(old.keys).union(new.keys) where old[path] != new[path] {
        request.changes[path, default: 0] |= 1 << UInt64(number)
      }
    }
    return request
  }
}

private struct ProposalReport {
  let proposal: TagProposal
  let request: TagProposal.Request
  /// The manifest with the proposed tags; nil if the proposal does not reduce the waits.
  let manifest: EditedText?
  /// Whether the text lists the packs.
  let explains: Bool

  /// A pack of the proposal.
  private struct Pack {
    let tags: [String]
    let size: Int64
    /// The names of the training runs that request the pack.
    let runs: [String]
    /// The pack with which this pack can be combined at the lowest cost; nil if there is no such pack.
    let join: Join?
  }

  /// A pack that could be combined with another pack.
  private struct Join {
    let tags: [String]
    /// The cost of combining the two packs, as the number of microseconds that an average run waits longer.
    let cost: Int64
  }

  private var packs: [Pack] {
    let tagging = proposal.tagging
    let tagSizes = tagging.tagSizes
    let asked = proposal.trainingRuns.runs.map { run in
      Set(run.visits.flatMap { tagging.tagsAsked(in: $0, tagSizes: tagSizes) })
    }
    let (items, costModel) = (proposal.packItems, proposal.costModel)
    let sets = tagging.sets.indices.filter { tagging.sizes[$0] > 0 }
    // If there are very many packs, they are not compared, because comparing all pairs would take too long.
    let others = tagging.sets.count <= 2000 ? sets : []
    return sets.map { set in
      let tags = tagging.names(ofSet: set)
      let runs = zip(proposal.trainingRuns.runs, asked).filter { !$0.1.isDisjoint(with: tags) }.map(\.0.name)
      let joins = others.filter { $0 != set }.map { other in
        (
          costModel.cost(of: items[set] + items[other]) - costModel.cost(of: items[set])
            - costModel.cost(of: items[other]), other
        )
      }
      let join = joins.min { $0 < $1 }.map { cost, other in
        Join(tags: tagging.names(ofSet: other), cost: Int64(max(-1e12, min(1e12, cost * 1e6))))
      }
      return Pack(tags: tags, size: tagging.sizes[set], runs: runs, join: join)
    }
  }

  func text(on screen: Screen) -> PlainText {
    let (trainingCount, heldOut) = (proposal.trainingRuns.runs.count, proposal.heldOut.runs.count)
    let names = request.links.map { SimulationRun.name(of: $0) }.joined(separator: ", ")
    let table = Table(
      proposal.table, columns: .text { $0.name }, .number("wait 50 %") { TimeText.text($0.wait.median) },
      .number("95 %") { TimeText.text($0.wait.percentile95) },
      .number("installed") { TimeText.text($0.installed.median) },
      .size("downloaded") { $0.transferred.median }, .number("packs") { $0.packs.map { grouped($0) } ?? "" },
      .number("rules") { $0.cost.map { grouped($0.rules) } ?? "" },
      .number("tags") { $0.cost.map { grouped($0.tags) } ?? "" },
      .number("a scene") { $0.cost.map { grouped($0.tagsOfScene) } ?? "" })
    let text: PlainText =
      "learned from \(counted(trainingCount, of: "run")), measured on "
      + "\(counted(heldOut, of: "held-out run")) (seed \(request.seed)); wait: installation and stalls, the "
      + "mean over \(names)\n\n"
      + table.text(indentation: 2) + "\n" + excess
      + never
    guard let manifest else {
      return text
        + "no proposal makes the held-out runs faster than the current tags, so packtool proposes nothing\n"
    }
    return text + shared + (explains ? explanation : "") + manifest.diff(on: screen)
  }

  private var shared: PlainText {
    let names = proposal.trainingRuns.scenes
    let scenes = names.indices.filter { ![[], [names[$0]]].contains(proposal.tagging.tags(ofScene: $0)) }
    if scenes.isEmpty { return "" }
    let table = Table(
      scenes.prefix(Self.maxScenes), columns: .text("scene", upTo: 60) { displayed(names[$0]) },
      .text("requests") { proposal.tagging.tags(ofScene: $0).map(quoted).joined(separator: ", ") })
    return table.text(indentation: 2) + andMore(scenes.count - Self.maxScenes, noun: "scene", suffix: " more")
      + "\n"
  }

  private static let maxScenes = 20

  /// A text for the case that the store allows fewer packs than the exact sets need; otherwise empty.
  ///
  /// In this case, players may wait longer with the proposal.
  private var excess: PlainText {
    let most = proposal.costModel.maxPacks
    guard let exact = proposal.table.first(where: { $0.name == "exact sets" })?.packs, exact > most else {
      return ""
    }
    return
      "one pack for each set of runs would be \(grouped(exact)) packs, but the limits allow "
      + "\(grouped(most)), so packs are combined, even if players then wait longer\n\n"
  }

  private var never: PlainText {
    let count = proposal.classes.neverLoaded
    if count.files == 0 { return "" }
    return
      "no run loads \(counted(count.files, of: "file")), \(ByteSize.text(count.size)); such files stay on "
      + "demand, tagged with their folders' names\n\n"
  }

  private var explanation: PlainText {
    let table = Table(
      packs, columns: .text("pack", upTo: 60) { setNotation($0.tags) }, .size("size") { $0.size },
      .number("runs") { "\(grouped($0.runs.count)) of \(grouped(proposal.trainingRuns.runs.count))" },
      .text("combined with", upTo: 60) { $0.join.map { setNotation($0.tags) } ?? "" },
      .number("costs a run") {
        $0.join.map { ($0.cost < 0 ? "-" : "") + TimeText.text(Int64($0.cost.magnitude)) } ?? ""
      })
    return table.text(indentation: 2) + "\n"
  }

  func json(_ findings: Findings) -> JSONText {
    findings.document([
      "runs": JSONText.fields([
        "learned": proposal.trainingRuns.runs.map(\.name), "heldOut": proposal.heldOut.runs.map(\.name),
      ]),
      "scenes": proposal.trainingRuns.scenes.enumerated().map { number, name in
        JSONText.fields(["name": name, "tags": proposal.tagging.tags(ofScene: number)])
      },
      "links": request.links.map { SimulationResult.json(of: $0) }, "connections": request.connections,
      "seed": Int64(request.seed), "table": proposal.table.map(row),
      "neverLoaded": JSONText.fields([
        "files": proposal.classes.neverLoaded.files, "size": proposal.classes.neverLoaded.size,
      ]),
      "packs": manifest == nil ? [] : packs.map(pack),
      "manifest": manifest.map { JSONText.string(String(decoding: $0.bytes, as: UTF8.self)) } ?? .null,
    ])
  }

  private func row(_ row: TagPlayback.Result) -> JSONText {
    .fields([
      "name": row.name, "wait": row.wait, "installed": row.installed, "downloaded": row.transferred,
      "packs": row.packs.map { JSONText.integer($0) } ?? .null,
      "rules": row.cost.map { JSONText.integer($0.rules) } ?? .null,
      "tags": row.cost.map { JSONText.integer($0.tags) } ?? .null,
      "tagsOfScene": row.cost.map { JSONText.integer($0.tagsOfScene) } ?? .null,
    ])
  }

  private func pack(_ pack: Pack) -> JSONText {
    .fields([
      "tags": pack.tags, "size": pack.size, "runs": pack.runs,
      "join": pack.join.map { JSONText.fields(["tags": $0.tags, "cost": $0.cost]) } ?? .null,
    ])
  }
}

extension Manifest {
  /// The reason why packtool cannot propose tags for a manifest; nil if it can propose tags.
  fileprivate var untaggable: String? {
    if merge != nil { return "combines packs with \"merge\"" }
    if hasDestinations { return "has rules with a destination" }
    if rules.contains(where: { $0.traits != .none }) { return "has rules with traits" }
    return sources.first.map { ManifestSource(argument: $0) != .manifest } ?? false
      ? "is not a Manifest.json" : nil
  }
}
