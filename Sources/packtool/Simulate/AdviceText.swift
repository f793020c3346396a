import Findings
import Formats
import Projects
import Simulation

/// Advice for people: what to change, and what it saves.
struct AdviceText {
  private let advice: Advice
  private let steps: [ScenarioStep]

  /// Changes that are shown.
  private static let mostShown = 10

  init(_ advice: Advice, steps: [ScenarioStep]) {
    self.advice = advice
    self.steps = steps
  }

  var text: PlainText {
    var text: PlainText =
      "\nadvice, by running the scenario with each of \(counted(advice.tried, "change")):\n"
    if advice.proposals.isEmpty { text += "  none makes it shorter\n" }
    var table = TextTable([.left, .right, .right, .right])
    if !advice.proposals.isEmpty { table.add("change", "saves", "installed", "waits") }
    for proposal in advice.proposals.prefix(Self.mostShown) {
      table.add(
        AdviceText.sentence(for: proposal.change, steps), TimeText.text(proposal.saved),
        proposal.summary.installed.map(TimeText.text) ?? "-", TimeText.text(proposal.summary.stalled))
    }
    text += table.text(indentation: 2)
    let more = advice.proposals.count - Self.mostShown
    if more > 0 { text += "  and \(counted(more, "more change")) that save less\n" }
    if advice.untried > 0 {
      text += "  \(counted(advice.untried, "change")) more were not tried, for lack of time\n"
    }
    if !advice.knowsLists {
      text += "  a built folder has lost its lists of tags; name the manifest to try changes to them\n"
    }
    return text
  }

  /// The sentence that proposes a change.
  static func sentence(for change: Advice.Change, _ steps: [ScenarioStep]) -> String {
    switch change {
    case .swapPrefetch(let first, let second):
      return "prefetch \(quoted(second)) before \(quoted(first))"
    case .addToInstall(let tag): return "put \(quoted(tag)) into the initial install"
    case .moveToPrefetch(let tag): return "prefetch \(quoted(tag)) instead of installing it"
    case .beginAllEarlier: return "begin every request one level earlier"
    case .beginEarlier(let step):
      guard case .begin(let tags, let name, _) = steps[step].action else { return "" }
      return "begin \(quoted(name)), for \(listed(tags, atMost: 3)), one level earlier"
    }
  }
}

extension Advice {
  /// For programs.
  func json(_ steps: [ScenarioStep]) -> JSONText {
    .object([
      "tried": .integer(Int64(tried)),
      "changes": .array(
        proposals.map { proposal in
          .object([
            "change": .string(AdviceText.sentence(for: proposal.change, steps)),
            "saves": .integer(proposal.saved),
            "summary": .object(SimulationJSON.members(of: proposal.summary)),
          ])
        }),
    ])
  }
}
