import System

/// Positions in globs whose components before them have matched the folders above some names.
final class GlobPositions: Sendable {
  /// A component of one branch of a glob.
  struct Position: Hashable, Comparable {
    let pattern: Int32
    let component: Int32

    static func < (first: Position, second: Position) -> Bool {
      (first.pattern, first.component) < (second.pattern, second.component)
    }
  }

  /// The positions in order.
  let all: [Position]
  /// Those at the end of their globs.
  let ends: NameTable
  /// Those before the end that the name of a folder moves on.
  let folders: NameTable
  /// Whether all of them hold in the folders below too.
  private let isLasting: Bool
  /// Those that hold in the folders below, if that is a part of them.
  private let lasting: GlobPositions?

  init(_ all: [Position], _ component: (Position) -> (value: Glob.Component, isLast: Bool)) {
    self.all = all
    var ends: [NameTable.Row] = []
    var folders: [NameTable.Row] = []
    var lasting: [Position] = []
    var behind: Position?
    for position in all {
      let (value, isLast) = component(position)
      let isAnyDepth = value == .anyDepth
      if isLast {
        ends.append(NameTable.Row(component: value, position: position))
      } else if !isAnyDepth {
        folders.append(NameTable.Row(component: value, position: position))
      }
      if isAnyDepth || position == behind { lasting.append(position) }
      behind = isAnyDepth ? Position(pattern: position.pattern, component: position.component + 1) : nil
    }
    self.ends = NameTable(ends)
    self.folders = NameTable(folders)
    isLasting = lasting.count == all.count
    self.lasting = isLasting || lasting.isEmpty ? nil : GlobPositions(lasting, component)
  }

  /// What holds in every folder below, whatever its name; nil if nothing does.
  var below: GlobPositions? { isLasting ? self : lasting }

  func contains(_ position: Position) -> Bool {
    let index = all.indices.partitioningIndex { all[$0] >= position }
    return index < all.count && all[index] == position
  }

  /// What several of them have found, in order.
  static func inOrder(
    of parts: [GlobPositions], _ add: (GlobPositions, inout [Position]) -> Void
  ) -> [Position] {
    var found: [Position] = []
    for part in parts { add(part, &found) }
    if found.count > 1 { found.sort() }
    return found
  }
}
