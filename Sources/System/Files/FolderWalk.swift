/// A walk of all that stands below a folder, without recursion and by descriptor: names may nest as deep as they like.
///
/// A folder's names come one after the other in their order, then those of the folders in it.
package struct FolderWalk: ~Copyable {
  /// One name below the folder that is walked.
  package struct Entry: Sendable {
    /// From the folder that is walked on, byte for byte.
    package let path: [UInt8]
    /// What the name stands for; links are not followed.
    package let status: FileStatus
  }

  private let root: Folder
  /// The folders that are still to be read.
  private var waiting: [(path: [UInt8], identity: FileIdentity?)] = [([], nil)]
  /// The folder that is being read.
  private var folder: [UInt8] = []
  private var listing = FolderListing()
  /// Names of the folder that have been met.
  private var metCount = 0

  package init(_ root: Folder) {
    self.root = root
  }

  /// Moves to the next name; nil where there is none.
  package mutating func next() throws(SystemError) -> Entry? {
    while metCount == listing.entries.count {
      guard let (folder, identity) = waiting.popLast() else { return nil }
      self.folder = folder
      // What took a folder's place since it was met is not gone into.
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

  /// Leaves out what stands in the folder that the walk has just come to.
  package mutating func skipContents() { waiting.removeLast() }
}
