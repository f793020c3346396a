package import Findings
package import PackKit
package import System

/// The extraction of files from packs of a built folder.
package struct Unpacking: Sendable {
  package let folder: BuiltFolder
  /// All findings, in the order of the report; with an error among them nothing was written.
  package private(set) var diagnostics: [Diagnostic]
  /// The unpacked packs, by their position in the index.
  package private(set) var packs: [Int] = []
  /// The count of written files.
  package private(set) var written = FileCount()

  /// The source, tags and target of an extraction.
  package struct Request: Sendable {
    /// A built folder, or its index.json.
    package let argument: String
    /// The tags of the packs; nil for all packs.
    package let tags: [String]?
    package let output: String
    /// Whether existing files may be replaced.
    package let replacesFiles: Bool

    package init(argument: String, tags: [String]?, output: String, replacesFiles: Bool) {
      self.argument = argument
      self.tags = tags
      self.output = output
      self.replacesFiles = replacesFiles
    }
  }

  /// Checks the packs of the tags and writes their files if all packs are valid.
  ///
  /// - Throws: if the machine fails.
  package init(_ request: Request, jobs: Int) throws(SystemError) {
    folder = try BuiltFolder(request.argument)
    diagnostics = folder.diagnostics
    if let index = folder.index, let contents = folder.contents {
      diagnostics += IndexConsistency(index, contents).diagnostics
      diagnostics += PackSelection.unknownTags(among: request.tags ?? [], in: index, at: folder.indexPath)
      if diagnostics.isEmpty { try unpack(request, index, contents, jobs: jobs) }
    }
    diagnostics = diagnostics.ordered(manifest: folder.indexPath)
  }

  private mutating func unpack(
    _ request: Request, _ index: PublishedIndex, _ contents: PublishedContents, jobs: Int
  ) throws(SystemError) {
    let selection = PackSelection(of: request.tags, in: index, contents)
    let (files, clashes) = selection.files()
    diagnostics += clashes
    if let status = try FileOperations.statusIfThere(request.output), status.kind != .folder {
      let message = "\(quoted(request.output)) is no folder; choose one to write to"
      return diagnostics.append(Diagnostic(.existingFile, message, at: Place(request.output)))
    }
    let made = try FileOperations.makeFolder(request.output)
    defer {
      if written.files == 0 { for folder in made.reversed() { FileOperations.removeFolderIfEmpty(folder) } }
    }
    let tree = try OutputTree(request.output)
    do throws(SystemError) {
      diagnostics += try obstacles(to: files.map { contents.path($0.number) }, in: tree, request)
      if diagnostics.isEmpty {
        let verifier = PackVerifier(folder, index, packs: selection.packs) { StagingReceiver(tree, pack: $0) }
        diagnostics += try verifier.findings(jobs: jobs)
      }
      if diagnostics.isEmpty {
        // A file system may write a new name to the disk before the content.
        try tree.sync()
        for file in files {
          try tree.publish(
            StagingReceiver.name(file.pack, file.place), as: Array(contents.path(file.number)),
            replacing: request.replacesFiles)
          written.add(contents.size(file.number))
        }
        try tree.sync()
        packs = selection.packs
      }
    } catch {
      // Clean-up must also run after a signal.
      Interruption.ignore()
      try? tree.clearStaging()
      throw error
    }
    try tree.clearStaging()
  }

  /// Findings about existing files at the target paths.
  private func obstacles(
    to paths: [ArraySlice<UInt8>], in tree: OutputTree, _ request: Request
  ) throws(SystemError) -> [Diagnostic] {
    var found = FindingList()
    var there: [ArraySlice<UInt8>] = []
    for path in paths {
      let message: String
      switch try tree.obstacle(to: Array(path)) {
      case nil: continue
      case .file where request.replacesFiles: continue
      case .file:
        there.append(path)
        continue
      case .folder: message = "a folder stands where the file is to be put"
      case .noFolder(let name):
        message = "\(quoted(bytes: name)) is no folder of files; links are not followed"
      }
      let place = Place(joined(request.output, String(decoding: path, as: UTF8.self)))
      found.add(Diagnostic(.existingFile, message, at: place))
    }
    if let first = there.first {
      let message =
        there.count == 1
        ? "the file is there already; --force replaces it"
        : "this file and \(grouped(there.count - 1)) more are there already; --force replaces them"
      let place = Place(joined(request.output, String(decoding: first, as: UTF8.self)))
      found.add(Diagnostic(.existingFile, message, at: place))
    }
    return found.findings
  }
}

/// Writes the files of one pack to the staging folder.
private final class StagingReceiver: FileReceiver {
  private let tree: OutputTree
  private let pack: Int
  private var file: StagedFile?

  init(_ tree: OutputTree, pack: Int) {
    self.tree = tree
    self.pack = pack
  }

  /// The name of a staged file.
  static func name(_ pack: Int, _ place: Int) -> String { "\(pack)-\(place)" }

  func begin(_ place: Int) throws(SystemError) { file = try tree.stage(Self.name(pack, place)) }

  func append(_ block: RawSpan) throws(SystemError) { try file?.append(block) }

  func end() throws(SystemError) { try file.take()?.finish() }
}
