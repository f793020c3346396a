import Formats
import Model
import Pipeline
import System

/// Checks that an export's packs and property lists agree with one another.
struct ExportCheck {
  var diagnostics: [Diagnostic] { findings.findings }
  private let export: XcodeExport
  private var findings = FindingList()
  /// The packs with each identifier.
  ///
  /// An identifier has several packs if the packs are thinned for different devices.
  private var variants: [String: [PackListing]] = [:]
  /// The identifiers of packs that no list contains, for example packs of an older build.
  ///
  /// No device requests them.
  private var unnamed: Set<String> = []

  init(of export: XcodeExport) {
    self.export = export
    checkPacks()
    let areElsewhere = reportAbsence()
    if !areElsewhere {
      checkManifest()
      checkTags()
    }
    checkSubPaths()
  }

  private mutating func report(
    _ check: Check, message: String, at path: String, severity: Severity? = nil
  ) {
    findings.add(Diagnostic(check, message: message, at: Place(path), severity: severity))
  }

  private func place(of list: String) -> String { export.listPaths[list] ?? joined(export.path, list) }

  // Checking the packs.

  private mutating func checkPacks() {
    var foreign = 0
    for pack in export.packs {
      for reason in pack.damage { report(.damagedPack, message: reason, at: pack.path) }
      checkContents(of: pack)
      guard let identifier = pack.identifier, let tags = pack.tags else {
        if pack.damage.isEmpty { reportMissingInfo(of: pack) }
        continue
      }
      checkInfo(of: pack, identifier: identifier)
      if let other = variants[identifier]?.first, !other.isVariant(of: pack) {
        report(
          .wrongContents,
          message:
            "\(quoted(other.path)) has the same pack identifier, \(quoted(identifier))",
          at: pack.path)
      }
      variants[identifier, default: []].append(pack)
      if !PackIdentity.isXcodes(identifier, tags: tags) { foreign += 1 }
    }
    if foreign > 0 {
      let message =
        "\(counted(foreign, of: "pack")) \(foreign == 1 ? "has an identifier" : "have identifiers") that "
        + "Xcode would not make from the tags; devices accept every identifier that is in the property lists"
      report(.wrongContents, message: message, at: export.path, severity: .note)
    }
  }

  /// Reports files in a pack that devices or the store reject.
  private mutating func checkContents(of pack: PackListing) {
    for file in pack.files {
      let place = Place(joined(pack.path, file.path))
      if let finding = file.problem?.finding(about: file.path, at: place, under: .refused) {
        findings.add(finding)
      }
      if file.size == 0, lastName(of: file.path) == Self.compiledCatalog {
        report(
          .damagedPack,
          message: "the compiled asset catalog \(quoted(file.path)) is empty; build the pack again",
          at: pack.path)
      }
    }
  }

  private static let compiledCatalog = "Assets.car"

  private mutating func checkInfo(of pack: PackListing, identifier: String) {
    if let priority = pack.priority, !(0...1).contains(priority) {
      report(
        .wrongContents,
        message: "the pack's Info.plist has the priority \(priority); a priority must be from 0 to 1",
        at: pack.path)
    }
    guard let app = export.appIdentifier, let mark = identifier.firstRange(of: PackIdentity.mark) else {
      return
    }
    let owner = identifier[..<mark.lowerBound]
    if owner != app {
      report(
        .wrongContents,
        message:
          "the pack belongs to the app \(quoted(owner)), but it is in the bundle of the app \(quoted(app))",
        at: pack.path, severity: .warning)
    }
  }

  private mutating func reportMissingInfo(of pack: PackListing) {
    let folders = Set(pack.files.map { $0.path.split(separator: "/").first.map(String.init) ?? "" })
    if folders.count == 1, let folder = folders.first,
      pack.files.contains(where: { $0.path == joined(folder, PublishedNames.packInfo) })
    {
      report(
        .damagedPack,
        message:
          "the pack's files are below the folder \(quoted(folder)); zip the contents of this folder, not the "
          + "folder itself",
        at: pack.path)
    } else {
      report(.damagedPack, message: "the pack has no Info.plist with an identifier and tags", at: pack.path)
    }
  }

