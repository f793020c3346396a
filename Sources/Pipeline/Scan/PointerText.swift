import Formats
import System

/// The size and digest of the file that a pointer represents.
///
/// A pointer is a small text file, or a symlink with a certain target. The supported formats are the pointer
/// files of Git LFS (version 1, without extensions) and the keys of git-annex (`BACKEND-s<size>--<name>`). A
/// file in any other format is not a pointer, because only the exact format distinguishes a pointer from an
/// ordinary file.
enum PointerText: Equatable {
  case file(digest: Digest, size: Int64)
  /// A git-annex key that does not state the SHA-256 and the size of its file.
  case otherKey

  static let maxSize: Int64 = 1 << 10

  /// The first lines of Git LFS pointers; the program was called "hawser" before its first release.
  private static let lfsVersions = ["git-lfs", "hawser"].map {
    Array("version https://\($0).github.com/spec/v1".utf8)
  }
  private static let annexFolder = Array("/annex/objects/".utf8)

  init?(contents: [UInt8]) {
    guard contents.count <= Self.maxSize else { return nil }
    let contents = Self.withoutMark(contents)
    if Self.beginsLFS(contents) {
      self.init(lfsLines: contents.split(separator: newline, omittingEmptySubsequences: false))
      return
    }
    let line = contents.last == newline ? contents.dropLast() : contents
    if line.starts(with: Self.annexFolder) {
      self.init(key: line.dropFirst(Self.annexFolder.count))
      return
    }
    // A key without a SHA-256 could be any text with two words, so it is only accepted after
    // `/annex/objects/`.
    guard let key = PointerText(key: line), key != .otherKey else { return nil }
    self = key
  }

  /// Returns a text without the byte order mark that some editors insert.
  private static func withoutMark(_ text: [UInt8]) -> ArraySlice<UInt8> {
    text.dropFirst(text.starts(with: SourceText.mark) ? SourceText.mark.count : 0)
  }

  /// Whether a text begins like a Git LFS pointer of any version, possibly after a byte order mark.
  static func beginsLFS(_ text: some Collection<UInt8>) -> Bool {
    let text = text.dropFirst(text.starts(with: SourceText.mark) ? SourceText.mark.count : 0)
    return ["git-lfs.", "hawser."].contains { text.starts(with: "version https://\($0)".utf8) }
  }

  /// Parses the target of a git-annex symlink, whose last path component is a key.
  ///
  /// Returns nil if this component is not a key.
  init?(linkTarget target: [UInt8]) {
    guard let name = target.split(separator: slash, omittingEmptySubsequences: false).last else { return nil }
    guard let key = PointerText(key: name) else { return nil }
    // A dangling symlink can have any target, but git-annex's symlinks lead into its own folder.
    let isInAnnex = target.split(separator: slash).contains { $0.elementsEqual("annex".utf8) }
    if key == .otherKey && !isInAnnex { return nil }
    self = key
  }

  /// Parses the lines of a Git LFS pointer.
  ///
  /// Each line ends with a newline, so the last element is empty.
  private init?(lfsLines lines: [ArraySlice<UInt8>]) {
    guard lines.count == 4, lines[3].isEmpty, Self.lfsVersions.contains(Array(lines[0])),
      let oid = lines[1].dropPrefix("oid "), let digest = Digest(prefixed: oid),
      let size = lines[2].dropPrefix("size ").flatMap(fileSize)
    else { return nil }
    self = .file(digest: digest, size: size)
  }

  /// Parses a git-annex key.
  ///
  /// Returns nil if the key or its SHA-256 has another format.
  private init?(key: ArraySlice<UInt8>) {
    guard let mark = key.indices.first(where: { key[$0...].starts(with: "--".utf8) }) else { return nil }
    let fields = key[..<mark].split(separator: dash, omittingEmptySubsequences: false)
    let name = key[(mark + 2)...]
    guard let backend = fields.first, isBackend(backend), fields.dropFirst().allSatisfy(isField),
      !name.isEmpty, name.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != slash })
    else { return nil }
    let hasExtension = backend.elementsEqual("SHA256E".utf8)
    guard hasExtension || backend.elementsEqual("SHA256".utf8) else {
      self = .otherKey
      return
    }
    let rest = name.dropFirst(64)
    guard let digest = Digest(prefixed: "sha256:".utf8 + name.prefix(64)),
      rest.isEmpty || (hasExtension && rest.count > 1 && rest.first == dot)
    else { return nil }
    if fields.count == 1 {
      self = .otherKey
      return
    }
    guard fields.count == 2, let size = fields[1].dropPrefix("s").flatMap(fileSize) else { return nil }
    self = .file(digest: digest, size: size)
  }
}

private let newline = UInt8(ascii: "\n")
private let slash = UInt8(ascii: "/")
private let dash = UInt8(ascii: "-")
private let dot = UInt8(ascii: ".")

/// Whether a string can be the name of a backend.
///
/// Such names consist of capital letters, digits and underscores.
private func isBackend(_ text: ArraySlice<UInt8>) -> Bool {
  !text.isEmpty
    && text.allSatisfy {
      $0.isDigit || $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
}

/// Whether a string can be a field of a key.
///
/// A field is a letter followed by a number.
private func isField(_ text: ArraySlice<UInt8>) -> Bool {
  guard let letter = text.first, "smSC".utf8.contains(letter) else { return false }
  return text.count > 1 && text.dropFirst().allSatisfy(\.isDigit)
}

/// Returns the size that a string states in decimal digits; nil if the size exceeds the maximum size of a
/// file in a pack.
private func fileSize(_ text: ArraySlice<UInt8>) -> Int64? {
  guard !text.isEmpty, text.count <= 13, text.allSatisfy(\.isDigit) else { return nil }
  if text.count > 1 && text.first == UInt8(ascii: "0") { return nil }
  let size = text.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  return size <= AssetFile.largest ? size : nil
}

extension ArraySlice<UInt8> {
  /// Returns the rest after a prefix; nil if the bytes do not begin with the prefix.
  fileprivate func dropPrefix(_ prefix: String) -> ArraySlice<UInt8>? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }
}
