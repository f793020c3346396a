package import Formats
package import Model
package import Pipeline
package import System

/// The extraction of files from packs of a built folder.
package struct Unpacking: Sendable {
  package let folder: BuiltFolder
  /// All findings, in the order of the report.
  ///
  /// If any of them is an error, nothing was written.
  package private(set) var diagnostics: [Diagnostic]
  /// The packs that were unpacked, by their positions in the index.
  package private(set) var packs: [Int] = []
  /// The number and size of the written files.
  package private(set) var written = FileCount()

  private let output: String
  private let replacesFiles: Bool

  /// Verifies the packs of the given tags, or all packs if the tags are nil.
  ///
  /// Writes the packs' files if all packs are valid.
  ///
  /// `argument` is the path of a built folder or its index. Existing files are replaced only if
  /// `replacesFiles` is true.
  package init(
    _ argument: String, tags: [String]?, to output: String, replacesFiles: Bool, jobs: Int
  ) throws(SystemError) {
    folder = try BuiltFolder(argument)
    self.output = output
    self.replacesFiles = replacesFiles
    diagnostics = folder.diagnostics
    if let refusal = folder.refusal("whose packs are folders or zips; copy the folders, or use unzip") {
      diagnostics = [refusal]
    } else if let index = folder.index, let contents = folder.contents {
      diagnostics += IndexConsistency(index, contents: contents).diagnostics
      diagnostics += PackSelection.unknownTags(among: tags ?? [], in: index, at: folder.indexPath)
      if diagnostics.isEmpty {
        try unpack(PackSelection(of: tags, in: index, contents: contents), jobs: jobs)
      }
    }
    diagnostics = diagnostics.ordered(manifest: folder.indexPath)
  }

  private mutating func unpack(_ selection: PackSelection, jobs: Int) throws(SystemError) {
    let contents = selection.contents
    let (files, clashes) = selection.files()
    diagnostics += clashes
    if let status = try FileOperations.statusIfThere(output), status.kind != .folder {
      let message = "\(quoted(output)) is not a folder; choose a folder to write to"
      return diagnostics.append(Diagnostic(.existingFile, message: message, at: Place(output)))
    }
    let made = try FileOperations.makeFolder(output)
    defer {
      if written.files == 0 { for folder in made.reversed() { FileOperations.removeFolderIfEmpty(folder) } }
    }
    let tree = try OutputTree(output)
    do throws(SystemError) {
      diagnostics += try existingFileFindings(for: files.map { contents.path(at: $0.number) }, in: tree)
      if diagnostics.isEmpty {
        let verifier = PackVerifier(folder: folder, index: selection.index) {
          StagingReceiver(tree, pack: $0)
        }
        diagnostics += try verifier.findings(on: selection.packs, jobs: jobs)
      }
      if diagnostics.isEmpty {
        // The contents must be on the disk before a file gets its final name, so that a crash leaves no
        // damaged file.
        try tree.sync()
        for file in files {
          try tree.publish(
            stagedFile: StagingReceiver.name(pack: file.pack, index: file.indexInPack),
            as: Array(contents.path(at: file.number)),
            existing: replacesFiles ? .isReplaced : .isKept)
          written.add(contents.size(at: file.number))
        }
        try tree.sync()
        packs = selection.packs
      }
    } catch {
      // The clean-up must not be interrupted by a signal.
      Interruption.ignore()
      try? tree.clearStaging()
      throw error
    }
    try tree.clearStaging()
  }

  /// Returns findings about existing files at the target paths.
  private func existingFileFindings(
    for paths: [ArraySlice<UInt8>], in tree: OutputTree
  ) throws(SystemError) -> [Diagnostic] {
    var found = FindingList()
    var there: [ArraySlice<UInt8>] = []
    for path in paths {
      let message: String
      switch try tree.obstacle(to: Array(path)) {
      case nil: continue
      case .file where replacesFiles: continue
      case .file:
        there.append(path)
        continue
      case .folder: message = "a folder already exists at the path of the file"
      case .noFolder(let name):
        message = "\(quoted(bytes: name)) is not a folder; packtool does not follow symlinks"
      }
      let place = Place(joined(output, String(decoding: path, as: UTF8.self)))
      found.add(Diagnostic(.existingFile, message: message, at: place))
    }
    if let first = there.first {
      let message =
        there.count == 1
        ? "the file already exists; --force replaces it"
        : "this file and \(grouped(there.count - 1)) other files already exist; --force replaces them"
      let place = Place(joined(output, String(decoding: first, as: UTF8.self)))
      found.add(Diagnostic(.existingFile, message: message, at: place))
    }
    return found.findings
  }
}

