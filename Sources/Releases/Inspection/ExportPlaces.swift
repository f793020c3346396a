import Findings
import PackKit
import System

/// Where the property lists and packs of an export are, in a layout of packtool's or in a product of Xcode's: a build
/// folder, an app, an .xcarchive, or an .ipa that was unpacked.
struct ExportPlaces {
  /// The folder of the app that contains the lists; nil if the lists are in the folder itself.
  private(set) var app: String?
  /// Other apps with lists in the same folder.
  private(set) var otherApps: [String] = []
  /// The path of each list by its file name.
  private(set) var lists: [String: String] = [:]
  /// The paths of the packs.
  private(set) var packs: [String] = []

  /// The file names of the lists.
  static let listNames = [PublishedNames.onDemandResources] + PublishedNames.assetPackManifests
  /// The folders in which products of Xcode's have apps.
  static let appFolders = [".", "Products/Applications", "Payload"]
  static let appSuffix = ".app"

  /// The folders in which exports have packs.
  private static let packFolders = [
    ".", PublishedNames.onDemandResourcesFolder, "Products/\(PublishedNames.onDemandResourcesFolder)",
    "Products/Applications/\(PublishedNames.onDemandResourcesFolder)",
  ]

  /// The places in a folder; nil if it has neither lists nor a folder of packs.
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
      for name in try Self.names(in: parent, with: Self.appSuffix) {
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
      packs += try Self.names(in: folder, with: PublishedNames.packSuffix).map { joined(folder, $0) }
    }
  }

  private static func lists(in folder: String) throws(SystemError) -> [String: String] {
    var lists: [String: String] = [:]
    for name in listNames where try FileOperations.exists(joined(folder, name)) {
      lists[name] = joined(folder, name)
    }
    return lists
  }

  /// The names in a folder that end in a suffix; none if it is no folder.
  private static func names(in folder: String, with suffix: String) throws(SystemError) -> [String] {
    guard try FileOperations.statusIfThere(folder)?.kind == .folder else { return [] }
    return try FileOperations.names(in: folder).filter { $0.hasSuffix(suffix) }
  }
}
