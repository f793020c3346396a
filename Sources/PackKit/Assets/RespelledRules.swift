import Findings
import System

extension Manifest {
  /// The manifest with names as the disk has them, where rules that match nothing have another Unicode form of them; nil
  /// if no rule does.
  func respelled(_ isUsed: [Bool], in root: Folder) -> Manifest? {
    var disk = NamesOnDisk(root: root)
    var manifest = self
    var isSame = true
    for number in rules.indices where !isUsed[number] {
      guard let pattern = disk.respelled(rules[number].pattern) else { continue }
      manifest.rules[number].pattern = pattern
      isSame = false
    }
    return isSame ? nil : manifest
  }
}

/// The names in folders, each read once, by any of their Unicode forms, in which Swift's strings are equal.
private struct NamesOnDisk {
  let root: Folder
  var names: [[UInt8]: [String: String]] = [:]

  /// A path, or a glob in the part before its first wildcard, as the disk spells it; nil if that is the same or missing.
  mutating func respelled(_ pattern: ResourceRule.Pattern) -> ResourceRule.Pattern? {
    switch pattern {
    case .path(let path):
      return respelled(path.components).map { .path(RelativePath(normal: $0.joined(separator: "/"))) }
    case .glob(let glob):
      let parts = glob.text.unicodeScalars.split(separator: "/").map(String.init)
      guard let fixed = respelled(Array(parts.prefix(glob.fixedDepth))) else { return nil }
      return (try? Glob((fixed + parts.dropFirst(glob.fixedDepth)).joined(separator: "/"))).map { .glob($0) }
    }
  }

  private mutating func respelled(_ components: [String]) -> [String]? {
    if components.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) { return nil }
    var (path, found): ([UInt8], [String]) = ([], [])
    for component in components {
      let start = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
      let isThere = (try? root.status(of: start + component.utf8, following: false)) != nil
      guard let name = isThere ? component : names(in: path)[component] else { return nil }
      path = start + name.utf8
      found.append(name)
    }
    return zip(found, components).allSatisfy { $0.isSameInBytes(as: $1) } ? nil : found
  }

  private mutating func names(in path: [UInt8]) -> [String: String] {
    if names[path] == nil, let listing = try? root.listing(of: path) {
      let all = listing.entries.compactMap { String(validating: listing.name(of: $0), as: UTF8.self) }
      names[path] = Dictionary(all.map { ($0, $0) }) { first, _ in first }
    }
    return names[path] ?? [:]
  }
}
