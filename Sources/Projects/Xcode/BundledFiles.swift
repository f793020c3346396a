import Findings
import Formats
import PackKit
import System

/// The files that a target has among its resources, but those of items with tags.
struct BundledFiles {
  /// Each with its path from the manifest's root, which may begin with `..`.
  private(set) var files: [UntaggedFile] = []
  /// The absolute names of the manifest's root.
  private let root: [String]
  private var seen: Set<ByteKey> = []

  /// - Throws: if the disk fails; what cannot be read is left out.
  init(
    of resources: ProjectResources, in places: ProjectPlaces, below root: [String]
  ) throws(SystemError) {
    self.root = places.names(below: root)
    for item in resources.items + resources.catalogs where item.tags.isEmpty {
      if let names = places.bounds.names(of: item.path) { try add(names) { _ in true } }
    }
    for folder in resources.folders {
      guard let names = places.bounds.names(of: folder.path) else { continue }
      try add(names) { path in
        !ResourceWalk.isSource(path) && !folder.exceptions.contains(path)
          && !foldersAbove(path).contains(where: folder.exceptions.contains)
      }
    }
  }

  /// Adds a file, or the files of a folder that are meant by their paths below it.
  private mutating func add(_ names: [String], where isMeant: (String) -> Bool) throws(SystemError) {
    let path = "/" + names.joined(separator: "/")
    let status = try unless(Self.isExpected) { () throws(SystemError) in
      try FileOperations.statusIfThere(path)
    }
    guard let status = status ?? nil else { return }
    guard status.kind == .folder else { return status.kind == .file ? addFile(names, status.size) : () }
    let folder = try unless(Self.isExpected) { () throws(SystemError) in try Folder(path) }
    guard let folder else { return }
    var walk = FolderWalk(folder)
    while let entry = try walk.nextReadable() {
      let below = String(decoding: entry.path, as: UTF8.self)
      let name = Array(lastName(of: below).utf8)
      if entry.status.kind == .folder {
        // What a build wrote is no resource.
        let isOutput =
          (try? FileOperations.exists("\(path)/\(below)/\(PublishedNames.recordFolder)")) ?? false
        if isOutput || isNeverPacked(name[...]) { walk.skipContents() }
      } else if entry.status.kind == .file, !isNeverPacked(name[...]), isMeant(below) {
        addFile(names + Projects.names(in: below), entry.status.size)
      }
    }
  }

  private mutating func addFile(_ names: [String], _ size: Int64) {
    let text = way(from: root, to: names).joined(separator: "/")
    if seen.insert(ByteKey(text)).inserted { files.append(UntaggedFile(path: text, size: size)) }
  }

  private static func isExpected(_ error: SystemError) -> Bool {
    error.isDenied || error.isMissing || error.isTooLong
  }
}
