package import Formats
package import Model
package import Pipeline
package import System

/// The verification of a folder in any layout.
///
/// The verification compares the contents of the folder with the folder's lists.
package struct Verification: Sendable {
  package let kind: BuiltFolderKind
  /// All findings, in the order of the report.
  package let diagnostics: [Diagnostic]
  /// The path of the list that the findings are about.
  package let indexPath: String
  /// The number of verified packs and files; nil if the folder has no index.
  package let count: PackCount?
  /// The number of the index's packs that are published in another folder.
  package private(set) var elsewhereCount = 0

  /// Verifies a folder.
  ///
  /// If a build is running in the folder, the function verifies the state before or after that build. If
  /// `profile` is not nil, it replaces the limits that the folder was built for. Patches are applied to the
  /// releases in `old`. If `keys` is not empty, one of the keys must have signed the index.
  package init(
    of path: String, profile: LimitProfile?, patchedFrom old: [String] = [], ledger: String? = nil,
    signedBy keys: [PublicKey] = [], jobs: Int
  ) throws {
    self = try ConsistentRead(at: path).result(isComplete: { !$0.diagnostics.hasErrors }) {
      try Self(
        singlePass: path, profile: profile, patchedFrom: old, ledgerPath: ledger, signedBy: keys, jobs: jobs)
    }
  }

  private init(
    singlePass path: String, profile: LimitProfile?, patchedFrom old: [String], ledgerPath: String?,
    signedBy keys: [PublicKey],
    jobs: Int
  ) throws {
    kind = try BuiltFolderKind(of: path)
    switch kind {
    case .apple:
      let export = try XcodeExport(path, jobs: jobs)
      let files = export.packs.lazy.map(\.contents)
      diagnostics = export.diagnostics
      indexPath = path
      count = PackCount(
        packs: files.count, files: files.saturatingSum { Int64($0.count) },
        size: files.saturatingSum { $0.saturatingSum { $0.size } })
    case .backgroundAssets:
      let build = try BackgroundAssetsBuild(at: path, profile: profile, ledgerPath: ledgerPath, jobs: jobs)
      diagnostics = build.diagnostics
      indexPath = build.indexPath
      count = build.count
    case .packtool:
      let folder = try BuiltFolder(path)
      (diagnostics, elsewhereCount) = try folder.verify(profile, patchedFrom: old, signedBy: keys, jobs: jobs)
      indexPath = folder.indexPath
      count = folder.index.map {
        PackCount(packs: $0.packs.count, files: $0.total.files, size: $0.total.size)
      }
    }
  }
}

extension BuiltFolder {
  /// Returns all findings about a folder in the `packtool` layout, and the number of packs that are published
  /// in another folder.
  fileprivate func verify(
    _ profile: LimitProfile?, patchedFrom old: [String], signedBy keys: [PublicKey], jobs: Int
  ) throws(SystemError) -> (diagnostics: [Diagnostic], elsewhereCount: Int) {
    guard let index else { return (diagnostics.ordered(manifest: indexPath), 0) }
    let mistakes = IndexConsistency(index, contents: contents).diagnostics
    var found = diagnostics + mistakes
    // Check limits only if the numbers of the index agree with one another.
    if mistakes.isEmpty, let contents { found += index.limitFindings(contents, profile: profile) }
    if let contents { found += unicodeClashes(index, contents: contents) }
    let list = try PacksElsewhere(of: self, index: index)
    let elsewhere = try self.elsewhere(list, of: index)
    found += list.diagnostics + elsewhere.notes
    let packsHere = index.packs.indices.filter { !elsewhere.packs.contains($0) }
    found += try PackVerifier(folder: self, index: index).findingsWithKeys(on: packsHere, jobs: jobs)
    found += try PatchVerification(self, index: index, from: old, jobs: jobs).diagnostics
    found += try signatureFindings(index, keys: keys)
    found += try unlistedFileFindings(of: index, elsewhere: list.name)
    return (found.ordered(manifest: indexPath), elsewhere.packs.count)
  }

