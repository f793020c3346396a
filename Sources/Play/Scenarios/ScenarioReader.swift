package import Formats
import Model
package import System

/// Reads a scenario and reports every mistake that can be found without playing the scenario.
package struct ScenarioReader: Sendable {
  /// The path as the user typed it.
  package let path: String
  /// The scenario; nil if it has mistakes.
  package private(set) var scenario: Scenario?
  /// A scenario with mistakes.
  ///
  /// It is kept if it has all its steps, because its tags can then still be checked.
  private(set) var refused: Scenario?
  package private(set) var diagnostics: [Diagnostic] = []
  /// The text of the scenario; nil if no text was read.
  package private(set) var text: SourceText?
  /// Whether the scenario has a `link` key.
  package private(set) var hasLink = false

  /// The maximum size of a scenario in bytes.
  package static let maxScenarioSize = 64 << 20

  /// Reads the scenario in a file.
  ///
  /// - Throws: if the file exists but cannot be read.
  package init(path: String) throws(SystemError) {
    let contents: FileContents
    do throws(SystemError) {
      contents = try FileContents(of: path, limit: Self.maxScenarioSize)
    } catch {
      guard let refusal = error.refused else { throw error }
      self.init(path, check: .linkEscapesCheckout, message: refusal)
      return
    }
    switch contents {
    case .bytes(let bytes): self.init(text: SourceText(path: path, bytes: bytes))
    case .missing:
      self.init(
        path, check: .missingScenario, message: "\(quoted(path)) does not exist; pass the path of a scenario")
    case .noFile:
      self.init(
        path, check: .missingScenario, message: "\(quoted(path)) is not a file; pass the path of a scenario")
    case .tooLong:
      self.init(
        path, check: .jsonSyntax,
        message: "the scenario is larger than \(ByteSize.exact(Self.maxScenarioSize))")
    }
  }

  private init(_ path: String, check: Check, message: String) {
    self.path = path
    diagnostics = [Diagnostic(check, message: message, at: Place(path))]
  }

  /// Reads a scenario from its text.
  package init(text: SourceText) {
    self.path = text.path
    self.text = text
    let (value, mistakes) = JSONReader.read(text)
    diagnostics = mistakes
    guard let value else { return }
    if let kind = RecognizedFileKind(value: value), kind != .scenario {
      let message =
        "this file is \(kind.words), not a scenario; name a scenario first, as in \"packtool simulate "
        + "scenario.json Manifest.json\""
      let command = ShellText.words(["packtool", "simulate", "--players", "linear", path]).text
      let notes: [Diagnostic.AttachedLine] =
        kind == .manifest ? [.help("without a scenario: \(quoted(command))")] : []
      diagnostics.append(
        Diagnostic(
          .invalidValue, message: message, at: Place(path),
          notes: notes + [.help("\"packtool help scenarios\" describes the keys of a scenario")]))
      return
    }
    var checker = ShapeChecker(text: text, document: "the scenario", topic: "scenarios")
    checker.check(value, shape: ScenarioDraft.shape, key: "")
    diagnostics += checker.findings.findings
    guard case .object = value.content else { return }
    var draft = ScenarioDraft()
    ManifestValueReader(from: checker).read(value, into: &draft, by: ScenarioDraft.keys)
    // The draft does not contain the rejected values, so the order of the steps is not checked. The check
    // could report that an existing name is unknown.
    if diagnostics.hasErrors {
      let isWhole = value.member("steps").map(StepDraft.areAllRead) ?? true
      var steps = Scenario(network: nil)
      if isWhole, unroll(draft.steps, into: &steps) { refused = steps }
      return
    }
    adopt(draft)
  }

  private mutating func adopt(_ draft: ScenarioDraft) {
    var scenario = draft.scenario
    // If a scenario has limits but no limit for errors, it expects that no request fails.
    if let first = scenario.expectations.first, !scenario.expectations.map(\.kind).contains(.errors) {
      scenario.expectations.append(Expectation(kind: .errors, allowed: 0, offset: first.offset))
    }
    hasLink = draft.namesLink
    guard unroll(draft.steps, into: &scenario) else { return }
    checkOrder(of: scenario)
    if !diagnostics.hasErrors { self.scenario = scenario }
  }

  /// Expands repeated steps into a list of single steps.
  ///
  /// Returns false if the list gets too many steps.
  private mutating func unroll(_ drafts: [StepDraft], into scenario: inout Scenario) -> Bool {
    for draft in drafts {
      switch draft {
      case .action(let step):
        scenario.order.append(scenario.steps.count)
        scenario.steps.append(step)
        if scenario.order.count > Scenario.maxSteps { return refuse(at: step.offset) }
      case .repeated(0, _, _): break
      case .repeated(let count, let steps, let offset):
        let start = scenario.order.count
        guard unroll(steps, into: &scenario) else { return false }
        let body = Array(scenario.order[start...])
        let (all, overflows) = count.multipliedReportingOverflow(by: Int64(body.count))
        if overflows || Int64(start).saturatingSum(with: all) > Scenario.maxSteps {
          return refuse(at: offset)
        }
        for _ in 1..<max(2, all) where !body.isEmpty && scenario.order.count - start < all {
          scenario.order += body
        }
      }
    }
    return true
  }

  private mutating func refuse(at offset: Int) -> Bool {
    report(
      "the scenario has more than \(grouped(Scenario.maxSteps)) steps, counting each repetition",
      offset: offset)
    return false
  }

  /// Reports names that no earlier step has defined, and installs that are not the first step.
  private mutating func checkOrder(of scenario: Scenario) {
    var known: Set<String> = []
    var checked = Array(repeating: false, count: scenario.steps.count)
    var guesses = Guesses()
    for (place, number) in scenario.order.enumerated() {
      let step = scenario.steps[number]
      if case .install = step.action, place > 0 {
        report("\"install\" can only be the first step", offset: step.offset)
        return
      }
      if checked[number] { continue }
      checked[number] = true
      switch step.action {
      case .begin(_, let name, _), .conditional(_, let name): known.insert(name)
      case .end(let name), .await(let name), .priority(let name, _):
        if !known.contains(name) {
          let guess = suggestion(guesses.nearest(to: name, in: known)?.name)
          report("no earlier step begins the request \(quoted(name))\(guess)", offset: step.offset)
        }
      default: break
      }
    }
  }

  private mutating func report(_ message: String, offset: Int) {
    guard let text else { return }
    diagnostics.append(Diagnostic(.invalidValue, message: message, at: text.place(at: offset)))
  }

  /// The releases that update steps install, each with the offset of its first mention.
  package var updates: [Located<String>] {
    var seen: Set<String> = []
    return ((scenario ?? refused)?.steps ?? []).compactMap { step in
      guard case .update(let name, _) = step.action, seen.insert(name).inserted else { return nil }
      return Located(name, at: step.offset)
    }
  }
}
