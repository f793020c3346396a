import Findings
import Flags
import Formats
import PackKit
import Projects
import Releases
import Simulation
import System

extension Command {
  fileprivate struct SuggestOptions: ReportingOptions {
    var form = ResultForm.text
    var trace: String?
    var scenes: [Glob] = []
    var history: [String] = []
    var links: [NetworkLink] = []
    var connections: Int?
    var seed: Int?
    var explains = false
    var output: String?
    var shared = SharedOptions()
    var destinations: [Destination] { output.map { [Destination(flag: "--output", path: $0)] } ?? [] }
  }

  /// The command `packtool suggest TRACE... [MANIFEST]`.
  static let suggest = Command(
    reporting: CommandSyntax<SuggestOptions>(
      name: "suggest", summary: "propose tags, proved on runs that were held out, from what the app loads",
      discussion: [
        "A trace is a log of one run: of strace, inotifywait, fatrace or fs_usage, or lines of seconds, scene and path. From "
          + "three of four runs packtool learns which files to load together, and shows on the others what players wait for "
          + "with today's tags and with those that it proposes.",
        "Scenes begin with lines that have scene=NAME, with files that --scenes matches, or where loading pauses.",
        "With --trace, one run is compared with the manifest: which tags it needs when, and which files have the wrong ones.",
      ],
      examples: [
        .init("suggest runs/*.log --scenes 'Levels/*/map.json'", "propose tags for what the runs load"),
        .init("suggest runs/*.log --output New.json", "write the proposed manifest"),
      ],
      arguments: [
        Argument(
          "TRACE", summary: "logs of runs; a manifest or the folder of one may be the last", kind: .path,
          count: 0...1000)
      ],
      flags: SuggestOptions.flags + SharedOptions.flags(in: \.shared)), SuggestOptions.init
  ) { options, arguments, session in
    if let trace = options.trace {
      if arguments.count > 1 {
        return session.refuse("\"--trace\" takes one run; name several without it")
      }
      return try options.compare(trace, arguments.first ?? ManifestSource.search(), session)
    }
    return try options.propose(arguments, session)
  }
}

extension Command.SuggestOptions {
  fileprivate static let flags: [Flag<Self>] = [
    .value(
      "--trace", valueName: "FILE", kind: .file(),
      summary: "compare one run with the manifest, and propose nothing",
      into: \.trace),
    .each(
      "--scenes", valueName: "GLOB",
      summary: "files that begin a scene, named after what the wildcards match",
      parse: { text throws(FlagMistake) in
        guard let glob = try? Glob(text) else { throw FlagMistake("needs a glob, not \(quoted(text))") }
        return glob
      }, add: { $0.scenes.append($1) }),
    .list(
      "--history", valueName: "RELEASE", kind: .path,
      summary: "releases, the oldest first: what changes together stays together", into: \.history),
    .each(
      "--link", valueName: "NAME",
      summary: "a link that players have (default: 3G, Fast 4G and LTE)",
      parse: { name throws(FlagMistake) -> NetworkLink in
        guard let link = NetworkLink.named(name) else {
          throw FlagMistake("names the link \(quoted(name)), which does not exist\(linkHint(name))")
        }
        return link
      }, add: { $0.links.append($1) }),
    .number(
      "--connections", summary: "packs that come at a time (default: 1)", range: 1...Scenario.mostConnections,
      into: \.connections),
    .number(
      "--seed", summary: "which runs are held out, and where the search begins (default: 1)",
      range: 0...Int(Int32.max), into: \.seed),
    .toggle(
      "--explain", summary: "say of each pack which runs ask for it, and what joining it would cost",
      sets: \.explains),
    .value(
      "--output", "-o", valueName: "FILE", kind: .file(), summary: "write the proposed manifest",
      into: \.output),
    .resultForm(of: "suggestion", into: \.form),
  ]

  /// Compares one run with a manifest.
  fileprivate func compare(_ path: String, _ manifest: String, _ session: Session) throws -> ExitStatus {
    let prepared = try prepare(manifest)
    let trace = try LoadTrace(path: path)
    var text = prepared.text
    text.add(trace.text)
    let advice = prepared.plan.map { TraceAdvice(trace, $0) }
    let findings = shared.judged(
      prepared.diagnostics + trace.findings + (advice?.findings ?? []), by: prepared.manifest, text: text,
      path: prepared.path)
    session.report(findings, shared)
    guard let plan = prepared.plan, let advice, !findings.hasErrors else {
      try session.printRefusal(findings, form)
      return .inputHasErrors
    }
    try session.print(form, advice.text(beside: plan.manifest), advice.json(findings))
    return .done
  }

