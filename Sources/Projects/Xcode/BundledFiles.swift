import Findings
import Formats
import PackKit
import System

extension ProjectResources {
  /// The files that a target has among its resources, but those of items with tags; each with its path from the
  /// manifest's root, which may begin with `..`.
  ///
  /// - Throws: if the disk fails; what cannot be read is left out.
  func bundledFiles(
    in places: ProjectPlaces, below root: [String]
  ) throws(SystemError) -> [UntaggedFile] {
    var found: [FoundFile] = []
    for item in items + catalogs where item.tags.isEmpty {
      if let names = places.bounds.names(of: item.path) { found += try files(at: names) { _ in true } }
    }
    for folder in folders {
      guard let names = places.bounds.names(of: folder.path) else { continue }
      found += try files(at: names) { path in
        !ResourceWalk.isSource(path) && !folder.exceptions.contains(path)
          && !foldersAbove(path).contains(where: folder.exceptions.contains)
      }
    }
    let top = places.names(below: root)
    var seen: Set<ByteKey> = []
    return found.compactMap { names, size in
      let path = way(from: top, to: names).joined(separator: "/")
      return seen.insert(ByteKey(path)).inserted ? UntaggedFile(path: path, size: size) : nil
    }
  }
}

/// A file by its absolute names.
private typealias FoundFile = (names: [String], size: Int64)

/// A file, or the files of a folder that are meant by their paths below it.
private func files(at names: [String], where isMeant: (String) -> Bool) throws(SystemError) -> [FoundFile] {
  func isExpected(_ error: SystemError) -> Bool { error.isDenied || error.isMissing || error.isTooLong }
  let path = "/" + names.joined(separator: "/")
  let status = try unless(isExpected) { () throws(SystemError) in try FileOperations.statusIfThere(path) }
  guard let status = status ?? nil else { return [] }
  guard status.kind == .folder else { return status.kind == .file ? [(names, status.size)] : [] }
  let folder = try unless(isExpected) { () throws(SystemError) in try Folder(path) }
  guard let folder else { return [] }
  var found: [FoundFile] = []
  var walk = FolderWalk(folder)
  while let entry = try walk.nextReadable() {
    let below = String(decoding: entry.path, as: UTF8.self)
    let name = Array(lastName(of: below).utf8)
    if entry.status.kind == .folder {
      // What a build wrote is no resource.
      let isOutput = (try? FileOperations.exists("\(path)/\(below)/\(PublishedNames.recordFolder)")) ?? false
      if isOutput || isNeverPacked(name[...]) { walk.skipContents() }
    } else if entry.status.kind == .file, !isNeverPacked(name[...]), isMeant(below) {
      found.append((names + Projects.names(in: below), entry.status.size))
    }
  }
  return found
}
