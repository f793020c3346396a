import System

/// How much of the names of packs is kept in memory: a few bytes of an archive can stand for gigabytes of names.
package final class NameRoom: Sendable {
  /// Bytes of names that are kept, of all packs that are looked at together.
  package static let most = 256 << 20
  /// Bytes that an entry takes besides its name.
  private static let entrySize = 128

  private let left = Monitor(most)

  package init() {}

  /// Takes room for a name of so many bytes; false where there is none.
  func take(_ count: Int) -> Bool {
    left.change { left in
      let size = count + Self.entrySize
      if size > left { return false }
      left -= size
      return true
    }
  }
}
