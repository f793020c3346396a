import Formats
import Model
import System

/// Checks of tags and of the packs that the tags result in.
extension PackCheck {
  static let tags: [PackCheck] = [identifierCollisions]
  /// Checks that draw conclusions from a plan.
  ///
  /// They run only if all rules are right, because a wrong rule makes wrong packs.
  static let dependentOnRules: [PackCheck] = [
    redundantTags, ungivenTags, similarTags, everythingInitial, pulledInPacks,
  ]

  static let identifierCollisions = PackCheck(.identifierCollision) { input in
    // Packs are sorted by identifier, so equal identifiers are adjacent.
    zip(input.release.packs, input.release.packs.dropFirst()).compactMap { first, second in
      guard first.id == second.id else { return nil }
      return Diagnostic(
        .identifierCollision,
        message:
          "the tag sets \(setNotation(first.tags)) and \(setNotation(second.tags)) give the same identifier, "
          + "\(quoted(first.id)); remove the \":\" from the tag",
        at: input.place(ofTags: (first.tags + second.tags).filter { $0.contains(":") }))
    }
  }

  static let redundantTags = PackCheck(.redundantTag) { input in
    // A combined pack has the tags of all its parts, so it is normal that these tags always occur together.
    if input.manifest.merge != nil { return [] }
    let groups = Dictionary(grouping: input.release.tags, by: \.packs).values.filter { $0.count > 1 }
    return groups.map { group in
      let names = group.map(\.name)
      return Diagnostic(
        .redundantTag,
        message:
          "the tags \(listed(names, atMost: 4)) always occur together, in "
          + "\(counted(group[0].packs.count, of: "pack")); one of these tags is enough",
        at: input.place(ofTags: names))
    }
  }

  static let similarTags = PackCheck(.similarTag) { input in
    // If the manifest lists all tags, each of them is intentional.
    input.manifest.tags == nil ? SimilarTags(input).findings : []
  }

  static let ungivenTags = PackCheck(.ungivenTag) { input in
    guard let list = input.manifest.tags else { return [] }
    let given = Set(input.release.tags.map(\.name))
    return list.filter { !given.contains($0.value) }.map { tag in
      Diagnostic(
        .ungivenTag, message: "\"tags\" lists the tag \(quoted(tag.value)), but no file has this tag",
        at: input.place(at: tag.offset))
    }
  }

  static let everythingInitial = PackCheck(.everythingInitial) { input in
    // A device gets only one language, so packs in two languages are never on the same device.
    let packs = input.release.packsOnDevice(of: input.release.packs.indices).map { input.release.packs[$0] }
    guard packs.count > 1, input.release.packs.allSatisfy({ $0.delivery == .initialInstall }) else {
      return []
    }
    let offset = input.manifest.initialInstallTags.first?.offset ?? 0
    return [
      Diagnostic(
        .everythingInitial,
        message:
          "\(packs.count == 2 ? "both" : "all \(grouped(packs.count))") packs are in the initial install, so "
          + "nothing is left to download on demand",
        at: input.place(at: offset))
    ]
  }
}

/// Finds tags that look like typos of other tags.
struct SimilarTags {
  static let maxTags = 10_000

  private struct Tag {
    let name: String
    let files: Int64
    let offset: Int
    let form: TagTypo.Form
    /// The number of rules and lists that contain the tag.
    let uses: Int

    /// Whether this tag is more likely a typo of the other tag than the other way around.
    ///
    /// This is true if fewer files have this tag. If equally many files have both tags, it is true if this
    /// tag appears later in the manifest.
    /// A tag with a space around it is always the typo.
    func isTypo(of other: Tag) -> Bool {
      (hasSpaceAround ? 0 : 1, files, -offset) < (other.hasSpaceAround ? 0 : 1, other.files, -other.offset)
    }

    private var hasSpaceAround: Bool { name.first?.isWhitespace == true || name.last?.isWhitespace == true }

    /// Whether the manifest contains this tag once and the other tag more often.
    ///
    /// The number of files that have each tag does not matter.
    func isSingle(comparedWith other: Tag) -> Bool { uses == 1 && other.uses > 1 }
  }

  private let input: PackCheck.Input
  private let tags: [Tag]

