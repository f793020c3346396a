/// What stands where in an output folder; the raw value is its name in flags.
package enum Layout: String, Sendable, CaseIterable {
  /// Packs that are named by their digest, with an index.
  case packtool
  /// What Xcode's build leaves: folders of packs and property lists.
  case xcode
  /// Zipped packs for a plain web server, with the manifest that devices read.
  case hosted

  /// The folder of the packs, relative to the output folder.
  package var packsFolder: String {
    switch self {
    case .packtool: "packs"
    case .xcode: "OnDemandResources"
    case .hosted: "."
    }
  }

  /// The container of the packs, where a manifest names one.
  package func container(_ chosen: Container) -> Container {
    switch self {
    case .packtool: chosen
    case .xcode: .folder
    case .hosted: .zip
    }
  }

  /// Whether every pack has an Info.plist, and its name stays the same whatever it holds.
  var isXcodes: Bool { self != .packtool }

  /// The published file that is there whenever a build is.
  var indexName: String {
    switch self {
    case .packtool: Index.name
    case .xcode: OnDemandResources.name
    case .hosted: AssetPackManifest.name
    }
  }

  /// What a pack is called in its folder; `digest` is the short one.
  func fileName(ofPack name: String, digest: String, in container: Container) -> String {
    isXcodes ? name + Self.packSuffix : "\(name).\(digest)\(container.suffix)"
  }

  /// What Xcode's packs end in, folders and zipped ones.
  static let packSuffix = ".assetpack"
}

/// What in a manifest tells a device that a pack has changed; the raw value is its name in flags.
package enum ContentHash: String, Sendable, CaseIterable {
  /// The newest time of a file in the pack, as Xcode writes.
  case modtime
  /// A digest of the contents, which does not depend on when files were written.
  case sha256
}

/// How packs are written for Xcode's layouts.
package struct XcodeSettings: Sendable {
  package var location: PackLocation
  package var contentHash: ContentHash
  /// The time that stands for that of every file, in seconds since 1970; nil where files keep their own.
  package var sourceDate: Int64?

  package init(
    location: PackLocation = .buildFolder, contentHash: ContentHash = .modtime, sourceDate: Int64? = nil
  ) {
    self.location = location
    self.contentHash = contentHash
    self.sourceDate = sourceDate
  }

  /// Whether files in packs have the times of those that they were made from.
  var keepsTimes: Bool { sourceDate == nil && contentHash == .modtime }
}
