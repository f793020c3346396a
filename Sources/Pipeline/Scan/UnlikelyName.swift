import Formats

/// A pattern of names that assets hardly ever have, such as `*.bak`.
struct UnlikelyName {
  /// The glob that excludes files with such names, for the manifest's `exclude`.
  let glob: String
  /// Whether files with such names usually contain a secret.
  let isSecret: Bool

  private init(glob: String, isSecret: Bool) {
    self.glob = glob
    self.isSecret = isSecret
  }

  private static let folders: Set<Substring> = [".idea", ".vscode", "node_modules", "__MACOSX"]
  private static let junkSuffixes: Set<Substring> = [
    "swp", "swo", "orig", "bak", "meta", "import", "blend1", "gitignore", "gitkeep", "gitattributes",
  ]
  private static let secretSuffixes: Set<Substring> = [
    "env", "pem", "p12", "pfx", "keystore", "jks", "mobileprovision",
  ]
  private static let secretKeys: Set<Substring> = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"]

  /// Finds the pattern that the name of a folder in a path matches.
  init?(ofFolder path: Substring) {
    guard Self.mayMatch(folders: path.utf8Span.span),
      let name = path.split(separator: "/").first(where: Self.folders.contains)
    else { return nil }
    self.init(glob: "**/\(name)", isSecret: false)
  }

  /// Finds the pattern that a file's name matches.
  init?(ofFile name: Substring) {
    if Self.secretKeys.contains(name) || name.hasPrefix(".env.") {
      self.init(glob: "**/\(name)", isSecret: true)
      return
    }
    if name.utf8.last == UInt8(ascii: "~") {
      self.init(glob: "**/*~", isSecret: false)
      return
    }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let suffix = name[name.utf8.index(after: dot)...]
    let isSecret = Self.secretSuffixes.contains(suffix)
    guard isSecret || Self.junkSuffixes.contains(suffix) else { return nil }
    self.init(glob: "**/*.\(suffix)", isSecret: isSecret)
  }
}

/// Quick tests, which a scan runs for each name.
///
/// They compare numbers instead of strings. If the result is false, no pattern matches the name.
extension UnlikelyName {
  private static let suffixes = junkSuffixes.union(secretSuffixes).map { Array($0.utf8) }
  private static let maxSuffix = suffixes.map(\.count).max() ?? 0
  /// The first eight bytes of each suffix, as a number.
  ///
  /// A search through so few numbers is faster than a hash table.
  private static let suffixHeads = suffixes.map { $0.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
  /// The first byte and the size of the name of each folder.
  private static let folderForms = folders.map { UInt64($0.utf8.first ?? 0) << 8 | UInt64($0.utf8.count) }

  private static func mayMatch(folders path: Span<UInt8>) -> Bool {
    var start = 0
    for end in 0...path.count where end == path.count || path[end] == UInt8(ascii: "/") {
      if mayMatch(folder: path.extracting(start..<end)) { return true }
      start = end + 1
    }
    return false
  }

  static func mayMatch(folder name: Span<UInt8>) -> Bool {
    !name.isEmpty && name.count < 256 && folderForms.contains(UInt64(name[0]) << 8 | UInt64(name.count))
  }

  static func mayMatch(file name: Span<UInt8>) -> Bool {
    if name.isEmpty { return false }
    if name[name.count - 1] == UInt8(ascii: "~") || name[0] == UInt8(ascii: ".") { return true }
    // The names of secret keys begin with "id_".
    if name.count > 2, name[0] == UInt8(ascii: "i"), name[2] == UInt8(ascii: "_") { return true }
    var start = name.count
    while start > 0, name[start - 1] != UInt8(ascii: ".") {
      start -= 1
      if name.count - start > maxSuffix { return false }
    }
    if start == 0 { return false }
    var head: UInt64 = 0
    for index in start..<min(start + 8, name.count) { head = head << 8 | UInt64(name[index]) }
    return suffixHeads.contains(head)
  }
}
