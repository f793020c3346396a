import Archiving
package import Formats
import Model
import Pipeline
package import System

/// Packs and property lists in one of the Apple layouts, made by any program.
///
/// They can be in a folder, or in an Xcode product: an app, an .xcarchive or an .ipa.
package struct XcodeExport: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The property lists that could be read, by their file names.
  package private(set) var lists: [String: PlistItem] = [:]
  /// The packs, sorted by path.
  package private(set) var packs: [PackListing] = []
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  private(set) var listPaths: [String: String] = [:]
  /// Whether the lists are in an app.
  ///
  /// The packs of an app can be outside the app, for example on a server.
  private(set) var isApp = false
  /// The identifier of the app.
  ///
  /// It is nil if the export has no app, or if the app's Info.plist cannot be read.
  private(set) var appIdentifier: String?

  /// Which files of an export packtool reads.
  package enum Contents: Sendable {
    case lists
    /// The lists and the packs, which are compared with one another.
    case listsAndPacks
  }

  /// Reads an export, and its packs on several threads; throws if the disk fails.
  package init(
    _ argument: String, reading contents: Contents = .listsAndPacks, jobs: Int
  ) throws(SystemError) {
    path = trimmed(argument)
    if path.hasSuffix(ArchivedApp.suffix) {
      try readArchive()
    } else {
      try readFolder(reading: contents, jobs: jobs)
    }
    if contents == .listsAndPacks { findings.add(ExportCheck(of: self).diagnostics) }
  }

  /// The name of the manifest that devices or simulators read; nil if no such manifest exists.
  var manifestName: String? { PublishedNames.assetPackManifests.first { lists[$0] != nil } }

  /// The manifest that devices or simulators read.
  package var manifest: PlistItem? { manifestName.flatMap { lists[$0] } }

  private mutating func readFolder(reading contents: Contents, jobs: Int) throws(SystemError) {
    guard let places = try ExportPlaces(in: path) else { return }
    isApp = places.app != nil
    if !places.otherApps.isEmpty {
      let apps = ([places.app] + places.otherApps).compactMap { $0 }
      let message =
        "\(quoted(path)) contains \(grouped(apps.count)) apps with packs; name one of them: "
        + "\(listed(apps, atMost: 5))"
      findings.add(Diagnostic(.unknownFile, message: message, at: Place(path)))
    }
    for (name, path) in places.lists.sorted(by: { $0.key < $1.key }) {
      switch try FileContents(of: path, limit: PropertyList.maxSize) {
      case .bytes(let bytes): read(bytes, name: name, at: path)
      case .missing: continue
      case .noFile, .tooLong: report("\(quoted(path)) is not a regular file, or is too long", at: path)
      }
    }
    if let app = places.app {
      let info = try FileContents(of: joined(app, PublishedNames.packInfo), limit: PropertyList.maxSize)
      if case .bytes(let bytes) = info { readAppInfo(bytes) }
    }
    if contents == .lists { return }
    let nameBudget = NameBudget()
    packs = try onThreads(jobs, each: places.packs) { path throws(SystemError) in
      try PackListing(path, budget: nameBudget)
    }
  }

  private mutating func readArchive() throws(SystemError) {
    isApp = true
    let archive = try ArchivedApp(path)
    for fault in archive.faults { report(fault, at: path) }
    for (place, bytes) in archive.lists.sorted(by: { $0.key < $1.key }) {
      let name = lastName(of: place)
      if let other = listPaths[name] {
        report(
          "\(quoted(path)) contains two lists \(quoted(name)); packtool uses the list \(quoted(other))",
          at: joined(path, place))
      } else {
        read(bytes, name: name, at: joined(path, place))
      }
    }
    if let info = archive.appInfo { readAppInfo(info) }
    packs = archive.packs.sorted { $0.path.precedesInBytes($1.path) }
  }

  private mutating func readAppInfo(_ bytes: [UInt8]) {
    appIdentifier = (try? PropertyList.read(bytes))?["CFBundleIdentifier"]?.string
  }

  private mutating func read(_ bytes: [UInt8], name: String, at path: String) {
    listPaths[name] = path
    do throws(PropertyList.Damage) {
      lists[name] = try PropertyList.read(bytes)
    } catch {
      report("\(quoted(path)) is not a property list: \(error.reason)", at: path)
    }
  }

  private mutating func report(_ message: String, at path: String) {
    findings.add(Diagnostic(.damagedIndex, message: message, at: Place(path)))
  }
}

