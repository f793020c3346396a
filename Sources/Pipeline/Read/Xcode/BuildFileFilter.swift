import Formats
import Model
import System

/// Decides which files belong to a target's build, based on the target's settings and the platforms of build
/// files.
///
/// All code that adds files to the target uses this filter. The filter is used for build files, localized
/// files, catalogs in synchronized folders, and files that stay in the app.
package struct BuildFileFilter: Sendable {
  private let sdk: ProjectSDK
  /// The components of the absolute path of the project's folder; empty if no files are read.
  private let projectFolder: [String]
  private let excluded: [Pattern]
  private let included: [Pattern]
  /// Patterns for the files and folders that are only used during development.
  private let development: [Pattern]
  /// The language regions whose files belong to the build; nil for all regions.
  private let regions: Set<String>?

  /// The maximum number of patterns in a setting, because every file is compared with every pattern.
  package static let maxPatterns = 1000

  /// A path pattern that is matched in the same way as in Apple's swift-build.
  ///
  /// An absolute pattern is compared with the whole path. A relative pattern with three components is
  /// compared with the last three components of the path.
  private struct Pattern: Sendable {
    /// The pattern as the setting contains it.
    let text: String
    private let names: [NamePattern]
    private let isAbsolute: Bool

    /// Reads a pattern.
    ///
    /// A pattern with an empty component matches nothing, because no path has an empty component.
    init(_ pattern: String, writtenAs text: String? = nil) {
      isAbsolute = pattern.unicodeScalars.first == "/"
      let parts = pattern.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      let components = parts.dropFirst(isAbsolute ? 1 : 0)
      // A pattern with an unclosed bracket is not valid. In this case, the bracket is treated as an ordinary
      // character.
      names = components.compactMap {
        let name = String($0)
        return (try? NamePattern(name)) ?? (try? NamePattern(name.replacing("[", with: "[[]")))
      }
      self.text = text ?? pattern
    }

    func matches(_ components: [[UInt8]]) -> Bool {
      guard isAbsolute ? components.count == names.count : components.count >= names.count else {
        return false
      }
      return zip(names, components.suffix(names.count)).allSatisfy { $0.matches($1[...]) }
    }
  }

  /// Reads the settings of a target whose project is in `folder`.
  ///
  /// If `folder` is nil, no file is read.
  init(_ target: ProjectTarget, of project: XcodeProject, in folder: String?) throws(SystemError) {
    var settings = target.settings
    sdk = settings.build.sdk
    projectFolder = if let folder { try realNames(of: folder.isEmpty ? "." : folder) } else { [] }
    if folder != nil { settings.overrideFolders(by: "/" + projectFolder.joined(separator: "/")) }
    excluded = Self.values(of: "EXCLUDED_SOURCE_FILE_NAMES", settings: settings).map { Pattern($0) }
    included = Self.values(of: "INCLUDED_SOURCE_FILE_NAMES", settings: settings).map { Pattern($0) }
    let top = projectFolder
    development = Self.values(of: "DEVELOPMENT_ASSET_PATHS", settings: settings).map { value in
      let path =
        "/" + Self.resolved(names(in: value), from: value.hasPrefix("/") ? [] : top).joined(separator: "/")
      // A pattern for a folder excludes only the entries that are directly in the folder, as in swift-build.
      return Pattern(Self.isFolder(path, below: top) ? "\(path)/*" : path, writtenAs: value)
    }
    let known = Set(project.tree.strings(project.root, key: "knownRegions").map(\.value))
    let isRestricted = settings.flag("BUILD_ONLY_KNOWN_LOCALIZATIONS")?.value ?? false
    regions = isRestricted && !known.isEmpty ? known : nil
  }

  /// Returns the components of a path that is relative to `place`, without "." and "..".
  private static func resolved(_ path: [String], from place: [String]) -> [String] {
    path.reduce(into: place) { place, name in
      if name == ".." { _ = place.popLast() } else if name != "." { place.append(name) }
    }
  }

  private static func values(of name: String, settings: BuildSettings) -> [String] {
    let values = settings.list(name)
    if let first = values.first, values.count > maxPatterns {
      settings.findings.add(
        .projectSyntax,
        message:
          "\(name) has \(grouped(values.count)) patterns; packtool uses at most \(grouped(maxPatterns))",
        at: first.offset)
    }
    return values.prefix(maxPatterns).map(\.value)
  }

  /// Whether a path is a folder.
  ///
  /// For paths outside the project's folder, the function does not access the disk.
  private static func isFolder(_ path: String, below folder: [String]) -> Bool {
    let components = names(in: path)
    guard commonPrefix(of: [folder, components]).count == folder.count else { return false }
    return (try? FileOperations.statusIfThere(path))?.kind == .folder
  }

  /// Returns the reason why an item does not belong to the build, worded as the end of a message; nil if it
  /// belongs to the build.
  ///
  /// If an item stands for a file in every language, the settings are checked separately for each language.
  func reason(toLeaveOut item: ProjectResources.Item, for platforms: [String]) -> String? {
    if !platforms.isEmpty && !platforms.contains(sdk.platform.filter) {
      return
        "the file is only for \(listed(platforms, atMost: 5)), but the target is built for "
        + "\(sdk.platform.title)"
    }
    return item.isLocalized ? nil : reason(toLeaveOut: item.path)
  }

  /// Returns the reason why the settings exclude a file, worded as the end of a message; nil if the file
  /// belongs to the build.
  func reason(toLeaveOut path: ProjectPath) -> String? {
    if let regions, let region = path.region?.dropLast(".lproj".count).description, !regions.contains(region),
      region != "mul"
    {
      return
        "BUILD_ONLY_KNOWN_LOCALIZATIONS is set, and the project's knownRegions do not contain "
        + "\(quoted(region))"
    }
    if excluded.isEmpty && development.isEmpty { return nil }
    let components = absoluteNames(of: path).map { Array($0.utf8) }
    let exclusion = excluded.first { $0.matches(components) }
    let asset = exclusion == nil ? development.first { $0.matches(components) } : nil
    guard exclusion != nil || asset != nil, !included.contains(where: { $0.matches(components) }) else {
      return nil
    }
    if let exclusion { return "EXCLUDED_SOURCE_FILE_NAMES contains \(quoted(exclusion.text))" }
    return "DEVELOPMENT_ASSET_PATHS contains \(quoted(asset?.text ?? "")), which Xcode leaves out of archives"
  }

  /// Returns the components of a file's path.
  ///
  /// The path is absolute if the project's folder is known.
  private func absoluteNames(of path: ProjectPath) -> [String] {
    switch path {
    case .inside(let components): return projectFolder + components
    case .outside(let text):
      if text.hasPrefix("$") { return names(in: text) }
      return Self.resolved(names(in: text), from: text.hasPrefix("/") ? [] : projectFolder)
    }
  }
}
