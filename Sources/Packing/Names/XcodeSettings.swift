import Formats
package import Model
import System

/// A file name with the content to be written.
struct NamedBytes: Sendable {
  let name: String
  let bytes: ByteBuffer
}

/// The value in a manifest that shows devices whether a pack has changed; the raw value is its name in flags.
package enum ContentHash: String, Sendable, CaseIterable {
  /// A digest of the contents, independent of modification times.
  case sha256
  /// A time, as in Xcode.
  ///
  /// It is the time of the newest file. If the pack changed without newer files, it is a later time.
  case modtime
}

/// Settings of the Apple layouts.
package struct XcodeSettings: Sendable, Hashable {
  package var location = PackLocation.buildFolder
  package var contentHash = ContentHash.sha256
  /// Whether the app contains its own manifest of packs.
  ///
  /// If so, the build writes no such manifest.
  package var hasOwnManifest = false
  /// The time that replaces the times of all files, in seconds since 1970; nil if files keep their own times.
  package var sourceDate: Int64?

  /// Returns the settings of a build whose output folder is in this state after the build.
  ///
  /// If the folder contains only published files, its path is not part of them.
  func leaving(_ state: OutputState) -> XcodeSettings {
    var settings = self
    if state == .removed && location == .buildFolder { settings.location = .anyFolder }
    return settings
  }

  /// Whether files in packs have the times of their source files.
  var keepsTimes: Bool { sourceDate == nil && contentHash == .modtime }
}

/// The place where devices find the packs of a manifest.
package enum PackLocation: Sendable, Hashable {
  /// A URL prefix, to which the name of the pack's folder is appended without a separator.
  case prefix(PackURLPrefix)
  /// The packs are in the app's own resources.
  case app
  /// The packs stay in the output folder.
  ///
  /// Only a simulator on the same machine can read them there.
  case buildFolder
  /// The final folder of the packs is not known yet, so URLs are relative to the output folder.
  ///
  /// The URLs are the same on every machine. A later step replaces them, such as an export in Xcode.
  case anyFolder

  var manifestName: String {
    switch self {
    case .buildFolder, .anyFolder: PublishedNames.assetPackManifestTemplate
    case .prefix, .app: PublishedNames.assetPackManifest
    }
  }

  /// Returns the URL of a pack, given the name of the pack's folder.
  ///
  /// `folder` is the absolute path of the parent folder.
  func url(ofPackFolder name: String, parentPath folder: [UInt8]) -> String {
    switch self {
    case .prefix(let prefix): prefix.text + encoded(name.utf8)
    case .app: "\(PublishedNames.onDemandResourcesFolder)/\(name)"
    case .buildFolder, .anyFolder: "http://127.0.0.1" + encoded(folder + Array("/\(name)".utf8))
    }
  }
}

private func encoded(_ bytes: some Sequence<UInt8>) -> String {
  PercentEncoding.text(of: bytes, leaving: PercentEncoding.applePack)
}