  /// Returns findings about files that are in the build's folders but not in the index.
  private func unlistedFileFindings(of index: PublishedIndex, elsewhere: String?) throws(SystemError)
    -> [Diagnostic]
  {
    let folder = index.layout.packsFolder
    let own = [
      index.contents.path, lastName(of: indexPath), PublishedNames.index, PublishedNames.signature,
      PublishedNames.recordFolder,
    ]
    let patches = index.patches.map(\.list.path) + self.patches.flatMap { $0.packs.map(\.patch.path) }
    let folders = [PublishedNames.patchesFolder] + (folder == "." ? [] : [folder])
    let lists = [elsewhere].compactMap(\.self) + patches + folders
    let named = Set((index.packs.map(\.archive.path) + own + lists).map { Array($0.utf8) })
    var found = try names(in: ".")
    for folder in folders { found += try names(in: folder).map { Array("\(folder)/".utf8) + $0 } }
    let others = found.lazy.filter { !named.contains($0) }
    return FindingList(
      others.map { path in
        let place = Place(joined(self.path, String(decoding: path, as: UTF8.self)))
        return Diagnostic(.notInIndex, message: "the index does not list \(quoted(bytes: path))", at: place)
      }
    ).findings
  }

  /// Returns the names in a folder of the build; empty if the folder does not exist.
  private func names(in folder: String) throws(SystemError) -> [[UInt8]] {
    // Missing packs are reported separately.
    try unless(\.isMissing) { () throws(SystemError) in
      let listing = try Folder(joined(path, folder)).listing()
      return listing.entries.map { Array(listing.name(of: $0)) }
    } ?? []
  }

  /// Returns findings about files of a pack whose paths differ only in Unicode form.
  ///
  /// bsdtar extracts two such files to one path, and other programs extract them to two paths.
  private func unicodeClashes(_ index: PublishedIndex, contents: PublishedContents) -> [Diagnostic] {
    var found = FindingList()
    for number in index.packs.indices {
      let files = ExpectedFiles(ofPack: number, in: contents)
      let place = Place(joined(path, index.packs[number].archive.path))
      // Swift treats strings as equal if they differ only in Unicode form, so a set finds such paths.
      var seen: Set<String> = []
      for file in 0..<files.count where files.path(at: file).contains(where: { $0 >= 0x80 }) {
        let path = String(decoding: files.path(at: file), as: UTF8.self)
        if seen.insert(path).inserted { continue }
        let message =
          "the pack contains \(quoted(path)) in two Unicode forms, which some programs treat as one file; "
          + "rename one of the two files"
        found.add(.pathClash, at: place) { message }
      }
    }
    return found.findings
  }

  /// Returns the packs that were reused from another release and have no archive in this folder, with a note
  /// on each pack.
  private func elsewhere(
    _ list: PacksElsewhere, of index: PublishedIndex
  ) throws(SystemError) -> (packs: Set<Int>, notes: [Diagnostic]) {
    var packs: Set<Int> = []
    var notes = FindingList()
    for (number, pack) in index.packs.enumerated() where list.paths.contains(pack.archive.path) {
      let path = joined(path, pack.archive.path)
      if try FileOperations.exists(path, symlinks: .notFollowed) { continue }
      packs.insert(number)
      let message =
        "the pack of \(setNotation(pack.tags)) was reused from another release, so this folder does not "
        + "contain it"
      notes.add(Diagnostic(.publishedElsewhere, message: message, at: Place(path)))
    }
    return (packs, notes.findings)
  }

  /// The findings about the index and the file list, and about numbers in the index that disagree with each
  /// other or with the file list.
  package var allFindings: [Diagnostic] {
    diagnostics + (index.map { IndexConsistency($0, contents: contents).diagnostics } ?? [])
  }
}

extension PublishedIndex {
  /// Returns findings about exceeded limits.
  ///
  /// If `profile` is nil, the limits are those of the profile in the index.
  ///
  /// `contents`, the file list of the build, must agree with the index.
  package func limitFindings(_ contents: PublishedContents, profile: LimitProfile?) -> [Diagnostic] {
    var manifest = Manifest(text: text, folder: ".")
    let release = release
    manifest.limits = LimitSettings(of: release)
    manifest.limits.profile = profile ?? manifest.limits.profile
    manifest.firstOffsets = Dictionary(tags.map { ($0.name, $0.offset) }) { first, _ in first }
    manifest.rulesOffset = packsOffset
    let input = PackCheck.Input(release, manifest: manifest) { number, limit in
      let files = ExpectedFiles(ofPack: number, in: contents)
      let parts = (0..<files.count).map { fileIndex in
        PackSplit.File(
          path: String(decoding: files.path(at: fileIndex), as: UTF8.self), size: files.size(at: fileIndex))
      }
      return PackSplit(parts, limit: limit).notes
    }
    return PackCheck.limits.flatMap { $0.find(input) }
  }
}
