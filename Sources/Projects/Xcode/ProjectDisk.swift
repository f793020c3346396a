import System

/// The files below the folder of a project's places.
struct ProjectDisk {
  let folder: Folder
  /// The names in folders by their lower case, which stands for all forms of a name.
  private var spellings: [[UInt8]: [String: String]] = [:]

  init(_ folder: Folder) {
    self.folder = folder
  }

  /// The bytes of a path by its components.
  static func key(_ components: [String]) -> [UInt8] { Array(components.joined(separator: "/").utf8) }

  /// The name in a folder that differs from another in case or Unicode form only.
  mutating func spelling(of name: String, in folder: [String]) throws(SystemError) -> String? {
    let key = Self.key(folder)
    if spellings[key] == nil {
      spellings[key] = Dictionary(try names(in: folder).map { ($0.lowercased(), $0) }) { first, _ in first }
    }
    return spellings[key]?[name.lowercased()]
  }

  /// The kind of a file or folder; nil if it is missing or cannot be reached.
  func kind(of components: [String]) throws(SystemError) -> ResourceSurvey.Resource.Kind? {
    do throws(SystemError) {
      return try folder.status(of: Self.key(components), following: true).kind == .folder ? .folder : .file
    } catch {
      if error.isMissing || error.isTooLong || error.isLink || error.isDenied { return nil }
      throw error
    }
  }

  /// The names in a folder in byte order; none if it cannot be read.
  func names(in components: [String]) throws(SystemError) -> [String] {
    if !components.isEmpty, try kind(of: components) != .folder { return [] }
    do throws(SystemError) {
      let listing = try folder.listing(of: Self.key(components))
      return listing.entries.compactMap { String(validating: listing.name(of: $0), as: UTF8.self) }
    } catch {
      if error.isMissing || error.isDenied { return [] }
      throw error
    }
  }
}
