/// Components of globs, arranged so that a name is compared with few of them.
struct NameTable: Sendable {
  /// A component, and where it is.
  struct Row {
    let component: Glob.Component
    let position: GlobPositions.Position
  }

  private let rows: [Row]
  /// Nil if there are so few that each is compared.
  private let texts: RareTexts?

  /// The number of components from which on they are arranged by their texts.
  private static let many = 32

  init(_ rows: [Row]) {
    self.rows = rows
    texts = rows.count < Self.many ? nil : RareTexts(of: rows.map(\.component))
  }

  /// Adds the positions of the components that match a name, in any order.
  func add(matching name: ArraySlice<UInt8>, to found: inout [GlobPositions.Position]) {
    guard let texts else {
      for row in rows where row.component.matches(name) { found.append(row.position) }
      return
    }
    for number in texts.candidates(in: name) {
      let row = rows[Int(number)]
      if row.component.matches(name) { found.append(row.position) }
    }
  }
}
