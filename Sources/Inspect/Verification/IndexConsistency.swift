import Formats
import Model
import Pipeline
import System

/// Checks that the numbers of an index agree with one another and with the file list.
struct IndexConsistency {
  private let index: PublishedIndex
  private let contents: PublishedContents?
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  /// Checks an index.
  ///
  /// `contents` is nil if the file list could not be read.
  init(_ index: PublishedIndex, contents: PublishedContents?) {
    self.index = index
    self.contents = contents
    checkLimits()
    checkIdentities()
    checkTags()
    for delivery in Delivery.allCases { checkOrder(of: delivery) }
    if sum(of: Array(index.packs.indices)) == nil {
      report("the packs have more bytes than packtool can count", at: index.packsOffset)
    }
    checkPriorities()
    if !index.isSidecar { checkNames() }
    if let contents { checkContents(contents) }
    if findings.isEmpty, let offset = index.firstOddByte {
      report(
        "from here on, the text differs from the text that a build writes, although it has the same meaning",
        at: offset)
    }
  }

  private mutating func checkLimits() {
    if LimitProfile.named(index.limits.value) != nil { return }
    let names = LimitProfile.all.map(\.name)
    let hint = suggestion(nearest(to: index.limits.value, in: names))
    report("the limits profile \(quoted(index.limits.value)) is unknown\(hint)", at: index.limits.offset)
  }

  private mutating func checkIdentities() {
    let front = index.bundleIdentifier + PackIdentity.mark
    if !index.packs.isEmpty, !index.packs.contains(where: { $0.id.hasPrefix(front) }) {
      let message = "no pack's identifier begins with the bundle identifier \(quoted(index.bundleIdentifier))"
      return report(message, at: 0)
    }
    for (position, pack) in index.packs.enumerated() {
      let tags = Set(pack.tags).sorted()
      if tags.isEmpty || !areSame(tags, pack.tags) {
        report("the tags of \(quoted(pack.id)) must be sorted, and each tag must occur once", at: pack.offset)
        continue
      }
      let identity = PackIdentity(tags: pack.tags, bundleIdentifier: index.bundleIdentifier)
      let names = [("identifier", pack.id, identity.identifier), ("name", pack.name, identity.name)]
      for (what, said, made) in names where !said.isSameInBytes(as: made) {
        let message = "has the \(what) \(quoted(said)), but its tags require \(quoted(made))"
        report("the pack of \(setNotation(pack.tags)) \(message)", at: pack.offset)
      }
      if position > 0, index.packs[position - 1].id >= pack.id {
        report(
          "\(quoted(pack.id)) is in the wrong place: packs must be sorted by identifier, and each must occur "
            + "once",
          at: pack.offset)
      }
    }
  }

  private mutating func checkTags() {
    var packs: [String: [Int]] = [:]
    for (number, pack) in index.packs.enumerated() {
      for tag in Set(pack.tags) { packs[tag, default: []].append(number) }
    }
    let deliveries = Dictionary(index.tags.map { ($0.name, $0.delivery) }) { first, _ in first }
    for tag in index.tags {
      let numbers = packs.removeValue(forKey: tag.name) ?? []
      let name = "the tag \(quoted(tag.name))"
      if !areSame(numbers.map { index.packs[$0].id }, tag.packs) {
        report("the packs that are listed for \(name) are not the packs that have this tag", at: tag.offset)
      } else if sum(of: numbers) != tag.size {
        report(
          "\(name) has \(ByteSize.exact(tag.size)), but its packs have \(text(sum(of: numbers)))",
          at: tag.offset)
      }
    }
    let spelling = Dictionary(index.tags.map { ($0.name, $0.name) }) { first, _ in first }
    for pack in index.packs where !areSame(pack.tags.map { spelling[$0] ?? $0 }, pack.tags) {
      report(
        "a tag of the pack \(quoted(pack.id)) has another Unicode form in the list of tags", at: pack.offset)
    }
    for tag in packs.keys.sorted() {
      report(
        "some packs have the tag \(quoted(tag)), but the list of tags does not contain it", at: 0)
    }
    for pack in index.packs {
      let first = Delivery.allCases.first { delivery in pack.tags.contains { deliveries[$0] == delivery } }
      if let first, first != pack.delivery {
        report(
          "the pack of \(setNotation(pack.tags)) is listed as \(pack.delivery.title), but according to its "
            + "tags it is \(first.title)",
          at: pack.offset)
      }
    }
  }

