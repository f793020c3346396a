import Findings
import System

extension FileCheck {
  /// Folders without tags that were probably forgotten, unless each of their files is a finding already.
  static let untaggedFolders = FileCheck(.untaggedFolder) { input in
    let manifest = input.plan.manifest
    let mayBeForgotten = input.plan.tree.untagged.files > 0 && manifest.bundledFiles == nil
    return manifest.untagged == .allow && mayBeForgotten ? UntaggedFolders(of: input.plan).findings : []
  }
}

/// Folders of which no file has tags, beside folders of which all files have.
private struct UntaggedFolders {
  /// The smallest number of tagged folders that make one without tags strange.
  private static let fewestOthers = 3
  /// The same for folders whose names differ in their numbers only.
  private static let fewestNumbered = 2

  private let plan: PackPlan
  /// The folders with a tagged file in or below them.
  private var tagged: Set<ByteKey> = []
  /// The folders with an untagged file in or below them.
  private var mixed: Set<ByteKey> = []
  /// The folders without a tagged file that are in one with, and what is in and below each.
  private var untagged: [ByteKey: FileCount] = [:]

  init(of plan: PackPlan) {
    self.plan = plan
    var last: Substring = ""
    for file in plan.tree.files {
      guard let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
      // Files of one folder are mostly adjacent.
      if file.path[..<slash].utf8.elementsEqual(last.utf8) { continue }
      last = file.path[..<slash]
      Self.insert(String(last), into: &tagged)
    }
    let folders = plan.tree.folders.map { String(decoding: $0, as: UTF8.self) }
    for (folder, count) in zip(folders, plan.tree.untaggedInFolders) where count.files > 0 && !folder.isEmpty
    {
      Self.insert(folder, into: &mixed)
      let above = foldersAbove(folder) + [folder]
      guard let top = above.first(where: { !tagged.contains(ByteKey($0)) }) else { continue }
      untagged[ByteKey(top), default: FileCount()] += count
    }
  }

  /// Adds a folder and those above it, but for the root.
  private static func insert(_ folder: String, into folders: inout Set<ByteKey>) {
    var next = folder
    while next != ".", folders.insert(ByteKey(next)).inserted { next = folderPath(of: next) }
  }

  var findings: [Diagnostic] {
    let whole = Dictionary(grouping: tagged.subtracting(mixed).map(\.text)) { folderPath(of: $0) }
    let bare = Dictionary(grouping: untagged.keys.map(\.text)) { folderPath(of: $0) }
    return bare.flatMap { parent, folders in
      folders.compactMap { folder in
        let others = whole[parent] ?? []
        if folders.count == 1, others.count >= Self.fewestOthers { return finding(on: folder, others) }
        let form = Self.unnumbered(folder)
        let numbered = others.filter { Self.unnumbered($0) == form }
        let isOfFew = folders.count { Self.unnumbered($0) == form } < numbered.count
        return form != folder && numbered.count >= Self.fewestNumbered && isOfFew
          ? finding(on: folder, numbered) : nil
      }
    }
  }

  /// A path without the digits of its last name.
  private static func unnumbered(_ path: String) -> String {
    joined(folderPath(of: path), lastName(of: path).filter { !$0.isASCII || !$0.isNumber })
  }

  private func finding(on folder: String, _ others: [String]) -> Diagnostic {
    let count = untagged[ByteKey(folder)] ?? FileCount()
    let names = others.sorted { $0.precedesInBytes($1) }
    return Diagnostic(
      .untaggedFolder,
      "no file of the folder \(quoted(folder)) has tags, while all of \(listed(names, atMost: 4)) have; "
        + "\(counted(count.files, "file")) with \(ByteSize.exact(count.size)) \(count.files == 1 ? "stays" : "stay") in the "
        + "app bundle",
      at: Place(joined(plan.manifest.rootPath, escaped(folder, upTo: 300))))
  }
}
