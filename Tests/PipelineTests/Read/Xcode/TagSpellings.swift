import Foundation
import Support

/// A kind of resource that can have tags in an Xcode project.
enum ResourceKind: CaseIterable {
  case file
  /// A folder reference, or an explicit folder of a synchronized folder.
  case folder
  case bundle
  /// A file in two languages.
  case localizedFile
  /// A catalog that contains sets, and a group with sets.
  case catalog
  /// A catalog that contains sets, and a group with sets.
  ///
  /// One set has its own tag.
  case catalogWithTaggedSet
  /// One set of a catalog.
  case catalogSet
  /// A group of sets in a catalog.
  case catalogGroup

  /// The ways in which a project can give tags to this kind of resource.
  var spellings: [TagSpelling] {
    switch self {
    case .file, .folder, .bundle: [.buildFile, .relativePath]
    case .localizedFile: [.buildFile, .relativePath, .localizedPath]
    case .catalog: TagSpelling.allCases.filter { $0 != .localizedPath }
    case .catalogWithTaggedSet: [.buildFile, .relativePath, .items, .synchronizedItems]
    case .catalogSet, .catalogGroup: [.contents, .info, .synchronizedContents]
    }
  }
}

/// A way to give tags to a resource.
enum TagSpelling: CaseIterable {
  /// The tags are in `ASSET_TAGS` of the build file.
  case buildFile
  /// `assetTagsByRelativePath` has a key for each path of the resource.
  case relativePath
  /// `assetTagsByRelativePath` has one key for all languages.
  case localizedPath
  /// The tags are in `properties` of `Contents.json`.
  ///
  /// The catalog is in the Resources phase.
  case contents
  /// The tags are in `info` of `Contents.json`.
  case info
  /// The tags are in `Contents.json`.
  ///
  /// The catalog is in a synchronized folder.
  case synchronizedContents
  /// Each item of the resource has the tags in its own `Contents.json`.
  case items
  /// Each item has the tags in its own `Contents.json`.
  ///
  /// The catalog is in a synchronized folder.
  case synchronizedItems

  /// Whether the resource is in the synchronized folder.
  var isSynchronized: Bool {
    switch self {
    case .buildFile, .contents, .info, .items: false
    case .relativePath, .localizedPath, .synchronizedContents, .synchronizedItems: true
    }
  }

  /// Returns the tags for the build file or the keys.
  ///
  /// If a catalog contains the tags, the result is empty.
  func outerTags(_ tags: [String]) -> [String] {
    switch self {
    case .buildFile, .relativePath, .localizedPath: tags
    case .contents, .info, .synchronizedContents, .items, .synchronizedItems: []
    }
  }
}

/// A resource with its tags, independent of how a project writes them.
struct SpelledResource {
  let kind: ResourceKind
  /// The name of the resource's file or folder, without a suffix.
  ///
  /// The name is unique.
  let name: String
  let tags: [String]
  /// The folder of the resource, or "" if it has none.
  let folder: String

  /// Random resources with names and folders that are difficult to quote.
  static func random(count: Int, _ dice: inout Dice) -> [SpelledResource] {
    (0..<count).map { number in
      let kind = dice.pick(ResourceKind.allCases)
      let name =
        dice.pick(["a", "b c", "[d]", "é", "{e,f}", "#g", "h'i", "*", "k$l", "m@2x", "N"]) + "\(number)"
      let tags = ["Level 1", "Level 2", "menu", "a+b", "ü"].filter { _ in dice.chance(30) }
      return SpelledResource(
        kind: kind, name: name, tags: tags, folder: dice.pick(["", "Art", "Art/De ep", "[x]/y"]))
    }
  }
}

/// A project that writes the tags of its resources in the chosen ways.
struct SpelledProject {
  private var project = TestProject()
  /// The content of each file, by its path from the project's folder.
  private(set) var files: [String: String] = [:]
  private var keys: [String] = []
  private var explicitFolders: [String] = []
  private var groups = 0

  /// The folder of everything in the Resources phase, and the synchronized folder.
  private static let folders = (listed: "Listed", synchronized: "App")
  /// The tag of the only set with its own tag.
  private static let ownTag = "own"

  mutating func add(_ resource: SpelledResource, _ spelling: TagSpelling) {
    let top = spelling.isSynchronized ? Self.folders.synchronized : Self.folders.listed
    let place = resource.folder.isEmpty ? "" : "\(resource.folder)/"
    let tags = spelling.outerTags(resource.tags)
    switch resource.kind {
    case .file:
      files["\(top)/\(place)\(resource.name).dat"] = resource.name
      list(place + "\(resource.name).dat", tags, spelling)
    case .folder:
      for file in ["1.dat", "sub/2.swift", "X.xcassets/h.imageset/Contents.json"] {
        files["\(top)/\(place)\(resource.name)/\(file)"] =
          #"{"properties": {"on-demand-resource-tags": ["no"]}}"#
      }
      explicitFolders.append(place + resource.name)
      list(place + resource.name, tags, spelling)
    case .bundle:
      let name = "\(resource.name).bundle"
      for file in ["Info.plist", "X.xcassets/h.imageset/Contents.json"] {
        files["\(top)/\(place)\(name)/\(file)"] = #"{"info": {"on-demand-resource-tags": ["no"]}}"#
      }
      list(place + name, tags, spelling)
    case .localizedFile: addLocalized(resource, in: place, top, spelling)
    case .catalog, .catalogWithTaggedSet, .catalogSet, .catalogGroup:
      let name = "\(resource.name).xcassets"
      for (path, content) in catalog(resource, spelling) { files["\(top)/\(place)\(name)/\(path)"] = content }
      list(place + name, tags, spelling)
    }
  }

