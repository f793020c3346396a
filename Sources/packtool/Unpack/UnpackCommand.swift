import Findings
import Flags
import Formats
import PackKit
import Projects
import Published
import Releases

extension Command {
  fileprivate struct UnpackOptions: ReportingOptions {
    var form = forms[0]
    var tags: [String] = []
    var takesAll = false
    var output: String?
    var replacesFiles = false
    var shared = SharedOptions()
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<UnpackingReport>] = [
      .text { $0.printsSummary ? $0.text : "" },
      .json { $0.json },
    ]
  }

  /// The command `packtool unpack DIR --tag TAG -o OUT`.
  static let unpack = Command(
    reporting: CommandSyntax<UnpackOptions>(
      name: "unpack", summary: "write the files that an app sees once it has asked for some tags",
      discussion: [
        "A request for a tag gives an app all packs that carry it, and no others: those of the initial install too "
          + "are seen only once one of their tags was asked for. All packs are verified before the first file is "
          + "put in its place; where there are errors nothing is written."
      ],
      examples: [
        .init("unpack packs --tag Castle -o castle", "what an app sees once it has asked for a tag"),
      ],
      arguments: [builtFolderArgument],
      flags: [
        .resultForm(of: "result", in: UnpackOptions.forms, into: \.form),
        .list(
          "--tag", "-t", valueName: "TAG", kind: .named("tag"),
          summary: "take all packs that carry the tag; may be repeated",
          into: \.tags),
        .toggle("--all", summary: "take all packs", sets: \.takesAll),
        .value(
          "--output", "-o", valueName: "OUT", kind: .folder, summary: "the folder to write to", into: \.output
        )
        .required(hint: "say where to write, for example -o unpacked"),
        .toggle("--force", summary: "replace files that are there", sets: \.replacesFiles),
      ] + SharedOptions.flags(in: \.shared), mistake: \.mistake),
    UnpackOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session) }
}

extension Command.UnpackOptions {
  /// The message on conflicting flags.
  fileprivate var mistake: String? {
    if tags.isEmpty && !takesAll { return "say what to unpack: --tag TAG, as often as needed, or --all" }
    if !tags.isEmpty && takesAll {
      return "flags \"--tag\" and \"--all\" exclude each other; keep one of them"
    }
    return nil
  }

  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let request = Unpacking.Request(
      argument: argument, tags: takesAll ? nil : tags, output: output ?? ".", replacesFiles: replacesFiles)
    // As it was before a build that is at work in the folder, or as it is after.
    let unpacking = try UndisturbedLook(at: argument).take { unpacking in
      !unpacking.diagnostics.hasErrors
    } _: {
      try Unpacking(request, jobs: shared.workers)
    }
    let findings = shared.judged(unpacking.diagnostics, path: unpacking.folder.indexPath)
    session.report(findings, shared)
    let report = UnpackingReport(
      unpacking: unpacking, output: request.output, findings: findings, isQuiet: shared.isQuiet)
    try session.print(report, with: form)
    return report.isRefused ? .inputHasErrors : .done
  }
}

/// The result of `unpack`.
struct UnpackingReport {
  let unpacking: Unpacking
  /// The folder that was written to, as the user typed it.
  let output: String
  let findings: Findings
  let isQuiet: Bool

  /// Whether nothing was written: a finding that stops the unpacking is an error whatever the flags say.
  var isRefused: Bool { unpacking.diagnostics.hasErrors }

  /// Whether the summary is printed.
  var printsSummary: Bool { !isRefused && !isQuiet }

  var text: PlainText {
    let count = unpacking.written
    return "wrote \(counted(count.files, "file")), \(ByteSize.text(count.size)), of "
      + "\(counted(unpacking.packs.count, "pack")) to \(displayed(output))\n"
  }

  /// The result of `unpack` as JSON.
  var json: JSONText {
    let packs = unpacking.packs.compactMap { unpacking.folder.index?.packs[$0].id }
    return findings.document([
      "status": .string(isRefused ? "refused" : "written"), "output": .string(output),
      "packs": .strings(packs), "fileCount": .integer(unpacking.written.files),
      "size": .integer(unpacking.written.size),
    ])
  }
}