  /// The identifiers of all packs that OnDemandResources.plist lists for tags.
  private var packsOfAllTags: Set<String> {
    let tags = export.lists[PublishedNames.onDemandResources]?["NSBundleResourceRequestTags"]?.members ?? [:]
    return Set(tags.values.flatMap { $0["NSAssetPacks"]?.strings ?? [] })
  }

  /// Adds a note if the packs of an app are hosted by the store or on a server.
  ///
  /// Returns false if the packs should be in this folder.
  private mutating func reportAbsence() -> Bool {
    guard export.isApp && export.packs.isEmpty else { return false }
    let packs = packsOfAllTags
    let urls = export.manifest?["resources"]?.elements?.map { $0["URL"]?.string ?? "" } ?? []
    let areRemote = urls.allSatisfy { url in
      (url.hasPrefix("http:") || url.hasPrefix("https:")) && !url.hasPrefix("http://127.0.0.1/")
    }
    if !areRemote { return false }
    let count = counted(max(packs.count, urls.count), of: "pack")
    let whereTo = urls.isEmpty ? "the store hosts" : "a server hosts"
    report(
      .missingPack,
      message:
        "the app contains no packs, and its lists mention \(count); packtool cannot check packs that "
        + "\(whereTo)",
      at: export.path,
      severity: .note)
    return true
  }

  // Checking the manifest for devices.

  private mutating func checkManifest() {
    guard let name = export.manifestName, let list = export.manifest else {
      let mark = joined(export.path, PublishedNames.ownManifest)
      let hasOwnManifest = (try? FileOperations.exists(mark)) == true
      let what =
        if hasOwnManifest {
          "because the app contains its own"
        } else if export.isApp {
          "so only the store can deliver packs"
        } else {
          "so no device would find a pack"
        }
      return report(
        .damagedIndex, message: "there is no AssetPackManifest.plist, \(what)", at: export.path,
        severity: export.isApp || hasOwnManifest ? .note : nil)
    }
    let path = place(of: name)
    guard let resources = list["resources"]?.elements else {
      return report(.damagedIndex, message: "the manifest does not contain the list \"resources\"", at: path)
    }
    var named: Set<String> = []
    for resource in resources {
      guard let key = resource["bundleKey"]?.string else {
        report(.damagedIndex, message: "a resource of the manifest has no \"bundleKey\"", at: path)
        continue
      }
      if !named.insert(key).inserted {
        report(.damagedIndex, message: "the manifest lists the pack \(quoted(key)) twice", at: path)
        continue
      }
      guard let packs = variants[key] else {
        report(
          .missingPack, message: "the manifest lists the pack \(quoted(key)), which is missing", at: path)
        continue
      }
      for fault in resource.faults {
        report(.damagedIndex, message: "the manifest's resource \(quoted(key)) \(fault)", at: path)
      }
      check(resource, against: packs, at: path)
    }
    unnamed = Set(variants.keys).subtracting(named).subtracting(packsOfAllTags)
    for (key, packs) in variants.sorted(by: { $0.key < $1.key }) where !named.contains(key) {
      report(
        .notInIndex,
        message: "the manifest does not list the pack \(quoted(key)), so no device would find it",
        at: packs[0].path)
    }
  }

  /// Compares an entry of the manifest with a variant of its pack: with the variant in the entry's URL if
  /// there is one, otherwise with the variant that matches best.
  private mutating func check(_ resource: PlistItem, against packs: [PackListing], at path: String) {
    let named = packs.filter { resource.names($0) }
    if let url = resource["URL"]?.string, !url.contains(":"), !export.isApp, !named.isEmpty {
      let target = joined(folderPath(of: path), url)
      if !named.contains(where: { $0.path == target }) {
        let message = "the manifest's URL \(quoted(url)) does not lead to any of these packs; build again"
        report(.missingPack, message: message, at: path)
      }
    }
    // If a pack has several variants, the store may have variants that are not in this export.
    let hasVariants = packs.count > 1 || export.isApp
    let mistakes = (named.isEmpty ? packs : named).map { pack -> [(path: String, message: String)] in
      var mistakes = resource.mistakes(about: pack)
      if let url = resource.wrongURL(of: pack), !hasVariants || !pack.isThinned(from: url) {
        mistakes.append("the manifest's URL \(quoted(url)) does not end with the pack's name")
      }
      return mistakes.map { (pack.path, $0) }
    }
    for (path, message) in mistakes.min(by: { $0.count < $1.count }) ?? [] {
      report(.wrongContents, message: message, at: path)
    }
  }

