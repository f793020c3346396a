import Archiving
package import Formats
import Model
import Pipeline
package import System

/// The contents of one asset pack, a folder or an archive, made by any program.
package struct PackListing: Sendable {
  /// A file of the pack.
  package struct File: Sendable {
    package let path: String
    /// The file's size in bytes.
    package let size: Int64
    package let digest: Digest
    /// The problem with the file's first bytes, such as machine code; nil if these bytes are acceptable.
    let problem: ContentProblem?

    init(path: String, size: Int64, digest: Digest, problem: ContentProblem? = nil) {
      self.path = path
      self.size = size
      self.digest = digest
      self.problem = problem
    }
  }

  /// The path as the user would type it.
  package let path: String
  /// The files, in byte order of their paths.
  package private(set) var files: [File] = []
  /// The paths of folders in the pack, without trailing slashes.
  private(set) var folders: [String] = []
  /// The pack's Info.plist; nil if the pack does not have one, as in the `packtool` layout.
  package private(set) var info: PlistItem?
  /// The reasons why packtool could not read parts of the pack.
  package var damage: [String] {
    faults
      + (faultCount > faults.count ? ["and \(grouped(faultCount - faults.count)) more such faults"] : [])
  }

  private var faults: [String] = []
  private var faultCount = 0
  private let budget: NameBudget
  /// Whether there was enough memory for all names.
  ///
  /// If there was not, the rest of the pack is not read.
  private(set) var hasBudgetLeft = true

  private static let maxInfoSize = 16 << 20

  /// Reads a whole pack.
  ///
  /// Errors are recorded in `damage`.
  package init(_ path: String, budget: NameBudget = NameBudget()) throws(SystemError) {
    self.init(emptyAt: path, nameBudget: budget)
    if try FileOperations.status(of: path, symlinks: .followed).kind == .folder {
      try readFolder()
    } else {
      try readArchive()
    }
    sortFiles()
  }

  /// Makes a pack without entries.
  ///
  /// The caller then adds the entries one by one.
  init(emptyAt path: String, nameBudget: NameBudget) {
    self.path = path
    self.budget = nameBudget
  }

  mutating func sortFiles() { files.sort { $0.path.precedesInBytes($1.path) } }

  package var identifier: String? { info?["CFBundleIdentifier"]?.string }
  package var tags: [String]? { info?["Tags"]?.strings }
  package var priority: Double? { info?["Priority"]?.number }

  /// The files that apps on devices use.
  ///
  /// Files that only describe or sign the pack are left out.
  package var contents: [File] {
    info == nil ? files : files.filter { $0.path != PublishedNames.packInfo && !Self.isAbout($0.path) }
  }

  /// The size in bytes of all files except the archive's metadata and the signature.
  package var size: Int64 { files.filter { !Self.isAbout($0.path) }.saturatingSum { $0.size } }

  /// Whether a path belongs to the archive's metadata or to the signature.
  ///
  /// Neither counts as content.
  static func isAbout(_ path: String) -> Bool {
    [PublishedNames.zipMetadataFolder, PublishedNames.signatureFolder].contains { folder in
      path == folder || path.hasPrefix("\(folder)/")
    }
  }

  /// The digest of the pack's contents, computed as in an index.
  package var digest: Digest {
    var digest = ContentsDigest()
    for file in contents { digest.add(path: file.path, size: file.size, fileDigest: file.digest) }
    return digest.finish()
  }

  private mutating func readFolder() throws(SystemError) {
    let root = try Folder(path)
    var walk = FolderWalk(root, symlinks: RunScope.current.symlinks)
    while hasBudgetLeft, let entry = try walk.next() {
      switch entry.status.kind {
      case .folder:
        addFolder(entry.path)
        if entry.level == AssetScan.deepestLevel {
          let name = quoted(bytes: entry.path)
          addFault(
            "\(name) is below \(grouped(AssetScan.deepestLevel)) other folders; packtool does not read it")
          walk.skipContents()
        }
      case .file:
        let input = try root.openFile(entry.path)
        add(
          entry.path, size: entry.status.size, digest: try input.digest(),
          problem: try Self.problem(in: input, size: entry.status.size))
        if entry.path.elementsEqual(PublishedNames.packInfo.utf8) {
          readInfo(try root.openFile(entry.path).contents(limit: Self.maxInfoSize))
        }
      default:
        addFault("\(quoted(bytes: entry.path)) is a \(entry.status.kind), which a pack cannot contain")
      }
    }
  }

  private mutating func readArchive() throws(SystemError) {
    let recognized = try ArchiveReader.Format(of: InputFile(path))
    // Read a file of unknown format as a zip. The zip reader then reports the mistake.
    let format = recognized ?? .zip
    let directory = format == .zip ? try ZipDirectory(of: InputFile(path)) : nil
    if recognized == .zip, directory?.isTruncated == true {
      return addFault("the archive is truncated, and the list of its files, which is at the end, is missing")
    }
    for oddity in directory?.oddities ?? [] { addFault(oddity) }
    let file = try InputFile(path)
    do throws(ArchiveError) {
      var archive = try ArchiveReader(file, format: format, maxUncompressedBytes: 1 << 40)
      while hasBudgetLeft, let entry = try archive.nextEntry() {
        let name = directory?.original(of: entry.name) ?? entry.name
        try add(entry, named: name, of: &archive)
      }
    } catch {
      if let cause = error.cause { throw cause }
      addFault(error.reason)
    }
  }

  /// Adds an entry of an archive.
  ///
  /// `name` is the entry's path inside the pack.
  mutating func add(
    _ entry: ArchiveReader.Entry, named name: [UInt8], of archive: inout ArchiveReader
  ) throws(ArchiveError) {
    if entry.isFile {
      try read(name, of: &archive)
    } else if name.last == UInt8(ascii: "/") {
      addFolder(name.dropLast())
    } else {
      addFault("\(quoted(bytes: name)) is not a regular file")
    }
  }

  private mutating func addFolder(_ name: some Collection<UInt8>) {
    hasBudgetLeft = budget.reserve(name.count)
    if hasBudgetLeft, let path = String(validating: name, as: UTF8.self) { folders.append(path) }
  }

  private mutating func read(_ name: [UInt8], of archive: inout ArchiveReader) throws(ArchiveError) {
    var digest = SHA256()
    var size: Int64 = 0
    var content = ByteBuffer()
    var inspected = StreamedContent()
    let isInfo = name.elementsEqual(PublishedNames.packInfo.utf8)
    try archive.readBlocks { block in
      digest.update(block)
      size += Int64(block.byteCount)
      inspected.append(block)
      if isInfo && size <= Self.maxInfoSize { content.append(block) }
      return true
    }
    add(name, size: size, digest: digest.finish(), problem: inspected.finish(size: size))
    if isInfo { readInfo(size <= Self.maxInfoSize ? content.array() : nil) }
  }

  private static func problem(in input: borrowing InputFile, size: Int64) throws(SystemError)
    -> ContentProblem?
  {
    let head = try input.bytes(count: Int(min(size, Int64(ContentProblem.headSize))), at: 0)
    return try ContentProblem.found(in: input, of: size, head: head.span, readCounter: ReadCounter())
  }

  private mutating func add(_ name: [UInt8], size: Int64, digest: Digest, problem: ContentProblem?) {
    hasBudgetLeft = budget.reserve(name.count)
    guard hasBudgetLeft else { return addFault(Self.tooManyNames) }
    guard let path = String(validating: name, as: UTF8.self) else {
      return addFault("the name \(quoted(bytes: name)) is not UTF-8")
    }
    files.append(File(path: path, size: size, digest: digest, problem: problem))
  }

  static let tooManyNames =
    "the names in this pack and in other packs together have more than \(ByteSize.exact(NameBudget.maxBytes))"

  /// Records why a part of the pack could not be read.
  ///
  /// Only the first reasons are kept.
  mutating func addFault(_ reason: String) {
    faultCount += 1
    if faults.count < FindingList.maxPerCheck { faults.append(reason) }
  }

  private mutating func readInfo(_ bytes: [UInt8]?) {
    guard let bytes else { return addFault("its Info.plist is too long") }
    do throws(PropertyList.Damage) {
      info = try PropertyList.read(bytes)
    } catch {
      addFault("its Info.plist is not a property list: \(error.reason)")
    }
  }
}

/// The memory that is left for the names of files in packs.
///
/// There is a limit because a few bytes of an archive can expand to gigabytes of names.
package final class NameBudget: Sendable {
  /// The maximum total size in bytes of all names in the packs that are inspected together.
  package static let maxBytes = 256 << 20
  /// The memory that an entry needs in bytes, without its name.
  private static let entrySize = 128

  private let left = Monitor(maxBytes)

  package init() {}

  /// Reserves memory for a name of a given size; returns false if the memory is used up.
  func reserve(_ count: Int) -> Bool {
    left.change { left in
      let size = count + Self.entrySize
      if size > left { return false }
      left -= size
      return true
    }
  }
}
