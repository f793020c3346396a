package import Formats
package import System

/// A manifest as the user wrote it: tags for files, and settings for packs.
package struct Manifest: Sendable {
  /// The file name of the manifest in a folder.
  package static let fileName = "Manifest.json"
  /// The file name of a manifest with comments and trailing commas.
  package static let fileNameWithComments = "Manifest.jsonc"

  /// The text that the offsets refer to.
  package private(set) var text: SourceText
  /// The paths of the files from which packtool made the manifest, except files that are also packed.
  package var sources: [String]
  /// The JSON Schema that the manifest specifies for editors; nil if it specifies no schema.
  package var schema: String?
  /// The folder of the manifest as the user would type it; "." is the current directory.
  package let folder: String
  package var bundleIdentifier = ""
  /// The root folder, relative to the manifest's folder.
  ///
  /// The paths in the manifest are relative to the root.
  package var root = Located(".", at: 0)
  /// Whether the root is unknown because the value of `root` was rejected.
  package var isRootUnknown = false
  package var rules: [ResourceRule] = []
  package var excludes: [Glob] = []
  /// The offset of each glob in `exclude`.
  package var excludeOffsets: [Int] = []
  /// The list of all tags that rules may use; nil if rules may use any tag.
  package var tags: [Located<String>]?
  package var initialInstallTags: [Located<String>] = []
  package var prefetchTagOrder: [Located<String>] = []
  package var appBundle: AppBundle?
  package var limits = LimitSettings()
  /// The budgets for updates, packs and growth.
  package var budgets = Budgets()
  /// The treatment of files without tags: whether they are allowed, reported or errors.
  package var untagged = UntaggedPolicy.allow
  package var container = Container.zip
  package var compression = Compression.default
  /// The device classes for which limits are checked; if it is nil, packtool checks them for all device
  /// classes if there are variant files.
  package var devices: DeviceChoice?
  /// Whether suffixes of names such as "@2x" mark variants.
  package var hasVariantSuffixes = false
  /// The severities that the user sets, keyed by the ID of the check.
  package var severities: [String: SeverityChoice] = [:]
  /// The findings that the user accepts.
  package var accepts: [AcceptRule] = []
  /// The paths of the app's resources without tags, relative to the root.
  ///
  /// They are known if the manifest was made from a project that lists them. It is nil if all files below the
  /// root are resources.
  package var bundledFiles: [UntaggedFile]?
  /// The packs that are combined; nil if no packs are combined.
  package var merge: CombineRule?
  /// The offset of `merge`.
  package var mergeOffset = 0
  /// Whether Background Assets packs that come with the app are downloaded with updates of the app as well.
  package var downloadsOnUpdate = false
  /// Whether the files of a Background Assets pack are below a folder whose name is the pack's ID.
  package var hasPackPrefix = false
  /// The languages of tags.
  ///
  /// If a tag has a language, packs with this tag are only for devices with this language.
  package var languages: [String: Located<String>] = [:]
  /// The settings of the output layout.
  package var layout = LayoutSettings()
  /// The properties of the output layout that checks depend on.
  package var layoutRules = LayoutCapabilities()
  /// The URL prefix of packs, if the manifest was made from a project that has one.
  package var packURLPrefix: PackURLPrefix?
  /// Whether the manifest was made from a project that embeds the packs in the app.
  package var embedsPacks = false
  /// Whether the manifest was made from a project that has its own pack list among its resources.
  package var hasOwnPackManifest = false
  /// The share of the release that the manifest describes.
  package var scope = ManifestScope.release
  /// The offset of the list of rules.
  package var rulesOffset = 0
  /// The offset of the app bundle.
  package var appBundleOffset = 0
  /// The offset of the first use of each tag.
  package var firstOffsets: [String: Int] = [:]
  /// The number of rules that assign each tag.
  package var tagUses: [String: Int] = [:]
  var hasOtherThanASCIITags = false
  /// Whether a rule has tag templates.
  package var hasTemplates = false
  /// Tags of the initial install and the prefetch order that no rule contains literally.
  ///
  /// Templates might generate these tags.
  package var tagsToGenerate: [Located<String>] = []

  package init(text: SourceText, folder: String) {
    self.text = text
    sources = [text.path]
    self.folder = folder
  }

  /// Whether a rule sets a destination.
  package var hasDestinations: Bool { rules.contains { $0.destination != nil } }

  /// The paths of the files from which the manifest was made, and of files that it uses for a purpose other
  /// than packing.
  ///
  /// These files are never packed and never counted as part of the app.
  package var otherPaths: [String] {
    var others = sources
    if let schema, !schema.contains("://") { others.append(joined(folder, schema)) }
    if case .path(let app) = appBundle { others.append(joined(folder, app.value)) }
    return others + layout.lockfiles.map { joined(folder, $0) }
  }

  /// The root folder's path as the user would type it.
  package var rootPath: String { joined(folder, root.value) }
}

