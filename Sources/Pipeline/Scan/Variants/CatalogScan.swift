import Formats
import System

/// The file that describes a folder of an asset catalog.
package enum CatalogContents {
  package static let fileName = "Contents.json"
  /// The maximum size of the file in bytes.
  package static let maxSize = 16 << 20
}

/// Reads the sets of all asset catalogs below the root of a tree.
struct CatalogScan: Sendable {
  private let tree: AssetTree
  private let root: Folder
  private let rootPath: String
  /// The indices, in the tree, of the tagged files in catalogs, in byte order of their paths.
  private let numbers: [Int32]

  /// The maximum number of times that the entries of a set can refer to the same file.
  package static let maxNames = 64

  /// A set of a catalog, as described in the set's Contents.json.
  struct CatalogSet: Sendable {
    /// The path of the set's folder, relative to the root.
    let path: String
    let entries: [CatalogEntry]
    /// Findings about the set's Contents.json.
    let findings: FindingList
  }

  /// Prepares a scan of the catalogs in a tree.
  ///
  /// `root` is the tree's open root folder. Returns nil if there are no catalogs.
  init?(_ tree: AssetTree, root: Folder, rootPath: String) {
    guard tree.folders.contains(where: { isInCatalog($0.span) }) else { return nil }
    self.tree = tree
    self.root = root
    self.rootPath = rootPath
    let files = tree.files
    let inside = files.indices.filter { isInCatalog(files[$0].path) }
    numbers = inside.sorted { files[$0].path.precedesInBytes(files[$1].path) }.map(Int32.init)
  }

  /// Returns the sets with entries or findings, in the order of the tree's folders.
  func sets(jobs: Int) throws(SystemError) -> [CatalogSet] {
    let folders = tree.folders.compactMap { path -> String? in
      guard isInCatalog(path.span), let text = String(validating: path, as: UTF8.self) else { return nil }
      return files(below: text).isEmpty ? nil : text
    }
    return try onThreads(jobs, each: folders) { folder throws(SystemError) in try set(at: folder) }
      .compactMap(\.self)
  }

  private func set(at path: String) throws(SystemError) -> CatalogSet? {
    let name = "\(path)/\(CatalogContents.fileName)"
    let shown = joined(rootPath, name)
    switch try contents(of: name) {
    case .missing, .noFile: return nil
    case .tooLong:
      let message = "the file is longer than \(grouped(CatalogContents.maxSize)) bytes"
      let findings = FindingList([Self.finding(message, at: Place(shown))])
      return CatalogSet(path: path, entries: [], findings: findings)
    case .bytes(let bytes):
      var reader = CatalogEntryReader(SourceText(path: shown, bytes: bytes, hasFixedName: true))
      let entries = reader.read() ?? []
      if entries.isEmpty && reader.findings.isEmpty { return nil }
      return CatalogSet(path: path, entries: entries, findings: reader.findings)
    }
  }

  static func finding(_ message: String, at place: Place) -> Diagnostic {
    Diagnostic(.unknownTrait, message: "\(message); the files of this set count for every device", at: place)
  }

  private func contents(of path: String) throws(SystemError) -> FileContents {
    // If a tagged file cannot be read, the inspection of contents reports it.
    try unless {
      $0.isMissing || $0.isDenied || $0.isNoFile || $0.isLink
    } call: {
      () throws(SystemError) -> FileContents in
      let limit = CatalogContents.maxSize
      if let number = file(at: path) {
        return try FileContents(of: root.open(tree.files[Int(number)]), limit: limit)
      }
      if RunScope.current.followsSymlinks {
        return try FileContents(of: root.openFile(Array(path.utf8)), limit: limit)
      }
      // Symlinks are not followed here, because the scan has not checked whether a symlink to an untagged
      // file leads out of the root.
      guard let input = try root.openFileWithoutLinks(Array(path.utf8)) else { return .missing }
      return try FileContents(of: input, limit: limit)
    } ?? .missing
  }
}

// The tagged files of a set.
extension CatalogScan {
  private func file(at path: String) -> Int32? {
    let place = place(notBefore: path)
    guard place < numbers.count, tree.files[Int(numbers[place])].path.isSameInBytes(as: path) else {
      return nil
    }
    return numbers[place]
  }

  private func files(below folder: String) -> ArraySlice<Int32> {
    // In ASCII, the digit zero comes directly after the slash. So all paths below the folder are between
    // these two strings.
    numbers[place(notBefore: folder + "/")..<place(notBefore: folder + "0")]
  }

  private func place(notBefore path: String) -> Int {
    numbers.indices.partitioningIndex { !tree.files[Int(numbers[$0])].path.precedesInBytes(path) }
  }

  /// Returns the existing files of a set's variants; nil if the entries refer to the files of folders too
  /// many times.
  func variants(of set: CatalogSet) -> [(entry: CatalogEntry, files: [Int32])]? {
    var otherForms: [String: Int32]?
    var remaining = Self.maxNames * files(below: set.path).count
    var variants: [(entry: CatalogEntry, files: [Int32])] = []
    for entry in set.entries {
      let files = files(named: entry.fileName, in: set.path, otherForms: &otherForms)
      if files.count > 1 { remaining -= files.count }
      if remaining < 0 { return nil }
      if !files.isEmpty { variants.append((entry, files)) }
    }
    return variants
  }

  /// Returns the file in a set that has this name, or all files of the folder that has this name.
  private func files(named name: String, in set: String, otherForms: inout [String: Int32]?) -> [Int32] {
    if name.utf8.contains(UInt8(ascii: "/")) { return [] }
    let path = "\(set)/\(name)"
    if let number = file(at: path) { return [number] }
    let below = files(below: path)
    if !below.isEmpty { return Array(below) }
    // The Unicode normalization of names on a disk can differ from the normalization in the text.
    let names = otherForms ?? namesOfFiles(in: set)
    otherForms = names
    return names[name].map { [$0] } ?? []
  }

  private func namesOfFiles(in set: String) -> [String: Int32] {
    let start = set.utf8.count + 1
    let named = files(below: set).compactMap { number -> (String, Int32)? in
      let name = String(Substring(tree.files[Int(number)].path.utf8.dropFirst(start)))
      return name.utf8.contains(UInt8(ascii: "/")) ? nil : (name, number)
    }
    return Dictionary(named) { first, _ in first }
  }
}

func isInCatalog(_ path: String) -> Bool { isInCatalog(path.utf8Span.span) }

private func isInCatalog(_ path: Span<UInt8>) -> Bool {
  for end in path.indices where path[end] == UInt8(ascii: "/") {
    if isCatalog(path, upTo: end) { return true }
  }
  return false
}
