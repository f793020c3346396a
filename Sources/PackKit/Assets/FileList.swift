/// The files of a tree in order.
///
/// They stay in the blocks that the threads of a scan filled: sorting into one array would hold a million files in
/// memory twice.
package struct FileList: Sendable {
  /// The number of files in a block; each thread has at most one that is not full.
  static let blockSize = 1 << 11

  /// A file's block and its index there, as one number: enough for 4 billion files.
  typealias Slot = UInt32

  private var blocks: [[AssetFile]]
  private var slots: [Slot]

  /// The files of blocks in the order of their slots.
  init(blocks: [[AssetFile]], order: [Slot]) {
    self.blocks = blocks
    slots = order
  }

  package init(_ files: some Sequence<AssetFile> = EmptyCollection()) {
    self.init(blocks: [], order: [])
    for file in files { append(file) }
  }

  package mutating func append(_ file: AssetFile) {
    if blocks.last.map({ $0.count == Self.blockSize }) ?? true { blocks.append([]) }
    slots.append(Self.slot(blocks[blocks.count - 1].count, inBlock: blocks.count - 1))
    blocks[blocks.count - 1].append(file)
  }

  // What a loop over all files needs of each: a copy of the file would count its references too.

  /// The path of a file inside its pack.
  package func packPath(at position: Int) -> String { self[position].packPath }

  /// The size of a file in bytes.
  package func size(at position: Int) -> Int64 { self[position].size }

  /// The times and identity of a file.
  package func stamp(at position: Int) -> FileStamp { self[position].stamp }

  static func slot(_ place: Int, inBlock block: Int) -> Slot { Slot(block * blockSize + place) }
}

extension FileList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count }

  package subscript(position: Int) -> AssetFile {
    // Lends the file: a copy counts three references, which threads that share a file would wait for.
    @inline(__always) _read {
      let slot = Int(slots[position])
      yield blocks[slot / Self.blockSize][slot % Self.blockSize]
    }
  }
}
