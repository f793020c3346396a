import Findings
import Flags
import Formats

/// A form in which a command prints its result.
enum ResultForm: String, CaseIterable, Sendable {
  case text
  case json
  case markdown
  case csv
  case mermaid
  /// The text that Xcode writes about the sizes of an app's variants.
  case thinningReport = "thinning-report"
}

/// A writer of a command's result in one form.
struct ResultWriter<Result>: Sendable {
  let form: ResultForm
  /// The whole result in this form, for a screen; empty where there is nothing to print.
  let output: @Sendable (Result, Screen) -> Output

  /// Standard output, where it is one document that nothing else may follow.
  var destinations: [Destination] {
    isDocument ? [Destination(flag: "--format", Session.standardOutput)] : []
  }

  private var isDocument: Bool {
    switch form {
    case .json, .thinningReport: true
    case .text, .markdown, .csv, .mermaid: false
    }
  }

  /// A result for people at a terminal.
  static func text(_ text: @escaping @Sendable (Result) -> PlainText) -> ResultWriter {
    ResultWriter(form: .text) { result, _ in Output(text(result)) }
  }

  /// A result for people, which uses what their terminal shows.
  static func screen(_ text: @escaping @Sendable (Result, Screen) -> PlainText) -> ResultWriter {
    ResultWriter(form: .text) { Output(text($0, $1)) }
  }

  /// A result for programs.
  static func json(_ document: @escaping @Sendable (Result) -> JSONText) -> ResultWriter {
    ResultWriter(form: .json) { result, _ in Output(document(result)) }
  }

  /// A result for spreadsheets.
  static func csv(_ text: @escaping @Sendable (Result) -> Written<CSVForm>) -> ResultWriter {
    ResultWriter(form: .csv) { result, _ in Output(text(result)) }
  }

  /// A result as a chart.
  static func mermaid(_ text: @escaping @Sendable (Result) -> Written<MermaidForm>) -> ResultWriter {
    ResultWriter(form: .mermaid) { result, _ in Output(text(result)) }
  }

  /// A result for a pull request.
  static func markdown(_ text: @escaping @Sendable (Result) -> Written<MarkdownForm>) -> ResultWriter {
    ResultWriter(form: .markdown) { result, _ in Output(text(result)) }
  }

  /// A result for what reads Xcode's report on sizes.
  static func thinningReport(_ text: @escaping @Sendable (Result) -> PlainText) -> ResultWriter {
    ResultWriter(form: .thinningReport) { result, _ in Output(text(result)) }
  }
}

extension Flag {
  /// The flag `--format`, which takes each form that a command's result has.
  static func resultForm<Result>(
    of result: String, in forms: [ResultWriter<Result>], into target: Target<ResultWriter<Result>>
  ) -> Flag {
    let names = forms.map(\.form.rawValue)
    return .parsed(
      "--format", valueName: "FORMAT", kind: .choice(names), summary: "the form of the \(result)",
      parse: { name throws(FlagMistake) in
        guard let writer = forms.first(where: { $0.form.rawValue == name }) else {
          throw FlagMistake("has no form \"\(name)\"")
        }
        return writer
      }, into: target)
  }
}

extension Session {
  /// Writes a command's result to standard output in one form.
  func print<Result>(
    _ result: Result, with writer: ResultWriter<Result>, on screen: Screen = .plain
  ) throws {
    let output = writer.output(result, screen)
    if !output.text.isEmpty { try print(output) }
  }

  /// Writes what programs read in place of a result that errors leave no room for.
  func printRefusal<Result>(_ findings: Findings, with writer: ResultWriter<Result>) throws {
    if writer.form != .json { return }
    try print(Output(findings.document(["status": .string("refused")])))
  }
}

extension JSONText {
  /// An object with those of the members that have a value.
  static func object(known members: [String: JSONText?]) -> JSONText { .object(.known(members)) }
}

extension [String: JSONText] {
  /// Those of the members that have a value.
  static func known(_ members: [String: JSONText?]) -> Self { members.compactMapValues(\.self) }
}

/// A whole text in one form, which is all that a session takes to a terminal, a log or a report's file.
struct Output: Sendable {
  /// The text, which no terminal or CI obeys.
  let text: String

  init(_ text: PlainText) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<MarkdownForm>) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<CSVForm>) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<MermaidForm>) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<XMLForm>) { self.text = LogForm.xml.safe(text.text) }

  init(_ text: Written<GitHubForm>) { self.text = LogForm.commands.safe(text.text) }

  init(_ document: JSONText) { text = LogForm.json.safe(document.text) }

  /// A JSON document that was written already.
  init(json text: String) { self.text = LogForm.json.safe(text) }
}