  init(_ input: PackCheck.Input) {
    self.input = input
    let listed = Set(Delivery.allCases.flatMap(input.manifest.list).map(\.value))
    tags =
      input.release.tags.count > Self.maxTags
      ? []
      : input.release.tags.compactMap { tag in
        guard let offset = input.offset(ofTag: tag.name), let form = TagTypo.Form(tag.name) else {
          return nil
        }
        let files = tag.packs.reduce(Int64(0)) { $0.saturatingSum(with: input.release.packs[$1].fileCount) }
        let uses = (input.manifest.tagUses[tag.name] ?? 0) + (listed.contains(tag.name) ? 1 : 0)
        return Tag(name: tag.name, files: files, offset: offset, form: form, uses: uses)
      }
  }

  /// One finding for each tag that looks like a typo.
  ///
  /// If several tags are similar, the finding proposes the tag that most files have.
  var findings: [Diagnostic] {
    var intended: [Int: Int] = [:]
    for (first, second) in pairs {
      let isFirst = tags[first].isTypo(of: tags[second])
      let (typo, other) = isFirst ? (first, second) : (second, first)
      guard isLikelyTypo(tags[typo], of: tags[other]), !areBothMade(typo, other) else { continue }
      if let known = intended[typo], tags[other].isTypo(of: tags[known]) { continue }
      intended[typo] = other
    }
    let names = Set(tags.map(\.name))
    return tags.indices.compactMap { number in
      let tag = tags[number]
      if let other = intended[number] {
        return findingOnSpace(around: tag, insteadOf: tags[other])
          ?? finding(onTypo: tag, of: tags[other])
      }
      return findingOnSpace(around: tag) ?? findingOnSeveralTags(in: tag, among: names)
    }
  }

  /// The finding about a tag that consists of other tags, such as "Castle, Forest"; nil for other tags.
  private func findingOnSeveralTags(in tag: Tag, among names: Set<String>) -> Diagnostic? {
    guard let parts = separateTags(in: tag.name, among: names),
      let offset = input.manifest.firstOffsets[tag.name]
    else { return nil }
    return Diagnostic(
      .similarTag,
      message:
        "the tag \(quoted(tag.name)) of \(counted(tag.files, of: "file")) looks like \(grouped(parts.count)) tags "
        + "in one string; write \(listedStrings(parts)), or list the tag in \"tags\" if you need it",
      at: input.place(at: offset), fix: input.manifest.text.replacing(stringAt: offset, by: parts))
  }

