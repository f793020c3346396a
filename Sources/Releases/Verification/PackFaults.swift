import Findings

/// What is wrong with one pack on the disk.
struct PackFaults: Sendable {
  /// In words, the first few.
  private(set) var texts: [String] = []
  private(set) var count = 0
  /// Whether the archive is not in the form in which packtool writes one of these files.
  private(set) var breaksForm = false

  /// Faults of one pack that are told.
  private static let mostTold = 10

  var isEmpty: Bool { count == 0 }

  mutating func add(_ text: String) {
    count += 1
    if texts.count < Self.mostTold { texts.append(text) }
  }

  /// Adds what makes the archive one that packtool did not write.
  mutating func addBrokenForm(_ text: String) {
    breaksForm = true
    add(text)
  }

  var notes: [Diagnostic.Note] {
    let more = count > texts.count ? [Diagnostic.Note("and \(grouped(count - texts.count)) more")] : []
    return texts.map { Diagnostic.Note($0) } + more
  }
}
