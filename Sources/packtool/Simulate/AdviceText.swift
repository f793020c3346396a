import Findings
import Formats
import Projects
import Simulation

extension Advice {
  /// Advice for people: what to change, and what it saves.
  func text(_ steps: [ScenarioStep]) -> PlainText {
    let shown = proposals.prefix(10)
    let table = Table(
      shown,
      [
        .text("change") { Self.sentence(for: $0.change, steps) },
        .number("saves") { TimeText.text($0.saved) },
        .number("installed") { $0.summary.installed.map(TimeText.text) ?? "-" },
        .number("waits") { TimeText.text($0.summary.stalled) },
      ])
    var text: PlainText =
      "\nadvice, by running the scenario with each of \(counted(tried, "change")):\n"
      + (shown.isEmpty ? "  none makes it shorter\n" : table.text(indentation: 2))
    let more = proposals.count - shown.count
    if more > 0 { text += "  and \(counted(more, "more change")) that save less\n" }
    if untried > 0 { text += "  \(counted(untried, "change")) more were not tried, for lack of time\n" }
    if !knowsLists {
      text += "  a built folder has lost its lists of tags; name the manifest to try changes to them\n"
    }
    return text
  }

  /// For programs.
  func json(_ steps: [ScenarioStep]) -> JSONText {
    .object([
      "tried": .integer(Int64(tried)),
      "changes": .array(
        proposals.map { proposal in
          .object([
            "change": .string(Self.sentence(for: proposal.change, steps)), "saves": .integer(proposal.saved),
            "summary": .object(proposal.summary.json),
          ])
        }),
    ])
  }

  /// The sentence that proposes a change.
  private static func sentence(for change: Change, _ steps: [ScenarioStep]) -> String {
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
