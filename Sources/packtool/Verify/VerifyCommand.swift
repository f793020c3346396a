import Findings
import Flags
import PackKit
import Releases

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