/// The property lists and packs in an .ipa, which is a zip with an app.
///
/// packtool does not unpack the zip.
struct ArchivedApp {
  private(set) var lists: [String: [UInt8]] = [:]
  /// The Info.plist of the app; nil if it was not found.
  private(set) var appInfo: [UInt8]?
  /// The packs.
  ///
  /// The path of each pack is the path of the archive, followed by the path in the archive.
  private(set) var packs: [PackListing] = []
  /// The reasons why parts of the archive could not be read.
  private(set) var faults: [String] = []

  static let suffix = ".ipa"

  private let path: String
  private let nameBudget = NameBudget()
  /// The number of bytes of lists that can still be kept in memory.
  private var bytesLeft = PropertyList.maxSize
  /// Whether there was enough memory for all packs.
  ///
  /// If there was not, the rest of the archive is not read.
  private var hasBudgetLeft = true
  private var numbers: [String: Int] = [:]

  /// Reads an archive once.
  ///
  /// Files outside of packs are skipped, except property lists.
  init(_ path: String) throws(SystemError) {
    self.path = path
    let directory = try ZipDirectory(of: InputFile(path))
    let file = try InputFile(path)
    do throws(ArchiveError) {
      var archive = try ArchiveReader(file, format: .zip, maxUncompressedBytes: 1 << 40)
      while hasBudgetLeft, let entry = try archive.nextEntry() {
        try read(entry, named: directory.original(of: entry.name), of: &archive)
      }
    } catch {
      if let cause = error.cause { throw cause }
      faults.append(error.reason)
    }
    for number in packs.indices { packs[number].sortFiles() }
  }

  private mutating func read(
    _ entry: ArchiveReader.Entry, named name: [UInt8], of archive: inout ArchiveReader
  ) throws(ArchiveError) {
    if let (pack, inner) = Self.packPath(of: name) {
      if inner.isEmpty && !entry.isFile { return }
      guard let number = number(ofPack: pack) else { return faults.append(PackListing.tooManyNames) }
      if inner.isEmpty {
        return packs[number].addFault("the pack is compressed twice, so devices cannot read it")
      }
      try packs[number].add(entry, named: inner, of: &archive)
      hasBudgetLeft = packs[number].hasBudgetLeft
      return
    }
    guard entry.isFile, let entryPath = String(validating: name, as: UTF8.self) else { return }
    let isAppInfo = Self.isAppInfo(entryPath)
    guard isAppInfo || Self.isList(entryPath) else { return }
    var content = ByteBuffer()
    var isTooLong = false
    var bytesLeft = bytesLeft
    try archive.readBlocks { block in
      isTooLong = block.byteCount > bytesLeft
      bytesLeft -= isTooLong ? 0 : block.byteCount
      if !isTooLong { content.append(block) }
      return !isTooLong
    }
    self.bytesLeft = bytesLeft
    if isTooLong { return faults.append("\(quoted(entryPath)) is too long") }
    if isAppInfo {
      appInfo = content.array()
    } else {
      lists[entryPath] = content.array()
    }
  }

  /// Returns the index of a pack, and adds the pack if it is new.
  ///
  /// Returns nil if there is not enough memory for the pack.
  private mutating func number(ofPack pack: String) -> Int? {
    if let known = numbers[pack] { return known }
    hasBudgetLeft = nameBudget.reserve(2 * pack.utf8.count + MemoryLayout<PackListing>.size)
    if !hasBudgetLeft { return nil }
    numbers[pack] = packs.count
    packs.append(PackListing(emptyAt: joined(path, pack), nameBudget: nameBudget))
    return packs.count - 1
  }

