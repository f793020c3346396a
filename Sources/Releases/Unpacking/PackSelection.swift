import Findings
import Spelling

/// The packs of a built folder that an app can access after a request for some tags.
struct PackSelection {
  private let index: PublishedIndex
  private let contents: PublishedContents
  /// The packs by their position in the index.
  let packs: [Int]

  /// All packs with any of the tags; all packs if `tags` is nil.
  init(of tags: [String]?, in index: PublishedIndex, _ contents: PublishedContents) {
    self.index = index
    self.contents = contents
    let wanted = tags.map(Set.init)
    packs = index.packs.indices.filter { number in
      wanted.map { wanted in index.packs[number].tags.contains(where: wanted.contains) } ?? true
    }
  }

  /// Tags that no pack carries.
  static func unknownTags(among tags: [String], in index: PublishedIndex, at path: String) -> [Diagnostic] {
    let known = Set(index.tags.map(\.name))
    return tags.filter { !known.contains($0) }.map { tag in
      let guess = suggestion(nearest(to: tag, in: known))
      return Diagnostic(.unknownTag, "tag \(quoted(tag)) is carried by no pack\(guess)", at: Place(path))
    }
  }

  /// One file of one pack.
  struct File {
    let pack: Int
    /// Its index in the pack.
    let place: Int
    /// Its index in the list of all files.
    let number: Int
  }

  /// The files in byte order of their paths; if two packs have the same file at one path, the first one's.
  func files() -> (files: [File], clashes: [Diagnostic]) {
    var all = packs.flatMap { pack in
      contents.files(of: pack).enumerated().map { File(pack: pack, place: $0, number: Int($1)) }
    }
    // The list is sorted by path, and so are its indices.
    all.sort { $0.number < $1.number }
    var files: [File] = []
    var clashes = FindingList()
    for file in all {
      guard let last = files.last else {
        files.append(file)
        continue
      }
      let (path, before) = (contents.path(file.number), contents.path(last.number))
      if path != before {
        files.append(file)
      } else if contents.digest(file.number) != contents.digest(last.number) {
        clashes.add(clash(.pathInTwoPacks, "hold different files at \(quoted(bytes: path))", last, file))
      }
    }
    clashes.add(filesAsFolders(files))
    return (files, clashes.findings)
  }

  /// Files at the path of a folder that other files need.
  private func filesAsFolders(_ files: [File]) -> [Diagnostic] {
    let byPath = Dictionary(files.map { (contents.path($0.number), $0) }) { first, _ in first }
    var last: ArraySlice<UInt8> = []
    let found = files.lazy.flatMap { file -> [Diagnostic] in
      let path = contents.path(file.number)
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")), path[..<slash] != last else { return [] }
      last = path[..<slash]
      return path.indices.filter { path[$0] == UInt8(ascii: "/") }.compactMap { slash in
        byPath[path[..<slash]].map { other in
          clash(.pathClash, "hold \(quoted(bytes: path)) and a file in place of its folder", other, file)
        }
      }
    }
    return FindingList(found).findings
  }

  private func clash(_ check: Check, _ what: String, _ first: File, _ second: File) -> Diagnostic {
    let sets = [first, second].map { setNotation(index.packs[$0.pack].tags) }
    let subject = sets[0] == sets[1] ? "the pack of \(sets[0])" : "the packs of \(sets[0]) and \(sets[1])"
    return Diagnostic(
      check, "\(subject) \(what); ask for fewer tags", at: index.place(at: index.packs[second.pack].offset),
      severity: .error)
  }
}
