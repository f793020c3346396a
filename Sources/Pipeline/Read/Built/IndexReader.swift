import Formats
import Model
import System

/// Reads the index of a build and reports all mistakes in its format.
///
/// Unknown keys are ignored. Extensions of this type read lists of patches and recipes of patches in the same
/// way.
struct IndexReader {
  private let text: SourceText
  private let check: Check
  private var findings = FindingList()

  /// Reads an index and reports all mistakes in its text.
  ///
  /// If there are mistakes, the index is nil.
  static func index(_ text: SourceText) -> (index: PublishedIndex?, diagnostics: [Diagnostic]) {
    read(text, check: .damagedIndex) { reader, value in reader.readIndex(value) }
  }

  /// Reads a value and reports all mistakes in its text as findings of `check`.
  ///
  /// If there are mistakes, the value is nil.
  static func read<Value>(
    _ text: SourceText, check: Check, body: (inout IndexReader, JSONValue) -> Value?
  ) -> (Value?, [Diagnostic]) {
    let (value, mistakes) = JSONReader.read(text)
    var reader = IndexReader(text: text, check: check)
    for mistake in mistakes { reader.findings.add(mistake.of(check)) }
    let result = value.flatMap { body(&reader, $0) }
    return (reader.findings.isEmpty ? result : nil, reader.findings.findings)
  }

  private mutating func readIndex(_ value: JSONValue) -> PublishedIndex? {
    guard case .object = value.content else {
      report("the index must be an object, not \(value.typeName)", at: value.offset)
      return nil
    }
    if value.member("formatVersion") == nil && value.member("resources") != nil {
      report("this is a manifest, not an index; build it, and name the folder of the build", at: value.offset)
      return nil
    }
    guard isOfVersion(value) else { return nil }
    var index = PublishedIndex(text: text)
    index.bundleIdentifier = string("bundleIdentifier", of: value) ?? ""
    index.limits = Located(string("limits", of: value) ?? "", at: value.member("limits")?.offset ?? 0)
    for delivery in Delivery.allCases {
      guard let order = object(delivery.rawValue, of: value) else { continue }
      index.deliveries[delivery] = readTag(
        delivery.rawValue, delivery: delivery, value: order, at: order.offset)
    }
    index.lists = readLists(of: value)
    if let tags = object("tags", of: value) {
      for member in JSONMembers(parent: tags) {
        if let tag = readTag(member) { index.tags.append(tag) }
      }
    }
    index.packsOffset = value.member("packs")?.offset ?? 0
    readPacks(of: value, into: &index)
    if let contents = object("contents", of: value).flatMap({ readFile($0) }) { index.contents = contents }
    if let untagged = object("untagged", of: value) {
      index.untagged.files = Int(wholeNumber("fileCount", of: untagged) ?? 0)
      index.untagged.size = size(of: untagged) ?? 0
    }
    // Only the index of a build with patches has this key.
    if value.member("patches") != nil { readPatches(of: value, into: &index) }
    // Only the index of a manifest that overrides limits has this key.
    if value.member("ownLimits") != nil {
      let expected = "an object with whole numbers, or null for lifted limits"
      index.ownLimits =
        readValue("ownLimits", of: value, expected: expected) { IndexFormat.ownLimits(of: $0) } ?? [:]
    }
    // Only a signed index has these keys.
    if value.member("release") != nil { readEdition(of: value, into: &index) }
    // Only the index of a slice has this key.
    if value.member("device") != nil { index.device = object("device", of: value).flatMap { readDevice($0) } }
    if findings.isEmpty { index.firstOddByte = value.firstOddByte }
    return index
  }

  /// Returns the manifest's lists of tags; nil if the index contains none of them, because an earlier version
  /// of packtool wrote it.
  private mutating func readLists(of value: JSONValue) -> TagLists? {
    let deliveries = [Delivery.initialInstall, .prefetch].compactMap { value.member($0.rawValue) }
    guard deliveries.contains(where: { $0.member("tags") != nil }) else { return nil }
    let lists = deliveries.map { strings("tags", of: $0) }
    guard lists.count == 2, let initialInstall = lists[0], let prefetch = lists[1] else { return nil }
    return TagLists(initialInstall: initialInstall, prefetch: prefetch)
  }

