import Findings
import Flags
import Formats
import PackKit
import Projects

extension Command {
  fileprivate struct SuggestOptions: ReportingOptions {
    var form = forms[0]
    var trace: String?
    var shared = SharedOptions()
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<SuggestReport>] = [
      .text { SuggestText($0).text },
      .json { SuggestJSON($0).json },
    ]
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
      arguments: [manifestArgument],
      flags: [
        Flag.value(
          "--trace", valueName: "FILE", kind: .file(), summary: "lines of seconds, scene and path",
          into: \.trace
        ).required(hint: "--trace FILE names lines of seconds, scene and path"),
        .resultForm(of: "suggestion", in: SuggestOptions.forms, into: \.form),
      ] + SharedOptions.flags(in: \.shared)), SuggestOptions.init
  ) { options, arguments, session in
    let shared = options.shared
    let manifest = try arguments.first ?? ManifestSource.search()
    var request = Preparation.Request(manifest, jobs: shared.workers, scanJobs: shared.scanWorkers)
    request.listsUntagged = true
    let prepared = try Preparation(request)
    let trace = try LoadTrace(path: options.trace ?? "")
    var text = prepared.text
    if let lines = trace.text { if text == nil { text = lines } else { text?.append(lines) } }
    let advice = prepared.plan.map { TraceAdvice(trace, $0) }
    let findings = shared.judged(
      prepared.diagnostics + trace.findings + (advice?.findings ?? []), by: prepared.manifest, text: text,
      path: prepared.path)
    session.report(findings, shared)
    guard let plan = prepared.plan, let advice, !findings.hasErrors else {
      try session.printRefusal(findings, with: options.form)
      return .inputHasErrors
    }
    try session.print(
      SuggestReport(advice: advice, plan: plan, findings: findings), with: options.form)
    return .done
  }
}

/// What a trace suggests, beside what the manifest says now.
struct SuggestReport {
  let advice: TraceAdvice
  let plan: PackPlan
  let findings: Findings
}

/// What a trace suggests, for programs.
struct SuggestJSON {
  private let report: SuggestReport

  init(_ report: SuggestReport) {
    self.report = report
  }

  var json: JSONText {
    let advice = report.advice
    return report.findings.document([
      "scenes": .array(advice.scenes.map(scene)),
      "tags": .array(advice.tags.map(tag)),
      "initialInstallTags": .strings(advice.initialInstallTags),
      "prefetchTagOrder": .strings(advice.prefetchTagOrder),
      "neverLoaded": .array(advice.neverLoaded.map(file)),
      "untagged": .array((advice.untagged + advice.untaggedAtStart).map(file)),
      "missing": .strings(advice.missing),
      "elsewhere": .integer(advice.elsewhereCount),
    ])
  }

  private func scene(_ scene: TraceAdvice.Scene) -> JSONText {
    .object([
      "name": .string(scene.name), "start": .real(scene.start), "fileCount": .integer(scene.fileCount),
      "size": .integer(scene.size),
    ])
  }

  private func tag(_ use: TraceAdvice.TagUse) -> JSONText {
    .object([
      "tag": .string(use.tag), "first": use.first.map(JSONText.real) ?? .null,
      "scene": use.scene.map(JSONText.string) ?? .null, "loadedFiles": .integer(use.loadedCount),
      "fileCount": .integer(use.fileCount),
    ])
  }

  private func file(_ file: TraceAdvice.FileAdvice) -> JSONText {
    .object([
      "path": .string(file.path), "size": .integer(file.size), "scenes": .strings(file.scenes),
      "tags": .strings(file.tags),
    ])
  }
}
