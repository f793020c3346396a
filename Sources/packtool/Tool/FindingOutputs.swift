import Findings
import Flags
import System

/// The forms in which a run writes its findings, and where each goes.
struct FindingOutputs: Sendable {
  /// One form, and its file; nil for standard error.
  typealias Output = (form: DiagnosticsFormat, path: String?)

  private var named: [Output] = []
  /// The file of the form that names none, in place of standard error.
  private var plainPath: String?

  static let flags: [Flag<FindingOutputs>] = [
    .forms(
      "--diagnostics", valueName: "FORM[=FILE]",
      summary: "how findings are written, to standard error or to a file; may be repeated"
    ) { (outputs, form: DiagnosticsFormat, path) in
      outputs.named.append((form, path))
    },
    .value(
      "--findings", "--output-file", valueName: "FILE", kind: .file(),
      summary: "write findings to a file, not to standard error", into: \.plainPath),
  ]

  /// Every form, in the order of the flags.
  var all: [Output] {
    let needsPlain = named.isEmpty || (plainPath != nil && named.allSatisfy { $0.path != nil })
    let outputs: [Output] = needsPlain ? [(.text, nil)] + named : named
    return outputs.map { ($0.form, $0.path ?? plainPath) }
  }

  /// The form on standard error; nil if findings go to files only.
  var onStandardError: DiagnosticsFormat? { all.first { $0.path == nil }?.form }

  /// Whether standard error is one document, which no other line may precede or follow.
  var isDocument: Bool { onStandardError?.isDocument ?? false }

  /// The message on two forms for one place, or on a file that another flag names too.
  func mistake(beside others: [Destination]) -> String? {
    let streams = named.filter { $0.path == nil }
    if streams.count > 1 {
      let form = streams[1].form.rawValue
      return
        "flag \"--diagnostics\" has two forms for standard error; name a file for one of them, such as \(form)=FILE"
    }
    let plain = Destination.files([("--findings", plainPath)])
    let files = Destination.files(named.map { ("--diagnostics", $0.path) })
    return Destination.clash(among: plain + files + others)
  }
}

/// A file that a run writes, by the flag that names it.
struct Destination: Sendable {
  let flag: String
  let path: String

  /// The files that flags name, where they do.
  static func files(_ named: [(flag: String, path: String?)]) -> [Destination] {
    named.compactMap { file in file.path.map { Destination(flag: file.flag, path: $0) } }
  }

  /// The message on two flags that name one file.
  static func clash(among destinations: [Destination]) -> String? {
    var first: [[UInt8]: Destination] = [:]
    for destination in destinations {
      guard let other = first.updateValue(destination, forKey: destination.identity) else { continue }
      let file =
        destination.path == Session.standardOutput
        ? "standard output" : "the file \(quoted(destination.path))"
      return other.flag == destination.flag
        ? "flag \(quoted(other.flag)) names \(file) twice; give each its own"
        : "flags \(quoted(other.flag)) and \(quoted(destination.flag)) both name \(file); give each its own"
    }
    return nil
  }

  /// The message on a flag that names a file that the run reads.
  static func mistake(in destinations: [Destination], _ inputs: [String]) -> String? {
    let read = Set(inputs.map { Destination(flag: "", path: $0).identity })
    return destinations.first { $0.path != Session.standardOutput && read.contains($0.identity) }.map {
      "flag \(quoted($0.flag)) names \(quoted($0.path)), which is read; choose another file"
    }
  }

  /// The same for every spelling of the path.
  private var identity: [UInt8] {
    if path == Session.standardOutput { return Array(path.utf8) }
    if let real = try? FileOperations.realPath(of: path) { return real }
    let folder = (try? FileOperations.realPath(of: folderPath(of: path))) ?? Array(folderPath(of: path).utf8)
    return folder + Array("/\(lastName(of: path))".utf8)
  }
}

/// The findings of one run, kept for the documents and files that are written at its end.
final class FindingReports: Sendable {
  let outputs: FindingOutputs
  private let color: SharedOptions.ColorChoice
  let base: PathBase
  private let found = Monitor(Findings())

  init(_ options: SharedOptions, _ environment: [String: String]) {
    base = PathBase(environment)
    outputs = options.outputs
    color = options.color
  }

  func add(_ findings: Findings) { found.change { $0.add(findings) } }

  func add(_ check: Check, _ message: String) {
    let finding = Diagnostic(check, message, at: Place(Tool.name))
    add(Findings(manifestPath: "", text: nil, diagnostics: [finding]))
  }

  /// Writes the files; standard error comes last, since it also reports what fails here.
  func writeFiles(_ session: Session) throws(SystemError) {
    let findings = found.change { $0 }
    for output in outputs.all {
      guard let path = output.path else { continue }
      let text = output.form.output(
        of: findings, isColored: color == .always, base: base, isWhole: session.showsAll)
      try session.write(text, to: path)
    }
  }

  /// Writes the document that standard error is, if it is one.
  func writeDocument(_ session: Session) {
    guard let form = outputs.onStandardError, form.isDocument else { return }
    session.explain(form.output(of: found.change { $0 }, isColored: false, base: base, isWhole: true))
  }
}