  private mutating func readTag(_ member: JSONMember) -> PublishedIndex.Tag? {
    guard case .object = member.value.content else {
      reportType(of: member.value, key: member.key, expected: "an object")
      return nil
    }
    return readTag(
      member.key, delivery: delivery(of: member.value), value: member.value, at: member.keyOffset)
  }

  private mutating func readTag(
    _ name: String, delivery: Delivery?, value: JSONValue, at offset: Int
  ) -> PublishedIndex.Tag? {
    let packs = strings("packs", of: value)
    guard let size = size(of: value), let delivery, let packs else { return nil }
    return PublishedIndex.Tag(name: name, delivery: delivery, packs: packs, size: size, offset: offset)
  }

  private mutating func readPack(_ value: JSONValue) -> PublishedIndex.Pack? {
    let (id, name) = (string("id", of: value), string("name", of: value))
    let (tags, delivery) = (strings("tags", of: value), delivery(of: value))
    let (fileCount, size) = (wholeNumber("fileCount", of: value), size(of: value))
    let digest = digest(of: value)
    let archive = object("archive", of: value).flatMap { readFile($0) }
    let before = findings.total
    let priority = value.member("priority").flatMap { readPriority($0) }
    guard let id, let name, let tags, let delivery, let fileCount, let size, let digest, let archive,
      findings.total == before
    else { return nil }
    return PublishedIndex.Pack(
      id: id, name: name, tags: tags, delivery: delivery, priority: priority, fileCount: fileCount,
      size: size, published: PublishedPack(digest: digest, archive: archive), offset: value.offset,
      language: value.member("language")?.string)
  }

  private mutating func readPacks(of value: JSONValue, into index: inout PublishedIndex) {
    let expected = "an array of objects"
    guard let elements = readValue("packs", of: value, expected: expected, read: { $0.elements }) else {
      return
    }
    for element in elements {
      if case .object = element.content {
        if let pack = readPack(element) { index.packs.append(pack) }
      } else {
        reportType(of: element, key: "packs", expected: expected)
      }
    }
  }

  private mutating func readPatches(of value: JSONValue, into index: inout PublishedIndex) {
    let lists = readValue("patches", of: value, expected: "an array of objects") { $0.elements } ?? nil
    for element in lists.map(Array.init) ?? [] {
      let from = readValue("from", of: element, expected: digestForm, read: \.digest)
      guard let list = readFile(element), let from else { continue }
      if isPatchPath(list.path) {
        index.patches.append((from, list))
      } else {
        report("\(quoted(list.path)) is not in \(quoted(PublishedNames.patchesFolder))", at: element.offset)
      }
    }
  }

  private mutating func readEdition(of value: JSONValue, into index: inout PublishedIndex) {
    let number = readValue(
      "release", of: value, expected: "a whole number from 1 to \(grouped(ByteSize.largestExact))"
    ) {
      $0.wholeNumber.flatMap { (1...ByteSize.largestExact).contains($0) ? $0 : nil }
    }
    var expires: String?
    if value.member("expires") != nil {
      expires = readValue("expires", of: value, expected: "a time such as \"2027-01-31T00:00:00Z\"") {
        $0.string.flatMap { UTCTime.time(of: $0) == nil ? nil : $0 }
      }
    }
    index.edition = number.map { Release.Edition(number: $0, expiryText: expires) }
  }

  private mutating func readDevice(_ value: JSONValue) -> ReleaseDevice? {
    let (name, products) = (string("name", of: value), strings("products", of: value))
    guard let name, let products else { return nil }
    return ReleaseDevice(name: name, products: products)
  }

  private mutating func readPriority(_ value: JSONValue) -> Double? {
    if case .number(let text) = value.content, let number = Double(text), number.isFinite { return number }
    reportType(of: value, key: "priority", expected: "a number")
    return nil
  }

