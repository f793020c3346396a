package import Formats

extension Manifest {
  /// The maximum number of rules in a manifest.
  package static let maxRules = 1_000_000
  /// The maximum number of globs in `exclude`.
  ///
  /// The number is limited because packtool compares each file name with each glob.
  package static let maxExcludes = 10_000

  /// Every key of a manifest, in the order of the schema.
  static let keys: [ManifestKey<Manifest>] = ownKeys + backgroundKeys

  private static let ownKeys: [ManifestKey<Manifest>] = [
    ManifestKey(
      "$schema", summary: "The path or URL of this schema, for editors", shape: .text(.anything),
      storingIn: \.schema
    ) {
      $0.text($1)?.value
    },
    ManifestKey(
      "bundleIdentifier", summary: "The app's bundle identifier; the name of every pack begins with it",
      shape: .text(.bundleIdentifier),
      isRequired: true, storingIn: \.bundleIdentifier
    ) { $0.text($1)?.value },
    ManifestKey(
      "root",
      summary:
        "The root folder: paths in the manifest are relative to it. It is itself relative to the manifest's "
        + "folder",
      shape: .text(.folderPath), default: .string(".")
    ) { value, manifest, reader in
      manifest.root = reader.text(value) ?? manifest.root
      manifest.isRootUnknown = reader.text(value) == nil
    },
    ManifestKey(
      "resources",
      summary: "Rules that give tags to files. A file gets the tags of every rule that matches it",
      shape: .list(of: .object(ResourceRule.shape), atLeast: 1, atMost: maxRules), isRequired: true
    ) { value, manifest, reader in
      manifest.rulesOffset = value.offset
      guard case .array(let elements) = value.content else { return }
      manifest.read(rules: elements, from: value, reader: reader)
    },
    ManifestKey(
      "exclude", summary: "Globs for files and folders that packtool never packs",
      shape: .list(of: .text(.glob), atLeast: 0, atMost: maxExcludes), default: .array([])
    ) { value, manifest, reader in
      for text in reader.texts(value) {
        guard let glob = try? Glob(text.value) else { continue }
        manifest.excludes.append(glob)
        manifest.excludeOffsets.append(text.offset)
      }
    },
    ManifestKey(
      "tags", summary: "All tags. If this list exists, rules can use no other tags",
      shape: .list(of: .text(.tag), atLeast: 1), storingIn: \.tags
    ) { $0.texts($1) },
    ManifestKey(
      "initialInstallTags", summary: "Tags whose packs are downloaded with the app, in this order",
      shape: .list(of: .text(.tag), atLeast: 0), default: .array([]), storingIn: \.initialInstallTags
    ) { $0.texts($1) },
    ManifestKey(
      "prefetchTagOrder", summary: "Tags whose packs are downloaded right after the app, in this order",
      shape: .list(of: .text(.tag), atLeast: 0), default: .array([]), storingIn: \.prefetchTagOrder
    ) { $0.texts($1) },
    ManifestKey(
      "appBundle",
      summary:
        "The built app; its size counts for the limits of the app bundle and of downloads over cellular",
      shape: .object(AppBundle.shape)
    ) { value, manifest, reader in
      manifest.appBundle = AppBundle(value, reader: reader)
      manifest.appBundleOffset = value.offset
    },
    ManifestKey(
      "limits",
      summary: "The limits of the store: a profile's name, or an object that changes some of its limits",
      shape: .either(.choice(LimitProfile.all.map(\.name)), or: .object(LimitSettings.shape)),
      default: .string("app-store"), storingIn: \.limits
    ) { LimitSettings($1, reader: $0) },
    ManifestKey(
      "budgets",
      summary:
        "Budgets: the maximum download of an update, the maximum sizes of packs, and the maximum growth of "
        + "all packs",
      shape: .object(Budgets.shape)
    ) { value, manifest, reader in
      reader.read(value, into: &manifest.budgets, by: Budgets.keys)
    },
    ManifestKey(
      "untagged",
      summary:
        "The severity of findings about files without tags, which stay in the app bundle. This is for teams "
        + "that tag every file",
      shape: .choice(UntaggedPolicy.allCases.map(\.rawValue)), default: .string("allow"),
      storingIn: \.untagged
    ) { $0.choice($1) },
    ManifestKey(
      "container", summary: "The format of a built pack", shape: .choice(Container.allCases.map(\.rawValue)),
      default: .string("zip"), storingIn: \.container
    ) { $0.choice($1) },
    ManifestKey(
      "compression", summary: "The compression level of packs",
      shape: .choice(Compression.allCases.map(\.rawValue)),
      default: .string("default"), storingIn: \.compression
    ) { $0.choice($1) },
    ManifestKey(
      "layout", summary: "The layout of the output folder, and its settings; flags take precedence",
      shape: .object(LayoutSettings.shape), storingIn: \.layout
    ) { LayoutSettings($1, reader: $0) },
    ManifestKey(
      "devices",
      summary:
        "The device classes that limits apply to: \"all\", or a list of device classes and product types. "
        + "Without this key, limits apply to all device classes except TVs, if any file is a variant",
      shape: .either(
        .choice([DeviceChoice.allWord]), or: .list(of: .text(DeviceChoice.format), atLeast: 0, atMost: 1000)),
      storingIn: \.devices
    ) { $0.text($1) == nil ? .named($0.texts($1)) : .all },
    ManifestKey(
      "variantSuffixes", summary: "If true, files named like name@2x~ipad.ext are variants of name.ext",
      shape: .boolean,
      default: .bool(false), storingIn: \.hasVariantSuffixes
    ) { $1.bool },
    ManifestKey(
      "severity",
      summary:
        "The severity of checks: each key is the id of a check. Errors in the manifest itself cannot get a "
        + "lower severity",
      shape: .map(
        keys: Check.all.map(\.id), listedBy: "packtool checks",
        of: .choice(SeverityChoice.allCases.map(\.rawValue)))
    ) { value, manifest, reader in
      for member in reader.members(value) {
        manifest.severities[member.key] =
          reader.text(member.value).flatMap { SeverityChoice(rawValue: $0.value) }
      }
    },
    ManifestKey(
      "accept", summary: "Findings that are intended. packtool reports an entry that accepts no finding",
      shape: .list(of: .object(AcceptRule.shape), atLeast: 0, atMost: AcceptRule.maxElements),
      default: .array([]),
      storingIn: \.accepts
    ) { reader, value in value.elements?.compactMap { AcceptRule($0, reader: reader) } },
  ]