  private mutating func checkOrder(of delivery: Delivery) {
    guard let order = index.deliveries[delivery] else { return }
    let numbers = Dictionary(zip(index.packs.map(\.id), 0...)) { first, _ in first }
    let listed = order.packs.compactMap { numbers[$0] }
    let expected = index.packs.indices.filter { index.packs[$0].delivery == delivery }
    guard areSame(listed.map { index.packs[$0].id }, order.packs), listed.sorted() == expected else {
      return report(
        "\(quoted(delivery.rawValue)) does not list exactly the packs that have this delivery mode",
        at: order.offset)
    }
    if sum(of: expected) != order.size {
      let message = "\(quoted(delivery.rawValue)) has \(ByteSize.exact(order.size))"
      report("\(message), but its packs have \(text(sum(of: expected)))", at: order.offset)
    }
    let packs = listed.map { index.packs[$0] }
    if let lists = index.lists { checkOrder(packs, of: delivery, by: lists, at: order.offset) }
    switch delivery {
    case .initialInstall: checkInitialOrder(packs, at: order.offset)
    case .prefetch: checkPrefetchOrder(packs)
    case .onDemand:
      if listed != expected { report("the packs on demand are not sorted by identifier", at: order.offset) }
    }
  }

  /// Checks the lists of tags.
  ///
  /// The tags in the lists must exist. The lists must match the delivery mode of each tag, and they must
  /// result in the order of the packs in the index.
  private mutating func checkOrder(
    _ packs: [PublishedIndex.Pack], of delivery: Delivery, by lists: TagLists, at offset: Int
  ) {
    let order = DeliveryOrder(lists)
    let name = quoted(delivery.rawValue)
    let known = Set(index.tags.map(\.name))
    for tag in lists.tags(of: delivery) where !known.contains(tag) {
      report("\(name) lists the tag \(quoted(tag)), which no pack has", at: offset)
    }
    for tag in index.tags where tag.delivery == delivery && order.delivery(of: [tag.name]) != delivery {
      report(
        "the tag \(quoted(tag.name)) is marked as \(delivery.title), but it is missing from the list of such "
          + "tags",
        at: tag.offset)
    }
    if delivery == .onDemand { return }
    for (first, second) in zip(packs, packs.dropFirst()) {
      let keys = [first, second].map { (order.position(of: $0.tags, for: delivery), $0.tags.count, $0.id) }
      if keys[0] <= keys[1] { continue }
      let tags = [second, first].map { setNotation($0.tags) }
      report(
        "according to the order of the tags, the pack of \(tags[0]) must come before the pack of \(tags[1])",
        at: second.offset)
    }
  }

  private func tags(of delivery: Delivery) -> Set<String> {
    Set(index.tags.filter { $0.delivery == delivery }.map(\.name))
  }

  private mutating func checkPriorities() {
    for pack in index.packs {
      let isRight =
        switch pack.delivery {
        case .initialInstall: pack.priority == 1
        case .prefetch: pack.priority != nil
        case .onDemand: pack.priority == nil
        }
      if isRight { continue }
      let priority = pack.priority.map { "the priority \($0)" } ?? "no priority"
      report(
        "the pack of \(setNotation(pack.tags)) is listed as \(pack.delivery.title), but has \(priority)",
        at: pack.offset
      )
    }
  }

  private mutating func checkInitialOrder(_ packs: [PublishedIndex.Pack], at offset: Int) {
    guard let position = firstMisplaced(packs, initialTags: tags(of: .initialInstall)) else { return }
    report(
      "no order of the tags puts the pack of \(setNotation(packs[position].tags)) at place "
        + "\(grouped(position + 1)) of the initial install",
      at: offset)
  }

