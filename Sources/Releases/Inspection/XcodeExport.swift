package import Findings
package import Formats
import PackKit
package import System

/// A folder in one of the Apple layouts read back: packs and property lists, made by any program.
package struct XcodeExport: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The readable property lists by their file names.
  package private(set) var lists: [String: PlistItem] = [:]
  /// The packs, sorted by path.
  package private(set) var packs: [PackListing] = []
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  /// Whether an argument is such a folder: it has a list or packs, and no index of packtool.
  package static func isOne(_ path: String) throws(SystemError) -> Bool {
    if try FileOperations.exists(joined(path, PublishedNames.index)) { return false }
    for name in [PublishedNames.onDemandResources, PublishedNames.onDemandResourcesFolder]
      + PublishedNames.assetPackManifests
    where try FileOperations.exists(joined(path, name)) { return true }
    return false
  }

  /// Reads the folder and, if `readsPacks`, all packs on several threads, and checks them against one another.
  ///
  /// - Throws: if the disk fails.
  package init(_ argument: String, readsPacks: Bool = true, jobs: Int) throws(SystemError) {
    path = trimmed(argument)
    for name in [PublishedNames.onDemandResources] + PublishedNames.assetPackManifests { try readList(name) }
    if !readsPacks { return }
    let room = NameRoom()
    packs = try onThreads(jobs, each: packPaths()) { path throws(SystemError) in
      try PackListing(path, room: room)
    }
    check()
  }

  /// The manifest that devices or simulators read.
  package var manifest: PlistItem? { PublishedNames.assetPackManifests.lazy.compactMap { lists[$0] }.first }

  private mutating func readList(_ name: String) throws(SystemError) {
    let path = joined(path, name)
    let bytes: [UInt8]
    switch try FileContents(of: path, limit: PropertyList.longest) {
    case .bytes(let read): bytes = read
    case .missing: return
    case .noFile, .tooLong: return report(.damagedIndex, "\(quoted(path)) is no file, or too long", name)
    }
    do throws(PropertyList.Damage) {
      lists[name] = try PropertyList.read(bytes)
    } catch {
      report(.damagedIndex, "\(quoted(path)) is no property list: \(error.reason)", name)
    }
  }

  private func packPaths() throws(SystemError) -> [String] {
    var paths: [String] = []
    for folder in [".", PublishedNames.onDemandResourcesFolder] {
      let whole = joined(path, folder)
      guard try FileOperations.statusIfThere(whole)?.kind == .folder else { continue }
      paths += try FileOperations.names(in: whole).filter { $0.hasSuffix(PublishedNames.packSuffix) }.map {
        joined(whole, $0)
      }
    }
    return paths
  }

  private mutating func report(_ check: Check, _ message: String, _ name: String) {
    let place = Place(name.hasPrefix(path) ? name : joined(path, name))
    findings.add(Diagnostic(check, message, at: place))
  }
}

// Checks of packs and lists against one another.
extension XcodeExport {
  private mutating func check() {
    var byIdentifier: [String: PackListing] = [:]
    for pack in packs {
      for reason in pack.damage { report(.damagedPack, reason, pack.path) }
      guard let identifier = pack.identifier, let tags = pack.tags else {
        if pack.damage.isEmpty {
          report(.damagedPack, "the pack has no Info.plist with an identifier and tags", pack.path)
        }
        continue
      }
      if let other = byIdentifier.updateValue(pack, forKey: identifier) {
        report(.wrongContents, "\(quoted(other.path)) is the pack \(quoted(identifier)) too", pack.path)
      }
      checkIdentifier(identifier, tags, pack)
    }
    checkManifest(against: byIdentifier)
    checkTags(against: byIdentifier)
    checkSubPaths(against: byIdentifier)
  }

  private mutating func checkIdentifier(_ identifier: String, _ tags: [String], _ pack: PackListing) {
    guard
      let end = identifier.utf8.indices.last(where: { identifier[$0...].hasPrefix(PackIdentity.mark) })
    else { return }
    let identity = PackIdentity(tags: tags.sorted(), bundleIdentifier: String(identifier[..<end]))
    if identity.identifier == identifier { return }
    report(
      .wrongContents,
      "the pack of \(setNotation(tags)) calls itself \(quoted(identifier)); its tags make \(quoted(identity.identifier))",
      pack.path)
  }

