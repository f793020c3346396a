/// The cost of one insertion, removal, replacement or swap of neighbours.
private let editCost = 6
private let caseCost = 1
private let maxEdits = 6

/// The candidate that `name` was most likely meant to be, or nil where none is near.
///
/// Near is an edit to every third letter of the longer name, six edits at the most; a letter in the wrong case is
/// a sixth of an edit. Of two equally near candidates the lesser one is given, whatever their order.
package func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
  NearestName(to: name, in: candidates)?.name
}

/// The name that was most likely meant.
package struct NearestName {
  package let name: String
  /// Whether it can be nothing else: no other candidate is as near, and no number differs, since numbers are how
  /// families count.
  package let isSure: Bool

  /// The nearest of some candidates; nil where none is near.
  package init?(to name: String, in candidates: some Sequence<String>) {
    guard let best = best(for: name, in: candidates) else { return nil }
    self.name = best.name
    isSure = best.isOnly && digits(of: name) == digits(of: best.name)
  }

  /// The name, if it is sure.
  package var sureName: String? { isSure ? name : nil }
}

private func digits(of name: String) -> [Unicode.Scalar] {
  name.unicodeScalars.filter { $0.properties.numericType != nil }
}

/// The nearest of the candidates so far.
private struct BestName {
  let name: String
  let cost: Int
  /// Whether no other candidate costs as little.
  let isOnly: Bool
}

private func best(for name: String, in candidates: some Sequence<String>) -> BestName? {
  guard let wanted = letters(of: name) else { return nil }
  var best: BestName?
  for candidate in candidates where candidate.utf8.count <= 4 * (wanted.count + maxEdits) {
    guard let letters = letters(of: candidate) else { continue }
    let near = min(max(wanted.count, letters.count) * editCost / 3, maxEdits * editCost)
    guard let cost = cost(from: wanted, to: letters, limit: min(near, best?.cost ?? near)) else { continue }
    guard let last = best, cost == last.cost else {
      best = BestName(name: candidate, cost: cost, isOnly: true)
      continue
    }
    if candidate != last.name {
      best = BestName(name: min(candidate, last.name), cost: cost, isOnly: false)
    }
  }
  return best
}

/// The end of a message about a name that is unknown: `; did you mean "name"?`, or nothing without a name.
package func didYouMean(_ name: String?) -> String { name.map { "; did you mean \"\($0)\"?" } ?? "" }

/// A scalar of a name.
private struct Letter {
  /// The scalar as it was written.
  let exact: Unicode.Scalar
  /// The scalar in lower case.
  let folded: Unicode.Scalar
}

/// The scalars of a name, as written and in lower case; nil for more than 200.
private func letters(of name: String) -> [Letter]? {
  // A scalar has at most four bytes of UTF-8: a huge name is refused without being read.
  guard name.utf8.count <= 4 * 200 else { return nil }
  let letters = name.unicodeScalars.map { Letter(exact: $0, folded: lowered($0)) }
  return letters.count <= 200 ? letters : nil
}

private func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  guard scalar.isASCII else { return scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar }
  return "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
}

/// The cost of the optimal string alignment of two names, or nil where it is over `limit`.
private func cost(from source: [Letter], to target: [Letter], limit: Int) -> Int? {
  let (width, reach) = (target.count, limit / editCost)
  guard abs(source.count - width) <= reach else { return nil }
  var current = (0...width).map { $0 * editCost }
  var previous = Array(repeating: limit + 1, count: width + 1)
  var beforePrevious = previous
  for row in source.indices {
    (beforePrevious, previous, current) = (previous, current, beforePrevious)
    // Further than `reach` from the diagonal every cost is over the limit, and so is what its cells hold.
    let columns = max(0, row - reach)..<min(width, row + 1 + reach)
    current[columns.lowerBound] = (row + 1) * editCost
    var least = current[columns.lowerBound]
    for column in columns {
      let replaced = previous[column] + replacementCost(source[row], target[column])
      var cost = min(replaced, previous[column + 1] + editCost, current[column] + editCost)
      if row > 0, column > 0, source[row].folded == target[column - 1].folded,
        source[row - 1].folded == target[column].folded
      {
        cost = min(cost, beforePrevious[column - 1] + editCost)
      }
      current[column + 1] = cost
      least = min(least, cost)
    }
    if least > limit { return nil }
  }
  return current[width] <= limit ? current[width] : nil
}

private func replacementCost(_ first: Letter, _ second: Letter) -> Int {
  first.exact == second.exact ? 0 : first.folded == second.folded ? caseCost : editCost
}