  private func prepare(_ manifest: String) throws -> Preparation {
    var request = Preparation.Request(manifest, jobs: shared.workers, scanJobs: shared.scanWorkers)
    request.listsUntagged = true
    return try Preparation(request)
  }

  /// Proposes tags for what several runs load.
  fileprivate func propose(_ arguments: [String], _ session: Session) throws -> ExitStatus {
    let isManifest = arguments.last.map(Self.isManifest) ?? false
    let traces = isManifest ? arguments.dropLast() : arguments
    if traces.isEmpty {
      return session.refuse("argument \"TRACE\" is missing: logs of runs of the app")
    }
    let prepared = try prepare(isManifest ? arguments[arguments.count - 1] : ManifestSource.search())
    var found = prepared.diagnostics
    var report: ProposalReport?
    if let plan = prepared.plan, !found.hasErrors {
      let loaded = try LoadedScenes(Array(traces), in: plan, marks: scenes, jobs: shared.workers)
      found += loaded.findings
      if !found.hasErrors, let mistake = Self.mistake(in: plan, loaded) { return session.refuse(mistake) }
      let progress = SearchProgress(session, isShown: !shared.isQuiet && session.isLively(.error))
      let request = try request(found: &found)
      if !found.hasErrors, let proposal = TagProposal(loaded, plan, request, progress: progress.show) {
        report = ProposalReport(proposal: proposal, plan: plan, request: request, explains: explains)
      }
      progress.end()
    }
    let findings = shared.judged(found, by: prepared.manifest, text: prepared.text, path: prepared.path)
    session.report(findings, shared)
    guard var report, !findings.hasErrors else {
      try session.printRefusal(findings, form)
      return .inputHasErrors
    }
    report.findings = findings
    if let output, let manifest = report.manifest {
      var bytes = ByteBuffer()
      bytes.append(manifest.bytes[...])
      try session.write(bytes, to: output)
    }
    if output != Session.standardOutput {
      try session.print(form, report.text(on: session.screen(shared)), report.json)
    }
    return .done
  }

  /// Why no tags can be proposed for a plan; nil where they can.
  private static func mistake(in plan: PackPlan, _ loaded: LoadedScenes) -> String? {
    if let reason = plan.manifest.untaggable {
      return "\(quoted(plan.manifest.text.path)) \(reason); suggest proposes no tags for that"
    }
    let runs = counted(loaded.runs.count, "run")
    return loaded.runs.count > 1
      ? nil : "\(runs) cannot be divided; name two or more, or one with \"--trace\""
  }

  /// Whether an argument is a manifest, not a log.
  private static func isManifest(_ argument: String) -> Bool {
    ManifestSource(argument: argument) != .manifest || argument.hasSuffix(".json")
      || argument.hasSuffix(".jsonc")
      || (try? FileOperations.statusIfThere(argument))??.kind == .folder
  }

  private func request(found: inout [Diagnostic]) throws -> TagProposal.Request {
    var request = TagProposal.Request(
      links: links.isEmpty ? ["3G", "Fast 4G", "LTE"].compactMap(NetworkLink.named) : links)
    request.connections = connections ?? 1
    request.seed = UInt64(seed ?? 1)
    request.jobs = shared.workers
    if history.count < 2 { return request }
    let readers = try ReleaseReader.read(history, jobs: shared.workers, scanJobs: shared.scanWorkers)
    found += readers.flatMap(\.diagnostics)
    let releases = readers.compactMap(\.release)
    guard releases.count == history.count else { return request }
    // A bit for each update; of very many the last.
    let digests = releases.suffix(65).map(\.digestsByPath)
    request.updateCount = digests.count - 1
    for (number, (old, new)) in zip(digests, digests.dropFirst()).enumerated() {
      for path in Set(old.keys).union(new.keys) where old[path] != new[path] {
        request.changes[path, default: 0] |= 1 << UInt64(number)
      }
    }
    return request
  }
}

extension TraceAdvice {
  fileprivate func json(_ findings: Findings) -> JSONText {
    findings.document([
      "scenes": .array(scenes.map(scene)),
      "tags": .array(tags.map(tag)),
      "initialInstallTags": .strings(initialInstallTags),
      "prefetchTagOrder": .strings(prefetchTagOrder),
      "neverLoaded": .array(neverLoaded.map(file)),
      "untagged": .array((untagged + untaggedAtStart).map(file)),
      "missing": .strings(missing),
      "elsewhere": .integer(elsewhereCount),
    ])
  }

