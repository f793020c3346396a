/// A rectangle of a drawing, in the drawing's units.
package struct Rectangle: Sendable, Hashable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var area: Double { width * height }

  /// Returns the rectangle reduced by a margin on each side, and by additional space at the top.
  ///
  /// The size of the result is never negative.
  package func inset(by margin: Double, top: Double = 0) -> Rectangle {
    Rectangle(
      x: x + min(margin, width / 2), y: y + min(margin + top, height), width: max(0, width - 2 * margin),
      height: max(0, height - 2 * margin - top))
  }
}

/// Rectangles whose areas are proportional to given weights, and whose shapes are close to squares.
///
/// This is the squarified treemap of Bruls, Huizing and van Wijk (2000).
package struct SquarifiedTreemap: Sendable {
  /// One rectangle for each weight, in the order of the weights.
  package private(set) var rectangles: [Rectangle] = []

  /// Makes the layout for weights.
  ///
  /// The weights must be sorted in descending order. Weights of 0 or less get no area.
  package init(_ weights: [Double], in frame: Rectangle) {
    let total = weights.reduce(0) { $0 + max($1, 0) }
    guard total > 0, frame.area > 0 else {
      rectangles = weights.map { _ in Rectangle(x: frame.x, y: frame.y, width: 0, height: 0) }
      return
    }
    let scale = frame.area / total
    var rest = frame
    var row: [Double] = []
    for weight in weights {
      let area = max(weight, 0) * scale
      let side = min(rest.width, rest.height)
      if !row.isEmpty,
        Self.worstAspectRatio(of: row + [area], along: side) > Self.worstAspectRatio(of: row, along: side)
      {
        place(row, in: &rest)
        row = []
      }
      row.append(area)
    }
    place(row, in: &rest)
  }

  /// Returns the largest aspect ratio of the rectangles with these areas in a row that is placed along a side.
  private static func worstAspectRatio(of row: [Double], along side: Double) -> Double {
    let sum = row.reduce(0, +)
    guard sum > 0, side > 0, let largest = row.max(), let smallest = row.min(), smallest > 0 else {
      return .infinity
    }
    let (square, sums) = (side * side, sum * sum)
    return max(square * largest / sums, sums / (square * smallest))
  }

  /// Places a row along the shorter side of the remaining rectangle, and removes the row's area from that
  /// rectangle.
  private mutating func place(_ row: [Double], in rest: inout Rectangle) {
    let sum = row.reduce(0, +)
    let isWide = rest.width >= rest.height
    let side = isWide ? rest.height : rest.width
    let depth = side > 0 ? min(sum / side, isWide ? rest.width : rest.height) : 0
    var start = isWide ? rest.y : rest.x
    for area in row {
      let length = depth > 0 ? area / depth : 0
      rectangles.append(
        isWide
          ? Rectangle(x: rest.x, y: start, width: depth, height: length)
          : Rectangle(x: start, y: rest.y, width: length, height: depth))
      start += length
    }
    if isWide {
      rest.x += depth
      rest.width = max(0, rest.width - depth)
    } else {
      rest.y += depth
      rest.height = max(0, rest.height - depth)
    }
  }
}
