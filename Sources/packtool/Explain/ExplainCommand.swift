import Findings
import Flags
import PackKit
import Projects

extension Command {
  private struct ExplainOptions: ReportingOptions {
    var form = forms[0]
    var takesPointers = false
    var built = BuiltOptions()
    var shared = SharedOptions()
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<[SubjectFacts]>] = [
      .text { SubjectText.text(of: $0) },
      .json { SubjectJSON.document(of: $0) },
    ]
  }

  /// The command `packtool explain PATH|TAG|PACK [MANIFEST]`.
  static let explain = Command(
    reporting: CommandSyntax<ExplainOptions>(
      name: "explain", summary: "say why a file is in its pack, and what a tag or pack downloads",
      discussion: [
        "A path is one below the root, inside a pack or from the current folder. A pack is named by its "
          + "identifier, its name, the beginning of either or of its digest, or by its tags with \"+\" between."
      ],
      arguments: [
        Argument("PATH|TAG|PACK", summary: "a file or folder, a tag, or a pack", kind: .named("subject")),
        manifestArgument,
      ],
      flags: [
        .resultForm(of: "answer", in: ExplainOptions.forms, into: \.form),
        .pointers(into: \.takesPointers),
      ] + BuiltOptions.flags(in: \.built) + SharedOptions.flags(in: \.shared)), ExplainOptions.init
  ) { options, arguments, session in
    let manifest = try arguments.count > 1 ? arguments[1] : ManifestSource.search()
    let shared = options.shared
    var request = Preparation.Request(manifest, jobs: shared.workers, scanJobs: shared.scanWorkers)
    request.listsUntagged = true
    request.takesPointers = options.takesPointers
    let prepared = try Preparation(request)
    if shared.isVerbose {
      session.narrate(PreparationText.text(of: prepared, jobs: shared.workers), shared)
    }
    let built = try options.built.packs(of: prepared, shared)
    let findings = shared.judged(prepared.diagnostics + built.findings, about: prepared)
    guard let plan = prepared.plan, let root = prepared.root else {
      session.report(findings, shared)
      try session.printRefusal(findings, with: options.form)
      return .inputHasErrors
    }
    let finder = SubjectFinder(plan, root: root)
    let subjects = finder.subjects(named: arguments[0])
    // A run without findings has nothing to say in front of a mistake.
    if !subjects.isEmpty || !findings.diagnostics.isEmpty { session.report(findings, shared) }
    if subjects.isEmpty { return session.refuse(mistake(in: arguments[0], finder, prepared.path)) }
    let reader = SubjectReader(plan, built: built.packs, for: prepared.devices)
    try session.print(subjects.map(reader.facts), with: options.form)
    return findings.hasErrors ? .inputHasErrors : .done
  }

  /// The mistake of a name for nothing, or for several packs.
  private static func mistake(in word: String, _ finder: SubjectFinder, _ path: String) -> UsageMistake {
    let packs = finder.packs(beginningWith: word)
    if packs.count > 1 {
      let names = packs.prefix(3).map { setNotation($0.tags) }.joined(separator: ", ")
      let more = packs.count > 3 ? " and \(grouped(packs.count - 3)) more" : ""
      return UsageMistake(
        "the names of \(counted(packs.count, "pack")) begin with \(quoted(word)): \(names)\(more); say more of one"
      )
    }
    let guess = suggestion(finder.guess(for: word))
    return UsageMistake("\(quoted(word)) is no file, tag or pack of \(path)\(guess)")
  }
}
