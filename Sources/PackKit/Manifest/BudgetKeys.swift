import Formats

extension Budgets {
  /// The keys of `budgets`.
  static let keys: [ManifestKey<Budgets>] = [
    ManifestKey(
      "updateSize", "The most bytes that an update may make a device download that has every pack", .size
    ) { value, budgets, values in
      budgets.updateSize = values.size(value).map { Budget($0, at: value.offset) }
    },
    ManifestKey(
      "packs", "The most bytes of packs, each by its tags with \"+\" between", .table(of: .size)
    ) { value, budgets, values in
      budgets.packs = values.members(value).compactMap { member in
        if member.key == "$comment" { return nil }
        return values.size(member.value).map { (member.key, Budget($0, at: member.keyOffset)) }
      }
    },
    ManifestKey(
      "growth", "How much larger than the baseline all packs together may be", .percentage
    ) { value, budgets, values in
      let text = values.text(value)
      budgets.growth = text.flatMap { Percentage($0.value) }.map { Budget($0, at: value.offset) }
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))
}