extension Manifest {
  /// Replaces the offset of each value with the value's offset in the original manifest from which this
  /// manifest was generated.
  ///
  /// Findings then point to a place in a file that exists.
  package mutating func copyPlaces(from original: Manifest) {
    text = original.text
    root = Located(root.value, at: original.root.offset)
    rulesOffset = original.rulesOffset
    for (number, rule) in original.rules.enumerated() where rules.indices.contains(number) {
      rules[number].copyPlaces(from: rule)
    }
    initialInstallTags = initialInstallTags.withOffsets(from: original.initialInstallTags)
    prefetchTagOrder = prefetchTagOrder.withOffsets(from: original.prefetchTagOrder)
    excludeOffsets = excludes.indices.map {
      original.excludeOffsets.indices.contains($0) ? original.excludeOffsets[$0] : 0
    }
    for (tag, language) in languages {
      languages[tag] = Located(language.value, at: original.languages[tag]?.offset ?? 0)
    }
    for tag in firstOffsets.keys { firstOffsets[tag] = original.firstOffsets[tag] ?? 0 }
  }
}

extension ResourceRule {
  fileprivate mutating func copyPlaces(from original: ResourceRule) {
    text = Located(text.value, at: original.text.offset)
    tags = tags.withOffsets(from: original.tags)
  }
}

extension [Located<String>] {
  /// Returns the strings of this list, each with the offset of its first occurrence in the other list.
  fileprivate func withOffsets(from others: [Located<String>]) -> [Located<String>] {
    let places = Dictionary(others.map { (ByteKey($0.value), $0.offset) }) { first, _ in first }
    return map { Located($0.value, at: places[ByteKey($0.value)] ?? 0) }
  }
}

extension Manifest {
  /// Makes findings about tags point to the lists of tags, for a manifest without rules.
  mutating func useListsForPlacesOfTags() {
    for tag in (tags ?? []) + initialInstallTags + prefetchTagOrder where firstOffsets[tag.value] == nil {
      firstOffsets[tag.value] = tag.offset
    }
  }
}

/// The treatment of files that no rule matches.
package enum UntaggedPolicy: String, Sendable, CaseIterable {
  case allow
  case warn
  case error
}

/// The app that the packs belong to.
///
/// Some limits include its size.
package enum AppBundle: Sendable {
  /// The size of the app in bytes.
  case size(Int64)
  /// The path of the built app, relative to the manifest's folder.
  case path(Located<String>)
}

extension Manifest {
  /// Returns the edit that replaces a string with the guess; nil if the guess is not certain.
  package func fix(of text: Located<String>, guess: NearestName?) -> TextEdit? {
    guess?.sureName.flatMap { self.text.replacing(stringAt: text.offset, by: $0) }
  }

  /// Returns the path of the root folder relative to the folder of a file, for a manifest that will be
  /// written to this file.
  package func rootPath(relativeTo file: String) throws(SystemError) -> String {
    let path = try Self.components(of: rootPath, relativeToManifest: file)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }

  /// Returns the path of an existing or new file, relative to the folder of a manifest.
  ///
  /// Like `rootPath(relativeTo:)`, it creates the folders if they do not exist.
  package static func path(of file: String, relativeToManifest manifest: String) throws(SystemError) -> String
  {
    try FileOperations.makeFolder(folderPath(of: file))
    let folders = try components(of: folderPath(of: file), relativeToManifest: manifest)
    return (folders + [lastName(of: file)]).joined(separator: "/")
  }

  /// Returns the components of the path from a manifest's folder, which is created if necessary, to another folder.
  private static func components(
    of folder: String, relativeToManifest manifest: String
  ) throws(SystemError) -> [String] {
    let start = folderPath(of: manifest)
    try FileOperations.makeFolder(start)
    return relativeComponents(from: try absoluteComponents(of: start), to: try absoluteComponents(of: folder))
  }
}

/// Returns the components of an absolute path with all symlinks resolved.
private func absoluteComponents(of path: String) throws(SystemError) -> [String] {
  try FileOperations.realPath(of: path).split(separator: UInt8(ascii: "/")).map {
    String(decoding: $0, as: UTF8.self)
  }
}

/// The device classes for which a manifest's limits are checked.
package enum DeviceChoice: Sendable {
  case all
  /// Device classes by their names or by product types.
  case named([Located<String>])

  static let allWord = "all"

  static let format = StringFormat.other { text in
    DeviceClass.named(text) == nil ? (.invalidValue, DeviceClass.mistake(in: text)) : nil
  }
}

extension Manifest {
  /// Returns the device classes for which limits are checked, in the order of the table.
  ///
  /// `hasVariants` is true if some files are variants.
  package func deviceClasses(hasVariants: Bool) -> [DeviceClass] {
    switch devices {
    case .all: return DeviceClass.all
    case .named(let names):
      let chosen = Set(names.compactMap { DeviceClass.named($0.value) })
      return DeviceClass.all.filter(chosen.contains)
    case nil:
      if !hasVariants { return [] }
      return DeviceClass.all.filter { limits.profile.hasTVs || $0.idiom != .tv }
    }
  }
}

/// The file format of a built pack; the raw value is its name in manifests.
package enum Container: String, Sendable, CaseIterable {
  case zip
  case tarGzip = "tar.gz"
  case tarZstandard = "tar.zst"
  case folder

  /// The file name extension of a pack, with its dot.
  package var suffix: String { self == .folder ? "" : ".\(rawValue)" }

  /// The media type of a pack that is a file; nil for a folder.
  package var mediaType: String? {
    switch self {
    case .zip: "application/zip"
    case .tarGzip: "application/gzip"
    case .tarZstandard: "application/zstd"
    case .folder: nil
    }
  }
}

/// The compression level of packs; the raw value is its name in manifests and flags.
package enum Compression: String, Sendable, CaseIterable {
  case store
  case fast
  case `default`
  /// The packs are as small as possible, but compression takes ten times as long as with `default`.
  case best
}
