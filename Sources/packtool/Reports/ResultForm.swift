import Flags
import Formats

/// A form in which a command prints its result.
enum ResultForm: String, CaseIterable, Sendable {
  case text
  case json
  case markdown
  case csv
  case mermaid
}

/// What prints a command's result in one form.
struct ResultWriter<Result>: Sendable {
  let form: ResultForm
  /// The whole result in this form, for a screen; empty where there is nothing to print.
  let text: @Sendable (Result, Screen) -> String

  /// Standard output, where it is one document that nothing else may follow.
  var destinations: [Destination] {
    form == .json ? [Destination(flag: "--format", Session.standardOutput)] : []
  }

  /// A result for people at a terminal.
  static func text(_ text: @escaping @Sendable (Result) -> String) -> ResultWriter {
    ResultWriter(form: .text) { result, _ in text(result) }
  }

  /// A result for people, which uses what their terminal shows.
  static func screen(_ text: @escaping @Sendable (Result, Screen) -> String) -> ResultWriter {
    ResultWriter(form: .text, text: text)
  }

  /// A result for programs.
  static func json(_ text: @escaping @Sendable (Result) -> String) -> ResultWriter {
    ResultWriter(form: .json) { result, _ in text(result) }
  }

  /// A result in another form, which no screen changes.
  static func form(_ form: ResultForm, _ text: @escaping @Sendable (Result) -> String) -> ResultWriter {
    ResultWriter(form: form) { result, _ in text(result) }
  }

  /// A result for a pull request.
  static func markdown(_ text: @escaping @Sendable (Result) -> String) -> ResultWriter {
    .form(.markdown, text)
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
    let text = writer.text(result, screen)
    if !text.isEmpty { try print(text, as: writer.form.logForm) }
  }

  /// Writes what programs read in place of a result that errors leave no room for.
  func printRefusal<Result>(_ findings: Findings, with writer: ResultWriter<Result>) throws {
    if writer.form != .json { return }
    try print(findings.document(["status": .string("refused")]).text, as: .json)
  }
}
