import Formats
import Model
import Pipeline
import System

extension OutputFolder {
  /// Whether a published file still has the size and digest that it was published with.
  func isSame(_ published: PublishedFile) -> Bool {
    isSame(fileAt: joined(path, published.path), as: published.file)
  }

  /// Whether a published pack still has its published contents.
  ///
  /// The pack is an archive, or a folder that must contain `infoPlist`.
  func isIntact(_ pack: PublishedPack, infoPlist: ByteBuffer?) throws(SystemError) -> Bool {
    let path = joined(path, pack.archive.path)
    do throws(SystemError) {
      if try FileOperations.statusIfThere(path, symlinks: .notFollowed)?.kind != .folder {
        return try fileMatches(at: joined(self.path, pack.archive.path), written: pack.archive.file)
      }
      return try contentsDigest(ofPack: Folder(path, symlinks: .notFollowed), info: infoPlist) == pack.digest
    } catch {
      if error.isInterruption || error.isShortage { throw error }
      return false
    }
  }

  /// Returns the digest of the files in a pack that is a folder; nil if the folder contains anything except
  /// files, folders and the pack's Info.plist.
  private func contentsDigest(ofPack folder: Folder, info: ByteBuffer?) throws(SystemError) -> Digest? {
    var files: [FolderWalk.Entry] = []
    var walk = FolderWalk(folder)
    while let entry = try walk.next() {
      if entry.status.kind == .folder { continue }
      guard entry.status.kind == .file else { return nil }
      files.append(entry)
    }
    if let info {
      let place = files.firstIndex { $0.path == Array(PublishedNames.packInfo.utf8) }
      guard let place, FileOperations.contents(of: joined(folder.path, PublishedNames.packInfo), equal: info)
      else {
        return nil
      }
      files.remove(at: place)
    }
    var digest = ContentsDigest()
    for file in files.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      digest.add(
        path: file.path[...], size: file.status.size, fileDigest: try folder.openFile(file.path).digest())
    }
    return digest.finish()
  }

  /// Whether two folders have the same files with the same times; false if a folder cannot be read.
  func isSameFolder(_ first: String, _ second: String) -> Bool {
    (try? hasSameContent(Folder(first), Folder(second))) ?? false
  }

  private func hasSameContent(_ first: Folder, _ second: Folder) throws(SystemError) -> Bool {
    var ours = FolderWalk(first)
    var theirs = FolderWalk(second)
    while let one = try ours.next() {
      guard let other = try theirs.next(), one.path == other.path, one.status.kind == other.status.kind else {
        return false
      }
      if one.status.kind == .folder { continue }
      guard one.status.size == other.status.size, one.status.modified == other.status.modified,
        try first.openFile(one.path).digest() == second.openFile(other.path).digest()
      else { return false }
    }
    return try theirs.next() == nil
  }

  func isSame(fileAt path: String, as written: WrittenFile) -> Bool {
    (try? fileMatches(at: path, written: written)) ?? false
  }

  private func fileMatches(at path: String, written: WrittenFile) throws(SystemError) -> Bool {
    let file = try InputFile(outputPath: path)
    let status = try file.status()
    if status.kind != .file || status.size != written.size { return false }
    return try file.digest() == written.digest
  }
}
