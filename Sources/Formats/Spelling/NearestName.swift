/// The cost of one insertion, removal, replacement, or swap of adjacent letters.
private let editCost = 6
private let caseCost = 1
private let maxEdits = 6

/// Returns the candidate that the author of `name` most likely meant; nil if no candidate is similar.
///
/// A similar candidate differs by at most one edit for every three letters of the longer name, and by at most
/// six edits. A letter in the wrong case counts as 1/6 of an edit. If two candidates are equally similar, the
/// first of them in sorting order is returned.
package func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
  NearestName(to: name, in: candidates)?.name
}

/// The candidate that the author most likely meant.
package struct NearestName {
  package let name: String
  /// Whether the guess is certain: no other candidate is equally similar, and both names have the same
  /// digits.
  ///
  /// Digits matter because related names are often numbered.
  package let isSure: Bool

  /// Finds the most similar candidate; nil if no candidate is similar.
  package init?(to name: String, in candidates: some Sequence<String>) {
    guard let best = best(for: name, in: candidates) else { return nil }
    self.name = best.name
    isSure = best.isOnly && digits(of: name) == digits(of: best.name)
  }

  /// The name if it is certain, otherwise nil.
  package var sureName: String? { isSure ? name : nil }
}

private func digits(of name: String) -> [Unicode.Scalar] {
  name.unicodeScalars.filter { $0.properties.numericType != nil }
}

/// The most similar candidate found so far.
private struct BestName {
  let name: String
  let cost: Int
  /// Whether no other candidate has the same cost.
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

/// Returns the end of a message about an unknown name: `; did you mean "name"?`, or an empty string if the
/// name is nil.
package func didYouMean(_ name: String?) -> String { name.map { "; did you mean \"\($0)\"?" } ?? "" }

/// One Unicode scalar of a name.
private struct Letter {
  /// The scalar as it is in the name.
  let exact: Unicode.Scalar
  /// The scalar in lower case.
  let folded: Unicode.Scalar
}

/// Returns the scalars of a name; nil if there are more than 200.
private func letters(of name: String) -> [Letter]? {
  // A scalar has at most four bytes in UTF-8, so a huge name is rejected without being read.
  guard name.utf8.count <= 4 * 200 else { return nil }
  let letters = name.unicodeScalars.map { Letter(exact: $0, folded: lowered($0)) }
  return letters.count <= 200 ? letters : nil
}

private func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  guard scalar.isASCII else { return scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar }
  return "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
}

/// Returns the cost of changing one name into another (optimal string alignment); nil if the cost exceeds
/// `limit`.
private func cost(from source: [Letter], to target: [Letter], limit: Int) -> Int? {
  let (width, reach) = (target.count, limit / editCost)
  guard abs(source.count - width) <= reach else { return nil }
  var current = (0...width).map { $0 * editCost }
  var previous = Array(repeating: limit + 1, count: width + 1)
  var beforePrevious = previous
  for row in source.indices {
    (beforePrevious, previous, current) = (previous, current, beforePrevious)
    // Cells of the cost matrix that are more than `reach` columns away from the diagonal are not computed,
    // because their cost always exceeds the limit.
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
