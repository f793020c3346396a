package import Findings
package import Formats
import Spelling
import System

/// Checks packs and updates against budgets.
package struct BudgetFindings: Sendable {
  package let budgets: Budgets
  /// The path of findings about flags.
  private let path: String
  /// The text of the other budgets.
  private let text: SourceText?

  /// The number of files and packs that a finding lists.
  package static let mostNamed = 3

  /// Findings about budgets; those without an offset are at `path`.
  package init(_ budgets: Budgets, text: SourceText?, path: String) {
    self.budgets = budgets
    self.path = path
    self.text = text
  }

  package func place(_ offset: Int?) -> Place {
    guard let text, let offset else { return Place(path) }
    return text.place(at: offset)
  }

  /// A pack with its size.
  package struct WeighedPack {
    package let tags: [String]
    package let size: Int64
    /// The notes on a pack that exceeds a budget of this many bytes.
    package let notes: (Int64) -> [Diagnostic.Note]

    package init(tags: [String], size: Int64, notes: @escaping (Int64) -> [Diagnostic.Note]) {
      self.tags = tags
      self.size = size
      self.notes = notes
    }

    var name: String { tags.joined(separator: "+") }
  }

  /// The tags of a name in the order of packs.
  private static func inOrder(_ name: String) -> [Substring] { name.split(separator: "+").sorted() }

  /// Findings about packs that exceed their budgets, and about budgets without a pack.
  package func findings(on packs: [WeighedPack]) -> [Diagnostic] {
    let named = Dictionary(grouping: packs, by: \.name)
    let sorted = Dictionary(packs.map { (Self.inOrder($0.name), $0.name) }) { first, _ in first }
    var guesses = Guesses()
    return budgets.packs.flatMap { name, budget -> [Diagnostic] in
      let meant = named[name] ?? []
      if meant.isEmpty {
        let guess = suggestion(
          sorted[Self.inOrder(name)] ?? guesses.nearest(to: name, in: packs.lazy.map(\.name))?.name)
        let message = "no pack has the tags \(quoted(name))\(guess)"
        return [Diagnostic(.unknownPack, message, at: place(budget.offset))]
      }
      return meant.filter { $0.size > budget.value }.map { pack in
        let message =
          "the pack of \(setNotation(pack.tags)) is \(ByteSize.exact(pack.size)), "
          + "\(ByteSize.number(pack.size - budget.value)) over its budget of \(ByteSize.number(budget.value))"
        return Diagnostic(.packBudget, message, at: place(budget.offset), notes: pack.notes(budget.value))
      }
    }
  }
}

extension PackCheck {
  static let packBudgets = PackCheck(.packBudget, .unknownPack) { input in
    let packs = input.release.packs.enumerated().map { number, pack in
      BudgetFindings.WeighedPack(tags: pack.tags, size: pack.size) { input.split(number, $0) }
    }
    return BudgetFindings(input.budgets, text: input.places.text, path: input.places.text.path).findings(
      on: packs)
  }
}
