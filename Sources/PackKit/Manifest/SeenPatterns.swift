import Findings

/// The patterns of rules, to find a second rule for the same files.
struct SeenPatterns {
  /// For each path a part of its hash in the upper half, and the number of its rule and 1 in the lower.
  ///
  /// A free slot is 0; the size is a power of two.
  ///
  /// A million paths are found in a tenth of a dictionary's time, since few texts are looked at.
  private var slots: [UInt64]
  private var globs: [Glob: Int] = [:]
  private let rules: [ResourceRule]

  init(for rules: [ResourceRule]) {
    self.rules = rules
    var size = 16
    while size < 2 * rules.count { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Adds the pattern of a rule; returns the number of the first rule that has it already.
  mutating func insert(_ number: Int) -> Int? {
    switch rules[number].pattern {
    case .path(let path): return insert(path.text, number)
    case .glob(let glob):
      if let first = globs[glob] { return first }
      globs[glob] = number
      return nil
    }
  }

  private mutating func insert(_ path: String, _ number: Int) -> Int? {
    let hash = UInt64(truncatingIfNeeded: path.hashValue)
    let upper = hash & ~UInt64(UInt32.max)
    var place = Int(hash & UInt64(slots.count - 1))
    while slots[place] != 0 {
      let first = Int(slots[place] & UInt64(UInt32.max)) - 1
      // Two Unicode forms of one path have one hash, and are two paths.
      if slots[place] & ~UInt64(UInt32.max) == upper, case .path(let other) = rules[first].pattern,
        other.text.isSameInBytes(as: path)
      {
        return first
      }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = upper | UInt64(number + 1)
    return nil
  }
}
