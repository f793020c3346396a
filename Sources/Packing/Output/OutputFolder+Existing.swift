import Formats
import Model
import Pipeline
import System

// Properties of the build that an output folder contains, in each layout.
extension OutputFolder {
  /// Whether the folder contains a build in this layout.
  var holdsBuild: Bool {
    get throws(SystemError) {
      if files.scope == .shard { return try exists(indexPath) }
      // This is a loop because "&&" would lose the type of thrown errors.
      for mark in files.layout.description.buildMarks where try !exists(joined(path, mark)) { return false }
      return true
    }
  }

  /// The path of a file that another program wrote and that the first build in this folder would replace; nil
  /// if there is no such file.
  var foreignFile: String? {
    get throws(SystemError) {
      files.scope == .shard ? nil : try files.layout.description.foreignFile(self)
    }
  }

  /// The path of an `index.json` that another program wrote; nil if there is no such file.
  var foreignIndex: String? {
    get throws(SystemError) {
      // The index can be damaged. So the build cache next to it, or a pack, shows that packtool wrote the
      // folder.
      guard try exists(indexPath), try !hasRecordFolder, try !holdsPacks else { return nil }
      let isOwn = try publishedIndex?.hasMembers(["formatVersion", "bundleIdentifier", "packs"]) == true
      return isOwn ? nil : indexPath
    }
  }

  /// The path of an `index.json` in a folder whose layout has no such file; nil if there is no such file.
  ///
  /// "verify" and "serve" would treat it as the index of this folder.
  var misleadingIndex: String? {
    get throws(SystemError) {
      let index = joined(path, PublishedNames.index)
      return try exists(index) ? index : nil
    }
  }

  /// The path of a list of tags, a script or a source file that another program wrote; nil if there is no
  /// such file.
  var foreignTags: String? {
    get throws(SystemError) {
      if try hasRecordFolder { return nil }
      if try exists(indexPath) {
        let tags = try JSONValue(outputPath: indexPath, limit: TagsFormat.maxSize)
        return tags?.hasMembers(["formatVersion", "tags", "packs"]) == true ? nil : indexPath
      }
      for name in [PublishedNames.tagsSource, PublishedNames.packageScript] {
        let path = joined(path, name)
        guard try exists(path) else { continue }
        let bytes = try InputFile(outputPath: path).contents(limit: TagsFormat.maxSize) ?? []
        if !String(decoding: bytes.prefix(80), as: UTF8.self).contains(PackageScript.mark) { return path }
      }
      return nil
    }
  }

  /// The app whose packs are in the folder; nil if the folder's files do not contain the app's bundle
  /// identifier.
  var publishedBundleIdentifier: String? {
    get throws(SystemError) {
      hasIndexOfPacks ? try publishedIndex?.member("bundleIdentifier")?.string : nil
    }
  }

  /// The paths of packs and lists that the current build has published, relative to the folder.
  var publishedPaths: [String] {
    get throws(SystemError) {
      if hasIndexOfPacks { return try publishedFiles.compactMap { $0.member("path")?.string } }
      let noted = files.layout.description.naming.containsBundleIdentifier ? [] : try journaledPacks
      return recordedPacks.map(\.archive.path) + noted
    }
  }

  /// The digests of archives in the current index, keyed by path; empty if the layout's index contains no
  /// digests.
  var publishedDigests: [String: Digest] {
    get throws(SystemError) {
      guard hasIndexOfPacks else { return [:] }
      var digests: [String: Digest] = [:]
      for file in try publishedFiles {
        guard let path = file.member("path")?.string, digests[path] == nil else { continue }
        digests[path] = file.member("digest")?.digest
      }
      return digests
    }
  }

  /// Whether the layout's index lists every pack with its archive.
  private var hasIndexOfPacks: Bool { files.scope == .whole && files.layout.hasIndex }

  /// The entries of the files that `index.json` lists.
  private var publishedFiles: [JSONValue] {
    get throws(SystemError) {
      let index = try publishedIndex
      let packs = index?.member("packs")?.elements?.map { $0.member("archive") } ?? []
      return (packs + [index?.member("contents")]).compactMap(\.self)
    }
  }

  private var publishedIndex: JSONValue? {
    get throws(SystemError) { try JSONValue(outputPath: indexPath, limit: IndexFormat.maxSize) }
  }

  /// Returns the paths, relative to the folder, of other files that have to be removed together with packs of
  /// older builds.
  func leftovers(ofRemoved removed: [String], except release: Release) throws(SystemError) -> [String] {
    if files.scope == .shard { return [] }
    return try files.layout.description.leftovers(self, removed, release)
  }

  /// Returns the paths, relative to the folder, of the manifests of some packs, and of the archives that
  /// `ba-package` has made from them.
  func manifestsAndArchives(ofPacks ids: [String]) throws(SystemError) -> [String] {
    var paths: [String] = []
    for id in ids {
      let manifest = PublishedNames.manifestPath(ofPack: id)
      if try exists(joined(path, manifest)) { paths.append(manifest) }
    }
    return try paths + packagedArchives(ofPacks: Set(ids))
  }

  /// Returns the paths, relative to the folder, of archives that `ba-package` has made from the current or
  /// earlier contents of some packs.
  func packagedArchives(ofPacks ids: Set<String>) throws(SystemError) -> [String] {
    let folder = joined(path, PublishedNames.archivesFolder)
    guard try FileOperations.statusIfThere(folder, symlinks: .notFollowed)?.kind == .folder else { return [] }
    return try FileOperations.names(in: folder)
      .filter { PublishedNames.pack(ofArchive: $0).map(ids.contains) == true }
      .map { joined(PublishedNames.archivesFolder, $0) }
  }
}

extension Layout {
  /// Returns the layout of the build in a folder; nil if the folder contains no build.
  static func found(in folder: OutputFolder) throws(SystemError) -> Layout? {
    for layout in allCases where try OutputFolder(folder.path, layout: layout).holdsBuild { return layout }
    return nil
  }

  /// The path, relative to the output folder, of the file that every build in the layout publishes last.
  package var indexName: String { LayoutFiles(self).indexName }
}
