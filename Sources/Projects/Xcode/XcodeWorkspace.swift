import Findings
import Formats
import System

/// The projects that an Xcode workspace names, from its `contents.xcworkspacedata`.
struct XcodeWorkspace {
  static let suffix = ".xcworkspace"
  static let fileName = "contents.xcworkspacedata"
  /// The largest size of the file in bytes.
  private static let longest = 1 << 20
  private static let deepest = 64
  /// The length in bytes from which on Linux opens no path: groups within groups could make long ones of short ones.
  private static let longestPath = 4096

  /// The paths of the projects as the user would type them, without those of CocoaPods.
  private(set) var projects: [String] = []

  /// Reads the workspace in a folder; one that cannot be read has no projects.
  ///
  /// - Throws: if the disk fails.
  init(_ path: String) throws(SystemError) {
    let file = joined(path, Self.fileName)
    guard case .bytes(let bytes) = try FileContents(of: file, limit: Self.longest) else { return }
    let folder = folderPath(of: path)
    // Groups have a place of their own, to which those of their references are relative.
    var groups = [folder]
    var seen: Set<String> = []
    for tag in String(decoding: bytes, as: UTF8.self).split(separator: "<").dropFirst() {
      if tag.hasPrefix("/Group"), groups.count > 1 { groups.removeLast() }
      guard let location = Self.location(in: tag),
        let place = Self.place(location, groups.last ?? folder, folder), place.utf8.count < Self.longestPath
      else { continue }
      if tag.hasPrefix("Group"), groups.count < Self.deepest { groups.append(place) }
      let isProject =
        tag.hasPrefix("FileRef") && place.hasSuffix(".xcodeproj") && lastName(of: place) != "Pods.xcodeproj"
      if isProject, seen.insert(place).inserted { projects.append(place) }
    }
    // The workspace inside a project names the project itself.
    if projects.isEmpty, folder.hasSuffix(".xcodeproj") { projects = [folder] }
  }

  /// The value of a tag's attribute `location`.
  private static func location(in tag: Substring) -> Substring? {
    guard let range = tag.firstRange(of: "location") else { return nil }
    let parts = tag[range.upperBound...].split(
      separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? parts[1] : nil
  }

  /// The path of a location such as `group:App/App.xcodeproj`; nil for other kinds.
  private static func place(_ location: Substring, _ group: String, _ folder: String) -> String? {
    let parts = location.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let path = trimmed(String(parts[1]))
    switch parts[0] {
    case "group": return joined(group, path)
    case "container": return joined(folder, path)
    case "absolute": return path
    default: return nil
    }
  }
}
