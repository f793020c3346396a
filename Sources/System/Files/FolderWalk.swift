/// A walk over everything below a folder, by descriptor and without recursion, so that folders may nest to any
/// depth.
///
/// All entries of a folder come first, in their order, then those of its subfolders.
package struct FolderWalk: ~Copyable {
  /// One name below the folder that is walked.
  package struct Entry: Sendable {
    /// The path from the walked folder, byte for byte.
    package let path: [UInt8]
    /// The status of the entry; links are not followed.
    package let status: FileStatus

    /// The number of folders between the entry and the walked folder.
    package var level: Int { path.count { $0 == UInt8(ascii: "/") } }
  }

  private let root: Folder
  private var waiting: [(path: [UInt8], identity: FileIdentity?)] = [([], nil)]
  private var folder: [UInt8] = []
  private var listing = FolderListing()
  /// How many entries of the folder have been returned.
  private var metCount = 0

  package init(_ root: Folder) { self.root = root }

  /// The next entry; nil at the end.
  package mutating func next() throws(SystemError) -> Entry? {
    while metCount == listing.entries.count {
      guard let (folder, identity) = waiting.popLast() else { return nil }
      self.folder = folder
      // Whatever replaced a folder since it was listed is not entered.
      if let identity {
        listing = try root.listing(of: folder, met: identity) ?? FolderListing()
      } else {
        listing = try root.listing()
      }
      metCount = 0
    }
    let entry = listing.entries[metCount]
    metCount += 1
    let path = (folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]) + listing.name(of: entry)
    if entry.status.kind == .folder { waiting.append((path, entry.status.identity)) }
    return Entry(path: path, status: entry.status)
  }

  /// The next entry, without those of folders that are gone or may not be read.
  package mutating func nextReadable() throws(SystemError) -> Entry? {
    while true {
      do throws(SystemError) { return try next() } catch {
        guard error.isDenied || error.isMissing else { throw error }
      }
    }
  }

  /// Skips the contents of the folder that was returned last.
  package mutating func skipContents() { waiting.removeLast() }
}
