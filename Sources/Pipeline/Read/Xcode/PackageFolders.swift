import Formats

/// The folders in a synchronized folder that Xcode copies or builds as a unit.
///
/// Files inside such a folder are not separate resources.
///
/// The search for catalogs and the search for tagged files use the same list.
struct PackageFolders: Sendable {
  /// The paths of the folders that the project marks as folder references.
  private let explicit: Set<String>

  init(explicit: Set<String>) { self.explicit = explicit }

  /// Whether Xcode treats the folder at a path as a unit.
  func contains(_ path: String) -> Bool {
    explicit.contains(path) || Self.isPackage(lastName(of: path))
  }

  /// Returns the outermost package, folder reference or asset catalog that contains a path; nil if there is
  /// no such folder.
  func outermost(above path: String) -> String? {
    foldersAbove(path).first { contains($0) || isCatalog(lastName(of: $0)) }
  }

  /// Whether a name has the suffix of a package.
  private static func isPackage(_ name: String) -> Bool {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
    return suffixes.contains(name[name.index(after: dot)...].lowercased())
  }

  /// The suffixes of folders that Xcode treats as one file, except asset catalogs.
  ///
  /// A `.lproj` folder is an ordinary folder.
  private static let suffixes: Set<String> = [
    // Suffixes of code.
    "app", "appex", "artifactbundle", "bundle", "component", "dext", "framework", "kext", "mdimporter",
    "octest", "plugin", "pluginkit", "prefpane", "qlgenerator", "saver", "swiftmodule", "systemextension",
    "xcframework", "xctest", "xpc",
    // Suffixes of projects, and of files that Xcode generates.
    "docc", "doccarchive", "dsym", "instrdst", "playground", "playgroundbook", "realitycomposerpro",
    "swiftpm",
    "xcappdata", "xcarchive", "xcode", "xcodeproj", "xcplaygroundpage", "xcresult", "xctarget", "xcworkspace",
    // Suffixes of models, scenes and pictures.
    "aimodel", "atlas", "atlasc", "icon", "iconset", "imagecatalog", "mlmodelc", "mlpackage", "momd",
    "rcproject", "referenceobject", "rkassets", "scnassets", "scncache", "skatlas", "skybox", "xcclassmodel",
    "xcdatamodel", "xcdatamodeld", "xcmappingmodel", "xcstickers",
    // Suffixes of documents.
    "htmld", "mpkg", "nib", "pkg", "rtfd", "storyboardc",
  ]
}
