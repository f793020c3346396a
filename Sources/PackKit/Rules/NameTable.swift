import Synchronization

/// Components of globs, of which a name is compared with few once many names have been looked up.
final class NameTable: Sendable {
  /// A component, and where it is.
  struct Row {
    let component: Glob.Component
    let position: GlobPositions.Position
  }

  private let rows: [Row]
  private let looks = Atomic<Int>(0)
  private let texts = AtomicLazyReference<RareTexts>()

  /// The number of components from which on they are arranged by their texts.
  private static let many = 32
  /// The number of names from which on that is made up for: it takes as long as some comparisons with all.
  private static let manyLooks = 16

  init(_ rows: [Row]) { self.rows = rows }

  /// Adds the positions of the components that match a name, in any order.
  func add(matching name: ArraySlice<UInt8>, to found: inout [GlobPositions.Position]) {
    guard let texts = textsOfMany else {
      for row in rows where row.component.matches(name) { found.append(row.position) }
      return
    }
    for number in texts.candidates(in: name) {
      let row = rows[Int(number)]
      if row.component.matches(name) { found.append(row.position) }
    }
  }

  /// Nil if each component is compared.
  private var textsOfMany: RareTexts? {
    if rows.count < Self.many { return nil }
    if let texts = texts.load() { return texts }
    let count = looks.add(1, ordering: .relaxed).newValue
    return count < Self.manyLooks ? nil : texts.storeIfNil(RareTexts(of: rows.map(\.component)))
  }
}