  // Checking the tags for the app.

  private mutating func checkTags() {
    guard let list = export.lists[PublishedNames.onDemandResources] else { return }
    let path = place(of: PublishedNames.onDemandResources)
    guard let tags = list["NSBundleResourceRequestTags"]?.members else {
      return report(
        .damagedIndex, message: "the file does not contain \"NSBundleResourceRequestTags\"", at: path)
    }
    var packsOfTags: [String: Set<String>] = [:]
    for (identifier, packs) in variants where !unnamed.contains(identifier) {
      for tag in packs[0].tags ?? [] { packsOfTags[tag, default: []].insert(identifier) }
    }
    for tag in Set(tags.keys).union(packsOfTags.keys).sorted() {
      let listed = Set(tags[tag]?["NSAssetPacks"]?.strings ?? [])
      let found = packsOfTags[tag] ?? []
      for identifier in listed.subtracting(found).sorted() {
        let check: Check = variants[identifier] == nil ? .missingPack : .wrongContents
        let reason = variants[identifier] == nil ? "which is missing" : "which does not have this tag"
        report(
          check,
          message:
            "for the tag \(quoted(tag)), the file lists the pack \(quoted(identifier)), \(reason)",
          at: path)
      }
      for identifier in found.subtracting(listed).sorted() {
        report(
          .wrongContents,
          message:
            "the pack \(quoted(identifier)) has the tag \(quoted(tag)), but the file does not list the pack "
            + "for this tag",
          at: path)
      }
    }
  }

  // Checking the sub-paths that OnDemandResources.plist lists for each pack.

  /// Compares the files in packs with the sub-paths of the packs.
  ///
  /// A sub-path is a file or a folder. For a file that Xcode compiles instead of copying it, the list
  /// contains only the folder of the compiled file: `de.lproj`, or "" for the top of the pack.
  private mutating func checkSubPaths() {
    guard let list = export.lists[PublishedNames.onDemandResources] else { return }
    let all = list["NSBundleResourceRequestAssetPacks"]?.members ?? [:]
    for (identifier, packs) in variants.sorted(by: { $0.key < $1.key }) where !unnamed.contains(identifier) {
      for pack in packs { check(pack, against: Set(all[identifier]?.strings ?? [])) }
    }
  }

  private mutating func check(_ pack: PackListing, against listed: Set<String>) {
    var covering = Set(pack.folders.compactMap { Self.cover(of: $0, in: listed) })
    for file in pack.contents {
      if let cover = Self.cover(of: file.path, in: listed) {
        covering.insert(cover)
      } else if file.path != "Assets.car" {
        report(
          .wrongContents,
          message: "the pack has the file \(quoted(file.path)), which is not in OnDemandResources.plist",
          at: pack.path)
      }
    }
    for missing in listed.subtracting(covering).sorted() {
      let message = "the pack does not contain \(quoted(missing)), which is in OnDemandResources.plist"
      report(.wrongContents, message: message, at: pack.path)
    }
  }

  /// Returns the sub-path that is the path of a file, or of a folder that contains the file.
  private static func cover(of path: String, in listed: Set<String>) -> String? {
    let folders = foldersAbove(path)
    if let cover = ([path] + folders).first(where: listed.contains) { return cover }
    let isLocalized = (folders.first ?? path).hasSuffix(".lproj")
    return !isLocalized && listed.contains("") ? "" : nil
  }
}

extension PackIdentity {
  /// Whether this identifier is the identifier that Xcode would derive from the tags.
  fileprivate static func isXcodes(_ identifier: String, tags: [String]) -> Bool {
    guard let end = identifier.utf8.indices.last(where: { identifier[$0...].hasPrefix(mark) }) else {
      return false
    }
    return PackIdentity(tags: tags.sorted(), bundleIdentifier: String(identifier[..<end])).identifier
      == identifier
  }
}