  private func scene(_ scene: Scene) -> JSONText {
    .object([
      "name": .string(scene.name), "start": .real(scene.start), "fileCount": .integer(scene.fileCount),
      "size": .integer(scene.size),
    ])
  }

  private func tag(_ use: TagUse) -> JSONText {
    .object([
      "tag": .string(use.tag), "first": use.first.map(JSONText.real) ?? .null,
      "scene": use.scene.map(JSONText.string) ?? .null, "loadedFiles": .integer(use.loadedCount),
      "fileCount": .integer(use.fileCount),
    ])
  }

  private func file(_ file: FileAdvice) -> JSONText {
    .object([
      "path": .string(file.path), "size": .integer(file.size), "scenes": .strings(file.scenes),
      "tags": .strings(file.tags),
    ])
  }

  /// The number of files of one list that are named.
  private static let mostNamed = 20

  /// The suggestions beside the lists of a manifest.
  fileprivate func text(beside manifest: Manifest) -> PlainText {
    sceneTable + tagTable + lists(beside: manifest) + untaggedRules + unloadedFiles + missingPaths
  }

  private var sceneTable: PlainText {
    let table = Table(
      scenes, .text { displayed($0.name) }, .number { Self.seconds($0.start) },
      .number { counted($0.fileCount, "file") }, .number { ByteSize.text($0.size) })
    return "scenes, by their first load:\n" + table.text(indentation: 2)
  }

  private var tagTable: PlainText {
    let table = Table(
      tags, .text { quoted($0.tag) }, .number { $0.first.map(Self.seconds) ?? "never" },
      .text { $0.scene.map(displayed) ?? "" },
      .number { "\(grouped($0.loadedCount)) of \(counted($0.fileCount, "file"))" })
    return "tags, by the first load of their own files:\n" + table.text(indentation: 2)
  }

  private func lists(beside manifest: Manifest) -> PlainText {
    "suggested lists:\n"
      + line("initialInstallTags", initialInstallTags, now: manifest.initialInstallTags)
      + line("prefetchTagOrder", prefetchTagOrder, now: manifest.prefetchTagOrder)
  }

  private func line(_ key: String, _ tags: [String], now: [Located<String>]) -> PlainText {
    let isSame = tags == now.map(\.value)
    let change: PlainText = isSame ? "  as it is\n" : "  now \(list(now.map(\.value)))\n"
    return "  \(json(key)): \(list(tags))\(change)"
  }

  private var untaggedRules: PlainText {
    let rules = untagged.map { file -> PlainText in
      "  { \"path\": \(json(file.path)), \"tags\": \(list(file.tags)) }  \(ByteSize.text(file.size))\n"
    }
    var text = part("loaded files without tags, and rules for them", rules, untagged)
    if !untaggedAtStart.isEmpty {
      let size = untaggedAtStart.saturatingSum { $0.size }
      text +=
        "files without tags that the first scene loads: \(counted(untaggedAtStart.count, "file")), "
        + "\(ByteSize.text(size)); they are in the app bundle already\n"
    }
    return text
  }

  private var unloadedFiles: PlainText {
    let lines = neverLoaded.map { file -> PlainText in
      "  \(displayed(file.path))  \(ByteSize.text(file.size))\n"
    }
    return part("tagged files that nobody loads", lines, neverLoaded)
  }

  private var missingPaths: PlainText {
    let lines = missing.map { path -> PlainText in "  \(displayed(path))\n" }
    var text = part("paths of the trace that are no files below the root", lines, nil)
    if elsewhereCount > 0 {
      text += "loads from outside the root: \(grouped(elsewhereCount))\n"
    }
    return text
  }

  /// A heading with the first lines below it; empty without lines.
  private func part(
    _ heading: String, _ lines: [PlainText], _ files: [FileAdvice]?
  ) -> PlainText {
    if lines.isEmpty { return "" }
    let size = files.map { ", \(ByteSize.text($0.saturatingSum { $0.size }))" } ?? ""
    let more = lines.count - Self.mostNamed
    let rest: PlainText = more > 0 ? "  and \(grouped(more)) more\n" : ""
    return "\(heading): \(counted(lines.count, files == nil ? "path" : "file"))\(size)\n"
      + lines.prefix(Self.mostNamed).joined() + rest
  }

  private func list(_ tags: [String]) -> String { "[" + tags.map(json).joined(separator: ", ") + "]" }

  private func json(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(json: text)
    return String(decoding: buffer.array(), as: UTF8.self)
  }

  /// Seconds with one decimal.
  private static func seconds(_ time: Double) -> String {
    let tenths = Int((min(time, 1e12) * 10).rounded())
    return "\(grouped(tenths / 10)).\(tenths % 10) s"
  }
}
