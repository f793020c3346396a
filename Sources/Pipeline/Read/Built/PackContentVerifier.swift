package import Archiving
package import Formats
package import Model
package import System

/// Verifies one pack.
///
/// Every file in the pack is compared with the file list.
package struct PackContentVerifier: ~Copyable {
  package private(set) var faults = PackFaults()
  private let expected: ExpectedFiles
  private let receiver: (any FileReceiver)?
  /// For each file, by its index, whether it has been found.
  private var isSeen: [Bool]
  /// The index after the index of the previous file.
  private var next = 0
  private var digest = SHA256()

  /// Verifies the pack at a path.
  ///
  /// The pack is an archive in the given format, or a folder if `format` is nil.
  package init(
    _ expected: ExpectedFiles, at path: String, format: ArchiveReader.Format?,
    receiver: (any FileReceiver)? = nil
  ) throws(SystemError) {
    self.expected = expected
    self.receiver = receiver
    isSeen = Array(repeating: false, count: expected.count)
    switch format {
    case .zip?: try inspect(zip: path)
    case let format?: try inspect(tar: path, format: format)
    case nil: try inspect(folder: path)
    }
    for index in 0..<expected.count where !isSeen[index] {
      faults.add("\(quoted(bytes: expected.path(at: index))) is missing from the pack")
    }
  }

  /// Returns the index of a file in the pack.
  ///
  /// If the content must not be checked, the function records a fault and returns nil.
  mutating func indexToCheck(_ name: ArraySlice<UInt8>) -> Int? {
    guard let index = expected.index(of: name, guess: next) else {
      faults.add("the pack contains \(quoted(bytes: name)), which is not in the contents list")
      return nil
    }
    if isSeen[index] {
      faults.add("\(quoted(bytes: name)) occurs twice")
      return nil
    }
    isSeen[index] = true
    return index
  }

  /// Reports an entry that is not a regular file.
  private mutating func refuseType(of name: ArraySlice<UInt8>) {
    faults.add("\(quoted(bytes: name)) in the pack is not a regular file")
  }

  private mutating func checkOrder(_ index: Int) {
    if index < next {
      faults.add(
        "\(quoted(bytes: expected.path(at: index))) is in the wrong place; files must be in the byte order "
          + "of their paths")
    }
    next = index + 1
  }

  fileprivate mutating func compareContent(ofFileAt index: Int, size: Int64) {
    let found = digest.finish()
    let name = quoted(bytes: expected.path(at: index))
    let wanted = expected.size(at: index)
    if size > wanted {
      faults.add("\(name) has more than the \(ByteSize.exact(wanted)) that the contents list says")
    } else if size < wanted {
      faults.add("\(name) has \(ByteSize.exact(size)), but the contents list says \(ByteSize.number(wanted))")
    } else if found != expected.digest(at: index) {
      faults.add("\(name) has different content; its digest is \(found.prefixed)")
    }
  }
}

/// Archives.
extension PackContentVerifier {
  private mutating func inspect(tar path: String, format: ArchiveReader.Format) throws(SystemError) {
    // Files after the mistake are not inspected, so they must not be reported as missing.
    isSeen = Array(repeating: true, count: expected.count)
    var current: Int?
    do throws(ArchiveFormatError) {
      var tar = try StrictTarReader(path, format: format)
      for index in 0..<expected.count {
        current = index
        try tar.beginEntry(name: expected.path(at: index), size: expected.size(at: index))
        let failure = try readFile(index) { body throws(ArchiveFormatError) in try tar.readBlocks(body) }
        if let failure { throw ArchiveFormatError(failure) }
      }
      current = nil
      try tar.finish()
    } catch {
      if let cause = error.cause { throw cause }
      let entry = current.map { "\(quoted(bytes: expected.path(at: $0))): " } ?? ""
      faults.addBrokenForm(entry + error.reason)
    }
  }

  private mutating func inspect(zip path: String) throws(SystemError) {
    // Only archives whose structure is right are passed to libarchive, because libarchive loads as many
    // entries as a zip's directory claims to have.
    if try !hasRightLayout(path) { return isSeen = Array(repeating: true, count: expected.count) }
    var current: Int?
    let file = try InputFile(path)
    do throws(ArchiveError) {
      var reader = try ArchiveReader(file, format: .zip, maxUncompressedBytes: .max)
      while let entry = try reader.nextEntry() {
        let name = name(of: entry.name)
        current = indexToCheck(name)
        if current != nil, !entry.isFile {
          refuseType(of: name)
          current = nil
        }
        guard let index = current else { continue }
        checkOrder(index)
        let failure = try readFile(index) { body throws(ArchiveError) in try reader.readBlocks(body) }
        if let failure { throw ArchiveError(cause: failure) }
      }
    } catch {
      if let cause = error.cause { throw cause }
      let place = current.map { " at \(quoted(bytes: expected.path(at: $0)))" } ?? ""
      faults.add("the pack cannot be read to its end: \(error.reason)\(place)")
      // Files that were not reached must not be reported as missing.
      isSeen = Array(repeating: true, count: expected.count)
    }
  }

  /// Returns the original bytes of an entry's name.
  ///
  /// libarchive changes accents in the names of zip entries to composed characters. The original bytes have
  /// already been compared with the file list.
  private func name(of name: [UInt8]) -> ArraySlice<UInt8> {
    guard next < expected.count, !expected.path(at: next).elementsEqual(name),
      String(decoding: expected.path(at: next), as: UTF8.self) == String(decoding: name, as: UTF8.self)
    else { return name[...] }
    return expected.path(at: next)
  }

