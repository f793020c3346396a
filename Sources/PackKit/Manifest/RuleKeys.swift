import Findings
import Formats

extension Manifest {
  mutating func read(rules elements: JSONElements, from value: JSONValue, _ values: ManifestValues) {
    if let rows = values.rows[value.offset] {
      rules.reserveCapacity(rows.count)
      for row in 0..<rows.count {
        if let other = rows.other(row) {
          if let rule = ResourceRule(other, values) { rules.append(rule) }
        } else {
          appendRule(rows, row, values)
        }
      }
    } else {
      rules = elements.compactMap { ResourceRule($0, values) }
    }
    noteTags()
  }

  /// Adds a rule of the usual form, filled in its place: to move it there would count all its references again.
  private mutating func appendRule(_ rows: JSONRows, _ row: Int, _ values: ManifestValues) {
    let last = rules.count
    rules.append(.blank)
    var hasPattern = false
    for column in RuleColumn.allCases where rows.has(row, column.rawValue) {
      switch column {
      case .path:
        rules[last].text = rows.text(row, column.rawValue)
        rules[last].pattern = .path(RelativePath(normal: rules[last].text.value))
        hasPattern = true
      case .glob:
        rules[last].text = rows.text(row, column.rawValue)
        guard let glob = try? Glob(rules[last].text.value) else { break }
        rules[last].pattern = .glob(glob)
        hasPattern = true
      case .tags: rules[last].tags = rows.texts(row, column.rawValue)
      case .destination:
        rules[last].destination = ResourceRule.destination(rows.text(row, column.rawValue).value)
      case .tagTemplates:
        rules[last].templates = rows.texts(row, column.rawValue).compactMap { try? TagTemplate($0) }
      case .traits:
        if let value = rows.value(row, column.rawValue) { rules[last].traits = Traits(value, values) }
      }
    }
    if !hasPattern { rules.removeLast() }
  }

  private mutating func noteTags() {
    var last: String?
    var uses = 0
    for index in rules.indices {
      if !rules[index].templates.isEmpty { hasTemplates = true }
      for tag in rules[index].tags {
        uses += 1
        // Rules beside one another mostly have the same tag.
        if tag.value == last { continue }
        if let last { tagUses[last, default: 0] += uses - 1 }
        uses = 1
        if firstPlaces[tag.value] == nil { firstPlaces[tag.value] = tag.offset }
        if !tag.value.utf8.allSatisfy({ $0 < 0x80 }) { hasOtherThanASCIITags = true }
        last = tag.value
      }
    }
    if let last { tagUses[last, default: 0] += uses }
  }
}

/// The keys of a rule: what makes them, and what reads a long list of rules by columns, is asked for each.
enum RuleColumn: Int, CaseIterable {
  case path, glob, tags, destination, tagTemplates, traits
}

extension ResourceRule {
  /// The largest number of tags of one rule, and of one file.
  package static let mostTags = 1000

  /// A rule while it is read, which may lack a pattern.
  private struct Draft {
    var pattern: Pattern?
    var text: Located<String>?
    var tags: [Located<String>] = []
    var templates: [TagTemplate] = []
    var destination: Destination?
    var traits = Traits.none
  }

  private static let keys: [ManifestKey<Draft>] = RuleColumn.allCases.map(key)

  private static func key(_ column: RuleColumn) -> ManifestKey<Draft> {
    switch column {
    case .path: pathKey
    case .glob: globKey
    case .tags: tagsKey
    case .destination: destinationKey
    case .tagTemplates: tagTemplatesKey
    case .traits: traitsKey
    }
  }

  private static let pathKey = ManifestKey<Draft>(
    "path", "One file, or a folder with all below it, relative to the root",
    .text(.path(within: "the root folder"))
  ) { value, rule, values in
    rule.text = values.text(value)
    rule.pattern = rule.text.flatMap { try? RelativePath($0.value) }.map(Pattern.path)
  }

  private static let globKey = ManifestKey<Draft>(
    "glob", "A pattern of files relative to the root: *, ?, […], ** and {a,b}", .text(.glob)
  ) { value, rule, values in
    rule.text = values.text(value)
    rule.pattern = rule.text.flatMap { try? Glob($0.value) }.map(Pattern.glob)
  }

  private static let tagsKey = ManifestKey<Draft>(
    "tags", "The tags that matching files get", .list(of: .text(.tag), atLeast: 1, atMost: mostTags),
    isRequired: true, unless: "tagTemplates", to: \.tags
  ) { $0.texts($1) }

  private static let destinationKey = ManifestKey<Draft>(
    "destination",
    "Where the file or folder lands inside its pack; files of a glob land below it, by their path after the "
      + "glob's fixed part",
    .text(.path(within: "the pack")), to: \.destination
  ) { values, value in values.text(value).flatMap { destination($0.value) } }

  private static let tagTemplatesKey = ManifestKey<Draft>(
    "tagTemplates",
    "Tags that are made for each file of a glob: $1 is what its first wildcard matches, $2 its second, $$ a dollar",
    .list(of: .text(.tagTemplate), atLeast: 1, atMost: mostTags), to: \.templates
  ) { values, value in values.texts(value).compactMap { try? TagTemplate($0) } }

  private static let traitsKey = ManifestKey<Draft>(
    "traits", "What a device must be like to get matching files, where others come to the same path",
    .object(Traits.shape), to: \.traits
  ) { Traits($1, $0) }

  fileprivate static func destination(_ text: String) -> Destination? {
    (try? RelativePath(text)).map { Destination(path: $0, isFolder: text.hasSuffix("/") || $0.isRoot) }
  }

  fileprivate static let blank = ResourceRule(
    pattern: .path(RelativePath(normal: ".")), text: Located("", at: 0), tags: [])

  static let shape = ObjectShape(keys: keys.map(\.shape), oneOf: ["path", "glob"])

  /// Reads a rule from JSON; nil if mistakes, which were reported, leave no pattern.
  init?(_ value: JSONValue, _ values: ManifestValues) {
    var draft = Draft()
    values.read(value, into: &draft, by: Self.keys)
    guard let pattern = draft.pattern, let text = draft.text else { return nil }
    self.init(
      pattern: pattern, text: text, tags: draft.tags, templates: draft.templates,
      destination: draft.destination)
    traits = draft.traits
  }
}

extension Traits {
  private static let keys: [ManifestKey<Traits>] = [
    ManifestKey("idiom", "The family of devices", .choice(Idiom.allCases.map(\.rawValue)), to: \.idiom) {
      $0.choice($1)
    },
    ManifestKey("scale", "Pixels to a point of the screen", .number(in: scales), to: \.scale) {
      $0.size($1).map(Int.init)
    },
    ManifestKey(
      "memory", "The gigabytes that a device must have at least", .number(in: memories), to: \.memory
    ) { $0.size($1).map(Int.init) },
    ManifestKey(
      "graphics", "The class of graphics that a device must have, or fall back to",
      .choice(GraphicsClass.allCases.map(\.rawValue)), to: \.graphics
    ) { $0.choice($1) },
    ManifestKey(
      "gamut", "The colours that the screen shows", .choice(Gamut.allCases.map(\.rawValue)), to: \.gamut
    ) { $0.choice($1) },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))

  /// Reads traits from JSON; mistakes, which were reported, leave a trait out.
  init(_ value: JSONValue, _ values: ManifestValues) {
    self.init()
    values.read(value, into: &self, by: Self.keys)
  }
}