  private mutating func readFile(_ value: JSONValue) -> PublishedFile? {
    let path = readValue("path", of: value, expected: "a path inside the folder") { value in
      value.string.flatMap { PublishedPath.isPlain($0) ? $0 : nil }
    }
    let size = size(of: value)
    guard let digest = digest(of: value), let path, let size else { return nil }
    return PublishedFile(path: path, file: WrittenFile(size: size, digest: digest))
  }
}

/// Reads values that must have a specific type, and reports values that are missing or have another type.
extension IndexReader {
  private mutating func readValue<Value>(
    _ key: String, of object: JSONValue, expected: @autoclosure () -> String, read: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = object.member(key) else {
      report("the key \(quoted(key)) is missing", at: object.offset)
      return nil
    }
    if let result = read(value) { return result }
    reportType(of: value, key: key, expected: expected())
    return nil
  }

  private mutating func string(_ key: String, of object: JSONValue) -> String? {
    readValue(key, of: object, expected: "a string") { $0.string }
  }

  private mutating func strings(_ key: String, of object: JSONValue) -> [String]? {
    readValue(key, of: object, expected: "an array of strings") { value in
      guard let elements = value.elements else { return nil }
      var strings: [String] = []
      strings.reserveCapacity(elements.count)
      for element in elements {
        guard let string = element.string else { return nil }
        strings.append(string)
      }
      return strings
    }
  }

  private mutating func wholeNumber(_ key: String, of object: JSONValue) -> Int64? {
    readValue(key, of: object, expected: "a whole number from 0 to \(grouped(Int64.max))") { $0.wholeNumber }
  }

  /// Reads a size in bytes, which must not exceed the largest integer that every JSON reader represents
  /// exactly.
  private mutating func size(of object: JSONValue) -> Int64? {
    guard let size = wholeNumber("size", of: object) else { return nil }
    guard size > ByteSize.largestExact else { return size }
    report(excessMessage(size), at: object.member("size")?.offset ?? object.offset)
    return nil
  }

  private mutating func object(_ key: String, of object: JSONValue) -> JSONValue? {
    readValue(key, of: object, expected: "an object") { value in
      guard case .object = value.content else { return nil }
      return value
    }
  }

  private mutating func delivery(of object: JSONValue) -> Delivery? {
    readValue("delivery", of: object, expected: "one of \(listed(Delivery.allCases.map(\.rawValue)))") {
      value in
      value.string.flatMap(Delivery.init)
    }
  }

  private mutating func digest(of object: JSONValue) -> Digest? {
    readValue("digest", of: object, expected: digestForm, read: \.digest)
  }

  private mutating func reportType(of value: JSONValue, key: String, expected: @autoclosure () -> String) {
    func found() -> String {
      switch value.content {
      case .string(let text), .number(let text): quoted(text)
      // This mistake has been reported already.
      case .unreadable: "nothing"
      default: value.typeName
      }
    }
    report("\(quoted(key)) takes \(expected()), not \(found())", at: value.offset)
  }

  /// Whether the file has the format version that this version of packtool reads.
  ///
  /// The format of another version can be different, so the message about the version is the only message.
  mutating func isOfVersion(_ value: JSONValue) -> Bool {
    guard let version = wholeNumber("formatVersion", of: value) else { return false }
    if version == IndexFormat.version { return true }
    report(versionMistake(version), at: value.member("formatVersion")?.offset ?? 0)
    return false
  }

  mutating func report(_ message: @autoclosure () -> String, at offset: Int) {
    findings.add(check, at: text.place(at: offset), message: message)
  }
}

/// The notation of a digest, for messages.
let digestForm = "\"sha256:\" with 64 lower-case hex digits"

/// The message about a file whose format has another version.
package func versionMistake(_ version: Int64) -> String {
  "the format has version \(version) but this packtool reads version \(IndexFormat.version); use the "
    + "packtool that built the folder, or a later one"
}