  /// The finding about a tag that begins or ends with a space; nil for other tags.
  ///
  /// If `other` is not nil, the finding is also nil if the tag without the spaces is not this tag.
  private func findingOnSpace(around tag: Tag, insteadOf other: Tag? = nil) -> Diagnostic? {
    let words = tag.name.split(omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    guard let first = words.first, let last = words.last, let offset = input.manifest.firstOffsets[tag.name]
    else { return nil }
    let trimmed = String(tag.name[first.startIndex..<last.endIndex])
    if trimmed.isSameInBytes(as: tag.name) || !(other?.name.isSameInBytes(as: trimmed) ?? true) { return nil }
    let isAtStart = first.startIndex > tag.name.startIndex, isAtEnd = last.endIndex < tag.name.endIndex
    let verbs = (isAtStart ? ["begins"] : []) + (isAtEnd ? ["ends"] : [])
    return Diagnostic(
      .similarTag,
      message:
        "the tag \(quoted(tag.name)) of \(counted(tag.files, of: "file")) \(verbs.joined(separator: " and ")) "
        + "with a space; write \(quoted(trimmed))", at: input.place(at: offset),
      notes: other.map { [noteOnPlace(of: $0)] } ?? [],
      fix: input.manifest.text.replacing(stringAt: offset, by: trimmed))
  }

  /// The pairs of tags that differ by at most one edit.
  ///
  /// The list can contain a pair more than once.
  private var pairs: [(Int, Int)] {
    var groups: [String: [Int]] = [:]
    for (number, tag) in tags.enumerated() {
      for neighbour in tag.form.neighbours { groups[neighbour, default: []].append(number) }
    }
    return groups.values.flatMap { group in
      // A large group of similar tags is intentional. For example, the tags may be names that differ only in
      // their last letter.
      group.count > Self.maxGroupSize
        ? [] : group.indices.flatMap { first in group[(first + 1)...].map { (group[first], $0) } }
    }
  }

  /// Whether both tags are generated from names of files and folders, so neither of them can be a typo.
  private func areBothMade(_ first: Int, _ second: Int) -> Bool {
    // A list that contains a generated tag does not add a spelling of its own.
    [first, second].allSatisfy { input.manifest.tagUses[tags[$0].name] == nil }
  }

  private static let maxGroupSize = 40

  private func isLikelyTypo(_ typo: Tag, of other: Tag) -> Bool {
    switch TagTypo.evidence(typo.form, other.form) {
    case .strong: true
    // A typo usually occurs in one rule, but the rule can match any number of files.
    case .moderate: typo.files <= 3 || typo.files <= other.files / 6 || typo.isSingle(comparedWith: other)
    case .weak: typo.files <= other.files / 4
    case nil: false
    }
  }

  private func finding(onTypo typo: Tag, of other: Tag) -> Diagnostic {
    let verbs = [typo, other].map { $0.files == 1 ? "has" : "have" }
    return Diagnostic(
      .similarTag,
      message:
        "the tag \(quoted(typo.name)), which \(counted(typo.files, of: "file")) \(verbs[0]), looks like a "
        + "misspelling of \(quoted(other.name)), which \(counted(other.files, of: "file")) \(verbs[1]); if "
        + "you need both tags, list them in \"tags\"",
      at: input.place(at: typo.offset),
      notes: [noteOnPlace(of: other)])
  }

  private func noteOnPlace(of tag: Tag) -> Diagnostic.AttachedLine {
    .init("the tag \(quoted(tag.name)) is here", at: input.place(at: tag.offset))
  }
}

extension PackCheck {
  static let pulledInPacks = PackCheck(.draggedIn) { input in
    input.release.pulledInPacks.compactMap { pulledIn in
      let whole = input.release.count(of: pulledIn.delivery).size
      guard pulledIn.size >= minNotedSize, pulledIn.size >= whole / 4 else { return nil }
      let bearers = listed(pulledIn.listed.map(\.tag), atMost: 3)
      return Diagnostic(
        .draggedIn,
        message:
          "\(ByteSize.exact(pulledIn.size)) of the \(ByteSize.exact(whole)) of the "
          + "\(pulledIn.delivery.title) are in packs with additional tags that are in no list: "
          + "\(pulledIn.unlistedText); devices download these packs early because of \(bearers)",
        at: input.place(of: pulledIn.listed.first?.tag, in: pulledIn.delivery),
        notes: input.notes(on: pulledIn))
    }
  }
}

/// packtool prints a note about pulled-in packs only if they have at least this number of bytes.
private let minNotedSize: Int64 = 1_000_000

extension PackCheck.Input {
  fileprivate func place(of tag: String?, in delivery: Delivery) -> Place {
    let list = manifest.list(of: delivery)
    return (list.first { $0.value == tag } ?? list.first).map { place(at: $0.offset) } ?? place()
  }

  fileprivate func notes(on pulledIn: PulledInPacks) -> [Diagnostic.AttachedLine] {
    let savings = pulledIn.listed.prefix(3).filter { $0.saving > 0 }.map { tag, saving in
      Diagnostic.AttachedLine.help(
        "without the tag \(quoted(tag)) on the files of these packs, the \(pulledIn.delivery.title) would be "
          + "\(ByteSize.exact(saving)) smaller", at: place(of: tag, in: pulledIn.delivery))
    }
    let largest = pulledIn.packs.prefix(3).map { release.packs[$0] }
    let packs = largest.map { "\(setNotation($0.tags)) with \(ByteSize.exact($0.size))" }.joined(
      separator: ", ")
    guard let first = largest.first else { return savings }
    return savings + [
      .help(
        "the largest of these packs: \(packs); if the app always needs all tags of a pack together, give its "
          + "files a single tag instead, such as \(quoted(combinedTag(first.tags, by: " + ")))")
    ]
  }
}
