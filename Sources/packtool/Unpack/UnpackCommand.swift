import Formats
import Inspect
import Model
import Pipeline

extension Command {
  fileprivate struct UnpackOptions: ReportingOptions {
    var format = OutputFormat.text
    var tags: [String] = []
    var unpacksAll = false
    var output: String?
    var replacesFiles = false
    var shared = SharedOptions()
  }

  static let unpack = Command(
    CommandSyntax<UnpackOptions>(
      name: "unpack", summary: "write the files that an app sees after it has requested some tags",
      arguments: [builtFolderArgument],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .list(
          "--tag", "-t", valueName: "TAG", kind: .named(.tag),
          summary: "unpack all packs that carry the tag; can be repeated",
          into: \.tags),
        .toggle("--all", summary: "unpack all packs", sets: \.unpacksAll),
        .value(
          "--output", "-o", valueName: "OUT", kind: .folder, summary: "the folder to write to", into: \.output
        )
        .required(hint: "name the folder to write to, for example -o unpacked"),
        .toggle("--force", summary: "replace existing files", sets: \.replacesFiles),
      ] + SharedOptions.flags(in: \.shared, without: [.strict, .severity]), mistake: \.mistake),
    defaults: UnpackOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session: session) }
}

extension Command.UnpackOptions {
  /// The message about tags that are written without their flag: `packtool unpack packs "Level 1"`.
  func combinedMistake(_ arguments: [String]) -> String? {
    guard arguments.count > 1 else { return nil }
    // In `--tag Level 1`, the name of the tag lacks its quotes.
    let words = tags.suffix(1) + arguments[1...]
    return "unexpected argument \(quoted(arguments[1])); to unpack the packs of a tag, use --tag "
      + quoted(words.joined(separator: " "))
  }

  fileprivate var mistake: String? {
    firstMistake([
      tags.isEmpty && !unpacksAll: "choose the packs with --tag TAG, which can be repeated, or with --all",
      !tags.isEmpty && unpacksAll: "flags \"--tag\" and \"--all\" cannot be used together; keep one of them",
    ])
  }

  fileprivate func run(_ argument: String, session: Session) throws -> ExitStatus {
    // If a build is writing to the folder, either the previous or the new state of the folder is unpacked,
    // and never a mixture of both.
    let unpacking = try ConsistentRead(at: argument).result { unpacking in
      !unpacking.diagnostics.hasErrors
    } read: {
      try Unpacking(
        argument, tags: unpacksAll ? nil : tags, to: output ?? ".", replacesFiles: replacesFiles,
        jobs: shared.workers)
    }
    let findings = shared.judged(unpacking.diagnostics, manifestPath: unpacking.folder.indexPath)
    session.report(findings, options: shared)
    // If a finding stops the unpacking, the run fails, even if flags lower the finding's severity.
    let isRefused = unpacking.diagnostics.hasErrors
    let summary = isRefused || shared.isQuiet ? "" : unpacking.text(output ?? ".")
    try session.print(
      format, text: summary, json: unpacking.json(findings, output: output ?? "."))
    return isRefused ? .inputHasErrors : .done
  }
}

// The results, in which the path of the output folder is as the user typed it.
extension Unpacking {
  fileprivate func text(_ output: String) -> PlainText {
    "wrote \(counted(written.files, of: "file")), \(ByteSize.text(written.size)), of "
      + "\(counted(packs.count, of: "pack")) to \(displayed(output))\n"
  }

  fileprivate func json(_ findings: Findings, output: String) -> JSONText {
    findings.document([
      "status": diagnostics.hasErrors ? "refused" : "written", "output": output,
      "packs": packs.compactMap { folder.index?.packs[$0].id }, "fileCount": written.files,
      "size": written.size,
    ])
  }
}