  private mutating func checkPrefetchOrder(_ packs: [PublishedIndex.Pack]) {
    let prefetchTags = tags(of: .prefetch)
    let wrong = packsWithImpossiblePriority(in: packs, prefetchTags: prefetchTags)
    for pack in wrong {
      report(
        "no tag of the pack of \(setNotation(pack.tags)) can give the pack its priority", at: pack.offset)
    }
    for (first, second) in zip(packs, packs.dropFirst()) {
      let keys = [first, second].map { (-($0.priority ?? 0), $0.tags.count, $0.id) }
      if keys[0] <= keys[1] { continue }
      let tags = [second, first].map { setNotation($0.tags) }
      report("the pack of \(tags[0]) must be prefetched before the pack of \(tags[1])", at: second.offset)
    }
    let (prefetchTagCount, initialTagCount) = (prefetchTags.count, tags(of: .initialInstall).count)
    if wrong.isEmpty,
      !prioritiesFitOneList(of: packs, prefetchTagCount: prefetchTagCount, otherTagCount: initialTagCount),
      let first = packs.first
    {
      report("no order of the prefetched tags gives the prefetched packs these priorities", at: first.offset)
    }
  }

  /// Checks that file names contain the files' digests, so that the files can be cached forever.
  private mutating func checkNames() {
    let containers = Set(index.packs.map { Container(ofArchive: $0.archive.path) })
    for pack in index.packs {
      let container = Container(ofArchive: pack.archive.path)
      let name = PublishedNames.archive(
        ofPack: pack.name, digest: pack.archive.file.digest, in: container, layout: index.layout)
      if pack.archive.path.isSameInBytes(as: name) { continue }
      report("the archive \(quoted(pack.archive.path)) should be named \(quoted(name))", at: pack.offset)
    }
    if containers.count > 1 { report("the packs have different containers", at: index.packsOffset) }
    let name = PublishedNames.contents(index.contents.file.digest)
    if index.contents.path != name {
      report("the contents list \(quoted(index.contents.path)) should be named \(quoted(name))", at: 0)
    }
    for (from, list) in index.patches {
      let name = PublishedNames.patchListPath(fromIndex: from, listDigest: list.file.digest)
      if list.path == name { continue }
      report("the list of patches \(quoted(list.path)) should be named \(quoted(name))", at: 0)
    }
    if zip(index.patches, index.patches.dropFirst()).contains(where: { $0.from.hex >= $1.from.hex }) {
      report(
        "the releases that patches start from must be sorted by their digests, and each must occur once",
        at: 0)
    }
  }

  private mutating func checkContents(_ contents: PublishedContents) {
    for (number, pack) in index.packs.enumerated() {
      let files = ExpectedFiles(ofPack: number, in: contents)
      let subject = "the pack of \(setNotation(pack.tags))"
      if Int64(files.count) != pack.fileCount {
        report(
          "\(subject) has \(counted(pack.fileCount, of: "file")), but the contents list has "
            + "\(grouped(files.count))",
          at: pack.offset)
      } else if files.size != pack.size {
        report(
          "\(subject) has \(ByteSize.exact(pack.size)), but the contents list has \(text(files.size))",
          at: pack.offset)
      } else if files.contentsDigest != pack.digest {
        report("the digest of \(subject) does not match its files in the contents list", at: pack.offset)
      }
      if !index.isSidecar, Container(ofArchive: pack.archive.path) == .folder,
        pack.archive.file != WrittenFile(size: pack.size, digest: pack.digest)
      {
        report(
          "\(subject) is a folder, but its archive has another size or digest than the pack itself",
          at: pack.offset)
      }
    }
  }

  /// Returns the total size of some packs in bytes; nil if the sum overflows.
  private func sum(of packs: [Int]) -> Int64? { packs.lazy.map { index.packs[$0].size }.exactSum }

  /// Whether two texts are equal byte by byte.
  ///
  /// Swift also treats strings with different Unicode forms as equal.
  private func areSame(_ first: [String], _ second: [String]) -> Bool {
    first.elementsEqual(second) { $0.isSameInBytes(as: $1) }
  }