  static let shape = Shape.object(ObjectShape(keys: keys.map(\.shape)))

  /// The shape of a manifest that has no rules.
  private static let shapeWithoutRules = Shape.object(
    ObjectShape(keys: keys.map(\.shape).map { $0.name == "resources" ? $0.optionalList : $0 }))

  static func shape(for scope: ManifestScope) -> Shape { scope == .settings ? shapeWithoutRules : shape }
}

extension KeyShape {
  /// The same key, which can be missing, and whose list can be empty.
  fileprivate var optionalList: KeyShape {
    guard case .list(let element, _, let most) = shape else { return self }
    return KeyShape(
      name: name, summary: summary, shape: .list(of: element, atLeast: 0, atMost: most),
      defaultValue: .array([]))
  }
}

extension AppBundle {
  private static let keys: [ManifestKey<AppBundle?>] = [
    ManifestKey("size", summary: "Size of the app bundle in bytes", shape: .size, storingIn: \.self) {
      $0.size($1).map(AppBundle.size)
    },
    ManifestKey(
      "path", summary: "The built app, relative to the manifest's folder", shape: .text(.folderPath),
      storingIn: \.self
    ) { $0.text($1).map(AppBundle.path) },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape), oneOf: ["size", "path"])

  init?(_ value: JSONValue, reader: ManifestValueReader) {
    var bundle: AppBundle?
    reader.read(value, into: &bundle, by: Self.keys)
    guard let bundle else { return nil }
    self = bundle
  }
}

