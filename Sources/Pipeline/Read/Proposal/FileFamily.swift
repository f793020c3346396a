import Formats
import Model
import System

/// A rule for files of one folder that form a family, such as `maps/*.map`, with a tag for each member.
///
/// Files with equal names and different suffixes, such as `desert.map` and `desert.png`, are one member.
struct FileFamily {
  let rule: ProposedRule
  /// The total size of the members in bytes.
  private(set) var size: Int64 = 0
  private(set) var fileCount = 0
  /// The tags of the members, in the order in which they are played.
  private(set) var tags: [String] = []
  /// Whether numbers give the members an order.
  let isOrdered: Bool
  /// The word for one member, such as `Map`.
  let noun: String

  /// The minimum number of members.
  private static let minMembers = 3
  /// The minimum fraction of a folder's files that belong to the members, if the folder's name gives the family
  /// its noun.
  private static let minPart = 0.6

  /// A file name, divided for a comparison with other names.
  private struct Name {
    let file: FolderTree.File
    /// The name without its suffix.
    let stem: String
    /// The file suffix with its dot; empty if there is none.
    let suffix: String
    /// The number at the end of the stem; nil if there is none.
    let numbered: NumberedName?

    init(_ file: FolderTree.File) {
      self.file = file
      let dot = file.name.lastIndex(of: ".") ?? file.name.endIndex
      stem = String(file.name[..<dot])
      suffix = String(file.name[dot...])
      numbered = NumberedName(stem)
    }

    /// Returns the names of the files that are directly in a folder.
    static func all(in folder: FolderTree.Folder) -> [Name] {
      folder.files.filter { !$0.name.contains("/") }.map(Name.init)
    }

    /// Whether a glob can list these suffixes in braces.
    static func canList(_ suffixes: [String]) -> Bool {
      suffixes.allSatisfy { Glob.isPlain($0) && !$0.contains(",") }
    }
  }

  /// Finds all families of the files that are directly in a folder.
  ///
  /// `noun` is the word for one file, from the name of the folder.
  static func families(in folder: FolderTree.Folder, noun: String, sizes: ProposalSizes) -> [FileFamily] {
    guard Glob.isPlain(folder.path), folder.ownSize >= sizes.small else { return [] }
    let names = Name.all(in: folder)
    if TagWords.isChosen(noun),
      let family = FileFamily(named: noun, in: folder, names: names, minimum: sizes.small)
    {
      return [family]
    }
    if TagWords.isMedium(folder.name) { return [] }
    return numbered(in: folder, names: names, minimum: sizes.small)
  }

  /// Makes a family of the files of a folder such as `maps`, whose names are those of the members.
  private init?(named noun: String, in folder: FolderTree.Folder, names: [Name], minimum: Int64) {
    let counts = Dictionary(grouping: names.filter { !$0.suffix.isEmpty }, by: \.suffix).mapValues(\.count)
    guard let most = counts.values.max(), most >= Self.minMembers else { return nil }
    let suffixes = Array(counts.filter { $0.value * 2 >= most && $0.value > 1 }.keys)
    let members = names.filter { suffixes.contains($0.suffix) && !TagWords.isDocumentation($0.stem) }
    guard Double(members.saturatingSum { $0.file.size }) >= Self.minPart * Double(folder.ownSize),
      Name.canList(suffixes)
    else { return nil }
    self.init(
      members, noun: noun, glob: joined(below: folder.path, rest: "*\(globOfNames(suffixes))"),
      wildcard: "$1",
      minimum: minimum, isOrdered: false, reason: "files, one for each \(noun.lowercased())"
    ) { $0.stem }
  }

  /// Makes families of files such as `world1.dat` and `world2.dat` in a folder of any name.
  private static func numbered(
    in folder: FolderTree.Folder, names: [Name], minimum: Int64
  ) -> [FileFamily] {
    let groups = Dictionary(grouping: names.filter { GridName($0.stem) == nil }) { name in
      name.numbered.map { "\($0.head)\n\(name.suffix)" } ?? ""
    }
    return groups.filter { !$0.key.isEmpty }.sorted { $0.key.precedesInBytes($1.key) }.compactMap {
      _, members in
      guard let first = members[0].numbered, Glob.isPlain(first.head + members[0].suffix) else { return nil }
      let head = first.head
      let noun = TagWords.singular(first.word)
      guard TagWords.isPlayedInOrder(noun) else { return nil }
      // Without other names that begin alike, `*` needs no class of digits.
      let isAlone = names.allSatisfy { name in
        !name.stem.hasPrefix(head) || name.suffix != members[0].suffix
          || name.numbered?.head == head
      }
      let sorted = members.sorted {
        ($0.numbered?.number ?? 0, $0.stem) < ($1.numbered?.number ?? 0, $1.stem)
      }
      return FileFamily(
        sorted, noun: noun,
        glob: joined(below: folder.path, rest: head + (isAlone ? "*" : "[0-9]*") + members[0].suffix),
        wildcard: isAlone ? "$1" : "$1$2", minimum: minimum, isOrdered: true,
        reason: "\(grouped(members.count)) numbered files"
      ) { String($0.stem.dropFirst(head.count)) }
    }
  }

