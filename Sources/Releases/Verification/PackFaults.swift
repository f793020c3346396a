import Findings

/// What is wrong with one pack on the disk.
struct PackFaults: Sendable {
  /// In words, the first few.
  private(set) var texts: [String] = []
  private(set) var count = 0

  /// Faults of one pack that are told.
  private static let mostTold = 10

  var isEmpty: Bool { count == 0 }

  mutating func add(_ text: String) {
    count += 1
    if texts.count < Self.mostTold { texts.append(text) }
  }

  var notes: [Diagnostic.Note] {
    let more = count > texts.count ? [Diagnostic.Note("and \(grouped(count - texts.count)) more")] : []
    return texts.map { Diagnostic.Note($0) } + more
  }
}
