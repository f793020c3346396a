package import Formats
package import System

/// The settings of the output layout that a project sets once, in its manifest.
///
/// Flags take precedence over these settings.
package struct LayoutSettings: Sendable {
  package var name: Layout?
  /// The platforms of packs for Background Assets; empty for all platforms.
  package var platforms: [AssetPlatform] = []
  package var bundleVersion: AssetBundleVersion?
  /// The path of the ID lockfile, relative to the manifest's folder.
  package var idMap: Located<String>?
  /// The path of the version lockfile, relative to the manifest's folder.
  package var ledger: Located<String>?
  package var urlPrefix: PackURLPrefix?
  /// Whether packs for Background Assets are on the developer's own server.
  package var isSelfHosted = false
  /// The device class whose packs a build makes; nil for all devices.
  package var deviceClass: DeviceClass?
  /// The offset of the setting for self-hosted packs.
  var selfHostedOffset = 0
}

extension LayoutSettings {
  private static let keys: [ManifestKey<LayoutSettings>] = [
    ManifestKey(
      "name", summary: "The files and folders that a build writes, as the flag --layout",
      shape: .choice(Layout.allCases.map(\.rawValue)), default: .string(Layout.packtool.rawValue),
      storingIn: \.name
    ) { $0.choice($1) },
    ManifestKey(
      "platforms", summary: "The platforms of packs for Background Assets. Without it: all platforms",
      shape: .list(of: .text(platformFormat), atLeast: 1), storingIn: \.platforms
    ) { reader, value in reader.texts(value).compactMap { AssetPlatform(rawValue: $0.value) } },
    ManifestKey(
      "bundleVersion", summary: "The version of Background Assets for manifests and code",
      shape: .choice(AssetBundleVersion.allCases.map(\.rawValue)),
      default: .string(AssetBundleVersion.v26.rawValue), storingIn: \.bundleVersion
    ) { $0.choice($1) },
    ManifestKey(
      "idMap",
      summary:
        "The ID lockfile, relative to the manifest's folder: a committed file with the ids of packs for "
        + "Background Assets",
      shape: .text(.folderPath), storingIn: \.idMap
    ) { $0.text($1) },
    ManifestKey(
      "ledger",
      summary:
        "The version lockfile, relative to the manifest's folder: a committed file with the versions of "
        + "self-hosted packs",
      shape: .text(.folderPath), storingIn: \.ledger
    ) { $0.text($1) },
    ManifestKey(
      "urlPrefix", summary: "The URL prefix from which devices download packs",
      shape: .text(urlFormat), storingIn: \.urlPrefix
    ) { reader, value in reader.text(value).flatMap { try? PackURLPrefix($0.value) } },
    ManifestKey(
      "selfHosted",
      summary:
        "If true, a build for Background Assets writes a download manifest, for packs on your own server",
      shape: .boolean, default: .bool(false)
    ) { value, settings, _ in
      settings.isSelfHosted = value.bool ?? false
      settings.selfHostedOffset = value.offset
    },
    ManifestKey(
      "deviceClass",
      summary: "The device class, or a product type, whose packs a build makes. Without it: all devices",
      shape: .text(DeviceChoice.format), storingIn: \.deviceClass
    ) { reader, value in reader.text(value).flatMap { DeviceClass.named($0.value) } },
  ]

  private static let platformFormat = StringFormat.other { text in
    AssetPlatform.mistake(in: text).map { (.invalidValue, "\(quoted(text)) \($0)") }
  }

  private static let urlFormat = StringFormat.other { text in
    do throws(PackURLPrefix.Mistake) {
      _ = try PackURLPrefix(text)
      return nil
    } catch {
      return (.invalidURLPrefix, "the URL prefix \(quoted(text)) \(error.reason)")
    }
  }

  static let shape = ObjectShape(keys: keys.map(\.shape))

  init(_ value: JSONValue, reader: ManifestValueReader) {
    self.init()
    reader.read(value, into: &self, by: Self.keys)
  }

  /// The paths of the lockfiles, relative to the manifest's folder.
  var lockfiles: [String] { [idMap, ledger].compactMap { $0?.value } }

