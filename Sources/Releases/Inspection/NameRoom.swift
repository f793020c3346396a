import System

/// The remaining memory for names in packs, since a few bytes of an archive can expand to gigabytes of names.
package final class NameRoom: Sendable {
  /// The limit in bytes of all names of the packs that are inspected together.
  package static let most = 256 << 20
  /// The size of an entry in bytes without its name.
  private static let entrySize = 128

  private let left = Monitor(most)

  package init() {}

  /// Reserves memory for a name of this size; false if there is none left.
  func take(_ count: Int) -> Bool {
    left.change { left in
      let size = count + Self.entrySize
      if size > left { return false }
      left -= size
      return true
    }
  }
}
