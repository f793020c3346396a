package import Formats
package import Model

/// Checks packs and updates against budgets.
package struct BudgetFindings: Sendable {
  package let budgets: Budgets
  /// The path that findings have if the budget was set with a flag.
  private let path: String
  private let text: SourceText?

  /// The maximum number of files and packs that a finding lists.
  package static let maxNamed = 3

  /// Creates findings about budgets.
  ///
  /// If a budget is not in the manifest, the findings about this budget have the path `fallbackPath`.
  package init(_ budgets: Budgets, manifestText: SourceText?, fallbackPath: String) {
    self.budgets = budgets
    self.path = fallbackPath
    self.text = manifestText
  }

  package func place(_ offset: Int?) -> Place {
    guard let text, let offset else { return Place(path) }
    return text.place(at: offset)
  }

  /// A pack whose size is compared with budgets.
  package struct BudgetedPack {
    package let tags: [String]
    /// The size in bytes.
    package let size: Int64
    /// Returns the notes of a finding about the pack; `budget` is the budget in bytes that the pack exceeds.
    package let notes: (_ budget: Int64) -> [Diagnostic.AttachedLine]

    package init(tags: [String], size: Int64, notes: @escaping (_ budget: Int64) -> [Diagnostic.AttachedLine])
    {
      self.tags = tags
      self.size = size
      self.notes = notes
    }
  }

  /// Splits a name into its tags and sorts them as the tags of packs are sorted.
  private static func inOrder(_ name: String) -> [Substring] { name.split(separator: "+").sorted() }

  /// Returns findings about packs that exceed their budgets, and about budgets for packs that do not exist.
  package func findings(on packs: [BudgetedPack]) -> [Diagnostic] {
    let named = Dictionary(grouping: packs) { $0.tags.joined(separator: "+") }
    let sorted = Dictionary(named.keys.map { (Self.inOrder($0), $0) }) { min($0, $1) }
    var guesses = Guesses()
    return budgets.packs.flatMap { name, budget -> [Diagnostic] in
      let intended = named[name] ?? []
      if intended.isEmpty {
        let guess = suggestion(
          sorted[Self.inOrder(name)] ?? guesses.nearest(to: name, in: named.keys)?.name)
        let message = "no pack has exactly the tags \(quoted(name))\(guess)"
        if let offset = budget.offset {
          return [Diagnostic(.unknownPack, message: message, at: place(offset))]
        }
        return [
          Diagnostic(.unknownPack, message: "setting \"budgets.packs\": \(message)", at: Place.commandLine)
        ]
      }
      return intended.filter { $0.size > budget.value }.map { pack in
        let message =
          "the pack of \(setNotation(pack.tags)) is \(ByteSize.exact(pack.size)), "
          + "\(ByteSize.number(pack.size - budget.value)) more than its budget of "
          + "\(ByteSize.number(budget.value))"
        return Diagnostic(
          .packBudget, message: message, at: place(budget.offset), notes: pack.notes(budget.value))
      }
    }
  }
}

extension PackCheck {
  static let packBudgets = PackCheck(.packBudget, .unknownPack) { input in
    let text = input.manifest.text
    return BudgetFindings(input.manifest.budgets, manifestText: text, fallbackPath: text.path).findings(
      on: input.release.packs.enumerated().map { number, pack in
        BudgetFindings.BudgetedPack(
          tags: pack.tags, size: pack.size, notes: { budget in input.split(number, budget) })
      })
  }
}