  private func text(_ size: Int64?) -> String {
    size.map { ByteSize.number($0) } ?? "more than packtool can count"
  }

  private mutating func report(_ message: String, at offset: Int) {
    findings.add(Diagnostic(.damagedIndex, message: message, at: index.place(at: offset)))
  }
}

/// Returns the prefetched packs whose priority cannot result from any of their tags.
///
/// Each tag has one priority, which is at most the smallest priority of the tag's packs.
func packsWithImpossiblePriority(in packs: [PublishedIndex.Pack], prefetchTags: Set<String>)
  -> [PublishedIndex.Pack]
{
  var most: [String: Double] = [:]
  for pack in packs {
    for tag in pack.tags where prefetchTags.contains(tag) {
      most[tag] = min(most[tag] ?? .infinity, pack.priority ?? 0)
    }
  }
  return packs.filter { pack in pack.tags.compactMap { most[$0] }.max() != pack.priority }
}

/// Whether there is a list of tags in which the priorities of all prefetched packs are positions.
///
/// The list can have any length. In addition to the tags of the prefetch order, the list can contain the
/// initial install tags, and repeated tags.
func prioritiesFitOneList(of packs: [PublishedIndex.Pack], prefetchTagCount: Int, otherTagCount: Int) -> Bool
{
  // The list has few repeated tags, because packtool warns about each repeated tag.
  let mostRepeated = 16
  let priorities = Set(packs.compactMap(\.priority))
  if priorities.isEmpty { return true }
  return (max(prefetchTagCount, 1)...prefetchTagCount + otherTagCount + mostRepeated).contains { length in
    priorities.allSatisfy { isPriority($0, inListOf: length) }
  }
}

private func isPriority(_ priority: Double, inListOf length: Int) -> Bool {
  if length == 1 { return priority == 0.5 }
  guard priority >= 0, priority <= 1 else { return false }
  let last = Double(length - 1)
  let position = ((priority - 0.05) / 0.9 * last).rounded()
  return position >= 0 && position <= last && position / last * 0.9 + 0.05 == priority
}

/// Returns the index of the first pack in the initial install whose position cannot result from any order of
/// tags.
///
/// Returns nil if no pack has such a position.
///
/// An index of an earlier packtool version does not contain the order of the manifest's tags. So the function
/// accepts the packs if any order of tags produces their order. In an index, the packs of the first tag come
/// first, then the remaining packs of the second tag, and so on. The packs of one tag are sorted by their
/// number of tags and then by identifier.
func firstMisplaced(_ packs: [PublishedIndex.Pack], initialTags: Set<String>) -> Int? {
  let tags = packs.map { $0.tags.filter(initialTags.contains) }
  // For each position, the number of neighbouring packs up to this position that are not in the order that
  // packs of one tag have.
  var descents: [Int] = []
  var remaining: [String: Int] = [:]
  var lastPlace: [String: Int] = [:]
  for (position, pack) in packs.enumerated() {
    let before = position == 0 ? nil : packs[position - 1]
    let isDescent = before.map { (pack.tags.count, pack.id) < ($0.tags.count, $0.id) } ?? false
    descents.append((descents.last ?? 0) + (isDescent ? 1 : 0))
    for tag in tags[position] {
      remaining[tag, default: 0] += 1
      lastPlace[tag] = position
    }
  }
  /// Returns the number of packs from a position on, if these packs are all remaining packs of a tag, in
  /// order. Otherwise returns nil.
  func runLength(ofTag tag: String, from position: Int) -> Int? {
    guard let count = remaining[tag], let last = lastPlace[tag], last - position + 1 == count,
      descents[last] == descents[position]
    else { return nil }
    return count
  }
  var position = 0
  while position < tags.count {
    // Choose the tag with the fewest packs. The remaining packs of a tag with more packs can come afterwards.
    guard let length = tags[position].compactMap({ runLength(ofTag: $0, from: position) }).min() else {
      return position
    }
    for tag in tags[position..<position + length].joined() { remaining[tag, default: 0] -= 1 }
    position += length
  }
  return nil
}