  /// The settings as a manifest contains them, without default values; nil if all settings have their default.
  var json: JSONText? {
    let members: [(String, JSONText?)] = [
      ("name", name.map { .string($0.rawValue) }),
      ("platforms", platforms.isEmpty ? nil : .strings(platforms.map(\.rawValue))),
      ("bundleVersion", bundleVersion.map { .string($0.rawValue) }),
      ("idMap", idMap.map { .string($0.value) }), ("ledger", ledger.map { .string($0.value) }),
      ("urlPrefix", urlPrefix.map { .string($0.text) }), ("selfHosted", isSelfHosted ? .bool(true) : nil),
      ("deviceClass", deviceClass.map { .string($0.name) }),
    ]
    let given = members.compactMap { key, value in value.map { (key, $0) } }
    return given.isEmpty ? nil : .ordered(given)
  }

  /// Reads the settings of a manifest, before the manifest and its files are read as a whole.
  ///
  /// The result is nil if the manifest cannot be read or has no such settings. Mistakes are not reported,
  /// because they are reported when the whole manifest is read.
  package static func read(fromManifestAt argument: String) throws(SystemError) -> Read? {
    let path = try ManifestReader.manifestPath(for: argument)
    let contents: FileContents
    do throws(SystemError) {
      contents = try FileContents(of: path, limit: ManifestReader.maxManifestSize)
    } catch {
      // A symlink that leads out of the checkout is reported when the whole manifest is read.
      if error.refused != nil { return nil }
      throw error
    }
    // Most manifests have no such settings, and are then parsed only once.
    guard case .bytes(let bytes) = contents, bytes.span.contains(Array("\"layout\"".utf8)),
      let manifest = ManifestReader(text: SourceText(path: path, bytes: bytes)).manifest
    else { return nil }
    return Read(settings: manifest.layout, folder: manifest.folder)
  }

  /// The settings of a manifest, and its folder as the user would type it.
  package struct Read: Sendable {
    package let settings: LayoutSettings
    package let folder: String
  }
}

extension ManifestReader {
  /// Reports settings of self-hosted packs that need other settings.
  mutating func checkLayout(of manifest: Manifest, in value: JSONValue) {
    let (layout, members) = (manifest.layout, value.member("layout"))
    guard layout.isSelfHosted else { return }
    var message: String?
    let lockfile = "ledger"
    if members?.member(lockfile) == nil {
      message =
        "\"selfHosted\" needs \(quoted(lockfile)), the version lockfile: devices download a pack again when its version "
        + "is higher"
    } else if members?.member("urlPrefix") == nil {
      message = "\"selfHosted\" needs \"urlPrefix\", the URL below which the packs are"
    } else if layout.urlPrefix?.hasQuery == true {
      message =
        "\"urlPrefix\" cannot have a query with \"selfHosted\": each pack's id is a path below the URL"
    }
    guard let message else { return }
    let place = manifest.text.place(at: layout.selfHostedOffset)
    findings.add(Diagnostic(.invalidValue, message: message, at: place))
  }
}

/// A platform of Background Assets packs; the raw value is its name in a manifest.
package enum AssetPlatform: String, Sendable, CaseIterable {
  case iOS
  case macOS
  case tvOS
  case visionOS

  /// Describes the mistake in a platform's name, with a hint; nil if the name is right.
  package static func mistake(in name: String) -> String? {
    if AssetPlatform(rawValue: name) != nil { return nil }
    let names = allCases.map(\.rawValue)
    if ["ipados", "ipad"].contains(name.lowercased()) {
      return "is not a platform of Background Assets: packs for iPads belong to \"iOS\""
    }
    let guess = names.first { $0.lowercased() == name.lowercased() } ?? nearest(to: name, in: names)
    let hint = guess.map { "did you mean \"\($0)\"?" } ?? "use \(names.joined(separator: ", "))"
    return "is not a platform of Background Assets; \(hint)"
  }
}

/// A version of Background Assets and of `ba-package`; the raw value is its name in flags.
package enum AssetBundleVersion: String, Sendable, CaseIterable {
  /// The version in which selectors contain paths that are relative to the working directory.
  case v26 = "26"
  /// The version in which a manifest can have a source root, and a file can have a different path in the
  /// pack.
  case v27 = "27"
}
