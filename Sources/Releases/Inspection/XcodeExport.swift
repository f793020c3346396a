package import Findings
package import Formats
import PackKit
package import System

/// Packs and property lists in one of the Apple layouts, made by any program: a folder, or a product of Xcode's such as
/// an app, an .xcarchive or an .ipa.
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
  /// The path of each list by its file name.
  private(set) var listPaths: [String: String] = [:]
  /// Whether the lists are in an app, so that the packs may be elsewhere.
  private(set) var isApp = false

  /// Whether an argument is such a folder or file: it has a list or packs, and no index of packtool.
  package static func isOne(_ argument: String) throws(SystemError) -> Bool {
    let path = trimmed(argument)
    if isArchive(path) { return try FileOperations.statusIfThere(path)?.kind == .file }
    if try FileOperations.exists(joined(path, PublishedNames.index)) { return false }
    return try ExportPlaces(in: path) != nil
  }

  private static func isArchive(_ path: String) -> Bool { path.hasSuffix(ArchivedApp.suffix) }

  /// Reads the lists and, if `readsPacks`, all packs on several threads, and checks them against one another.
  ///
  /// - Throws: if the disk fails.
  package init(_ argument: String, readsPacks: Bool = true, jobs: Int) throws(SystemError) {
    path = trimmed(argument)
    if Self.isArchive(path) {
      try readArchive()
    } else {
      try readFolder(readsPacks: readsPacks, jobs: jobs)
    }
    if readsPacks { findings.add(ExportCheck(of: self).diagnostics) }
  }

  /// The name of the manifest that devices or simulators read; nil without one.
  var manifestName: String? { PublishedNames.assetPackManifests.first { lists[$0] != nil } }

  /// The manifest that devices or simulators read.
  package var manifest: PlistItem? { manifestName.flatMap { lists[$0] } }

  private mutating func readFolder(readsPacks: Bool, jobs: Int) throws(SystemError) {
    guard let places = try ExportPlaces(in: path) else { return }
    isApp = places.app != nil
    if !places.otherApps.isEmpty {
      let apps = ([places.app] + places.otherApps).compactMap { $0 }
      let message =
        "\(quoted(path)) has \(grouped(apps.count)) apps with packs; name one: \(listed(apps, atMost: 5))"
      findings.add(Diagnostic(.unknownFile, message, at: Place(path)))
    }
    for (name, path) in places.lists.sorted(by: { $0.key < $1.key }) {
      switch try FileContents(of: path, limit: PropertyList.longest) {
      case .bytes(let bytes): take(bytes, name, at: path)
      case .missing: continue
      case .noFile, .tooLong: report("\(quoted(path)) is no file, or too long", at: path)
      }
    }
    if !readsPacks { return }
    let room = NameRoom()
    packs = try onThreads(jobs, each: places.packs) { path throws(SystemError) in
      try PackListing(path, room: room)
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
          "\(quoted(path)) has two lists \(quoted(name)); \(quoted(other)) counts", at: joined(path, place))
      } else {
        take(bytes, name, at: joined(path, place))
      }
    }
    packs = archive.packs.sorted { $0.path.precedesInBytes($1.path) }
  }

  private mutating func take(_ bytes: [UInt8], _ name: String, at path: String) {
    listPaths[name] = path
    do throws(PropertyList.Damage) {
      lists[name] = try PropertyList.read(bytes)
    } catch {
      report("\(quoted(path)) is no property list: \(error.reason)", at: path)
    }
  }

  private mutating func report(_ message: String, at path: String) {
    findings.add(Diagnostic(.damagedIndex, message, at: Place(path)))
  }
}