  /// Returns the path of the pack that contains an archive entry, and the entry's path inside the pack; nil
  /// if the entry is not in a pack.
  private static func packPath(of name: [UInt8]) -> (pack: String, inner: [UInt8])? {
    let mark = Array("\(PublishedNames.packSuffix)/".utf8)
    let padded = name.last == UInt8(ascii: "/") ? name : name + [UInt8(ascii: "/")]
    guard let range = padded.firstRange(of: mark),
      let pack = String(validating: padded[..<(range.upperBound - 1)], as: UTF8.self)
    else { return nil }
    return (pack, range.upperBound < name.count ? Array(name[range.upperBound...]) : [])
  }

  /// Whether a path is the path of the app's own Info.plist.
  private static func isAppInfo(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return parts.count == 3 && parts[0] == "Payload" && parts[1].hasSuffix(ExportPlaces.appSuffix)
      && parts[2] == PublishedNames.packInfo
  }

  /// Whether a path is the path of a property list at the top level or directly in an app.
  private static func isList(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last, ExportPlaces.listNames.contains(String(name)) else { return false }
    return parts.count == 1 || (parts.count <= 3 && parts[parts.count - 2].hasSuffix(ExportPlaces.appSuffix))
  }
}

/// The paths of an export's property lists and packs.
///
/// The export is a folder in one of packtool's layouts, or an Xcode product: a build folder, an app, an
/// .xcarchive, or an unpacked .ipa.
struct ExportPlaces {
  /// The folder of the app that contains the lists; nil if the lists are directly in the export's folder.
  private(set) var app: String?
  private(set) var otherApps: [String] = []
  private(set) var lists: [String: String] = [:]
  private(set) var packs: [String] = []

  static let listNames = [PublishedNames.onDemandResources] + PublishedNames.assetPackManifests
  /// The folders of Xcode products that can contain apps.
  static let appFolders = [".", "Products/Applications", "Payload"]
  static let appSuffix = ".app"

  private static let packFolders = [
    ".", PublishedNames.onDemandResourcesFolder, "Products/\(PublishedNames.onDemandResourcesFolder)",
    "Products/Applications/\(PublishedNames.onDemandResourcesFolder)",
  ]

  /// Finds the lists and packs in a folder; nil if the folder has neither lists nor a folder of packs.
  init?(in folder: String) throws(SystemError) {
    lists = try Self.lists(in: folder)
    if folder.hasSuffix(Self.appSuffix) {
      app = folder
    } else if lists.isEmpty {
      try findApp(below: folder)
    }
    let hasPacks = try FileOperations.exists(joined(folder, PublishedNames.onDemandResourcesFolder))
    if lists.isEmpty && !hasPacks { return nil }
    var folders = Self.packFolders.map { joined(folder, $0) }
    if let app {
      folders += [app, joined(app, PublishedNames.onDemandResourcesFolder)]
      if app == folder { folders.append(joined(folderPath(of: app), PublishedNames.onDemandResourcesFolder)) }
    }
    try findPacks(in: folders)
  }

  private mutating func findApp(below folder: String) throws(SystemError) {
    for place in Self.appFolders {
      let parent = joined(folder, place)
      for name in try names(inFolder: parent, with: Self.appSuffix) {
        let path = joined(parent, name)
        let found = try Self.lists(in: path)
        if found.isEmpty { continue }
        if app == nil {
          (app, lists) = (path, found)
        } else {
          otherApps.append(path)
        }
      }
    }
  }

  private mutating func findPacks(in folders: [String]) throws(SystemError) {
    var seen: Set<FileIdentity> = []
    for folder in folders {
      guard let status = try FileOperations.statusIfThere(folder), status.kind == .folder,
        seen.insert(status.identity).inserted
      else { continue }
      packs += try names(inFolder: folder, with: PublishedNames.packSuffix).map { joined(folder, $0) }
    }
  }

  private static func lists(in folder: String) throws(SystemError) -> [String: String] {
    var lists: [String: String] = [:]
    for name in listNames where try FileOperations.exists(joined(folder, name)) {
      lists[name] = joined(folder, name)
    }
    return lists
  }
}

/// Returns the names in a folder that end with a suffix; empty if the path is not a folder.
func names(inFolder folder: String, with suffix: String = "") throws(SystemError) -> [String] {
  guard try FileOperations.statusIfThere(folder)?.kind == .folder else { return [] }
  return try FileOperations.names(in: folder).filter { $0.hasSuffix(suffix) }
}