  private mutating func hasRightLayout(_ path: String) throws(SystemError) -> Bool {
    var layout = StrictZipReader(try InputFile(path))
    let expected = expected
    do throws(ArchiveFormatError) {
      let entries = try layout.checkEntries(count: expected.count) {
        StrictZipReader.Expected(name: expected.path(at: $0), size: expected.size(at: $0))
      }
      let sizes = entries.map(\.compressedSize)
      let wrong = sizes.indices.first { (expected.packedSize(at: $0) ?? sizes[$0]) != sizes[$0] }
      if let wrong {
        faults.addBrokenForm(
          "\(quoted(bytes: expected.path(at: wrong))) has \(grouped(sizes[wrong])) compressed bytes, but the "
            + "contents list says "
            + grouped(expected.packedSize(at: wrong) ?? 0))
      }
      return wrong == nil
    } catch {
      if let cause = error.cause { throw cause }
      let entry = error.entry.map { "\(quoted(bytes: expected.path(at: $0))): " } ?? ""
      faults.addBrokenForm(entry + error.reason)
      return false
    }
  }

  /// Reads a file to its end, or until it exceeds its expected size.
  ///
  /// Returns the error of the receiver.
  private mutating func readFile<Failure: Error>(
    _ index: Int, readBlocks: ((RawSpan) -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> SystemError? {
    let wanted = expected.size(at: index)
    var size: Int64 = 0
    var failure = receive { receiver throws(SystemError) in try receiver.begin(fileAt: index) }
    try readBlocks { block in
      size += Int64(block.byteCount)
      if size > wanted || failure != nil { return false }
      digest.update(block)
      do throws(SystemError) {
        try receiver?.append(block)
      } catch {
        failure = error
      }
      return failure == nil
    }
    compareContent(ofFileAt: index, size: size)
    return failure ?? receive { receiver throws(SystemError) in try receiver.end() }
  }

  private func receive(_ body: (any FileReceiver) throws(SystemError) -> Void) -> SystemError? {
    guard let receiver else { return nil }
    do throws(SystemError) {
      try body(receiver)
      return nil
    } catch {
      return error
    }
  }
}

/// Folders.
extension PackContentVerifier {
  private mutating func inspect(folder path: String) throws(SystemError) {
    let root = try Folder(path)
    var walk = FolderWalk(root, symlinks: RunScope.current.symlinks)
    while let entry = try walk.next() {
      if entry.status.kind != .folder {
        guard let index = indexToCheck(entry.path[...]) else { continue }
        if entry.status.kind != .file {
          refuseType(of: entry.path[...])
          continue
        }
        try readFile(index, file: root.openFile(entry.path))
      } else if !expected.hasFiles(below: entry.path) {
        faults.add(
          "the pack contains the folder \(quoted(bytes: entry.path)), which is not in the contents list")
        walk.skipContents()
      }
    }
  }

  private mutating func readFile(_ index: Int, file: borrowing InputFile) throws(SystemError) {
    let wanted = expected.size(at: index)
    try receiver?.begin(fileAt: index)
    var buffer = ByteBuffer()
    var size: Int64 = 0
    repeat {
      buffer.clear()
      // One byte more than expected is read, which shows whether the file is longer.
      try file.read(Int(min((1 << 20) - 1, wanted - size)) + 1, at: size, into: &buffer)
      size += Int64(buffer.count)
      let block = buffer
      block.withBytes { digest.update($0) }
      try block.withBytes { bytes throws(SystemError) in try receiver?.append(bytes) }
    } while !buffer.isEmpty && size <= wanted
    compareContent(ofFileAt: index, size: size)
    try receiver?.end()
  }
}

extension ArchiveError {
  /// Wraps the error of a receiver in an error of an archive reader.
  fileprivate init(cause: SystemError) {
    self.init(action: cause.action, path: cause.path, reason: cause.reason, cause: cause)
  }
}

extension Container {
  /// Creates the container of a pack, which the path of the pack's archive shows.
  package init(ofArchive path: String) {
    self = Container.allCases.first { $0 != .folder && path.hasSuffix($0.suffix) } ?? .folder
  }

  /// The archive format; nil for a folder.
  package var format: ArchiveReader.Format? {
    if self == .zip { return .zip }
    guard rawValue.hasPrefix("tar.") else { return nil }
    return TarCompression(rawValue: String(rawValue.dropFirst(4))).map { .tar($0) }
  }
}

/// The mistakes in one pack on the disk.
package struct PackFaults: Sendable {
  private(set) var texts: [String] = []
  private(set) var count = 0

  package init() {}
  /// Whether the archive's format differs from the format that packtool writes.
  package private(set) var isNonCanonical = false

  private static let maxReportedFaults = 10

  package var isEmpty: Bool { count == 0 }

  mutating func add(_ text: String) {
    count += 1
    if texts.count < Self.maxReportedFaults { texts.append(text) }
  }

  mutating func addBrokenForm(_ text: String) {
    isNonCanonical = true
    add(text)
  }

  package var notes: [Diagnostic.AttachedLine] {
    let more =
      count > texts.count ? [Diagnostic.AttachedLine("and \(grouped(count - texts.count)) more")] : []
    return texts.map { Diagnostic.AttachedLine($0) } + more
  }
}

/// Receives the files of a pack while the pack is verified.
///
/// The receiver may use the files only if the whole pack turns out to be valid.
package protocol FileReceiver: AnyObject {
  /// Begins the file at an index in the pack.
  func begin(fileAt index: Int) throws(SystemError)
  func append(_ block: RawSpan) throws(SystemError)
  func end() throws(SystemError)
}
