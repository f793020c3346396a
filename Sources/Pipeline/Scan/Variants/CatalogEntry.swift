import Formats
import Model

/// An entry of a set's Contents.json that refers to a file.
struct CatalogEntry: Sendable {
  /// The name, in the set's folder, of the file or of a texture's folder.
  let fileName: String
  let traits: Traits
  /// Whether a trait has an unknown value.
  ///
  /// All devices get the file then.
  let hasUnknownTrait: Bool
  /// A key that tells which entries are variants of the same asset: such entries have the same key, and all
  /// other entries have different keys.
  let asset: String
  let isAbsent: Bool
}

/// Reads the entries of a set's Contents.json and reports unknown traits.
struct CatalogEntryReader {
  private let text: SourceText
  private(set) var findings = FindingList()

  /// The keys whose lists show that a folder is a set.
  static let lists = ["images", "data", "textures"]
  /// The keys of properties that change at run time, that are not known for devices, or that distinguish
  /// assets instead of variants.
  private static let otherKeys = [
    "appearances", "width-class", "height-class", "language-direction", "locale", "subtype", "screen-width",
    "size", "role", "extent", "orientation", "minimum-system-version", "platform",
  ]
  private static let traitKeys = ["idiom", "scale", "memory", "graphics-feature-set", "display-gamut"]
  /// The idioms of images that only the store uses.
  ///
  /// No device gets such images.
  private static let marketing = ["ios-marketing", "watch-marketing"]

  init(_ text: SourceText) { self.text = text }

  /// Returns the entries of all lists, in order; nil if the text is not JSON.
  mutating func read() -> [CatalogEntry]? {
    let (value, mistakes) = JSONReader.read(text)
    if let mistake = mistakes.first {
      report(
        "\(mistake.message); packtool uses the files of this set for all devices", at: mistake.place)
      return nil
    }
    var entries: [CatalogEntry] = []
    for list in Self.lists {
      for element in value?.member(list)?.elements.map(Array.init) ?? [] {
        if let entry = read(element) { entries.append(entry) }
      }
    }
    return entries
  }

  private mutating func read(_ value: JSONValue) -> CatalogEntry? {
    guard let name = value.member("filename")?.string, !name.isEmpty else { return nil }
    var traits = Traits()
    var other = ""
    var isAbsent = false
    var isKnown = true
    for member in JSONMembers(parent: value) {
      switch member.key {
      case "filename": break
      case "unassigned":
        if case .bool(true) = member.value.content { isAbsent = true }
      case "idiom" where Self.marketing.contains(member.value.string ?? ""): isAbsent = true
      case let key where Self.traitKeys.contains(key):
        if !set(key, value: member.value, in: &traits) {
          isKnown = false
          other += "\(key)=\(plainText(of: member.value))\n"
        }
      case let key where Self.otherKeys.contains(key): other += "\(key)=\(plainText(of: member.value))\n"
      default: checkKey(member)
      }
    }
    if traits.idiom == .car { other += "car\n" }
    let asset = other.isEmpty ? "" : other.split(separator: "\n").sorted().joined(separator: "\n")
    return CatalogEntry(
      fileName: name, traits: isKnown ? traits : .none, hasUnknownTrait: !isKnown, asset: asset,
      isAbsent: isAbsent)
  }

  /// Sets a trait.
  ///
  /// If the value is unknown, the function reports this and returns false.
  private mutating func set(_ key: String, value: JSONValue, in traits: inout Traits) -> Bool {
    let word = value.string ?? ""
    let isKnown =
      switch key {
      case "idiom": word == "universal" || set(Self.idioms[word], trait: \.idiom, in: &traits)
      case "scale": set(Self.scales[word], trait: \.scale, in: &traits)
      case "memory": set(Self.memory(word), trait: \.memory, in: &traits)
      case "graphics-feature-set": set(GraphicsClass(catalogName: word), trait: \.graphics, in: &traits)
      default: set(Self.gamuts[word], trait: \.gamut, in: &traits)
      }
    if !isKnown {
      let shown = value.string.map { quoted($0) } ?? "(\(value.typeName))"
      let guess = nearest(to: word, in: Self.words(of: key))
      report(
        "the \(key) \(shown) is unknown\(suggestion(guess)); packtool uses the file for all devices",
        at: text.place(at: value.offset))
    }
    return isKnown
  }

  private func set<Value>(
    _ value: Value?, trait: WritableKeyPath<Traits, Value?>, in traits: inout Traits
  ) -> Bool {
    traits[keyPath: trait] = value
    return value != nil
  }

  /// Reports a key that is probably a misspelled trait.
  private mutating func checkKey(_ member: JSONMember) {
    guard let guess = nearest(to: member.key, in: Self.traitKeys) else { return }
    report(
      "the key \(quoted(member.key)) is unknown\(suggestion(guess))", at: text.place(at: member.keyOffset))
  }

  private mutating func report(_ message: String, at place: Place) {
    findings.add(Diagnostic(.unknownTrait, message: message, at: place))
  }
}

// The words that asset catalogs use for traits.
extension CatalogEntryReader {
  private static let idioms: [String: Idiom] = [
    "iphone": .phone, "ipad": .pad, "tv": .tv, "mac": .mac, "watch": .watch, "vision": .vision,
    "reality": .vision, "car": .car,
  ]
  private static let scales = ["1x": 1, "2x": 2, "3x": 3]
  private static let gamuts: [String: Gamut] = ["sRGB": .sRGB, "display-P3": .p3]

  /// Returns the number of gigabytes in a string such as `2GB`; nil for any other string.
  private static func memory(_ word: String) -> Int? {
    guard word.hasSuffix("GB"), let count = Int(word.dropLast(2)), Traits.memories.contains(count) else {
      return nil
    }
    return count
  }

  private static func words(of key: String) -> [String] {
    switch key {
    case "idiom": (idioms.keys + ["universal"] + marketing).sorted()
    case "scale": scales.keys.sorted()
    case "memory": ["1GB", "2GB", "3GB", "4GB", "6GB", "8GB", "12GB", "16GB"]
    case "graphics-feature-set": GraphicsClass.allCases.compactMap(\.catalogName)
    default: gamuts.keys.sorted()
    }
  }
}

/// Returns a value as a string.
///
/// Equal values have equal strings, whatever the order of their members and elements is.
private func plainText(of value: JSONValue) -> String {
  guard let elements = value.elements else { return JSONText.read(value).text }
  return elements.map { JSONText.read($0).text }.sorted().joined(separator: ";")
}