  /// Adds a file to the Resources phase, or assigns tags to it in the synchronized folder.
  private mutating func list(_ path: String, _ tags: [String], _ spelling: TagSpelling) {
    if !spelling.isSynchronized {
      project.add("\(Self.folders.listed)/\(path)", tags: tags.isEmpty ? nil : Self.list(tags))
    } else if !tags.isEmpty {
      keys.append("\"\(path)\" = ( \(Self.list(tags)) );")
    }
  }

  private mutating func addLocalized(
    _ resource: SpelledResource, in place: String, _ top: String, _ spelling: TagSpelling
  ) {
    let name = "\(resource.name).dat"
    let paths = ["de", "en"].map { "\(place)\($0).lproj/\(name)" }
    for path in paths { files["\(top)/\(path)"] = path }
    guard !resource.tags.isEmpty || !spelling.isSynchronized else { return }
    switch spelling {
    case .localizedPath: keys.append("\"\(place)Localized: \(name)\" = ( \(Self.list(resource.tags)) );")
    case .relativePath: for path in paths { list(path, resource.tags, spelling) }
    case .buildFile:
      let group = "VAR\(groups)"
      let children = paths.indices.map { "\(group)x\($0)" }
      for (child, path) in zip(children, paths) {
        project.objects[child] =
          "isa = PBXFileReference; path = \"\(top)/\(path)\"; sourceTree = \"<group>\";"
      }
      project.objects[group] =
        "isa = PBXVariantGroup; children = ( \(children.joined(separator: ", ")) ); name = \"\(name)\"; sourceTree = \"<group>\";"
      project.addChild(group)
      project.addBuildFile(of: group, tags: resource.tags.isEmpty ? nil : Self.list(resource.tags))
      groups += 1
    case .contents, .info, .synchronizedContents, .items, .synchronizedItems: break
    }
  }

  /// Returns the files of a catalog by their paths.
  ///
  /// The catalog contains two sets, and a group with two more sets.
  private func catalog(_ resource: SpelledResource, _ spelling: TagSpelling) -> [String: String] {
    let items = ["one.imageset", "two.dataset", "Group"]
    /// The folders whose `Contents.json` contains the tags of the resource.
    let tagged: [String]
    switch (resource.kind, spelling) {
    case (.catalog, .contents), (.catalog, .info), (.catalog, .synchronizedContents): tagged = [""]
    case (.catalog, .items), (.catalog, .synchronizedItems): tagged = items
    // The topmost folders that contain no set with its own tag. In a group that contains such a set, only the
    // other set is listed.
    case (.catalogWithTaggedSet, .items), (.catalogWithTaggedSet, .synchronizedItems):
      tagged = items.dropLast() + ["Group/three.imageset"]
    case (.catalogSet, _): tagged = [items[0]]
    case (.catalogGroup, _): tagged = ["Group"]
    case (.file, _), (.folder, _), (.bundle, _), (.localizedFile, _), (.catalog, _),
      (.catalogWithTaggedSet, _):
      tagged = []
    }
    let own = resource.kind == .catalogWithTaggedSet ? ["Group/four.imageset"] : []
    var files = ["one.imageset/@2x.png": "2", "one.imageset/@3x.png": "3", "two.dataset/d.bin": "d"]
    for folder in items + ["", "Group/three.imageset", "Group/four.imageset"] {
      let tags = own.contains(folder) ? [Self.ownTag] : tagged.contains(folder) ? resource.tags : []
      let list = tags.map { "\"\($0)\"" }.joined(separator: ", ")
      let owner = spelling == .info ? "info" : "properties"
      files[folder.isEmpty ? "Contents.json" : "\(folder)/Contents.json"] =
        tags.isEmpty
        ? #"{"info": {"version": 1}}"# : #"{"\#(owner)": {"on-demand-resource-tags": [\#(list)]}}"#
    }
    return files
  }

  private static func list(_ tags: [String]) -> String { tags.map { "\"\($0)\", " }.joined() }

  /// The text of the project file.
  var text: String {
    var project = project
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    let explicit = explicitFolders.map { "\"\($0)\", " }.joined()
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); explicitFolders = ( \(explicit) ); path = App; sourceTree = \"<group>\";"
    project.objects["EX"] =
      "isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; assetTagsByRelativePath = { \(keys.joined(separator: " ")) };"
    project.addChild("SYNC")
    // Every project needs at least one tagged file.
    project.add("always.dat", tags: "always")
    return project.text
  }
}