  private mutating func checkManifest(against packs: [String: PackListing]) {
    guard let name = PublishedNames.assetPackManifests.first(where: { lists[$0] != nil }),
      let list = lists[name]
    else {
      return report(
        .damagedIndex, "there is no AssetPackManifest.plist, so no device would find a pack", path)
    }
    guard let resources = list["resources"]?.elements else {
      return report(.damagedIndex, "the manifest has no list \"resources\"", name)
    }
    var named: Set<String> = []
    for resource in resources {
      guard let key = resource["bundleKey"]?.string else {
        report(.damagedIndex, "a resource of the manifest has no \"bundleKey\"", name)
        continue
      }
      if !named.insert(key).inserted {
        report(.damagedIndex, "the manifest names the pack \(quoted(key)) twice", name)
      }
      guard let pack = packs[key] else {
        report(.missingPack, "the manifest names the pack \(quoted(key)), which is not here", name)
        continue
      }
      check(resource, against: pack)
    }
    for (key, pack) in packs.sorted(by: { $0.key < $1.key }) where !named.contains(key) {
      report(
        .notInIndex, "the manifest does not name the pack \(quoted(key)), so no device would find it",
        pack.path)
    }
  }

  private mutating func check(_ resource: PlistItem, against pack: PackListing) {
    if let size = resource["uncompressedSize"]?.number, !pack.plausibleSizes.contains(size) {
      let figures = "the manifest says \(grouped(Int64(clamping: size))) bytes and the pack's files have "
      report(.wrongContents, figures + grouped(pack.size), pack.path)
    }
    if resource["downloadPriority"]?.number != pack.priority {
      report(.wrongContents, "the manifest and the pack's Info.plist have other priorities", pack.path)
    }
    if let hash = resource["primaryContentHash"]?["hash"]?.string, hash.hasPrefix("sha256:"),
      hash != pack.digest.prefixed
    {
      report(
        .wrongContents, "the manifest says the digest \(hash) and the files have \(pack.digest.prefixed)",
        pack.path)
    }
    let name = lastName(of: pack.path)
    if let url = resource["URL"]?.string, !url.hasSuffix(name),
      !url.hasSuffix(PercentEncoding.text(of: name.utf8, leaving: PercentEncoding.applePack))
    {
      report(.wrongContents, "the manifest's URL \(quoted(url)) does not end in the pack's name", pack.path)
    }
  }

  private mutating func checkTags(against packs: [String: PackListing]) {
    guard let list = lists[PublishedNames.onDemandResources] else { return }
    guard let tags = list["NSBundleResourceRequestTags"]?.members else {
      return report(
        .damagedIndex, "there is no \"NSBundleResourceRequestTags\"", PublishedNames.onDemandResources)
    }
    var packsOfTags: [String: Set<String>] = [:]
    for (identifier, pack) in packs {
      for tag in pack.tags ?? [] { packsOfTags[tag, default: []].insert(identifier) }
    }
    for tag in Set(tags.keys).union(packsOfTags.keys).sorted() {
      let said = Set(tags[tag]?["NSAssetPacks"]?.strings ?? [])
      let found = packsOfTags[tag] ?? []
      for identifier in said.subtracting(found).sorted() {
        let check: Check = packs[identifier] == nil ? .missingPack : .wrongContents
        let reason = packs[identifier] == nil ? "which is not here" : "which does not have it"
        report(
          check, "the tag \(quoted(tag)) stands for the pack \(quoted(identifier)), \(reason)",
          PublishedNames.onDemandResources)
      }
      for identifier in found.subtracting(said).sorted() {
        report(
          .wrongContents,
          "the pack \(quoted(identifier)) has the tag \(quoted(tag)), which does not stand for it",
          PublishedNames.onDemandResources)
      }
    }
  }

  private mutating func checkSubPaths(against packs: [String: PackListing]) {
    guard let list = lists[PublishedNames.onDemandResources] else { return }
    let all = list["NSBundleResourceRequestAssetPacks"]?.members ?? [:]
    for (identifier, pack) in packs.sorted(by: { $0.key < $1.key }) {
      let said = Set(all[identifier]?.strings ?? [])
      var covering: Set<String> = []
      for file in pack.contents {
        let cover = ([file.path] + foldersAbove(file.path)).first { said.contains($0) }
        if let cover {
          covering.insert(cover)
        } else if file.path != "Assets.car" {
          report(
            .wrongContents,
            "the pack has the file \(quoted(file.path)), which OnDemandResources.plist does not name",
            pack.path)
        }
      }
      for missing in said.subtracting(covering).sorted() {
        report(
          .wrongContents, "the pack lacks \(quoted(missing)), which OnDemandResources.plist names", pack.path)
      }
    }
  }
}

extension PackListing {
  /// The sizes that a manifest may give for the pack: that of the files, and, as Xcode does, with folders as
  /// Apple's file systems count them: 32 or 34 bytes for each entry and two more.
  fileprivate var plausibleSizes: [Double] {
    var folders: [String: Set<String>] = ["": []]
    for file in files where !file.path.hasPrefix("\(PublishedNames.zipMetadataFolder)/") {
      var child = file.path
      for folder in foldersAbove(file.path).reversed() + [""] {
        folders[folder, default: []].insert(child)
        child = folder
      }
    }
    let things = folders.values.reduce(0) { $0 + $1.count + 2 }
    return [0, 32, 34].map { Double(size) + Double(things * $0) }
  }
}

extension Int64 {
  /// The nearest integer; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
