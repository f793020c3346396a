import Findings
import Flags
import Formats
import PackKit
import Projects
import System

extension Command {
  fileprivate struct SuggestOptions: ReportingOptions {
    var form = ResultForm.text
    var trace: String?
    var shared = SharedOptions()
  }

  /// The command `packtool suggest --trace FILE [MANIFEST]`.
  static let suggest = Command(
    reporting: CommandSyntax<SuggestOptions>(
      name: "suggest", summary: "suggest tags and their order from what a run of the app loads",
      discussion: [
        "A trace is a file of lines with seconds, scene and path: from the app's own log, from strace, or from fanotify. "
          + "Says which tags the first scene needs, in which order the others are needed, which tagged files nobody loads, "
          + "and which tags loaded files lack."
      ],
      examples: [
        .init("suggest --trace run.log", "what a run of the app says of the tags")
      ],
      arguments: [manifestArgument],
      flags: [
        Flag.value(
          "--trace", valueName: "FILE", kind: .file(), summary: "lines of seconds, scene and path",
          into: \.trace
        ).required(hint: "--trace FILE names lines of seconds, scene and path"),
        .resultForm(of: "suggestion", into: \.form),
      ] + SharedOptions.flags(in: \.shared)), SuggestOptions.init
  ) { options, arguments, session in
    let shared = options.shared
    let manifest = try arguments.first ?? ManifestSource.search()
    var request = Preparation.Request(manifest, jobs: shared.workers, scanJobs: shared.scanWorkers)
    request.listsUntagged = true
    let prepared = try Preparation(request)
    let trace = try LoadTrace(path: options.trace ?? "")
    var text = prepared.text
    text.add(trace.text)
    let advice = prepared.plan.map { TraceAdvice(trace, $0) }
    let findings = shared.judged(
      prepared.diagnostics + trace.findings + (advice?.findings ?? []), by: prepared.manifest, text: text,
      path: prepared.path)
    session.report(findings, shared)
    guard let plan = prepared.plan, let advice, !findings.hasErrors else {
      try session.printRefusal(findings, options.form)
      return .inputHasErrors
    }
    try session.print(options.form, advice.text(beside: plan.manifest), advice.json(findings))
    return .done
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
