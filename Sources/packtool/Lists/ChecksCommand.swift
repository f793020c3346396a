import Findings
import Flags
import PackKit
import Projects
import Spelling
import System

extension Command {
  private struct ChecksOptions: Sendable {
    var form = forms[0]

    static let forms: [ResultWriter<ChecksReport>] = [
      .text { $0.text },
      .json { ChecksJSON.document(of: $0.checks) },
    ]
  }

  /// The command `packtool checks [ID]`.
  static let checks = Command(
    CommandSyntax<ChecksOptions>(
      name: "checks", summary: "list all checks, or explain one",
      arguments: [
        Argument(
          "ID", summary: "the id of a check, as findings have it in brackets", kind: .named("check"),
          count: 0...1)
      ], flags: [.resultForm(of: "list", in: ChecksOptions.forms, into: \.form)]
    ),
    ChecksOptions.init
  ) { options, arguments, session in
    guard let id = arguments.first else {
      try session.print(ChecksReport.list, with: options.form)
      return .done
    }
    guard let check = Check.named(id) else {
      let guess = didYouMean(nearest(to: id, in: Check.all.map(\.id)))
      let hint = guess.isEmpty ? "; \"\(Tool.name) checks\" lists them all" : guess
      session.complain("unknown check \(quoted(id))\(hint)")
      return .usage
    }
    try session.print(ChecksReport.one(check, width: session.width(of: .output)), with: options.form)
    return .done
  }
}
