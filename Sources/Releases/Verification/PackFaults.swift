import Findings

/// The errors in one pack on the disk.
struct PackFaults: Sendable {
  /// The first messages.
  private(set) var texts: [String] = []
  private(set) var count = 0
  /// Whether the archive differs in form from one that packtool writes.
  private(set) var breaksForm = false

  /// The number of errors of one pack that are reported.
  private static let mostTold = 10

  var isEmpty: Bool { count == 0 }

  mutating func add(_ text: String) {
    count += 1
    if texts.count < Self.mostTold { texts.append(text) }
  }

  /// Adds an error in the archive's form.
  mutating func addBrokenForm(_ text: String) {
    breaksForm = true
    add(text)
  }

  var notes: [Diagnostic.Note] {
    let more = count > texts.count ? [Diagnostic.Note("and \(grouped(count - texts.count)) more")] : []
    return texts.map { Diagnostic.Note($0) } + more
  }
}
