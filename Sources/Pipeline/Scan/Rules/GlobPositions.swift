import Model
import Synchronization
import System

/// The positions in globs at which matching continues in a folder.
///
/// All earlier components of these globs have matched the folder's path.
final class GlobPositions: Sendable {
  /// The position of a component in one branch of a glob.
  struct Position: Hashable, Comparable {
    let pattern: Int32
    let component: Int32

    static func < (first: Position, second: Position) -> Bool {
      (first.pattern, first.component) < (second.pattern, second.component)
    }
  }

  let all: [Position]
  /// The positions at the last component of their glob.
  let ends: NameTable
  /// The other positions.
  ///
  /// If a folder name matches such a position, matching continues at the next component.
  let folders: NameTable
  /// Whether all positions are also valid in subfolders.
  private let isLasting: Bool
  /// The positions that are also valid in subfolders; nil if all positions are valid there, or none.
  private let lasting: GlobPositions?

  init(_ all: [Position], componentAt component: (Position) -> (value: Glob.Component, isLast: Bool)) {
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
    self.lasting = isLasting || lasting.isEmpty ? nil : GlobPositions(lasting, componentAt: component)
  }

  /// The positions that are valid in every subfolder; nil if there are no such positions.
  var below: GlobPositions? { isLasting ? self : lasting }

  func contains(_ position: Position) -> Bool {
    let index = all.indices.partitioningIndex { all[$0] >= position }
    return index < all.count && all[index] == position
  }

  /// Collects positions from several parts, and sorts them.
  static func inOrder(
    of parts: [GlobPositions], add: (GlobPositions, inout [Position]) -> Void
  ) -> [Position] {
    var found: [Position] = []
    for part in parts { add(part, &found) }
    if found.count > 1 { found.sort() }
    return found
  }
}

/// A table of components of globs.
///
/// After many names have been looked up, an index is made. Later names are then compared with only a few
/// components.
final class NameTable: Sendable {
  /// A component of a glob, and its position in the glob.
  struct Row {
    let component: Glob.Component
    let position: GlobPositions.Position
  }

  private let rows: [Row]
  private let lookups = Atomic<Int>(0)
  private let texts = AtomicLazyReference<RareTexts>()

  /// The minimum number of components for which an index of their literal texts is made.
  private static let many = 32
  /// The number of lookups after which the index is made.
  ///
  /// Making the index takes as long as several comparisons with all components.
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

  /// The index of literal texts; nil if there is no index yet, in which case each component is compared.
  private var textsOfMany: RareTexts? {
    if rows.count < Self.many { return nil }
    if let texts = texts.load() { return texts }
    let count = lookups.add(1, ordering: .relaxed).newValue
    return count < Self.manyLooks ? nil : texts.storeIfNil(RareTexts(of: rows.map { $0.component }))
  }
}

/// Finds the components that might match a name.
///
/// These are the components whose rarest literal text the name contains. If there are thousands of globs,
/// they usually differ in a few bytes, such as `**/level_0042*`. The literal texts are found with a rolling
/// hash over the name. If two different texts have the same hash, the only effect is an unnecessary
/// comparison.
///
/// With 10,000 such globs and 10,000 files, `plan` takes 0.11 s. If each name were compared with each glob, it
/// would take 2.1 s.
final class RareTexts: Sendable {
  /// The maximum size of a literal text.
  ///
  /// There is a maximum so that there are only a few lengths. If a text is longer, only its beginning and its
  /// end are used.
  private static let maxTextSize = 16
  /// The base of the hash.
  ///
  /// It is a random number in each process, so an attacker cannot choose texts with the same hash.
  private static let base = UInt64.random(in: .min ... .max) | 1

  /// One of the lengths that the indexed texts have.
  private struct Length {
    /// The length in bytes.
    let count: Int
    /// The weight in the hash of the byte before a text of this length.
    let weight: UInt64
  }

  /// The components that contain no literal text, so they might match any name.
  private let always: [Int32]
  private let lengths: [Length]
  /// The components, in a linked list for each hash of their literal texts.
  ///
  /// `first` contains the first component for each hash. `next` contains, for each component, the next
  /// component of the same list; -1 ends a list.
  private let first: [UInt64: Int32]
  private let next: [Int32]

  init(of components: [Glob.Component]) {
    var always: [Int32] = []
    var first: [UInt64: Int32] = [:]
    var next: [Int32] = Array(repeating: -1, count: components.count)
    var counts: [UInt64: Int] = [:]
    for component in components {
      for text in Self.texts(of: component) { counts[Self.sum(of: text), default: 0] += 1 }
    }
    var present: Set<Int> = []
    for (number, component) in components.enumerated() {
      let texts = Self.texts(of: component).map { (sum: Self.sum(of: $0), count: $0.count) }
      let rarest = texts.min { (counts[$0.sum] ?? 0, -$0.count) < (counts[$1.sum] ?? 0, -$1.count) }
      guard let rarest else {
        always.append(Int32(number))
        continue
      }
      present.insert(rarest.count)
      next[number] = first.updateValue(Int32(number), forKey: rarest.sum) ?? -1
    }
    self.always = always
    self.first = first
    self.next = next
    lengths = present.sorted().map { count in
      Length(count: count, weight: (0..<count).reduce(1) { weight, _ in weight &* Self.base })
    }
  }

  /// Returns the indices of the components that might match a name.
  func candidates(in name: ArraySlice<UInt8>) -> [Int32] {
    var found = always
    var matchedSums: [UInt64] = []
    for length in lengths where length.count <= name.count {
      var sum: UInt64 = 0
      for (end, byte) in zip(name.indices, name) {
        sum = Self.adding(byte, to: sum)
        let start = end - length.count
        if start >= name.startIndex { sum &-= (UInt64(name[start]) &+ 1) &* length.weight }
        guard start >= name.startIndex - 1, var number = first[sum], !matchedSums.contains(sum) else {
          continue
        }
        matchedSums.append(sum)
        while number >= 0 {
          found.append(number)
          number = next[Int(number)]
        }
      }
    }
    return found
  }

  /// Returns the literal texts that occur in every name that a component matches.
  private static func texts(of component: Glob.Component) -> [ArraySlice<UInt8>] {
    let whole: [ArraySlice<UInt8>] =
      switch component {
      case .name(let name): [name[...]]
      case .form(let pattern): pattern.texts.map { $0[...] }
      case .anyDepth: []
      }
    return whole.flatMap { $0.count > maxTextSize ? [$0.prefix(maxTextSize), $0.suffix(maxTextSize)] : [$0] }
  }

  private static func sum(of text: ArraySlice<UInt8>) -> UInt64 { text.reduce(0) { adding($1, to: $0) } }

  private static func adding(_ byte: UInt8, to sum: UInt64) -> UInt64 { sum &* base &+ UInt64(byte) &+ 1 }
}