extension LimitSettings {
  private static let keys: [ManifestKey<LimitSettings>] =
    [
      ManifestKey(
        "profile", summary: "The profile. Its limits apply unless another key of this object changes them",
        shape: .choice(LimitProfile.all.map(\.name)), default: .string("app-store"), storingIn: \.profile
      ) { reader, value in reader.text(value).flatMap { LimitProfile.named($0.value) } }
    ] + LimitKind.allCases.map(key)

  private static func key(for kind: LimitKind) -> ManifestKey<LimitSettings> {
    let shape = Shape.either(kind == .packCount ? .wholeNumber : .size, or: .null)
    return ManifestKey(
      kind.rawValue,
      summary:
        "Maximum \(kind.summary); null removes the limit", shape: shape
    ) {
      value, settings, reader in
      if case .null = value.content {
        settings.overrides[kind] = .init(nil, at: value.offset)
      } else if let number = reader.size(value) {
        settings.overrides[kind] = .init(.exactly(number), at: value.offset)
      }
    }
  }

  static let shape = ObjectShape(keys: keys.map(\.shape))

  init(_ value: JSONValue, reader: ManifestValueReader) {
    self.init()
    if let name = reader.text(value)?.value {
      profile = LimitProfile.named(name) ?? profile
    } else {
      reader.read(value, into: &self, by: Self.keys)
    }
  }
}

extension Manifest {
  /// The keys that only the layout `background-assets` reads, and the key that combines packs.
  static let backgroundKeys: [ManifestKey<Manifest>] = [
    ManifestKey(
      "merge",
      summary:
        "The packs to combine: either a number, which is the maximum number of packs, or a list of groups of "
        + "packs. A group lists each of its packs as the tags of the pack, joined with \"+\"",
      shape: .either(.positiveNumber, or: .list(of: .list(of: .text(.anything), atLeast: 2), atLeast: 0))
    ) { value, manifest, reader in
      manifest.merge = CombineRule(value, reader: reader)
      manifest.mergeOffset = value.offset
    },
    ManifestKey(
      "onUpdate",
      summary:
        "For the layout \"background-assets\". If true, devices also download the packs that come with the "
        + "app when the app is updated",
      shape: .boolean, default: .bool(false), storingIn: \.downloadsOnUpdate
    ) { $1.bool },
    ManifestKey(
      "packPrefix",
      summary:
        "For the layout \"background-assets\". If true, the files of a pack are in a folder whose name is "
        + "the id of the pack",
      shape: .boolean, default: .bool(false), storingIn: \.hasPackPrefix
    ) { $1.bool },
    ManifestKey(
      "languages",
      summary:
        "For the layout \"background-assets\". The languages of tags: each key is a tag whose packs are for "
        + "one language, and its value is that language",
      shape: .table(of: .text(.anything))
    ) { value, manifest, reader in
      for member in reader.members(value) where member.key != "$comment" {
        manifest.languages[member.key] = reader.text(member.value)
      }
    },
  ]
}

extension Manifest {
  /// Returns the language that a build writes for the pack of some tags, in lower case; nil if the build
  /// writes no language for it.
  package func writtenLanguage(of tags: [String]) -> String? {
    layoutRules.writesLanguages ? languages(of: tags).first?.value.lowercased() : nil
  }

  /// Returns the languages of some tags, without duplicates.
  package func languages(of tags: [String]) -> [Located<String>] {
    var seen: Set<String> = []
    return tags.compactMap { languages[$0] }.filter { seen.insert($0.value.lowercased()).inserted }
  }
}

/// The packs that a manifest combines.
package enum CombineRule: Sendable {
  /// packtool combines packs until there are at most this many packs.
  ///
  /// packtool begins with the combinations that cost devices the fewest additional bytes.
  case maxPacks(Int)
  /// packtool combines the packs of each group.
  ///
  /// The name of a pack is its sorted tags, joined with "+".
  case groups([[Located<String>]])

  init?(_ value: JSONValue, reader: ManifestValueReader) {
    if let elements = value.elements {
      self = .groups(elements.map(reader.texts))
    } else if let count = reader.size(value) {
      self = .maxPacks(Int(clamping: count))
    } else {
      return nil
    }
  }
}