/// Receives the files of one pack and writes them to the staging folder.
private final class StagingReceiver: FileReceiver {
  private let tree: OutputTree
  private let pack: Int
  private var file: StagedFile?

  init(_ tree: OutputTree, pack: Int) {
    self.tree = tree
    self.pack = pack
  }

  static func name(pack: Int, index: Int) -> String { "\(pack)-\(index)" }

  func begin(fileAt index: Int) throws(SystemError) {
    file = try tree.stage(Self.name(pack: pack, index: index))
  }

  func append(_ block: RawSpan) throws(SystemError) { try file?.append(block) }

  func end() throws(SystemError) { try file.take()?.finish() }
}

/// The packs of a built folder that an app can access after it requested some tags.
struct PackSelection {
  let index: PublishedIndex
  let contents: PublishedContents
  let packs: [Int]

  init(of tags: [String]?, in index: PublishedIndex, contents: PublishedContents) {
    (self.index, self.contents) = (index, contents)
    packs = index.packs.indices.filter { number in
      tags.map { !Set($0).isDisjoint(with: index.packs[number].tags) } ?? true
    }
  }

  /// Returns findings about tags that are not in any pack.
  static func unknownTags(among tags: [String], in index: PublishedIndex, at path: String) -> [Diagnostic] {
    let known = Set(index.tags.map(\.name))
    return tags.filter { !known.contains($0) }.map { tag in
      let guess = suggestion(nearest(to: tag, in: known))
      return Diagnostic(
        .unknownTag, message: "no pack has the tag \(quoted(tag))\(guess)", at: Place(path))
    }
  }

  /// A file of a selected pack.
  struct File {
    /// The position of the file's pack in the index.
    let pack: Int
    /// The position of the file in its pack.
    let indexInPack: Int
    /// The position of the file in the list of all files.
    let number: Int
  }

  /// Returns the files in byte order of their paths.
  ///
  /// If several packs have the same file at the same path, the file is returned only once.
  func files() -> (files: [File], clashes: [Diagnostic]) {
    var all: [File] = packs.flatMap { pack in
      contents.files(of: pack).enumerated().map { File(pack: pack, indexInPack: $0, number: Int($1)) }
    }
    // The file list is sorted by path, so sorting by number sorts by path.
    all.sort { $0.number < $1.number }
    var files: [File] = []
    var clashes = FindingList()
    for file in all {
      let path = contents.path(at: file.number)
      guard let last = files.last, contents.path(at: last.number) == path else {
        files.append(file)
        continue
      }
      if contents.digest(at: file.number) != contents.digest(at: last.number) {
        clashes.add(
          clash(
            .pathInTwoPacks, statement: "have different files with the path \(quoted(bytes: path))",
            first: last,
            second: file
          ))
      }
    }
    clashes.add(filesAsFolders(files))
    return (files, clashes.findings)
  }

  private func filesAsFolders(_ files: [File]) -> [Diagnostic] {
    let byPath = Dictionary(files.map { (contents.path(at: $0.number), $0) }) { first, _ in first }
    var last: ArraySlice<UInt8> = []
    let found = files.lazy.flatMap { file -> [Diagnostic] in
      let path = contents.path(at: file.number)
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")), path[..<slash] != last else { return [] }
      last = path[..<slash]
      return path.indices.filter { path[$0] == UInt8(ascii: "/") }.compactMap { slash in
        byPath[path[..<slash]].map { other in
          clash(
            .pathClash,
            statement: "have both a file \(quoted(bytes: path)) and a folder with the same path",
            first: other,
            second: file)
        }
      }
    }
    return FindingList(found).findings
  }

  private func clash(_ check: Check, statement: String, first: File, second: File) -> Diagnostic {
    let sets = [first, second].map { setNotation(index.packs[$0.pack].tags) }
    let subject = sets[0] == sets[1] ? "the pack of \(sets[0])" : "the packs of \(sets[0]) and \(sets[1])"
    return Diagnostic(
      check, message: "\(subject) \(statement); unpack fewer tags at a time",
      at: index.place(at: index.packs[second.pack].offset),
      severity: .error)
  }
}