  /// Makes a family of the files of a folder that is too large for one tag: with a tag for each file, for each number
  /// in the names, or for each first letter of the names.
  ///
  /// `tag` is the tag that the folder would have.
  init?(dividing folder: FolderTree.Folder, tag: String) {
    let names = Name.all(in: folder)
    guard Glob.isPlain(folder.path), names.count > 1,
      names.allSatisfy({ $0.file.size <= ProposalSizes.tag })
    else { return nil }
    let grid = names.compactMap { GridName($0.stem) }
    if let first = grid.first, Glob.isPlain(first.head), Set(grid.map(\.head)).count == 1,
      grid.count * 10 >= names.count * 9
    {
      self.init(
        names.filter { GridName($0.stem) != nil }, noun: tag,
        glob: joined(below: folder.path, rest: "\(first.head)*_*"), wildcard: "$1", minimum: 0,
        isOrdered: false,
        reason: "parts of a large folder"
      ) { GridName($0.stem)?.row ?? "" }
      return
    }
    let suffixes = Dictionary(grouping: names, by: \.suffix).filter { $0.value.count > 1 && !$0.key.isEmpty }
    let common = Array(suffixes.keys)
    if names.count <= ProposalSizes.members, (1...4).contains(common.count),
      Name.canList(common),
      suffixes.values.reduce(0, { $0 + $1.count }) * 10 >= names.count * 8
    {
      self.init(
        names.filter { common.contains($0.suffix) }, noun: tag,
        glob: joined(below: folder.path, rest: "*\(globOfNames(common))"), wildcard: "$1", minimum: 0,
        isOrdered: false, reason: "files of a large folder"
      ) { $0.stem }
      return
    }
    // Tags that differ only in the case of a letter would be a trap.
    let letters = Dictionary(grouping: names) { $0.stem.prefix(1) }
    guard Set(letters.keys.map { $0.lowercased() }).count == letters.count,
      letters.allSatisfy({ letter, names in
        letter.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
          && names.saturatingSum { $0.file.size } <= ProposalSizes.tag
      })
    else { return nil }
    self.init(
      names, noun: tag, glob: joined(below: folder.path, rest: "?*"), wildcard: "$1", minimum: 0,
      isOrdered: false, reason: "parts of a large folder, by first letter"
    ) { String($0.stem.prefix(1)) }
  }

  private init?(
    _ members: [Name], noun: String, glob: String, wildcard: String, minimum: Int64, isOrdered: Bool,
    reason: String, word: (Name) -> String
  ) {
    size = members.saturatingSum { $0.file.size }
    fileCount = members.count
    self.isOrdered = isOrdered
    self.noun = noun
    var seen: Set<String> = []
    for member in members {
      let tag = "\(noun) \(word(member))"
      guard StringFormat.tag.mistake(in: tag) == nil else { return nil }
      if seen.insert(tag).inserted { tags.append(tag) }
    }
    guard size >= minimum, tags.count >= (minimum > 0 ? Self.minMembers : 2),
      tags.count <= ProposalSizes.members,
      size / Int64(tags.count) >= ProposalSizes.member,
      let rule = ProposedRule(
        glob: glob, template: "\(TagTemplate.literal(noun)) \(wildcard)", reason: reason)
    else { return nil }
    self.rule = rule
  }
}

/// A name that ends in a number, such as `level_01`.
struct NumberedName {
  /// The name without the number.
  let head: String
  let number: Int
  /// The letters of the head, and the marks between its words.
  var word: String { head.filter { $0.isLetter || "_- ".contains($0) } }

  init?(_ name: String) {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }
    guard (1...9).contains(digits.count), let number = Int(String(digits.reversed())) else { return nil }
    self.number = number
    head = String(name.dropLast(digits.count))
  }
}

/// A name that ends in two numbers, such as `world_101_118`, as parts of a large map have.
private struct GridName {
  /// The name without the numbers.
  let head: String
  let row: String

  init?(_ name: String) {
    guard let column = NumberedName(name), column.head.hasSuffix("_"),
      let start = NumberedName(String(column.head.dropLast()))
    else { return nil }
    head = start.head
    row = String(column.head.dropLast().dropFirst(start.head.count))
  }
}
