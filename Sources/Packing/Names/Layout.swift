import Formats
package import Model
import Pipeline
import System

/// A layout of the output folder; the raw value is its name in flags.
package enum Layout: String, Sendable, CaseIterable {
  /// Packs named after their digest, with an index.
  case packtool
  /// The output of Xcode: folders of packs and property lists.
  case xcode
  /// Zipped packs for a plain web server, with the manifest that devices read.
  case hosted
  /// Folders of packs with manifests for `ba-package`, and the tags as Swift code.
  case backgroundAssets = "background-assets"

  /// A summary of the output, for the flag's help.
  package var summary: String {
    switch self {
    case .packtool: "an index with packs"
    case .xcode: "what an Xcode build leaves"
    case .hosted: "zipped packs for a web server"
    case .backgroundAssets: "packs for Background Assets"
    }
  }

  /// Advice about variant files, for the end of a message.
  var hintOnVariants: String {
    switch self {
    case .packtool: "choose the device class to build for with --device"
    case .xcode, .hosted, .backgroundAssets:
      "packs in the layout \(quoted(rawValue)) are for all devices: put the variants into an asset catalog, "
        + "or give each variant its own path"
    }
  }

  /// The default profile whose limits the packs are checked against; nil to use the manifest's profile.
  package var profile: LimitProfile? {
    switch self {
    case .packtool, .xcode, .hosted: nil
    case .backgroundAssets: .backgroundAssets
    }
  }

  /// The reason why builds cannot be split into shards, with advice, for the end of a message; nil if builds
  /// can be split.
  package var reasonAgainstParts: String? {
    switch self {
    case .packtool, .xcode, .hosted: nil
    case .backgroundAssets:
      "its packs are copies of the files, so shards save no time; build without shards, and distribute "
        + "the calls of ba-package in package.sh over several machines"
    }
  }
}

/// A file name with the content to be written.
struct NamedBytes: Sendable {
  let name: String
  let bytes: ByteBuffer
}

/// How a manifest tells devices that a pack has changed; the raw value is its name in flags.
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
  /// Whether the app contains its own manifest of packs, so that none is written.
  package var hasOwnManifest = false
  /// The time that replaces the times of all files, in seconds since 1970; nil if files keep their own times.
  package var sourceDate: Int64?

  /// Whether files in packs keep the times of their sources.
  var keepsTimes: Bool { sourceDate == nil && contentHash == .modtime }
}

/// The location of a manifest's packs for devices.
package enum PackLocation: Sendable, Hashable {
  /// A URL prefix, to which the name of the pack's folder is appended without a separator.
  case prefix(PackURLPrefix)
  /// The packs are in the app's own resources.
  case app
  /// The packs stay in the output folder.
  ///
  /// Only a simulator on the same machine can read them there.
  case buildFolder

  var manifestName: String {
    self == .buildFolder ? PublishedNames.assetPackManifestTemplate : PublishedNames.assetPackManifest
  }

  /// The URL of a pack, from the name of its folder; `folder` is the absolute path of the parent folder.
  func url(ofPackFolder name: String, parentPath folder: [UInt8]) -> String {
    switch self {
    case .prefix(let prefix): prefix.text + encoded(name.utf8)
    case .app: "\(PublishedNames.onDemandResourcesFolder)/\(name)"
    case .buildFolder: "http://127.0.0.1" + encoded(folder + Array("/\(name)".utf8))
    }
  }
}

private func encoded(_ bytes: some Sequence<UInt8>) -> String {
  PercentEncoding.text(of: bytes, leaving: PercentEncoding.applePack)
}
