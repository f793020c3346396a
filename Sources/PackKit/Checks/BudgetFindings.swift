package import Findings
package import Formats
import Spelling
import System

/// Checks packs and updates against budgets.
package struct BudgetFindings: Sendable {
  package let budgets: Budgets
  /// Where findings on flags belong.
  private let path: String
  /// Where the other budgets stand.
  private let text: SourceText?

  /// Files and packs that a finding names.
  package static let mostNamed = 3

  /// Findings on some budgets; those without a place are at `path`.
  package init(_ budgets: Budgets, text: SourceText?, path: String) {
    self.budgets = budgets
    self.path = path
    self.text = text
  }

  package func place(_ offset: Int?) -> Place {
    guard let text, let offset else { return Place(path) }
    return text.place(at: offset)
  }

  /// What one pack weighs.
  package struct WeighedPack {
    package let tags: [String]
    package let size: Int64
    /// What to say of a pack over so many bytes.
    package let notes: (Int64) -> [Diagnostic.Note]

    package init(tags: [String], size: Int64, notes: @escaping (Int64) -> [Diagnostic.Note]) {
      self.tags = tags
      self.size = size
      self.notes = notes
    }

    var name: String { tags.joined(separator: "+") }
  }

  /// Packs over their budgets, and budgets of no pack.
  package func findings(on packs: [WeighedPack]) -> [Diagnostic] {
    budgets.packs.flatMap { name, budget -> [Diagnostic] in
      let meant = packs.filter { $0.name == name }
      if meant.isEmpty {
        let guess = suggestion(nearest(to: name, in: packs.lazy.map(\.name)))
        let message = "the budget for \(quoted(name)) is one for no pack\(guess)"
        return [Diagnostic(.unknownPack, message, at: place(budget.offset))]
      }
      return meant.filter { $0.size > budget.value }.map { pack in
        let message =
          "the pack of \(setNotation(pack.tags)) is \(counted(pack.size, "byte")), "
          + "\(grouped(pack.size - budget.value)) over its budget of \(grouped(budget.value))"
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
