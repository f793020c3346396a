import Findings
import Flags
import Formats
import PackKit
import Published
import Releases
import System

extension Command {
  private struct VerifyOptions: ReportingOptions {
    var form = forms[0]
    var shared = SharedOptions()
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<VerificationReport>] = [
      .text { $0.isTold ? $0.text : "" },
      .json { VerificationJSON($0).json },
    ]
  }

  /// The command `packtool verify DIR`.
  static let verify = Command(
    reporting: CommandSyntax<VerifyOptions>(
      name: "verify", summary: "hold a built folder against its index: every pack there, whole and right",
      discussion: [
        "Reads all packs, by libarchive: the size and digest of each archive, and the name, size and content of "
          + "every file in it. Holds the figures of the index against one another and against the limits that it "
          + "names. What the index does not name is a warning. DIR/.packtool is not looked at.",
        "Also takes a folder in one of Xcode's layouts, a build folder, an .app, .xcarchive or .ipa, whoever wrote it: "
          + "its packs and property lists are held against one another. Only packtool's own lists have digests.",
        "A folder in the layout \"background-assets\" is checked as packs, manifests and tags.json against one another.",
      ],
      arguments: [builtFolderArgument],
      flags: [.resultForm(of: "result", in: VerifyOptions.forms, into: \.form)]
        + SharedOptions.flags(in: \.shared, checksLimits: true)),
    VerifyOptions.init
  ) { options, arguments, session in
    let report = try VerificationReport(of: arguments[0], options.shared)
    session.report(report.findings, options.shared)
    try session.print(report, with: options.form)
    return report.findings.hasErrors ? .inputHasErrors : .done
  }
}

/// What came of verifying a built folder.
struct VerificationReport {
  /// The folder as the user typed it.
  let path: String
  /// The number of packs and of files, and the bytes of these; nil where no list says what there should be.
  let count: (packs: Int, files: Int64, size: Int64)?
  /// What is said of a folder without errors.
  let text: PlainText
  /// Whether people are told of a folder without errors.
  let isTold: Bool
  let findings: Findings

  /// Verifies a folder in any layout, as it was before a build that is at work in it or as it is after.
  init(of path: String, _ options: SharedOptions) throws {
    self = try UndisturbedLook(at: path).take { report in
      !report.findings.hasErrors
    } _: {
      try Self(oneLook: path, options)
    }
  }

  private init(oneLook path: String, _ options: SharedOptions) throws {
    self.path = path
    if try XcodeExport.isOne(path) {
      let export = try XcodeExport(path, jobs: options.workers)
      findings = options.judged(export.diagnostics, path: path)
      let files = export.packs.saturatingSum { Int64($0.contents.count) }
      let size = export.packs.saturatingSum { $0.contents.saturatingSum { $0.size } }
      count = (export.packs.count, files, size)
      text = "\(counted(export.packs.count, "pack")), \(counted(files, "file")): all fits together\n"
    } else if try BackgroundAssetsBuild.isOne(path) {
      let build = try BackgroundAssetsBuild(path, profile: options.profile, jobs: options.workers)
      findings = options.judged(build.diagnostics, path: build.indexPath)
      count = build.count
      let (packs, files, size) = build.count
      text =
        "\(counted(packs, "pack")), \(counted(files, "file")), \(ByteSize.text(size)): packs, manifests and tags fit together\n"
    } else {
      let verification = try Verification(argument: path, profile: options.profile, jobs: options.workers)
      let index = verification.folder.index
      findings = options.judged(verification.diagnostics, path: verification.folder.indexPath)
      count = index.map { ($0.packs.count, $0.total.files, $0.total.size) }
      let elsewhere = verification.elsewhereCount
      let rest: PlainText = elsewhere == 0 ? "" : "; \(counted(elsewhere, "pack")) published elsewhere"
      text = index.map { "\(BuiltFolderText.size(of: $0)): all whole\(rest)\n" } ?? ""
    }
    isTold = !findings.hasErrors && !options.isQuiet
  }
}

/// What came of verifying a built folder, for programs.
struct VerificationJSON {
  private let report: VerificationReport

  init(_ report: VerificationReport) {
    self.report = report
  }

  var json: JSONText {
    var members: [String: JSONText] = [
      "status": report.findings.status, "path": .string(report.path),
    ]
    if let count = report.count {
      members["packs"] = .integer(count.packs)
      members["fileCount"] = .integer(count.files)
      members["size"] = .integer(count.size)
    }
    return report.findings.document(members)
  }
}
