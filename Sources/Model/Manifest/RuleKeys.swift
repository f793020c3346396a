import Formats

extension Manifest {
  mutating func read(rules elements: JSONElements, from value: JSONValue, reader: ManifestValueReader) {
    if let rows = reader.rows[value.offset] {
      rules.reserveCapacity(rows.count)
      for row in 0..<rows.count {
        if let other = rows.other(row) {
          appendRule(other, reader: reader)
        } else {
          appendRule(rows, row: row, reader: reader)
        }
      }
    } else {
      for element in elements { appendRule(element, reader: reader) }
    }
    countTagUses()
  }

  /// Adds a rule.
  ///
  /// If a rule has no pattern because of mistakes, it is left out. These mistakes are already reported.
  ///
  /// The function first appends an empty rule and then sets its properties. Copying a complete rule into the
  /// list would change the reference counts of all its parts.
  private mutating func appendRule(_ value: JSONValue, reader: ManifestValueReader) {
    rules.append(.blank)
    reader.read(value, into: &rules[rules.count - 1], by: ResourceRule.keys)
    if rules[rules.count - 1].isBlank { rules.removeLast() }
  }

  /// Adds a rule of the usual form.
  ///
  /// The values of its keys are read from the columns of a table.
  private mutating func appendRule(_ rows: JSONRows, row: Int, reader: ManifestValueReader) {
    let last = rules.count
    rules.append(.blank)
    for column in ResourceRule.keys.indices where rows.hasValue(inRow: row, column: column) {
      if column == ResourceRule.pathColumn {
        rules[last].text = rows.text(inRow: row, column: column)
        rules[last].pattern = .path(RelativePath(normal: rules[last].text.value))
      } else if column == ResourceRule.tagsColumn {
        rules[last].tags = rows.texts(inRow: row, column: column)
      } else if let value = rows.value(inRow: row, column: column) {
        ResourceRule.keys[column].read(value, &rules[last], reader)
      }
    }
    if rules[last].isBlank { rules.removeLast() }
  }

  private mutating func countTagUses() {
    var last: String?
    var uses = 0
    for index in rules.indices {
      if !rules[index].templates.isEmpty { hasTemplates = true }
      for tag in rules[index].tags {
        uses += 1
        // Consecutive rules usually have the same tag. Another form of the tag must reach the check below.
        if let last, tag.value.isSameInBytes(as: last) { continue }
        if let last { tagUses[last, default: 0] += uses - 1 }
        uses = 1
        if firstOffsets[tag.value] == nil { firstOffsets[tag.value] = tag.offset }
        if !tag.value.utf8.allSatisfy({ $0 < 0x80 }) { hasOtherThanASCIITags = true }
        last = tag.value
      }
    }
    if let last { tagUses[last, default: 0] += uses }
  }
}

extension ResourceRule {
  /// The maximum number of tags of one rule, and of one file.
  package static let maxTags = 1000

