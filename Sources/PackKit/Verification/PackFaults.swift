package import Archiving

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

/// Takes the files of a pack while it is inspected; none of them counts before the whole pack was found right.
package protocol FileReceiver: AnyObject {
  /// Begins the file of a place in the pack.
  func begin(_ place: Int) throws(SystemError)
  func append(_ block: RawSpan) throws(SystemError)
  func end() throws(SystemError)
}
