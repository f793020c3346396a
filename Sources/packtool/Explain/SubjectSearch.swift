import Formats
import Model
import Pipeline
import System

// Finds the subjects that arguments name.
extension SubjectReader {
  /// Returns the facts of all subjects with exactly this name.
  ///
  /// If no subject has this name, the word can also be the beginning of one pack's identifier, name or
  /// digest.
  ///
  /// Names from the log of a server are percent-encoded: `Level%201/map.json`.
  func facts(named word: String) -> [SubjectFacts] {
    let exact = exactFacts(named: word)
    if !exact.isEmpty { return exact }
    if let name = PercentEncoding.decoded(word) {
      let decoded = exactFacts(named: name)
      if !decoded.isEmpty { return decoded }
    }
    return packs(beginningWith: word).count == 1 ? packs { $0.begins(with: word) } : []
  }

  private func exactFacts(named word: String) -> [SubjectFacts] {
    paths(named: word) + tags(named: word) + packs { $0.isNamed(word) || $0.isFile(named: word) }
  }

  /// Returns the packs whose identifier, name or digest begins with a word.
  func packs(beginningWith word: String) -> [AssetPack] {
    plan.packs.filter { $0.begins(with: word) }
  }

  /// Returns the name that the user most likely meant, for a word that is not the name of anything.
  func guess(for word: String) -> String? {
    let word = PercentEncoding.decoded(word) ?? word
    let path = pathBelowRoot(word) ?? word
    return nearest(to: word, in: plan.tags.lazy.map(\.name)) ?? nearest(to: path, in: everyPath)
      ?? nearest(to: word, in: plan.packs.lazy.flatMap { [$0.identity.name, $0.identity.identifier] })
  }

  private var everyPath: [String] {
    plan.tree.files.map(\.path) + plan.tree.folders.compactMap { String(validating: $0, as: UTF8.self) }
  }

  private func paths(named word: String) -> [SubjectFacts] {
    let path = pathBelowRoot(word)
    let files = plan.tree.files.indices.filter { number in
      let file = plan.tree.files[number]
      return [path, word].compactMap { $0 }.contains {
        file.path.isSameInBytes(as: $0) || file.packPath.isSameInBytes(as: $0)
      }
    }
    if !files.isEmpty { return files.map { .file(facts(ofFile: $0)) } }
    if let found = subject(at: path) { return [found] }
    // The word can also be an existing path that leads to a file below the root, for example through a
    // symlink.
    return Self.pathBelow(plan.manifest.rootPath, of: word).flatMap(subject).map { [$0] } ?? []
  }

  private func subject(at path: String?) -> SubjectFacts? {
    guard let path else { return nil }
    if let number = plan.tree.files.firstIndex(where: { $0.path.isSameInBytes(as: path) }) {
      return .file(facts(ofFile: number))
    }
    switch (try? root.status(of: Array(path.utf8), symlinks: .followed))?.kind {
    case .folder: return .folder(facts(ofFolder: path))
    case .file: return .untaggedFile(facts(ofUntagged: path))
    default: return nil
    }
  }

  /// Resolves a path and returns it relative to a folder.
  ///
  /// Returns nil if the path does not exist or is outside the folder.
  private static func pathBelow(_ folder: String, of path: String) -> String? {
    guard let root = try? FileOperations.realPath(of: folder),
      let real = try? FileOperations.realPath(of: path)
    else { return nil }
    if real == root { return "." }
    let prefix = root + (root.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")])
    return real.starts(with: prefix) ? String(validating: real.dropFirst(prefix.count), as: UTF8.self) : nil
  }

  /// Converts a path that is relative to the current folder or to the root to a path that is relative to the
  /// root.
  private func pathBelowRoot(_ word: String) -> String? {
    let root = plan.manifest.rootPath
    if word.hasPrefix(root + "/"), let path = try? RelativePath(String(word.dropFirst(root.count + 1))) {
      return path.text
    }
    guard let path = try? RelativePath(word) else { return nil }
    if let root = try? RelativePath(root), !root.components.isEmpty,
      path.components.starts(with: root.components)
    {
      let below = path.components.dropFirst(root.components.count).joined(separator: "/")
      return below.isEmpty ? "." : below
    }
    return path.text
  }

  private func tags(named word: String) -> [SubjectFacts] {
    plan.tags.filter { $0.name == word }.map { .tag(facts(of: $0)) }
  }

  private func packs(_ isIncluded: (AssetPack) -> Bool) -> [SubjectFacts] {
    plan.packs.indices.filter { isIncluded(plan.packs[$0]) }.map {
      .pack(facts(ofPack: $0), files: files(ofPack: $0))
    }
  }
}

extension AssetPack {
  /// The tags joined with "+", as in the names of packs: `Level 1+Level 2`.
  var joinedTags: String { tags.joined(separator: "+") }

  fileprivate func isNamed(_ word: String) -> Bool {
    // A word that is a single tag stands for the tag, and not for the pack that has only this tag.
    identity.identifier == word || identity.name == word || (tags.count > 1 && joinedTags == word)
  }

  /// Whether a word is the name of the pack's file in a build, as in the log of a server:
  /// `packs/NAME.DIGEST.zip`.
  fileprivate func isFile(named word: String) -> Bool {
    guard let container = Container.allCases.first(where: { !$0.suffix.isEmpty && word.hasSuffix($0.suffix) })
    else { return false }
    let stem = lastName(of: word).dropLast(container.suffix.count)
    guard let dot = stem.lastIndex(of: "."), stem[dot...].utf8.count == 17 else { return false }
    return stem[..<dot] == identity.name
  }

  fileprivate func begins(with word: String) -> Bool {
    if word.isEmpty { return false }
    return identity.identifier.hasPrefix(word) || identity.name.hasPrefix(word)
      || (word.utf8.count >= 4 && identity.identifier.suffix(32).hasPrefix(word))
  }
}