/// A pack's entry in a manifest.
extension PlistItem {
  /// The mistakes in the entry that can be found without the pack.
  var faults: [String] {
    var faults: [String] = []
    if self["primaryContentHash"]?["hash"]?.string == nil {
      faults.append(
        "has no \"primaryContentHash\" with a \"hash\", so devices cannot know when the pack changes")
    }
    guard let url = self["URL"]?.string else { return faults + ["has no \"URL\""] }
    let parts = url.prefix { $0 != "/" }.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 1, !["http", "https"].contains(parts[0].lowercased()) {
      faults.append("has the URL \(quoted(url)); devices download over \"http:\" or \"https:\"")
    }
    return faults
  }

  /// Returns the values of the entry that disagree with a pack.
  func mistakes(about pack: PackListing) -> [String] {
    var mistakes: [String] = []
    if let size = self["uncompressedSize"]?.number, !pack.plausibleSizes.contains(size) {
      mistakes.append(
        "the manifest says \(ByteSize.exact(Int64(clamping: size))), but the pack's files have "
          + "\(ByteSize.number(pack.size))"
      )
    }
    if self["downloadPriority"]?.number != pack.priority {
      mistakes.append("the priorities in the manifest and in the pack's Info.plist differ")
    }
    if let hash = self["primaryContentHash"]?["hash"]?.string, hash.hasPrefix("sha256:"),
      hash != pack.digest.prefixed
    {
      mistakes.append("the manifest has the digest \(hash), but the files have \(pack.digest.prefixed)")
    }
    return mistakes
  }

  /// Returns the entry's URL if it does not end with the pack's name; otherwise nil.
  func wrongURL(of pack: PackListing) -> String? {
    guard let url = self["URL"]?.string, !names(pack) else { return nil }
    return url
  }

  /// Whether the entry's URL ends in the pack's name.
  ///
  /// The result is true if the entry has no URL.
  func names(_ pack: PackListing) -> Bool {
    guard let url = self["URL"]?.string else { return true }
    let name = lastName(of: pack.path)
    return url.hasSuffix(name)
      || url.hasSuffix(PercentEncoding.text(of: name.utf8, leaving: PercentEncoding.applePack))
  }
}

extension PackListing {
  /// The digest of the tags, taken from an identifier that Xcode made.
  ///
  /// All names of the pack contain this digest. The value is nil for other identifiers.
  private var tagDigest: String? {
    guard let identifier, let mark = identifier.firstRange(of: PackIdentity.mark) else { return nil }
    return String(identifier[mark.upperBound...])
  }

  /// Whether a URL is the address of another variant of the same pack.
  fileprivate func isThinned(from url: String) -> Bool {
    guard let tagDigest, let name = url.split(separator: "/").last else { return false }
    return name.contains("-\(tagDigest)") && lastName(of: path).contains("-\(tagDigest)")
  }

  /// Whether two packs are variants of one pack for different devices.
  ///
  /// The names of such variants differ only after the digest.
  func isVariant(of other: PackListing) -> Bool {
    guard let tagDigest, tags == other.tags else { return false }
    let fronts = [self, other].map { lastName(of: $0.path).firstRange(of: "-\(tagDigest)")?.upperBound }
    guard let first = fronts[0], let second = fronts[1] else { return false }
    let (name, otherName) = (lastName(of: path), lastName(of: other.path))
    return name != otherName && name[..<first] == otherName[..<second]
  }

  /// The sizes that a manifest can state for the pack.
  ///
  /// The first size is the size of the files. The other sizes also count folders, as Xcode does. On Apple's
  /// file systems, the size of a folder is 32 or 34 bytes for each entry, plus the same size for two
  /// additional entries.
  fileprivate var plausibleSizes: [Double] {
    var entries: [String: Set<String>] = [:]
    for folder in folders where !Self.isAbout(folder) { entries[folder, default: []].formUnion([]) }
    for path in (files.map(\.path) + folders) where !Self.isAbout(path) {
      var child = path
      for folder in foldersAbove(path).reversed() {
        entries[folder, default: []].insert(child)
        child = folder
      }
    }
    let things = entries.values.reduce(0) { $0 + $1.count + 2 }
    return [0, 32, 34].map { Double(size) + Double(things * $0) }
  }
}

extension Int64 {
  /// Returns the nearest integer; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