  fileprivate static let keys: [ManifestKey<ResourceRule>] = [
    ManifestKey(
      "path", summary: "One file, or one folder with all files below it, relative to the root",
      shape: .text(.path(within: "the root folder"))
    ) { value, rule, reader in
      guard let text = reader.text(value), let path = try? RelativePath(text.value) else { return }
      (rule.text, rule.pattern) = (text, .path(path))
    },
    ManifestKey(
      "glob",
      summary:
        "A pattern for files, relative to the root: *, ?, […], ** and {a,b}", shape: .text(.glob)
    ) {
      value, rule, reader in
      guard let text = reader.text(value), let glob = try? Glob(text.value) else { return }
      (rule.text, rule.pattern) = (text, .glob(glob))
    },
    ManifestKey(
      "tags", summary: "The tags that matching files get",
      shape: .list(of: .text(.tag), atLeast: 1, atMost: maxTags),
      isRequired: true, unless: "tagTemplates", storingIn: \.tags
    ) { $0.texts($1) },
    ManifestKey(
      "destination",
      summary:
        "The path of the file or folder inside its pack. For a glob, it is the folder for the matching "
        + "files. In this folder, the files keep the part of their paths that follows the fixed part of the "
        + "glob",
      shape: .text(.path(within: "the pack")), storingIn: \.destination
    ) { reader, value in reader.text(value).flatMap { destination($0.value) } },
    ManifestKey(
      "tagTemplates",
      summary:
        "Templates for tags that packtool generates for each file that a glob matches. $1 stands for the "
        + "text that the glob's first wildcard matches, $2 for the text of the second wildcard, and $$ for a "
        + "dollar sign",
      shape: .list(of: .text(.tagTemplate), atLeast: 1, atMost: maxTags), storingIn: \.templates
    ) { reader, value in reader.texts(value).compactMap { try? TagTemplate($0) } },
    ManifestKey(
      "traits",
      summary:
        "Traits that a device must have to get the matching files, if several files have the same path in "
        + "the pack",
      shape: .object(Traits.shape), storingIn: \.traits
    ) { Traits($1, reader: $0) },
    ManifestKey(
      "except",
      summary: "Globs, relative to the root, of files and folders that this rule does not take",
      shape: .list(of: .text(.glob), atLeast: 0, atMost: maxExcepts), default: .array([]),
      storingIn: \.excepts
    ) { reader, value in
      reader.texts(value).compactMap { text in
        (try? Glob(text.value)).map { Located($0, at: text.offset) }
      }
    },
    ManifestKey(
      "otherwise", summary: "If true, the rule takes only files that no rule without this key takes",
      shape: .boolean, default: .bool(false), storingIn: \.isOtherwise
    ) { $1.bool },
  ]

  /// The maximum number of globs in `except` of one rule.
  private static let maxExcepts = 1000

  /// The columns of the keys that nearly all rules have.
  ///
  /// They are used when a long list of rules is read as a table.
  static let pathColumn = column("path")
  fileprivate static let tagsColumn = column("tags")

  private static func column(_ name: String) -> Int {
    guard let column = keys.firstIndex(where: { $0.shape.name == name }) else {
      preconditionFailure("rules have the key")
    }
    return column
  }

  private static func destination(_ text: String) -> Destination? {
    (try? RelativePath(text)).map { Destination(path: $0, isFolder: text.hasSuffix("/") || $0.isRoot) }
  }

  /// A rule that has not been read yet.
  ///
  /// Its path has an offset that no string in a manifest can have. This shows that the rule was not read.
  fileprivate static let blank = ResourceRule(
    pattern: .path(RelativePath(normal: ".")), text: Located("", at: 0), tags: [])

  fileprivate var isBlank: Bool { text.offset == 0 }

  static let shape = ObjectShape(keys: keys.map(\.shape), oneOf: ["path", "glob"])
}

extension Traits {
  private static let keys: [ManifestKey<Traits>] = [
    ManifestKey(
      "idiom", summary: "The device family", shape: .choice(Idiom.allCases.map(\.rawValue)),
      storingIn: \.idiom
    ) {
      $0.choice($1)
    },
    ManifestKey(
      "scale", summary: "The screen's pixels per point", shape: .number(in: scales), storingIn: \.scale
    ) {
      $0.size($1).map(Int.init)
    },
    ManifestKey(
      "memory", summary: "The minimum memory of the device in gigabytes", shape: .number(in: memories),
      storingIn: \.memory
    ) { $0.size($1).map(Int.init) },
    ManifestKey(
      "graphics", summary: "The graphics class that a device must have, or support as a fallback",
      shape: .choice(GraphicsClass.allCases.map(\.rawValue)), storingIn: \.graphics
    ) { $0.choice($1) },
    ManifestKey(
      "gamut", summary: "The colors that the screen shows", shape: .choice(Gamut.allCases.map(\.rawValue)),
      storingIn: \.gamut
    ) { $0.choice($1) },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))

  /// Reads traits from JSON.
  ///
  /// Traits with a mistake are left out. These mistakes are already reported.
  init(_ value: JSONValue, reader: ManifestValueReader) {
    self.init()
    reader.read(value, into: &self, by: Self.keys)
  }
}
