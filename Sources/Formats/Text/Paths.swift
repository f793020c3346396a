/// Joins a folder and a path, without a leading `./` if the folder is the current directory.
package func joined(_ folder: String, _ path: String) -> String {
  if path.isEmpty || path == "." { return folder }
  if folder == "." { return path }
  return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
}

/// Returns a path without trailing slashes, except for "/" itself.
package func trimmed(_ path: String) -> String {
  var bytes = path.utf8[...]
  while bytes.count > 1 && bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
  return String(Substring(bytes))
}

/// Returns a path without trailing slashes and without a leading `./`, as messages show paths.
package func shortened(_ path: String) -> String {
  var bytes = trimmed(path).utf8[...]
  while bytes.starts(with: "./".utf8) {
    bytes = bytes.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
  }
  return String(Substring(bytes))
}

/// Returns the folder of a path; "." if the path contains no slash.
package func folderPath(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Returns the paths of all parent folders of a path, from the outermost to the innermost.
package func foldersAbove(_ path: String) -> [String] {
  path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
}

/// Returns the names of the relative path from one folder to another.
///
/// Both folders are given as lists of names.
package func relativeComponents(from folder: [String], to other: [String]) -> [String] {
  let shared = zip(folder, other).prefix { $0.isSameInBytes(as: $1) }.count
  return Array(repeating: "..", count: folder.count - shared) + other.dropFirst(shared)
}

/// Whether a user named a web address instead of a path.
package func isWebAddress(_ path: String) -> Bool { path.contains("://") }

/// Returns the last name of a path.
package func lastName(of path: String) -> String {
  String(Substring(path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]))
}

private let catalogMark = Array(".xcassets".utf8)

/// Whether a file name is the name of an asset catalog.
package func isCatalog(_ name: some StringProtocol) -> Bool {
  let name = String(name)
  return isCatalog(name.utf8Span.span, upTo: name.utf8.count)
}

/// Whether the name that ends at an index of a path is the name of an asset catalog.
///
/// The bare name ".xcassets" is not the name of an asset catalog.
package func isCatalog(_ path: Span<UInt8>, upTo end: Int) -> Bool {
  let start = end - catalogMark.count
  if start <= 0 || path[start - 1] == UInt8(ascii: "/") { return false }
  return catalogMark.indices.allSatisfy { path[start + $0] == catalogMark[$0] }
}
